"""What `nuts` and `hmc` share: over what chains are drawn, from where, and how they are judged."""

from abc import abstractmethod
from dataclasses import dataclass, replace

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.draws.chains import Chain, drawn_chains
from agewise.engine.equations.draws.density import Density
from agewise.engine.equations.draws.kernel import AbstractKernel
from agewise.engine.equations.draws.members import LESSER
from agewise.engine.equations.draws.mixing import divergence_remarks, lesser_remark, mixing
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.most_probable import most_probable
from agewise.engine.equations.fitting.most_probable_waves import (
    COUNTS,
    most_probable_waves,
    wave_unknown,
)
from agewise.engine.equations.fitting.rest import CLOSER
from agewise.engine.equations.functions.unknown import Unknown, perceptrons
from agewise.engine.equations.methods.base import AbstractMethod, posterior_of
from agewise.engine.equations.posterior.check import Check
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.posterior.weights import AbstractWeights, CertainWeights, DrawnWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stage
from agewise.errors import InputError
from agewise.types import Key

BASES = ("waves", "network")
"""What functions can be made of where chains are drawn: names of `basis`."""
FAR = 2.0
"""How far from its peak a chain sets out that others are compared with, in standard deviations of
the Gaussian about it. At the peak itself all chains would agree to begin with, come what may."""
SHORTEST = 8
"""Draws of a chain with which it can be compared to others."""


@dataclass(frozen=True, eq=False)
class Sampled:
    """What chains leave."""

    weights: AbstractWeights
    """All their states; the most probable numbers alone where there are none."""
    check: Check
    """The check, with what was found of the chains."""
    record: dict[str, np.ndarray]
    """How well they agree, and how each went."""


@dataclass(frozen=True)
class AbstractSampled(AbstractMethod):
    """Chains over the numbers, at the noise and the scales of the most probable fit."""

    @abstractmethod
    def kernel(self) -> AbstractKernel:
        """How a chain moves."""

    def fit(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> EquationPosterior:
        """The most probable fit, then the chains."""
        fitted = self.fitted(problem, key=key, monitor=monitor)
        sampled = self.sampled(fitted)
        posterior = posterior_of(self, fitted, sampled.weights, sampled.check)
        return replace(posterior, record=posterior.record | sampled.record)

    def fitted(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Fitted:
        """The most probable functions, on waves or as a network."""
        chosen = replace(self.settings, basis=basis(problem, self.settings))
        search = most_probable_waves if chosen.basis == "waves" else most_probable
        return search(problem, chosen, key=key, monitor=monitor)

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[AbstractWeights, Check]:
        """The states of all chains."""
        sampled = self.sampled(fitted)
        return sampled.weights, sampled.check

    def sampled(self, fitted: Fitted) -> Sampled:
        """Chains from the most probable numbers and from afar, and how well they agree."""
        check = fitted.checked(fitted.gaussian())
        chains: list[Chain] = []
        density = Density.of(fitted)
        # After Ctrl-C in the fit, nobody wants to wait for chains.
        if not fitted.stages.stopped:
            starts, behind = _starts(density, fitted, self.settings.chains)
            check = check.with_remarks(lesser_remark(behind, len(starts) // 2))
            # Nor after Ctrl-C on the way to where they start.
            if not fitted.stages.stopped:
                chains = drawn_chains(density, self.kernel(), starts, self.settings, fitted.stages)
        if not chains:
            finding = "Stopped by hand before a chain was drawn: one answer without any doubt."
            stopped = {"interrupted": np.array(True)}
            return Sampled(CertainWeights(fitted.numbers), check.with_findings(finding), stopped)
        return _judged(fitted, density, chains, check, self.settings)

    @classmethod
    def unknown(cls, problem: AbstractProblem, settings: EquationSettings, sizes) -> Unknown:
        """Sums of waves, or networks."""
        if settings.basis == "waves":
            return wave_unknown(problem, settings, sizes)
        return perceptrons(problem, settings.hidden, settings.stretch, sizes)


def basis(problem: AbstractProblem, settings: EquationSettings) -> str:
    """What functions are made of: as the settings say, else waves where these serve."""
    served = len(problem.coordinates()) in COUNTS and not problem.periodic()
    if settings.basis not in ("", *BASES) or (settings.basis == "waves" and not served):
        raise InputError(
            f"Chains cannot be drawn over {settings.basis!r} here.",
            hint='choose `basis="network"`, or `basis="waves"` for one or two open coordinates.',
        )
    return settings.basis or ("waves" if served else "network")


def _starts(density: Density, fitted: Fitted, count: int) -> tuple[list[np.ndarray], list[float]]:
    """The most probable numbers and, for every second chain, a place far about the peak to which
    Gauss-Newton leads from a draw of the prior; and by how much evidence those peaks are behind
    that are left out [nats].

    It leads to the most probable numbers again, unless the density has several peaks.
    """
    seed = np.asarray(jax.random.key_data(fitted.stages.key_of("starts")))
    drawn = np.random.default_rng(seed).standard_normal((count, len(fitted.numbers)))
    starts, behind = [np.zeros(drawn.shape[1])] * count, []
    for place in range(1, count, 2):
        numbers = _at_rest(fitted, drawn[place], f"start of chain {place + 1}")
        gap = fitted.log_evidence - replace(fitted, numbers=numbers).log_evidence
        # In white numbers the most probable ones are zero.
        peak = density.white(numbers) if gap <= LESSER else starts[0]
        starts[place] = _far_about(density, peak, drawn[place])
        behind += [gap] if gap > LESSER else []
    return starts, behind


def _far_about(density: Density, peak: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """A place farther from a peak than chains go, from which they must find to each other; the
    peak itself where the density has no value so far off."""
    far = peak + FAR * chance
    with jax.enable_x64(True):
        return far if np.isfinite(float(density(far))) else peak


def _at_rest(fitted: Fitted, numbers: np.ndarray, name: str) -> Float[np.ndarray, " number"]:
    """Where these numbers come to rest, at the noise and the scales of the fit.

    Under an exact equation a draw of the prior is millions of nats below the peak. A chain that
    starts there uses up its warm-up on the way, and its steps are those of the way and not of the
    peak.
    """
    settings = fitted.settings
    stage = Stage("accelerated-gauss-newton", settings.steps, rate=1.0, look=settings.look)
    stage = replace(stage, tolerance=CLOSER * settings.tolerance)
    end = fitted.stages.run(name, stage, fitted.objective, numbers, fitted.variances)
    return np.asarray(end.params)


def _judged(
    fitted: Fitted, density: Density, chains: list[Chain], check: Check, settings: EquationSettings
) -> Sampled:
    """All states, what is told of them, and a word where something is wrong."""
    states = [density.numbers(chain.white) for chain in chains]
    members, record = np.concatenate(states), _record(chains, settings.chains)
    if record["interrupted"]:
        check = check.with_remarks(
            f"Stopped by hand: {len(members)} of {settings.chains * settings.chain_draws} draws."
        )
    # R-hat wants chains of one length; those stopped by hand are cut to the shortest.
    shortest = min(len(chain_states) for chain_states in states)
    if shortest < SHORTEST or len(chains) < 2:
        check = check.with_findings("No two chains are there to be compared with each other.")
        return Sampled(DrawnWeights(fitted.numbers, members), check, record)
    alike = mixing(
        fitted.problem,
        fitted.unknown,
        np.stack([chain_states[:shortest] for chain_states in states]),
    )
    check = alike.judged(check).with_remarks(*divergence_remarks(record["divergent"]))
    return Sampled(DrawnWeights(fitted.numbers, members), check, record | alike.record())


def _record(chains: list[Chain], wanted: int) -> dict[str, np.ndarray]:
    """The chain of every state, how it was reached, and whether chains were stopped by hand."""
    stopped = len(chains) < wanted or any(chain.interrupted for chain in chains)
    number = [np.full(len(chain.white), place + 1) for place, chain in enumerate(chains)]
    return {
        "chain": np.concatenate(number),
        "leaps": np.concatenate([chain.leaps for chain in chains]),
        "divergent": np.concatenate([chain.divergent for chain in chains]).astype(float),
        "accepted": np.concatenate([chain.accepted for chain in chains]),
        "interrupted": np.array(stopped),
    }

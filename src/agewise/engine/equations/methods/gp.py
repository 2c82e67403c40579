"""`gp`: a Gaussian process on the hidden units of a network that keeps distances."""

from dataclasses import dataclass, replace
from typing import ClassVar

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.fitting.determined import determined_by_equations, with_wide_gains
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.rest import rest
from agewise.engine.equations.fitting.stated import Stated
from agewise.engine.equations.functions.fourier import held, processes
from agewise.engine.equations.functions.networks import Perceptron
from agewise.engine.equations.functions.unknown import Unknown, gradients_at, perceptrons, values_at
from agewise.engine.equations.methods.base import AbstractMethod
from agewise.engine.equations.objective.averaged import parts_of
from agewise.engine.equations.objective.collocation import box_of
from agewise.engine.equations.posterior.check import Check, outdone_remark
from agewise.engine.equations.posterior.weights import GaussianWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor
from agewise.types import Key

LENGTHS = (0.2, 0.4, 0.8, 1.6, 3.2)
"""Lengths of the process that are tried, in units of stretched coordinates, in which a box is 4
wide; that of the greatest evidence is taken."""
FREE = 0.8
"""Longest of them where exact ordinary equations determine the functions, as `LENGTHS`. Longer
ones pull at constants: of a decay of rate 0.5 they leave 0.458, where up to 0.8 it is 0.507, and
0.509 without a process."""
LOOK = 2
"""Steps after which it is asked whether a process still gets better. It is linear in its numbers,
so that most fits are at rest after a few, and a step that gains nothing costs most of all."""
COPIED = 1000
"""Points at which the fit of the network is copied, to set out from."""
RIDGE = 1e-6
"""Share of the trace, the sum of the eigenvalues, that holds copied numbers back [1]."""


@dataclass(frozen=True)
class GP(AbstractMethod):
    """A Gaussian process as last layer; its length and amplitude are those of the greatest
    evidence, and where an equation is not linear it is taken as linear about the fit.

    As published, the spread is a distance from the readings and no probability, since nothing sets
    the amplitude.
    """

    name: ClassVar[str] = "gp"
    summary: ClassVar[str] = (
        "A Gaussian process on a network that keeps distances, length and amplitude by "
        "evidence: bands like `laplace`'s (straight line, Yang's inverse problem) for five "
        "closed-form fits more."
    )

    def fitted(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> Fitted:
        """The process of the greatest evidence on the most probable network's hidden units."""
        network = super().fitted(problem, key=key, monitor=monitor)
        determined = _determined(network)
        lengths = [length for length in LENGTHS if length <= FREE or not determined]
        best = max((self._rest(network, length) for length in lengths), key=_evidence)
        # Wide gains make evidence no yardstick between a network and a process.
        ahead = 0.0 if determined else network.log_evidence - best.log_evidence
        return replace(best, check=best.check.with_remarks(outdone_remark(ahead)))

    def _rest(self, network: Fitted, length: float) -> Fitted:
        """The most probable numbers of a process of this length."""
        unknown = processes(network.unknown, self.settings.waves)
        gains = {}
        for (name, function), own in zip(
            network.unknown.functions.items(), parts_of(network.unknown), strict=True
        ):
            base = function.network
            assert isinstance(base, Perceptron)
            # Amplitude one to begin with; `rest` learns it as a gain, by evidence.
            gains[name] = np.concatenate([[1.0, length], held(base, network.numbers[own])])
        unknown = unknown.with_gains(gains)
        settings, sensors = network.settings, network.sensors
        # The same gain for each step as usual, only asked sooner.
        sooner = replace(settings, look=LOOK, tolerance=settings.tolerance * LOOK / settings.look)
        # The same points and scales for every length, so that evidences can be compared.
        stated = Stated(network.problem, sooner, unknown, network.taken, sensors)
        start, name = _copied(network, unknown), f"process of length {length:g}"
        # As for networks: an amplitude by evidence would pull at constants.
        if _determined(network):
            stated, start = with_wide_gains(stated, start)
        fitted = rest(stated, network.stages, start, name=name, attempt=network.check.attempts)
        # Whoever fits again with these settings sets out from a network, as this fit did.
        return replace(fitted, settings=settings)

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[GaussianWeights, Check]:
        """The Gaussian over the numbers, in closed form."""
        doubt = fitted.gaussian()
        return doubt, fitted.checked(doubt)

    @classmethod
    def unknown(cls, problem: AbstractProblem, settings: EquationSettings, sizes) -> Unknown:
        """Processes on networks."""
        base = perceptrons(problem, settings.hidden, settings.stretch, sizes)
        return processes(base, settings.waves)


def _determined(network: Fitted) -> bool:
    """Whether equations say how fast functions change, so that it is no matter of likelihood."""
    return determined_by_equations(network.problem, read=bool(network.sensors))


def _copied(network: Fitted, unknown: Unknown) -> Float[np.ndarray, " number"]:
    """Numbers of processes that come near the functions of a network; its constants."""
    low, high = box_of(network.problem)
    points = np.random.default_rng(0).uniform(low, high, (COPIED, len(low)))
    zero, parts = np.zeros(unknown.size), []
    with jax.enable_x64(True):
        for name, own in zip(unknown.functions, parts_of(unknown), strict=True):
            values = np.asarray(values_at(network.unknown, network.numbers, name, points))
            # What the process must add to its function at zero numbers, which is the centre.
            values = values - np.asarray(values_at(unknown, zero, name, points))
            # Linear in its numbers, so that gradients anywhere are the design matrix.
            waves = np.asarray(gradients_at(unknown, zero, name, points))[:, own]
            # Normal equations with a ridge: a start need not be exact, only near.
            gram = waves.T @ waves
            gram.flat[:: len(gram) + 1] += RIDGE * np.trace(gram)
            parts.append(np.linalg.solve(gram, waves.T @ values))
    places = len(unknown.constants)
    return np.concatenate([*parts, network.numbers[len(network.numbers) - places :]])


def _evidence(fitted: Fitted) -> tuple[bool, float]:
    """Larger is better: those that pass their check first, then by evidence."""
    return fitted.check.sound, fitted.log_evidence

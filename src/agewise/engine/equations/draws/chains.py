"""Markov chains over the numbers of a fit, by BlackJAX: watched, resumable, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int

from agewise.engine.equations.draws.density import Density
from agewise.engine.equations.draws.kernel import AbstractKernel
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.training import Monitor, Stages
from agewise.engine.training.checkpoint import Keeper
from agewise.threads import side_by_side
from agewise.types import Key

ROUND = 50
"""Moves between looks at the clock and the keyboard."""


class Begun(eqx.Module):
    """A chain after its warm-up: where it stands and how it moves."""

    state: tuple[Any, Any, Any]
    """Position, logarithm of the density and its gradient there."""
    step: Array
    """Length of a step of every path, as the warm-up set it [1]."""
    scales: Array
    """Variances by which each direction is scaled [1]."""


@dataclass(frozen=True, eq=False)
class Chain:
    """The states of one chain in their order, and how it went."""

    white: Float[np.ndarray, "draw number"]
    """Every state, in the numbers of its density."""
    leaps: Int[np.ndarray, " draw"]
    """Steps of the path to each state."""
    divergent: Bool[np.ndarray, " draw"]
    """Whether the path left the density behind, as it does where steps are too long."""
    accepted: Float[np.ndarray, " draw"]
    """Mean chance with which states of the path were accepted [1]."""
    interrupted: bool
    """Whether Ctrl-C ended the chain before it had all its draws."""


def drawn_chain(
    density: Density,
    kernel: AbstractKernel,
    start: Float[np.ndarray, " number"],
    seed: np.ndarray,
    settings: EquationSettings,
    name: str,
    monitor: Monitor,
) -> Chain:
    """One chain from a start: warm-up, then rounds of moves; Ctrl-C ends it with what there is.

    Args:
        density: What is sampled.
        kernel: How the chain moves.
        start: Where it starts, in the numbers of the density.
        seed: Data of its key; a move's own depends on its number alone.
        settings: Lengths of warm-up and chain.
        name: Name of its bar and its checkpoint.
        monitor: Who watches.
    """
    lengths = (settings.warm_up, settings.chain_draws)
    # In double precision: long paths must keep their energy, or steps shrink to nothing.
    with jax.enable_x64(True), monitor.bar(name) as bar:
        # All that decides the states, so that a checkpoint of another chain is refused.
        keeper = Keeper(monitor, name, (density, kernel, start, seed, lengths))
        key, interrupted = jax.random.wrap_key_data(jnp.asarray(seed)), False
        begun: Any = None  # a chain after its warm-up
        parts: list[Any] = []
        try:
            saved = keeper.kept()
            if saved is None:
                bar(0, settings.chain_draws, "warm-up")
                begun = _warmed(density, kernel, jnp.asarray(start), key, settings.warm_up)
            else:
                begun, parts = _restored(saved)
            while (done := _count(parts)) < settings.chain_draws:
                bar(
                    done,
                    settings.chain_draws,
                    f"{np.mean(parts[-1][1]):.0f} steps" if parts else "",
                )
                # As an array: another plain number would be another program.
                begun, part = _moved(density, kernel, begun, key, np.asarray(done))
                parts.append(jax.tree.map(np.asarray, part))
                # Bound as a default, or the function would see what `begun` becomes later.
                keeper.keep(lambda begun=begun: _arrays(begun, parts))
        except KeyboardInterrupt:
            interrupted = True
        if begun is not None and parts:
            keeper.keep(lambda begun=begun: _arrays(begun, parts), now=True)
    # Rounds are whole, so the last may overshoot what was asked for.
    joined = (part[: settings.chain_draws] for part in _joined(parts, len(start)))
    white, leaps, divergent, accepted = joined
    return Chain(white, leaps, divergent, accepted, interrupted)


def drawn_chains(
    density: Density,
    kernel: AbstractKernel,
    starts: Sequence[np.ndarray],
    settings: EquationSettings,
    stages: Stages,
) -> list[Chain]:
    """One chain from each start, in as many processes as the settings say.

    Stopped by hand, chains that have drawn anything come back; of several processes, those that
    have ended.
    """
    monitor, chains = stages.monitor, {}
    names = [f"chain {place + 1}" for place in range(len(starts))]
    # As plain arrays, which other processes and fingerprints can take.
    seeds = [np.asarray(jax.random.key_data(stages.key_of(name))) for name in names]
    if settings.jobs == 1:
        for name, start, seed in zip(names, starts, seeds, strict=True):
            chains[name] = drawn_chain(density, kernel, start, seed, settings, name, monitor)
            # What was drawn so far is kept; chains after it are not begun.
            if chains[name].interrupted:
                break
    else:
        # Bars of several processes would write over each other.
        quiet = replace(monitor, terminal=False)
        calls = [
            (density, kernel, start, seed, settings, name, quiet)
            for name, start, seed in zip(names, starts, seeds, strict=True)
        ]
        with monitor.bar("chains") as bar:
            try:
                bar(0, len(calls), "")
                for name, chain in side_by_side(_named, calls, jobs=settings.jobs, ordered=False):
                    chains[name] = chain
                    bar(len(chains), len(calls), "")
            # Chains that have ended are an answer; with a folder the others left checkpoints.
            except KeyboardInterrupt:
                pass
    return [chains[name] for name in names if name in chains and len(chains[name].white)]


def _named(*call: Any) -> tuple[str, Chain]:
    return call[5], drawn_chain(*call)


@eqx.filter_jit
def _warmed(density: Density, kernel: AbstractKernel, start: Array, key: Key, count: int) -> Begun:
    """The chain after its warm-up."""
    result, _ = kernel.warm_up(density).run(key, start, count)
    parameters = result.parameters
    # BlackJAX's inverse mass matrix: the variances along the directions, where it is diagonal.
    return Begun(tuple(result.state), parameters["step_size"], parameters["inverse_mass_matrix"])


@eqx.filter_jit
def _moved(density: Density, kernel: AbstractKernel, begun: Begun, key: Key, first: Any) -> Any:
    """The chain after a round of moves, and the states on its way."""
    # Imported here, since most fits draw no chain.
    from blackjax.mcmc.hmc import HMCState

    def move(state, number):
        # By its number, so that a resumed chain makes the same moves.
        own = jax.random.fold_in(key, number)
        state, info = kernel.move(density, own, state, begun.step, begun.scales)
        diagnostics = (info.num_integration_steps, info.is_divergent, info.acceptance_rate)
        return state, (state.position, *diagnostics)

    # From one on, counted over all rounds.
    numbers = 1 + first + jnp.arange(ROUND)
    state, states = jax.lax.scan(move, HMCState(*begun.state), numbers)
    # Step and scales stay as the warm-up left them: adapting on would bend the distribution.
    return eqx.tree_at(lambda b: b.state, begun, tuple(state)), states


def _count(parts: list[Any]) -> int:
    return sum(len(part[1]) for part in parts)


def _joined(parts: list[Any], numbers: int) -> list[np.ndarray]:
    if not parts:
        return [np.zeros((0, numbers)), np.zeros(0, int), np.zeros(0, bool), np.zeros(0)]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


STATES = ("white", "leaps", "divergent", "accepted")
"""Names of the arrays of a chain's states in its checkpoint."""


def _arrays(begun: Begun, parts: list[Any]) -> dict[str, np.ndarray]:
    """A chain as its checkpoint holds it."""
    position, height, gradient = (np.asarray(part) for part in begun.state)
    standing = {"position": position, "height": height, "gradient": gradient}
    moving = {"step": np.asarray(begun.step), "scales": np.asarray(begun.scales)}
    return standing | moving | dict(zip(STATES, _joined(parts, len(position)), strict=True))


def _restored(saved: dict[str, np.ndarray]) -> tuple[Begun, list[Any]]:
    """A chain from its checkpoint."""
    arrays = {name: jnp.asarray(array) for name, array in saved.items()}
    state = (arrays["position"], arrays["height"], arrays["gradient"])
    begun = Begun(state, arrays["step"], arrays["scales"])
    # All rounds so far as one part, to which further ones are joined.
    return begun, [tuple(saved[name] for name in STATES)]

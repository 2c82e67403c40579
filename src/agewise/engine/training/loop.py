"""The loop: steps of one optimiser, watched, stopped in time, resumable to the bit."""

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal

import jax
import numpy as np
from jaxtyping import Float

from agewise.engine.training.checkpoint import Keeper
from agewise.engine.training.monitor import QUIET, Monitor
from agewise.engine.training.objective import AbstractObjective, Aux, Params, Renewal
from agewise.engine.training.optimiser import AbstractOptimiser, History
from agewise.engine.training.optimisers import OPTIMISERS
from agewise.engine.training.reweighted import REWEIGHTED
from agewise.engine.training.state import Records, State
from agewise.errors import InputError
from agewise.types import Key

SMOOTHING = 0.9
"""Share of the past in the smoothed objective, from one look to the next."""
FALLING, LONGEST = 0.85, 3
"""A stage that settles goes on while a round of looks lowers the objective to less than the first
of these as a share of what it was [1], up to the second times its planned looks."""

ALL_OPTIMISERS = OPTIMISERS | {f"{rule}-adam": kind for rule, kind in REWEIGHTED.items()}
"""Every optimiser by the name that a stage gives it, those that reweight their rows among them."""


@dataclass(frozen=True)
class Stage:
    """One optimiser for a number of steps, and when to look, renew and stop."""

    optimiser: Literal[
        "adam",
        "constant-adam",
        "lbfgs",
        "gauss-newton",
        "accelerated-gauss-newton",
        "equal-adam",
        "attention-adam",
        "adaptive-adam",
        "kernel-adam",
    ]
    """Name of the optimiser."""
    steps: int
    """Planned number of steps; 0 leaves the parameters as they are."""
    rate: float = 1e-3
    """Adam's highest rate, its only one where it is constant; or one over the first damping of
    Gauss-Newton. L-BFGS has none."""
    look: int = 100
    """Steps between looks: history, early stopping, checkpoints and renewals."""
    patience: int = 0
    """Looks without progress after which to stop; 0 never stops."""
    renew: tuple[int, ...] = ()
    """Numbers of the looks, from 1, after which what is held fixed is renewed."""
    snapshots: int = 0
    """Looks between snapshots of the parameters; 0 takes none."""
    settle: int = 0
    """Looks by which the stage goes on, renewed, as long as it is still falling; 0 never does."""
    tolerance: float = 0.0
    """Share of the objective by which a look must lower it for the stage to go on [1]; 0 asks for
    nothing. For objectives that do not change from step to step."""

    def goes_on(self, records: Records) -> bool:
        """Whether there are looks left, or another round of them begins."""
        looks, planned = len(records.get("step", ())), self._planned
        if self.converged(records):
            return False
        # Without settling the plan alone decides; with it, rounds of looks follow the plan.
        if looks < planned or not self.settle:
            return looks < planned
        return not self._round_over(looks) or self._falls(records)

    def converged(self, records: Records) -> bool:
        """Whether the last look lowered the objective by less than the tolerance."""
        totals = records.get("total", np.zeros(0))
        if not self.tolerance or len(totals) < 2:
            return False
        # Over the size of the objective, which may be negative; a rise counts as converged too.
        return bool(totals[-2] - totals[-1] < self.tolerance * abs(totals[-1]))

    def renews(self, records: Records) -> bool:
        """Whether what is held fixed is renewed after the last look."""
        looks = len(records["step"])
        # A round that begins anew renews first, or it would go on with old noise.
        return looks in self.renew or (self._round_over(looks) and self._falls(records))

    @property
    def renewed(self) -> bool:
        """Whether what is held fixed is renewed before the stage ends."""
        return min(self.renew, default=np.inf) <= self._planned

    @property
    def _planned(self) -> int:
        # Rounded up: the last look may come after fewer steps than the others.
        return -(-self.steps // self.look)

    def _round_over(self, looks: int) -> bool:
        extra = looks - self._planned
        return self.settle > 0 and extra >= 0 and extra % self.settle == 0

    def _falls(self, records: Records) -> bool:
        """Whether the last round of looks lowered the objective much, and another is allowed."""
        totals = records["total"]
        # Two rounds to compare, and a limit: an objective that creeps must end some time.
        if not 2 * self.settle <= totals.size < LONGEST * self._planned:
            return False
        # The lowest looks of two rounds, since each look may be on points of its own.
        before, after = totals[-2 * self.settle : -self.settle], totals[-self.settle :]
        gain = before.min() - after.min()
        # By the size, since an objective with log variances may well be negative.
        return bool(gain > (1 - FALLING) * abs(before.min()))


@dataclass(frozen=True, eq=False)
class Trained:
    """The best parameters, what was held fixed beside them, and how they were found."""

    params: Params
    """Parameters at the lowest smoothed objective."""
    aux: Aux
    """What was held fixed beside them, as last renewed."""
    history: dict[str, Float[np.ndarray, " look"]]
    """`step`, every term and their `total`, as means since the look before."""
    snapshots: list[Params]
    """Parameters kept from time to time."""
    interrupted: bool
    """Whether Ctrl-C ended the training."""


def train(
    objective: AbstractObjective,
    params: Params,
    aux: Aux,
    stage: Stage,
    *,
    name: str,
    key: Key,
    renewal: Renewal | None = None,
    monitor: Monitor = QUIET,
) -> Trained:
    """Make an objective small, and give back the parameters at its lowest smoothed value.

    Interrupted by Ctrl-C, the best so far come back. Killed, the same call with a monitor that
    resumes goes on from its last checkpoint to the same result.

    Args:
        objective: What is made small.
        params: Parameters to start from, a pytree of arrays.
        aux: What the objective holds fixed until it is renewed.
        stage: Optimiser, steps, and when to look, renew and stop.
        name: Name of the training, for its bar, its checkpoint and its errors.
        key: Key of all mini-batches; a step's depends on its number alone.
        renewal: Makes `aux` anew from the parameters, where the stage says so.
        monitor: Who watches.
    """
    # So do stages pass their parameters on, after one that was stopped by hand.
    if stage.steps == 0:
        return Trained(jax.tree.map(np.asarray, params), aux, {}, [], False)
    kind = ALL_OPTIMISERS[stage.optimiser]
    # Double precision for this stage alone: no switch is set for the whole process.
    with jax.enable_x64(True) if kind.dtype is np.float64 else nullcontext():
        optimiser = kind(with_arrays(objective), stage.steps, stage.rate)
        # One type throughout: a double among floats would change what is compiled.
        params, aux = jax.tree.map(lambda leaf: np.asarray(leaf, dtype=kind.dtype), (params, aux))
        # The monitor is left out: a resumed training may be watched in another way.
        keeper = Keeper(monitor, name, (objective, params, aux, stage, jax.random.key_data(key)))
        state = State(params, optimiser.start(params), aux, params)
        # The fresh state gives the shape of its trees, into which saved arrays are put.
        saved = keeper.kept()
        state = state if saved is None else state.restored(saved)
        interrupted = False  # by Ctrl-C, which ends this stage but not the fit
        with monitor.bar(name) as bar:
            try:
                while stage.goes_on(state.records) and not 0 < stage.patience <= state.waited:
                    known = np.isfinite(state.smoothed)
                    bar(state.step, stage.steps, f"{state.smoothed:.6g}" if known else "")
                    state = _after_look(optimiser, state, stage, name, renewal, key=key)
                    keeper.keep(state.arrays)
            except KeyboardInterrupt:
                interrupted = True
        # The end is always written, so that a resumed fit does not repeat a stage that was done.
        keeper.keep(state.arrays, now=True)
    # As NumPy's: back in single precision, JAX would cut its own doubles at their next use.
    best = jax.tree.map(np.asarray, state.best)
    return Trained(best, state.aux, state.records, state.snapshots, interrupted)


def _after_look(
    optimiser: AbstractOptimiser,
    state: State,
    stage: Stage,
    name: str,
    renewal: Renewal | None,
    *,
    key: Key,
) -> State:
    """The steps up to the next look, and what is seen there."""
    left = stage.steps - state.step
    # A stage that settles has no planned steps left, and goes on by whole looks.
    count = min(stage.look, left) if left > 0 else stage.look
    params, inner, terms = optimiser.advance(
        state.params, state.optimiser, state.aux, state.step, count, key=key
    )
    # Before anything is kept: a checkpoint never holds what is no number.
    _assert_finite(terms, state.step, name)
    step = state.step + count
    means = {term: float(np.mean(values)) for term, values in terms.items()}
    total = sum(means.values())
    # The first look, also after a renewal, has no past to be blended with.
    smoothed = total if state.smoothed == np.inf else _blend(state.smoothed, total)
    better = smoothed < state.lowest
    records = state.recorded({"step": step, "total": total} | means)
    renewing = renewal is not None and stage.renews(records)
    return State(
        params=params,
        optimiser=inner,
        aux=renewal(params, state.aux) if renewal and renewing else state.aux,
        # After a renewal the best so far is that of another objective, and no longer counts.
        best=params if better or renewing else state.best,
        step=step,
        # After a renewal the objective is another one, so the search for its lowest value restarts.
        lowest=np.inf if renewing else min(state.lowest, smoothed),
        smoothed=np.inf if renewing else smoothed,
        waited=0 if better or renewing else state.waited + 1,
        records=records,
        snapshots=[*state.snapshots, params]
        if stage.snapshots and len(records["step"]) % stage.snapshots == 0
        else state.snapshots,
    )


def with_arrays(objective: AbstractObjective) -> AbstractObjective:
    """Plain numbers as arrays, so that another number is not another program."""
    return jax.tree.map(lambda x: np.asarray(x) if isinstance(x, float) else x, objective)


def _blend(smoothed: float, total: float) -> float:
    return SMOOTHING * smoothed + (1 - SMOOTHING) * total


def _assert_finite(terms: History, first: int, name: str) -> None:
    """Stop at the first step whose objective is no number, and say which term it was."""
    # The earliest step counts, since a number that is none spreads to all terms after it.
    bad = {term: np.flatnonzero(~np.isfinite(values)) for term, values in terms.items()}
    bad = {term: int(steps[0]) for term, steps in bad.items() if steps.size}
    if not bad:
        return
    earliest = min(bad.values())
    named = " and ".join(repr(term) for term, step in bad.items() if step == earliest)
    raise InputError(
        f"Training {name!r} failed at step {first + earliest + 1}: {named} is not a finite number.",
        hint="look for impossible values in the data, and for roots, logarithms and quotients in "
        "the equations, which any function must bear; or lower the rate of the stage.",
    )

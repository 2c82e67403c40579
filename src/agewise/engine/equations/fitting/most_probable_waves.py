"""The most probable functions among sums of waves, whose reach is chosen by evidence."""

from dataclasses import replace

import numpy as np

from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.most_probable import led
from agewise.engine.equations.fitting.rest import rest
from agewise.engine.equations.fitting.sizes import Sizes, with_found_sizes
from agewise.engine.equations.fitting.stated import Stated
from agewise.engine.equations.functions.unknown import Unknown, waves
from agewise.engine.equations.objective.collocation import collocation
from agewise.engine.equations.objective.sensors import sensors_of, sizes_of, unsized
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor, Stages
from agewise.types import Key

COUNTS = {1: 80, 2: 24}
"""Waves along each coordinate, by the number of coordinates."""
REACHES = (0.06, 0.12, 0.25, 0.4)
"""Shares of the waves from which coefficients fade [1]; that of the greatest evidence is
taken, among those that pass their check."""


def on_waves(
    problem: AbstractProblem,
    settings: EquationSettings,
    share: float,
    stages: Stages,
    found: Sizes | None = None,
) -> Stated:
    """A problem on waves that fade from a share of them on, which stands in the place of the
    stretch in its settings; of these sizes where another fit has found them."""
    chosen, sensors = replace(settings, basis="waves", stretch=share), sensors_of(problem)
    sizes = sizes_of(problem, sensors) | {name: (0.0, of) for name, of in (found or {}).items()}
    unknown = wave_unknown(problem, chosen, sizes)
    guessed = unsized(problem, sensors) == list(problem.functions())
    taken = collocation(problem, unknown, key=stages.key_of("points"), guessed=guessed)
    return Stated(problem, chosen, unknown, taken, sensors)


def wave_unknown(problem: AbstractProblem, settings: EquationSettings, sizes) -> Unknown:
    """Waves that fade beyond the reach, which stands in the place of the stretch."""
    count = COUNTS[len(problem.coordinates())]
    # A share of the waves becomes the number of a wave.
    return waves(problem, count, settings.stretch * count, sizes)


def most_probable_waves(
    problem: AbstractProblem,
    settings: EquationSettings,
    *,
    key: Key,
    monitor: Monitor,
    linear: bool = False,
) -> Fitted:
    """The expected coefficients, for the reach that makes the data most likely among those that
    pass their check.

    Args:
        problem: A problem of one or two coordinates.
        settings: How it is fitted.
        key: Key of all that is random.
        monitor: Who watches.
        linear: Whether the problem is known to be linear, so that one step is enough from anywhere.
    """
    fits, guessed = [], unsized(problem, sensors_of(problem))
    for share in REACHES:
        # New for each, so that a record holds the stages of its own reach alone.
        stages = Stages(key, monitor)

        def begun(sizes: Sizes, which: str, share=share, stages=stages) -> Fitted:
            stated = on_waves(problem, settings, share, stages, sizes)
            start, name = np.zeros(stated.unknown.size), f"reach {share}{which}"
            if not linear:
                # Readings lead first, as for networks: the equation may have several solutions.
                start, _ = led(stated, start, stages, name)
            return rest(stated, stages, start, name=name)

        fits.append(with_found_sizes(begun, guessed))
        if stages.stopped:
            break
    # Tight equations weigh so much in the evidence that it may prefer waves too slow to follow.
    best = max(fits, key=lambda fitted: (fitted.check.sound, fitted.log_evidence))
    # Whichever reach is taken: after Ctrl-C nothing more is begun, and the record says so.
    return replace(best, stages=fits[-1].stages) if fits[-1].stages.stopped else best

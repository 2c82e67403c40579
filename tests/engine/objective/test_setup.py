"""A fit that is not there yet takes more last steps, and one that is there takes no more."""

from collections.abc import Callable

import jax
import numpy as np
import pytest

from agewise.engine.objective import setup as setups
from agewise.engine.objective.architecture import prior_of
from agewise.engine.objective.families import Point
from agewise.engine.objective.setup import LAST_STEPS, MOST_STEPS, Setup
from agewise.engine.presets import default
from agewise.engine.training import QUIET
from agewise.transformer.oil.heat import TransformerHeat
from agewise.twin.twin import TwinSettings, make_twin

TWIN = TwinSettings(seed=102, days=1.0)


@pytest.mark.parametrize(
    ("misfits", "steps"),
    [
        pytest.param([0.5] * MOST_STEPS, LAST_STEPS, id="there"),
        pytest.param([9.0, 5.0, 2.0, 1.1, 0.9, 0.5], 5, id="on the way"),
        pytest.param([2.0] * (MOST_STEPS + 1), MOST_STEPS, id="never there"),
    ],
)
def test_last_steps_go_on_while_much_is_left_unexplained(
    problem_of: Callable[..., TransformerHeat],
    monkeypatch: pytest.MonkeyPatch,
    misfits: list[float],
    steps: int,
):
    settings = default("vi", "heteroscedastic")
    setup = Setup.of(problem_of(make_twin(TWIN)), settings, key=jax.random.key(0), monitor=QUIET)
    # A day at half an hour, both ends, and an hour's worth of equation each; and the first profile.
    assert setup.observed == pytest.approx(2 * 48 + 24 + 1, abs=3)
    left = iter(misfits)

    def step(objective, weights, aux, **_):
        return weights + 1, next(left) * setup.observed

    monkeypatch.setattr(setups, "polished", step)
    objective = setup.objective(Point(prior_of(settings.network)))
    taken = setup.polished(objective, np.zeros(3), {})
    np.testing.assert_array_equal(taken, float(steps))

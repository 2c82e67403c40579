"""Intervals of constants hold as often as they say, also where the method beneath is too sure."""

from dataclasses import dataclass, replace
from typing import ClassVar

import jax
import numpy as np
import pytest

import agewise
from agewise.engine.conformal_constants import conformal_constants
from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.equations.methods.laplace import Laplace
from agewise.engine.equations.methods.registry import METHODS
from agewise.engine.equations.posterior.weights import CertainWeights, DrawnWeights

TIMES = np.linspace(0.1, 2.0, 10)[:, None]
NOISE = 0.1
TOO_SURE = 3.0
"""By how much the sham below understates its standard deviations."""


@dataclass(frozen=True)
class TooSure(Laplace):
    """`laplace` with a third of its doubt."""

    name: ClassVar[str] = "too-sure"

    def weights(self, fitted, *, key):
        doubt, check = super().weights(fitted, key=key)
        # The factor is that of the precision, the inverse of the variance.
        return replace(doubt, factor=TOO_SURE * doubt.factor), check


SMALL = agewise.EquationSettings(hidden=(4,), attempts=1, single_start=True)


def line() -> agewise.Problem:
    """A line through zero with an unknown slope, read ten times."""
    values = 1.5 * TIMES[:, 0] + NOISE * np.random.default_rng(0).standard_normal(len(TIMES))
    return agewise.Problem(
        equations={
            "slope": lambda u, t: agewise.partial(u, 0)(t) - u.slope,
            "start": lambda u, t: u(t),
        },
        coordinates={"t": (0.0, 2.0)},
        places={"start": [{"t": 0.0}]},
        constants={"slope": agewise.Normal(1.0, 1.0)},
        scales={"slope": 0.0, "start": 0.0},
        readings={"gauge": agewise.Observations(TIMES, values, np.full(len(TIMES), NOISE))},
    )


@pytest.fixture(scope="module")
def fitted():
    return agewise.fit(line(), method="laplace", settings=SMALL)


def test_a_method_that_is_too_sure_gets_the_interval_of_one_that_is_not(fitted, monkeypatch):
    monkeypatch.setitem(METHODS, "too-sure", TooSure)
    too_sure = agewise.fit(line(), method="too-sure", settings=SMALL)
    honest, sure = (conformal_constants(fit, repeats=1) for fit in (fitted, too_sure))
    assert sure.found["slope"][1] == pytest.approx(honest.found["slope"][1] / TOO_SURE, rel=1e-3)
    assert sure.interval("slope", 0.5) == pytest.approx(honest.interval("slope", 0.5), rel=1e-3)
    # Least squares by hand: the score of a doubt that is right is one of a normal law.
    assert honest.found["slope"][1] == pytest.approx(NOISE / np.linalg.norm(TIMES), rel=0.05)
    assert 0.01 < honest.scores["slope"][0] < 3.0


def test_made_noise_is_not_that_of_readings_which_the_same_seed_has_made(fitted, monkeypatch):
    def as_they_are(posterior, readings, number):
        made.append(np.asarray(readings["gauge"].values))
        return {"slope": (1.5, 0.1)}

    made: list[np.ndarray] = []
    monkeypatch.setattr("agewise.engine.conformal_constants._found_again", as_they_are)
    conformal_constants(fitted, repeats=2, seed=0)
    # The noise of `line` is of seed 0 too; what the records differ by is noise alone.
    own = NOISE * np.random.default_rng(0).standard_normal((2, len(TIMES)))
    assert not np.allclose(made[1] - made[0], own[1] - own[0])


def test_fits_of_other_readings_compile_nothing_anew(fitted):
    compiled = []

    def noted(event: str, duration_secs: float, **_: str | int) -> None:
        compiled.extend([event] * event.endswith("backend_compile_duration"))

    # The first made record compiles what all of them share; others are nothing but other numbers.
    conformal_constants(fitted, repeats=1, seed=1)
    jax.monitoring.register_event_duration_secs_listener(noted)
    try:
        conformal_constants(fitted, repeats=2, seed=2)
        assert not compiled
        jax.jit(lambda x: x + len(compiled))(1.0)
        assert compiled
    finally:
        jax.monitoring.unregister_event_duration_listener(noted)


def test_ctrl_c_leaves_the_fits_that_have_ended(fitted, monkeypatch):
    def until_the_third(posterior, readings, number):
        if number == 2:
            raise KeyboardInterrupt
        return {"slope": (1.5 + 0.02 * number, 0.1)}

    monkeypatch.setattr("agewise.engine.conformal_constants._found_again", until_the_third)
    stopped = conformal_constants(fitted, repeats=9)
    assert len(stopped.scores["slope"]) == 2
    # Two fits tell nothing of nine times in ten.
    assert np.isinf(stopped.interval("slope", 0.9)).all()


def test_a_made_fit_without_doubt_is_infinitely_far_off_and_ends_nothing(fitted, monkeypatch):
    """As an ensemble of which a single member passes its check."""

    def one_member(posterior, readings, number):
        return {"slope": (1.5 + 0.02 * number, 0.0 if number == 1 else 0.1)}

    monkeypatch.setattr("agewise.engine.conformal_constants._found_again", one_member)
    found = conformal_constants(fitted, repeats=3)
    assert np.isinf(found.scores["slope"]).tolist() == [False, True, False]
    assert np.isfinite(found.interval("slope", 0.5)).all()


def test_a_made_fit_that_is_stopped_ends_all_of_them(fitted, monkeypatch):
    record = {"interrupted": np.array(True)}
    monkeypatch.setattr(Laplace, "fit", lambda *_, **__: replace(fitted, record=record))
    with pytest.raises(KeyboardInterrupt):
        conformal_constants(fitted, repeats=3)


def test_what_has_no_constants_or_no_doubt_is_refused(fitted):
    certain = replace(fitted, weights=CertainWeights(fitted.weights.centre))
    with pytest.raises(agewise.InputError, match="no doubt"):
        conformal_constants(certain)
    alone = replace(
        fitted, weights=DrawnWeights(certain.weights.centre, certain.weights.centre[None])
    )
    with pytest.raises(agewise.InputError, match="no doubt"):
        conformal_constants(alone, repeats=1)
    without = replace(certain, unknown=Unknown.of(fitted.unknown.functions, {}))
    with pytest.raises(agewise.InputError, match="no unknown constants"):
        conformal_constants(without)

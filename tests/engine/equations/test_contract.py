"""What every method for any equation keeps; a new one in the registry is adopted by itself."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from contributing import example
from lines import SMALL, line, same_programs

import agewise
from agewise.engine.equations.methods.registry import METHODS
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.training.checkpoint import Keeper
from agewise.engine.training.monitor import Monitor
from agewise.errors import InputError

# Networks of the sizes that other tests compile, sooner done, and chains that are soon drawn.
QUICK = replace(
    SMALL,
    steps=40,
    draws=30,
    index_steps=4,
    levels=4,
    chains=2,
    warm_up=20,
    chain_draws=30,
    doublings=3,
)
X = np.linspace(0.0, 2.0, 7)
GUESS = example("Add a method for any equation", "Guess")
"""What the guide for contributors shows."""
every_method = pytest.mark.parametrize(
    "method",
    # Tests of one kind of function share a process, and so fits and programs.
    [
        pytest.param(name, marks=pytest.mark.xdist_group(same_programs(name)))
        for name in (*METHODS, GUESS.name)
    ],
)
pytestmark = pytest.mark.filterwarnings("ignore::agewise.engine.fit.UnsoundFit")


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    """The guide's example among all methods while these tests run, and two reaches of waves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(METHODS, GUESS.name, GUESS)
        patch.setattr("agewise.engine.equations.fitting.most_probable_waves.REACHES", (0.06, 0.12))
        yield


LATE = {
    "abc": "levels",
    "dropout": "dropout",
    "ensemble": "member 2",
    "epinet": "epinet",
    "gp": "process of length 0.8",
}
"""Checkpoint at whose writing a fit is killed, by method: one of what the method adds."""
KILLED_ELSEWHERE = ("map", "laplace", "vi", "exact", "nuts", "hmc")
"""Methods whose trainings are killed in `test_fit.py`, and whose chains in `test_chains.py`."""
STOPPED = {"nuts": "chain 2", "hmc": "chain 2", "abc": "levels", "exact": "reach 0.06"}
"""How the name of the training begins that is stopped by hand, by method; the first that is not
only led unless given."""


def fitted(method: str, *, loss_weights: str = "none", **how: Any) -> EquationPosterior:
    """Of a straight line, which every method serves since it is linear."""
    settings = replace(QUICK, loss_weights=loss_weights)
    return agewise.fit(line(), method=method, key=0, settings=settings, **how)


@cache
def found(method: str) -> EquationPosterior:
    return fitted(method)


@every_method
def test_draws_and_predictions_are_numbers_and_functions_differ(method: str):
    posterior = found(method)
    drawn = posterior.draw(posterior.available(30)).values(X[:, None])
    assert np.isfinite(drawn).all()
    assert np.isfinite(posterior.predict(X).mean).all()
    assert (posterior.predict(X).epistemic >= 0).all()
    if not posterior.weights.certain:
        assert len(np.unique(drawn[:, 0])) > 1


@every_method
def test_one_key_gives_one_answer(method: str):
    again = fitted(method)
    np.testing.assert_array_equal(again.predict(X).mean, found(method).predict(X).mean)
    np.testing.assert_array_equal(again.predict(X).epistemic, found(method).predict(X).epistemic)


@every_method
def test_a_file_brings_it_back_with_its_check(method: str, tmp_path):
    posterior = found(method)
    posterior.save(tmp_path / "line.npz")
    back = agewise.load(tmp_path / "line.npz", posterior.problem)
    np.testing.assert_array_equal(back.predict(X).epistemic, posterior.predict(X).epistemic)
    count = posterior.available(3)
    np.testing.assert_array_equal(
        back.draw(count, seed=2).values(X), posterior.draw(count, seed=2).values(X)
    )
    assert back.check == posterior.check
    assert back.settings == posterior.settings
    assert set(back.check.readings) == {"gauge"}


@every_method
def test_no_doubt_is_read_from_a_reweighted_loss(method: str):
    if METHODS[method].weighs_losses:
        assert found(method).weights.certain
        return
    with pytest.raises(InputError, match="is no likelihood"):
        fitted(method, loss_weights="attention")


@every_method
def test_the_summary_is_one_line(method: str):
    summary = METHODS[method].summary
    assert summary.endswith(".")
    assert 30 < len(summary) < 260
    assert "\n" not in summary


class Killed(BaseException):
    """What ends a fit in the middle, as a kill would."""


@every_method
def test_a_fit_that_was_killed_goes_on_to_the_same_answer(method: str, tmp_path, monkeypatch):
    if method in KILLED_ELSEWHERE:
        return
    keep = Keeper.keep

    def keep_and_die(self, state, **how):
        keep(self, state, now=True)
        if LATE.get(method, "attempt 1") in str(self.path.relative_to(tmp_path)):
            raise Killed

    monkeypatch.setattr(Keeper, "keep", keep_and_die)
    with pytest.raises(Killed):
        fitted(method, folder=tmp_path)
    monkeypatch.setattr(Keeper, "keep", keep)
    resumed = fitted(method, folder=tmp_path, resume=True)
    np.testing.assert_array_equal(resumed.predict(X).mean, found(method).predict(X).mean)
    np.testing.assert_array_equal(resumed.predict(X).epistemic, found(method).predict(X).epistemic)


@every_method
def test_ctrl_c_ends_a_fit_with_what_there_is(method: str, monkeypatch):
    assert not found(method).record["interrupted"]
    after = []

    @contextmanager
    def impatient(self, name):
        def bar(done, total, text):
            if after or name.startswith(STOPPED.get(method, "attempt 1, 1")):
                after.append(name)
                raise KeyboardInterrupt

        yield bar

    monkeypatch.setattr(Monitor, "bar", impatient)
    stopped = fitted(method)
    assert np.isfinite(stopped.predict(X).mean).all()
    assert np.isfinite(stopped.draw(stopped.available(5)).values(X)).all()
    assert stopped.record["interrupted"]
    # No stage, chain or member after the one that was stopped: at once means at once.
    assert len(after) == 1


def test_loss_weights_that_there_are_not_are_refused():
    with pytest.raises(InputError, match="no loss weights 'magic'"):
        fitted("map", loss_weights="magic")

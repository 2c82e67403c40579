"""A long record in windows: no seams, nothing lost, and the same answer as in one piece."""

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agewise.assessment.field import oil_field
from agewise.assessment.grid import Grid
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.assessment.oil.spans import spans
from agewise.engine.training import Monitor
from agewise.errors import InputError
from agewise.plant.profile import Profile, profile_from
from agewise.twin.twin import Twin, TwinSettings, make_twin

DAY = 86400.0
WINDOWS = Settings(method="solver", window_days=4.0, as_given=True)
HEIGHTS = np.linspace(0.0, 1.0, 6)


@lru_cache
def twin() -> Twin:
    return make_twin(TwinSettings(seed=100, days=12.0))


@lru_cache
def quarters() -> Profile:
    return profile_from(twin().frame.iloc[::15].reset_index(drop=True))


@lru_cache
def fitted(days: float = 4.0) -> Assessment:
    return assess(quarters(), twin().nameplate, replace(WINDOWS, window_days=days))


@given(
    days=st.floats(0.2, 120.0),
    step=st.sampled_from([60.0, 900.0, 3600.0]),
    window=st.floats(2.0, 20.0),
    lag=st.floats(3600.0, 36000.0),
)
def test_spans_share_out_every_instant(days: float, step: float, window: float, lag: float):
    seconds = np.arange(0.0, max(days * DAY, 2 * step), step)[:40_000]
    cut = spans(seconds, days=window, lag=lag)
    weights = np.stack([span.weight(seconds) for span in cut])
    np.testing.assert_allclose(weights.sum(axis=0), 1.0, atol=1e-12)
    assert (weights >= -1e-15).all()
    for span, weight in zip(cut, weights, strict=True):
        counts = np.flatnonzero(weight > 0)
        assert span.first <= counts[0]
        assert counts[-1] <= span.last
    assert (len(cut) == 1) == (seconds[-1] <= 2 * window * DAY)


def test_windows_of_no_length_are_refused():
    with pytest.raises(InputError, match="Windows of 1 days"):
        replace(WINDOWS, window_days=1.0)


def test_windows_tell_what_one_piece_tells():
    seconds = np.arange(0.0, quarters().seconds[-1], 1800.0)
    pieces, whole = fitted().predict(HEIGHTS, seconds), fitted(8.0).predict(HEIGHTS, seconds)
    assert len(fitted().windows) > 3
    assert len(fitted(8.0).windows) == 1
    assert np.abs(pieces.mean - whole.mean).max() < 0.1
    assert np.sqrt(np.mean((pieces.mean - whole.mean) ** 2)) < 0.02
    assert 0.8 < np.median(pieces.epistemic / whole.epistemic) < 1.25


def test_no_seam_is_seen_at_a_joint():
    """Across a joint the oil changes as it does in the minutes before and after."""
    joints = np.array([window.span.joint for window in fitted().windows[1:]])
    around = joints[:, None] + 60.0 * np.arange(-240, 241)
    oil = fitted().predict(HEIGHTS, around.ravel()).mean.reshape(*around.shape, -1)
    bends = np.abs(np.diff(oil, 2, axis=1))
    assert bends[:, 238:242].max() < 0.01
    for one, other in pairwise(fitted().windows):
        at = np.full(HEIGHTS.size, other.span.joint)
        before, after = (window.predict(HEIGHTS, at).mean for window in (one, other))
        assert np.abs(before - after).max() < 0.05


def test_drawn_functions_keep_their_spread_over_a_joint():
    joint = fitted().windows[1].span.joint
    seconds = joint + np.array([-3600.0, 0.0, 3600.0])
    drawn = fitted().draw(400, key=jax.random.key(3)).oil(HEIGHTS[1:5], seconds)
    told = fitted().predict(HEIGHTS[1:5], seconds)
    np.testing.assert_allclose(drawn.std(axis=0), np.sqrt(told.epistemic), rtol=0.2)
    np.testing.assert_allclose(drawn.mean(axis=0), told.mean, atol=0.02)


def test_what_windows_share_is_no_wider_over_a_joint():
    """Constants are the same draws in every window, and the noise of readings is not: with both,
    the spread of draws is what is stated, before, at and after a joint."""
    made = make_twin(TwinSettings(seed=100, days=5.0))
    rows = profile_from(made.frame.iloc[::15].reset_index(drop=True))
    doubted = assess(rows, made.nameplate, method="solver", window_days=2.0)
    joint = doubted.windows[2].span.joint
    seconds = joint + 3600.0 * np.array([-4.0, -1.0, 0.0, 1.0, 4.0])
    drawn = doubted.draw(400, key=jax.random.key(3)).oil(HEIGHTS, seconds)
    told = doubted.predict(HEIGHTS, seconds)
    np.testing.assert_allclose(drawn.std(axis=0), np.sqrt(told.epistemic), rtol=0.12)
    # A single function tells no variance, and is no farther off for that.
    alone = [doubted.draw(1, key=jax.random.key(k)).oil(HEIGHTS, seconds)[0] for k in range(3)]
    off = (np.array(alone) - told.mean) / np.sqrt(told.epistemic)
    assert np.abs(off).max() < 5.0


def test_windows_that_begin_together_draw_each_its_own_functions():
    """Of short windows the second leads back to the first row, as the first one does."""
    short = fitted(2.0)
    one, other = short.windows[:2]
    assert one.origin == other.origin == 0.0
    # An instant of which each of the two alone tells.
    middles = np.array([other.span.joint / 2, (other.span.joint + other.span.until) / 2])
    drawn = short.draw(400, key=jax.random.key(3)).oil(HEIGHTS, middles)
    told = short.predict(HEIGHTS, middles)
    np.testing.assert_allclose(drawn.mean(axis=0), told.mean, atol=0.1)
    np.testing.assert_allclose(drawn.std(axis=0), np.sqrt(told.epistemic), rtol=0.2)


def test_life_used_is_that_of_the_pieces():
    field = oil_field(fitted(), grid=Grid(3, 15.0))
    used = field["loss_of_life_mean"].to_numpy()
    cuts = [0, 200, 517, len(used) - 1]
    parts = [used[b] - used[a] for a, b in pairwise(cuts)]
    np.testing.assert_allclose(np.sum(parts, axis=0), used[-1], rtol=1e-6)
    assert (np.diff(used, axis=0) >= 0).all()
    whole = oil_field(fitted(8.0), grid=Grid(3, 15.0))["loss_of_life_mean"].to_numpy()
    np.testing.assert_allclose(used[-1], whole[-1], rtol=5e-3)


def test_a_killed_run_goes_on_with_the_windows_it_has(tmp_path: Path):
    settings = replace(WINDOWS, method="line", window_days=3.0)
    watched = Monitor(tmp_path / "windows")
    first = assess(quarters(), twin().nameplate, settings, monitor=watched)
    kept = sorted((tmp_path / "windows").glob("*.npz"))
    assert len(kept) == len(first.windows)
    kept[1].unlink()
    before = {path: path.stat().st_mtime_ns for path in kept if path.exists()}
    again = assess(quarters(), twin().nameplate, settings, monitor=replace(watched, resume=True))
    assert {path: path.stat().st_mtime_ns for path in before} == before
    seconds = np.arange(0.0, quarters().seconds[-1], 7200.0)
    one, other = (fit.predict(HEIGHTS, seconds).mean for fit in (first, again))
    np.testing.assert_array_equal(one, other)
    with pytest.raises(InputError, match="belongs to another training"):
        other_seed = replace(settings, seed=5)
        assess(quarters(), twin().nameplate, other_seed, monitor=replace(watched, resume=True))


def test_processes_side_by_side_tell_the_same():
    settings = replace(WINDOWS, method="line")
    seconds = np.arange(0.0, quarters().seconds[-1], 7200.0)
    one, two = (
        assess(quarters(), twin().nameplate, settings, jobs=jobs).predict(HEIGHTS, seconds).mean
        for jobs in (1, 2)
    )
    np.testing.assert_allclose(one, two, atol=1e-6)


def test_doubt_lasts_over_a_joint():
    """The constant part of the equation's error is that of the unit, whichever window shows it."""
    doubted = assess(quarters(), twin().nameplate, replace(WINDOWS, as_given=False))
    assert len(doubted.windows) > 1
    joint = doubted.windows[0].span.until
    about = joint + np.array([-12.0, -0.125, 0.125, 12.0]) * 3600.0
    oil = doubted.draw(300, key=jax.random.key(0)).oil(np.array([0.5]), about)[:, :, 0]
    off = oil - oil.mean(axis=0)
    # Hours before the joint and hours behind it, a unit that is cooler than expected stays cooler.
    assert np.corrcoef(off[:, 0], off[:, 3])[0, 1] > 0.5
    # And nothing jumps: a quarter of an hour changes next to nothing.
    assert np.std(off[:, 2] - off[:, 1]) < 0.2 * np.std(off[:, 1])
    told = doubted.predict(np.array([0.5]), about)
    np.testing.assert_allclose(oil.std(axis=0), np.sqrt(told.epistemic[:, 0]), rtol=0.25)

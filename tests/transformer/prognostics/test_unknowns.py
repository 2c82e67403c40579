"""Draws of what is not known: independent, repeatable, and one at a time."""

import numpy as np
import pytest

from agewise.transformer.prognostics.unknowns import SOURCES, Unknown, drawn, held, shares

G = Unknown("gradient", "nameplate", 15.0, 1.5)
Y = Unknown("exponent", "nameplate", 1.3, 0.1)
BIAS = Unknown("bias", "sensor bias", 0.0, 0.3, -np.inf)
ALL = [G, Y, BIAS]


def test_draws_have_their_mean_and_spread():
    draws = drawn(ALL, 20_000, seed=1)
    for unknown in ALL:
        values = draws[unknown.name]
        assert values.mean() == pytest.approx(unknown.mean, abs=5 * unknown.std / np.sqrt(20_000))
        assert values.std() == pytest.approx(unknown.std, rel=0.03)
    correlation = np.corrcoef(list(draws.values())) - np.eye(3)
    assert np.abs(correlation).max() < 5 / np.sqrt(20_000)


def test_one_unknown_more_shifts_no_other():
    np.testing.assert_array_equal(
        drawn([G], 9, seed=3)["gradient"], drawn(ALL, 9, seed=3)["gradient"]
    )
    assert not np.isin(drawn([G], 9, seed=3)["gradient"], drawn([G], 9, seed=4)["gradient"]).any()


def test_impossible_values_are_cut_off():
    wild = Unknown("share", "nameplate", 1.0, 2.0, 0.1)
    values = wild.drawn(1000, rng=np.random.default_rng(0))
    assert values.min() == 0.1


@pytest.mark.parametrize(
    ("varied", "free"),
    [(set(), set()), ({"nameplate"}, {"gradient", "exponent"}), ({"bias"}, {"bias"})],
)
def test_what_is_not_varied_stays_at_its_mean(varied: set[str], free: set[str]):
    draws = drawn(ALL, 7, seed=0)
    kept = held(draws, ALL, varied)
    for unknown in ALL:
        expected = draws[unknown.name] if unknown.name in free else np.full(7, unknown.mean)
        np.testing.assert_array_equal(kept[unknown.name], expected)


def test_shares_add_up_and_nothing_has_no_share():
    assert shares({"a": 3.0, "b": 1.0}) == {"a": 0.75, "b": 0.25}
    assert shares({"a": 0.0}) == {"a": 0.0}
    assert len(SOURCES) == 6

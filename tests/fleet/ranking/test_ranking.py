"""Order and its certainty follow from draws with known laws."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr

from agewise.arrays import write_arrays
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow
from agewise.fleet.chances import log_years
from agewise.fleet.ranking.measuring import (
    HEAT_RUN,
    PAPER,
    SENSORS,
    chances_after,
    measurements,
    shares_by_measurement,
)
from agewise.fleet.ranking.order import before, order_of
from agewise.fleet.ranking.place import By, Place

SOON, MIDDLING, LATE = 1.0, 2.2, 4.0
"""Logarithms of the years left of three units."""


def recorded(catalogue: Catalogue, folder: Path, name: str, log_median: float, **more) -> None:
    rng = np.random.default_rng([100, *name.encode()])
    draws = {
        "remaining_years": np.exp(log_median + 0.4 * rng.standard_normal(500)),
        "remaining_hours": np.full(500, 1e5),
        "hot_spot": 100 + 5 * log_median + rng.standard_normal(500),
    }
    write_arrays(folder / name / "life.npz", draws)
    criticality = more.pop("criticality", 1.0)
    catalogue.register([AssetRow(id=name, name=name, criticality=criticality)])
    years = draws["remaining_years"]
    plain = {"status": "done", "started": datetime.now(UTC), "seconds": 1.0, "method": "line"}
    plain |= {"seed": 0, "input_hash": "a", "settings_hash": "b", "inputs": {}, "versions": {}}
    plain |= {"findings": [], "quantities": {"future": 0.3, "insulation.life_hours": 0.7}}
    plain |= {"folder": name, "action": "watch", "horizon_years": 10.0, "measured_share": 0.9}
    plain |= {"chance": float(np.mean(years <= 10)), "hot_spot_mean": draws["hot_spot"].mean()}
    catalogue.record(RunRow(asset_id=name, **(plain | more)))


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    with Catalogue(tmp_path) as catalogue:
        recorded(catalogue, tmp_path, "late", LATE, measured_share=0.2)
        recorded(catalogue, tmp_path, "soon", SOON)
        recorded(catalogue, tmp_path, "middling", MIDDLING)
        recorded(catalogue, tmp_path, "precious", MIDDLING, criticality=9.0)
        recorded(catalogue, tmp_path, "unclear", SOON, action="cannot tell", reason="Nonsense.")
        recorded(catalogue, tmp_path, "broken", SOON, status="refused", sentence="Empty.")
        catalogue.register([AssetRow(id="new", name="new")])
    return tmp_path


def _alike(names: list[str]) -> list[str]:
    return ["middling" if name == "precious" else name for name in names]


def test_each_way_to_rank_has_its_order(fleet: Path):
    wanted: dict[By, list[str]] = {
        "risk": ["precious", "soon", "middling", "late"],
        "life": ["soon", "middling", "precious", "late"],
        "overload": ["late", "middling", "precious", "soon"],
        "data": ["late", "middling", "precious", "soon", "unclear"],
    }
    with Catalogue(fleet) as catalogue:
        for by, names in wanted.items():
            order = order_of(catalogue, fleet, by)
            shown = [place.asset.id for place in order.places]
            if by in ("life", "overload"):  # two of the same law differ by their draws alone
                shown, names = _alike(shown), _alike(names)
            assert shown == names
            assert set(order.left_out) == {"broken", "new"}
            # Readings that undermine every number are looked at first, or ranked as data.
            assert set(order.look_first) == (set() if by == "data" else {"unclear"})


def test_intervals_hold_the_number_and_order_is_surest_between_the_most_different(fleet: Path):
    with Catalogue(fleet) as catalogue:
        order = order_of(catalogue, fleet, "life")
    assert all(place.low <= place.value <= place.high for place in order.places)
    first, between_equals, last = order.right[:3]
    assert first is not None and between_equals is not None and last is not None
    assert first > 0.9 and last > 0.9
    assert 0.35 < between_equals < 0.65
    assert order.right[-1] is None


def test_units_of_which_no_draw_ends_soon_are_ranked_all_the_same(tmp_path: Path):
    # The last three are so far away that no chance can be written as a number above 0.
    middles = {"b": 4.5, "c": 5.0, "a": 4.75, "f": 11.5, "e": 12.3, "d": 13.0}
    with Catalogue(tmp_path) as catalogue:
        for name, middle in middles.items():
            recorded(catalogue, tmp_path, name, middle)
        order = order_of(catalogue, tmp_path, "risk")
    assert [place.value for place in order.places] == [0.0] * len(middles)
    shown = [place.asset.id for place in order.places]
    assert shown == sorted(middles, key=middles.__getitem__)
    # Nothing is drawn that could say how sure this order is.
    assert order.right == [None] * len(middles)


def test_the_chance_of_the_right_order_is_that_of_two_normals():
    rng = np.random.default_rng(100)
    asset, run = AssetRow(id="a", name="a"), RunRow(asset_id="a")
    first, second = (Place(asset, run, m, m, m, draws=rng.normal(m, 1.0, 4000)) for m in (1.0, 0.0))
    assert before(first, second) == pytest.approx(ndtr(1 / 2**0.5), abs=0.02)
    assert before(first, first) == pytest.approx(0.5)


def test_a_chance_after_a_measurement_is_on_average_the_chance_before():
    logs = log_years(np.exp(2 + 0.5 * np.random.default_rng(100).standard_normal(4000)))
    now = chances_after(logs, 10.0, 0.0)[0]
    for share in (0.2, 0.6, 0.9):
        assert chances_after(logs, 10.0, share).mean() == pytest.approx(now, abs=0.01)
    spreads = [chances_after(logs, 10.0, share).std() for share in (0.0, 0.3, 0.6, 0.9)]
    assert spreads == sorted(spreads)


def test_quantities_are_told_by_the_measurement_that_shows_them():
    shares = {"insulation.life_hours": 0.3, "doubling_k": 0.1, "winding.gradient_k": 0.2}
    shares |= {"sensor bias": 0.05, "future": 0.3, "learned constants": 0.05}
    known = shares_by_measurement(shares)
    assert known == pytest.approx({PAPER: 0.4, HEAT_RUN: 0.25, SENSORS: 0.05})


def test_the_budget_goes_to_units_that_may_move(fleet: Path):
    with Catalogue(fleet) as catalogue:
        recorded(catalogue, fleet, "known", MIDDLING, quantities={"future": 1.0})
        order = order_of(catalogue, fleet)
        wanted = measurements(order, fleet, 2)
    assert len(wanted) == 2
    # What lies far from the horizon stays where it is, and the future cannot be measured.
    assert {one.asset for one in wanted} <= {"middling", "precious", "soon"}
    assert wanted[0].places >= wanted[1].places > 0
    assert all(one.what == PAPER and one.share == pytest.approx(0.7) for one in wanted)

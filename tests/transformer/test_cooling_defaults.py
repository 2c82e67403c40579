"""The guide's table of thermal characteristics, copied a second time from print."""

from dataclasses import astuple

import pytest

from agewise.transformer.cooling_defaults import LIMITS, Cooling, cooling_defaults

PRINTED = [
    # cooling, kVA, tau_o, tau_w, k11, k21, k22, x, y
    ("ONAN", 2_500.0, (180, 4, 1, 1, 2, 0.8, 1.6)),
    ("ONAN", 2_501.0, (210, 10, 0.5, 2, 2, 0.8, 1.3)),
    ("ONAF", 25_000.0, (150, 7, 0.5, 2, 2, 0.8, 1.3)),
    ("ONAF", 1_000.0, (150, 7, 0.5, 2, 2, 0.8, 1.3)),
    ("OF", 25_000.0, (90, 7, 1, 1.3, 1, 1, 1.3)),
    ("OD", 25_000.0, (90, 7, 1, 1, 1, 1, 2)),
]


@pytest.mark.parametrize(("cooling", "power", "row"), PRINTED)
def test_defaults_are_the_printed_ones(cooling: Cooling, power: float, row: tuple[float, ...]):
    assert astuple(cooling_defaults(cooling, power))[: len(row)] == row


def test_limits_widen_with_the_emergency():
    limits = [LIMITS[name] for name in ("normal cyclic", "long emergency", "short emergency")]
    assert [(limit.top_oil, limit.hot_spot) for limit in limits] == [
        (105.0, 120.0),
        (115.0, 140.0),
        (115.0, 160.0),
    ]


@pytest.mark.parametrize(
    ("power", "loads"),
    [
        (2_500.0, (1.5, 1.8, 2.0)),
        (2_501.0, (1.5, 1.5, 1.8)),
        (100_000.0, (1.5, 1.5, 1.8)),
        (100_001.0, (1.3, 1.3, 1.5)),
    ],
)
def test_limits_of_the_current_are_the_printed_ones(power: float, loads: tuple[float, ...]):
    assert tuple(limits.load(power) for limits in LIMITS.values()) == loads

"""Verdicts say what the numbers say."""

from dataclasses import replace

import numpy as np
import pytest

from reproduction.families import Variant
from reproduction.paired import Margins, Paired
from reproduction.published import TABLE
from reproduction.tables import mean_and_std, number, table
from reproduction.verdict import Finding, Verdict


@pytest.mark.parametrize(
    ("holding", "status"),
    [
        (("paper", "literal", "default"), "holds"),
        ((), "does not hold"),
        (("default",), "holds under default only"),
        (("paper", "literal"), "holds under paper and paper-literal only"),
        (("literal",), "holds under paper-literal only"),
        (("paper",), "holds under paper only"),
        (("paper", "default"), "holds under paper and default only"),
        (("literal", "default"), "holds under paper-literal and default only"),
    ],
)
def test_a_verdict_follows_from_what_every_preset_says(holding: tuple[Variant, ...], status: str):
    variants: tuple[Variant, ...] = ("paper", "literal", "default")
    findings = tuple(Finding(variant, variant in holding, "1") for variant in variants)
    assert Verdict("", "", findings).status == status


def test_what_was_tried_once_or_cannot_be_told_is_said():
    assert Verdict("", "", (Finding("literal", True, "1"),)).status == (
        "holds (paper-literal alone was tried)"
    )
    assert Verdict("", "", (Finding("literal", None, "–"),)).status == "cannot be told"
    findings = (Finding("literal", None, "–"), Finding("default", False, "1"))
    assert Verdict("", "", findings).status == "does not hold where it can be told"
    findings = (Finding("literal", None, "–"), Finding("default", True, "1"))
    assert Verdict("", "", findings).status == "holds where it can be told"


def total(family: str, score: str) -> float:
    value = TABLE[family][score][-1]
    assert value is not None
    return value


def test_the_published_improvements_follow_from_the_published_table():
    def lower(family: str, score: str) -> float:
        return 100 * (1 - total("bpinn-het", score) / total(family, score))

    assert lower("vanilla", "rmse") == pytest.approx(57.3, abs=0.1)
    assert lower("dpinn-het", "rmse") == pytest.approx(42.6, abs=0.1)
    assert lower("dpinn-het", "total_crps") == pytest.approx(40.2, abs=0.1)
    assert lower("bpinn-hom", "total_nll") == pytest.approx(11.6, abs=0.1)
    at_50 = [TABLE[family]["rmse"][5] for family in ("dpinn-het", "bpinn-het")]
    assert None not in at_50
    assert 100 * (at_50[0] / at_50[1] - 1) == pytest.approx(645, abs=1)  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]


def test_numbers_as_they_are_printed():
    assert number(0.02346) == "0.0235"
    assert number(float("nan")) == "–"
    assert mean_and_std(np.array([1.0, 3.0])) == "2.00 ± 1.4"
    assert mean_and_std(np.array([1.0, np.nan])) == "–"
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n|---|---|\n| 1 | 2 |"


def test_a_paired_test_sees_a_difference_and_no_difference():
    other = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    clear = Paired(other - 0.5 + 0.01 * other, other, signed=True)
    assert clear.wins == "5 of 5"
    assert float(clear.p) < 1e-3
    assert clear.smaller
    assert Paired(clear.theirs, clear.ours, signed=True).smaller is False
    unclear = Paired(other + np.array([0.3, -0.3, 0.2, -0.3, 0.1]), other)
    assert float(unclear.p) > 0.3
    assert unclear.smaller is None
    assert Paired(other, np.full(5, np.nan)).p == "–"
    assert Paired(other, np.full(5, np.nan)).smaller is None
    factors = Paired(np.ones(5), np.array([2.0, 3.0, 8.0, 4.0, 30.0]))
    assert factors.smaller  # though the mean of the differences may be chance:
    assert replace(factors, signed=True).smaller is None
    once = Paired(np.array([1.0]), np.array([2.0]))
    assert once.smaller is None and once.p == "–"  # nor has a single repeat any scatter


def test_a_number_that_is_missing_makes_no_verdict():
    assert Finding.judged("paper", Margins(np.array([1.0, 2.0, 1.5])), "").holds
    assert Finding.judged("paper", Margins(np.array([1.0, 2.0, np.nan])), "").holds is None

"""One rule for all verdicts, on made cells whose truth is known."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reproduction import ageing, dropout_rate, five_configurations, joint, priors
from reproduction.configuration import Configuration
from reproduction.earlier_verdicts import EARLIER, changes
from reproduction.families import BPINN, DPINN, VANILLA, main, whole
from reproduction.lines import CRPS
from reproduction.paired import Contest, Margins, together
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.verdict import Finding, Verdict

LOUD = np.array([3.0, -2.0, 1.0, -2.5, 0.8])
"""Scatter of five repeats whose mean is far within it."""
SCOPE = Scope()


def keep(folder: Path, fit: Configuration, rows: dict[str, np.ndarray]) -> None:
    """Made cells: at each dotted path one number a repeat."""
    for cell in SCOPE.cells(fit):
        numbers: dict[str, Any] = {"identity": cell.identity()}
        for path, values in rows.items():
            *groups, last = path.split(".")
            place = numbers
            for group in groups:
                place = place.setdefault(group, {})
            place[last] = float(values[cell.seed])
        cell.path(folder).parent.mkdir(parents=True, exist_ok=True)
        cell.path(folder).write_text(json.dumps(numbers), "utf-8")
        if cell.keeps_fields:
            cell.path(folder).with_suffix(".npz").touch()


def around(level: float, scatter: float = 0.01) -> np.ndarray:
    return level * np.exp(scatter * LOUD)


def test_margins_within_their_scatter_tell_nothing():
    assert Margins(LOUD).holds is None
    assert Margins(LOUD + 10).holds is True
    assert Margins(LOUD - 10).holds is False
    assert Margins(np.array([10.0])).holds is None, "one repeat has no scatter"
    assert Margins(np.full(5, 2.0)).holds is True, "all alike and above zero"
    assert Margins(np.zeros(5)).holds is None
    assert Margins(np.array([1.0, 2.0, np.nan])).holds is None


def test_by_chance_alone_one_in_twenty_is_decided():
    """The rule itself is a test of level 5 %, whatever the number of repeats."""
    generator = np.random.default_rng(0)
    for repeats in (2, 5, 10):
        decided = [Margins(generator.normal(size=repeats)).holds is not None for _ in range(800)]
        assert np.mean(decided) == pytest.approx(0.05, abs=0.025)


def test_several_claims_together():
    assert together([True, True]) is True
    assert together([True, None]) is None
    assert together([None, False, True]) is False
    assert together([]) is None


def test_the_best_of_a_factor_beats_each_of_the_others():
    scores = {"a": around(1.0), "b": around(2.0), "c": around(3.0)}
    assert Contest(scores, "a").best is True
    assert Contest(scores, "b").best is False
    assert set(Contest(scores, "c").better) == {"a", "b"}
    nearly = scores | {"d": around(1.0)[::-1]}
    assert Contest(nearly, "a").best is None
    assert set(Contest(nearly, "a").open) == {"d"}
    assert Contest(scores, "not tried").best is None


@pytest.mark.parametrize(
    ("others", "holds"), [(2.0, True), (0.5, False), (1.0, None)], ids=["best", "worse", "open"]
)
def test_a_prior_is_the_one_to_take_where_it_is_best(
    tmp_path: Path, others: float, holds: bool | None
):
    for variant in priors.COMPARED:
        for prior in priors.PRIORS:
            level = around(1.0) if prior == "laplace" else around(others)[::-1]
            shown = dict.fromkeys(priors.SHOWN, level)
            keep(tmp_path, priors.with_prior(variant, prior), shown)
    (verdict,) = priors.section(Results(tmp_path, SCOPE)).verdicts
    assert [finding.holds for finding in verdict.findings] == [holds, holds]


def test_a_rate_of_dropout_is_the_best_only_if_no_other_may_be(tmp_path: Path):
    for place, rate in enumerate(dropout_rate.RATES):
        # All but the second are clearly worse; that one may be as good.
        level = around(1.0)[::-1] if place == 1 else around(1.0 + place)
        shown = dict.fromkeys(dropout_rate.TOTALS, level)
        keep(tmp_path, dropout_rate.at_rate("paper", rate), shown)
    best, worse = dropout_rate.section(Results(tmp_path, SCOPE)).verdicts
    assert best.findings[0].holds is None
    assert worse.findings[0].holds is True


@pytest.mark.parametrize(
    ("bayesian", "holds"), [(0.2, True), (3.0, False), (1.0, None)], ids=["less", "more", "open"]
)
def test_a_contrast_is_judged_on_both_methods(tmp_path: Path, bayesian: float, holds: bool | None):
    for family, times in {DPINN: 3.0, BPINN: bayesian}.items():
        rows = {"ageing.mean": around(10.0), "ageing.band": around(10.0 * times)[::-1]}
        keep(tmp_path, main(family, "default"), rows)
    assert ageing.exceeds(Results(tmp_path, SCOPE), "default").holds is holds


def test_wider_bands_within_their_scatter_are_not_wider(tmp_path: Path):
    for family, scatter in {DPINN: 0.3, BPINN: -0.3}.items():
        level = around(2.0, scatter)
        keep(tmp_path, main(family, "default"), dict.fromkeys(_variances(), level))
    assert joint.wider(Results(tmp_path, SCOPE), "default").holds is None


def _variances() -> list[str]:
    return [f"variances.{part}.mean" for part in joint.PARTS]


@pytest.mark.parametrize(("vanilla", "holds"), [(5.0, None), (0.2, False)], ids=["win", "loss"])
def test_a_win_over_a_network_cut_short_is_none(tmp_path: Path, vanilla: float, holds: bool | None):
    path = "scores.instants.total.rmse"
    keep(tmp_path, main(BPINN, "literal"), {path: around(1.0)})
    for fit in (main(VANILLA, "literal"), whole("literal")):
        keep(tmp_path, fit, {path: around(vanilla)[::-1]})
    found = five_configurations.better(
        Results(tmp_path, SCOPE), "literal", VANILLA, "total", "rmse"
    )
    assert found.holds is holds
    assert "10 000 steps" in found.number
    # Where all of the training is made, a win counts.
    keep(tmp_path, main(BPINN, "default"), {CRPS: around(1.0)})
    keep(tmp_path, main(VANILLA, "default"), {CRPS: around(vanilla)[::-1]})
    whole_training = five_configurations.better(
        Results(tmp_path, SCOPE), "default", VANILLA, "total", "total_crps"
    )
    assert whole_training.holds is (vanilla > 1)


def test_only_what_changed_is_listed_as_changed():
    same = [_as_before(index) for index in range(len(EARLIER))]
    assert changes(same) == []
    other = Verdict(same[0].claim, same[0].published, (Finding("default", None, ""),))
    ((claim, moved, _),) = changes([other, *same[1:]])
    assert claim == same[0].claim
    assert moved == "default: holds, now cannot be told"


def _as_before(index: int) -> Verdict:
    earlier = EARLIER[index]
    findings = tuple(Finding(variant, holds, "") for variant, holds in earlier.outcomes.items())
    return Verdict(earlier.claim, earlier.published, findings)

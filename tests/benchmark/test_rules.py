"""Verdicts follow from numbers, and scatter leaves them open."""

import numpy as np
import pytest

from agewise.benchmark.results import Results, Row
from agewise.benchmark.verdicts.claims import claims
from agewise.benchmark.verdicts.rules import as_often, both, mean_within, smaller, typical


@pytest.mark.parametrize(
    ("values", "holds"),
    [
        ([0.94, 0.95, 0.96], True),
        ([0.50, 0.52, 0.51], False),
        ([0.2, 0.95, 1.0], None),  # the interval of the mean crosses the lower bound
        ([0.95], None),
        ([], None),
        ([0.95, 0.95, 0.95], True),  # no scatter, no doubt
        ([0.95, np.inf, 0.95], False),  # one draw in which it was not found at all
    ],
)
def test_a_mean_is_judged_with_its_own_doubt(values: list[float], holds: bool | None):
    assert mean_within(values, 0.9, 1.0).holds is holds


def test_shares_are_judged_as_chance_allows():
    assert as_often([True] * 18 + [False] * 2, 0.9).holds is True
    assert as_often([True] * 8 + [False] * 12, 0.9).holds is False
    assert as_often([True] * 9, 0.9).holds is None
    assert as_often([], 0.9).ours == "not run"


def test_a_figure_of_one_draw_is_judged_by_the_scatter_of_ours():
    rng = np.random.default_rng(0)
    ours, stds = list(0.7 + 0.05 * rng.standard_normal(20)), [0.05] * 20
    assert typical(ours, stds, 0.665, 0.056).holds is True
    assert typical(ours, stds, 0.9, 0.056).holds is False
    assert typical(ours, stds, 0.7, 0.004).holds is False  # a deviation far smaller than ours
    assert typical(ours, [], 0.7, None).holds is True
    assert typical(ours[:4], stds[:4], 0.7, 0.05).holds is None


def by_seed(*errors: float, first: int = 0) -> dict[int, float]:
    return dict(enumerate(errors, first))


def test_an_order_holds_only_beyond_chance():
    first, second = by_seed(1e-3, 2e-3, 1.5e-3), by_seed(1e-2, 3e-2, 2e-2)
    assert smaller(first, second).holds is True
    assert smaller(second, first).holds is False
    assert smaller(by_seed(1.0, 3.0, 2.0), by_seed(2.0, 1.0, 3.0)).holds is None
    assert smaller({}, second).ours == "not run"


def test_draws_are_paired_by_their_seeds():
    hard = by_seed(1e-4, 1.0, 1e-2)
    slightly_worse = {seed: 1.1 * hard[seed] for seed in (2, 0, 1)}
    assert smaller(hard, slightly_worse).holds is True
    # As many, but not the same ones: what one of them failed on is no draw of both.
    assert smaller(by_seed(1e-3, 2e-3), by_seed(1e-2, 3e-2, first=1)).holds is None


def test_a_draw_without_an_error_is_left_out_by_its_seed():
    cells = [{"outcome": "done", "seed": seed, "functions": {"u": {}}} for seed in (0, 1, 2)]
    cells[0]["functions"]["u"]["relative_l2"] = 0.1
    cells[2]["functions"]["u"]["relative_l2"] = 0.3
    row = Row("poisson", "map", cells)
    assert row.errors_by_seed == {0: 0.1, 2: 0.3}
    assert row.errors == [0.1, 0.3]


def test_several_parts_hold_only_together():
    yes, no, unknown = (mean_within([v] * 2, 0, 1) for v in (0.5, 2.0, 0.5))
    assert both(yes, no).holds is False
    assert both(yes, mean_within([], 0, 1)).holds is None
    assert both(yes, unknown).holds is True


def test_without_cells_no_claim_can_be_told(tmp_path):
    told = {claim.rule(Results(tmp_path)).verdict for claim in claims()}
    assert told == {"cannot be told"}


def test_claims_name_their_source_and_no_claim_stands_twice():
    listed = claims()
    assert all(claim.source and claim.published for claim in listed)
    names = [(claim.system, claim.problem, claim.published) for claim in listed]
    assert len(set(names)) == len(names)

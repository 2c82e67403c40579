"""How far a fit is from what the paper prints of its own: the rule by which a reading is chosen."""

import numpy as np

from reproduction.configuration import Configuration
from reproduction.families import Family
from reproduction.published import ALEATORIC, EPISTEMIC, TABLE
from reproduction.results import Results

ERRORS = {"rmse": "scores.truth.rmse", "total_crps": "scores.truth.total_crps"}
"""Errors that count: names in the published table, and paths in a cell [K]."""
VARIANCES = {"epistemic": EPISTEMIC, "aleatoric": ALEATORIC}
"""Published ranges of both variances [K²], by family."""
ENDS = ("p05", "p95")
"""What is held against the ends of a published range: nine in ten of the field lie between."""
RULE = """\
**How a reading is chosen** (written down before the first of these fits was made): the one whose
misfit is the smallest, one for all families. Of a family, the misfit is half the mean of
|ln(ours / published)| of RMSE and CRPS (the vanilla network has no CRPS) and half that of
the two ends of both variances' ranges, ours from 5 to 95 % of the field; where the paper prints no
variances, that of the errors alone. A reading's misfit is the mean over families and twins. NLL
does not count, since it may be negative. The B-PINN (heteroscedastic) is tried under every reading,
on twin 100 alone; the three readings with the smallest misfit there, and the literal one, are then
tried for all five families on twins 100 to 102, and among these the choice is made.

**What became of that.** Four single steps from the literal reading were planned too, and left out
before they were fitted. In a first round the residual of the homoscedastic networks had a variance
of one as well, where the paper prints the same fixed noise for readings and residuals. That was
mended, and those fits made anew, before the choice: with that mistake their errors were 2 to 10 K,
and *weight-10* would have been nearest (1.21 against 1.34)."""
"""The rule in words, as it stands on the page."""


def misfit(results: Results, configuration: Configuration, family: Family) -> float:
    """Mean distance of a family's fits from the published numbers, over its twins [nats]."""
    errors = [
        _distance(results.values(configuration, path), printed)
        for score, path in ERRORS.items()
        if (printed := TABLE[family.name][score][-1]) is not None
    ]
    variances = [
        _distance(results.values(configuration, f"variances.{part}.{end}"), printed)
        for part, ranges in VARIANCES.items()
        for end, printed in zip(ENDS, ranges.get(family.name, ()), strict=False)
    ]
    halves = [errors, variances] if variances else [errors]
    return float(np.mean([np.mean(half) for half in halves]))


def _distance(ours: np.ndarray, published: float) -> float:
    """Mean size of the logarithm of a ratio over twins; infinite where a variance vanishes."""
    with np.errstate(divide="ignore"):
        return float(np.mean(np.abs(np.log(ours / published))))

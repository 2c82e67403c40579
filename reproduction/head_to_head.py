"""Our B-PINN against the best that the paper's recipe comes to, on the same data."""

import numpy as np

from reproduction.configuration import Configuration
from reproduction.experiment import Section
from reproduction.families import BPINN, FAMILIES, VARIANT_TEXT, Family, Variant, main, whole
from reproduction.lines import lowest
from reproduction.paired import Paired
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import mean_and_std, number, table

SCORES = {
    "truth.rmse": "RMSE to the truth [K]",
    "truth.epistemic_crps": "epistemic CRPS to the truth [K]",
    "truth.total_crps": "total CRPS to the truth [K]",
    "truth.total_nll": "total NLL to the truth [nats]",
    "measured.crps": "CRPS on readings [K]",
    "measured.nll": "NLL on readings [nats]",
    "measured.crps_ratio": "CRPS on readings over the oracle's",
    "measured.miscalibration": "miscalibration area",
    "measured.interval_score_90": "interval score, 90 % [K]",
}
"""Scores of which the lower is the better: paths in a cell, and names on the page."""
SPLIT = {
    "split.aleatoric_ratio_boundary.median": "aleatoric ratio, ends (1 is right)",
    "split.aleatoric_ratio_inside.median": "aleatoric ratio, inside (1 is right)",
    "split.epistemic_z": "epistemic z (1 is right)",
}
"""Ratios of which the nearer to 1 is the better, from either side."""


def configurations(scope: Scope) -> list[Configuration]:
    """All of the paper's, and our B-PINN."""
    if scope.preset is not None:
        return []
    theirs = [main(*rival) for rival in rivals(scope)]
    return [main(BPINN, "default"), *theirs, whole("literal")]


def rivals(scope: Scope) -> list[tuple[Family, Variant]]:
    """The five configurations under both readings of the paper's recipe."""
    variants: list[Variant] = [v for v in scope.variants if v != "default"]
    return [(family, variant) for variant in variants for family in FAMILIES]


def section(results: Results) -> Section:
    """Every score side by side, with a paired test over the repeats."""
    if results.scope.preset is not None:
        return Section("This comparison needs both presets; leave out `--preset`.")
    errors = {
        rival: results.mean(main(*rival), "scores.truth.rmse") for rival in rivals(results.scope)
    }
    family, variant = lowest(errors)
    ours, theirs = main(BPINN, "default"), main(family, variant)
    rows = [_row(results, ours, theirs, path, name) for path, name in (SCORES | SPLIT).items()]
    text = (
        f"Of all configurations of the paper's recipe, in either reading, the one with the "
        f"smallest error on these very repeats is **{family.text}, {VARIANT_TEXT[variant]}**; "
        f"that choice favours it. "
        f"Beside it stands our default B-PINN (heteroscedastic) on the same twins. The test is "
        f"Student's paired t over the repeats, of the logarithms of all scores but NLL (for "
        f"ratios, of the size of their logarithm), two-sided. (With all 10 000 steps "
        f"of L-BFGS the literal vanilla network comes to "
        f"{_first_error(results, whole('literal'))} K on the first twin, ours to "
        f"{_first_error(results, ours)} K.)\n\n"
        + table(["", "default B-PINN", "best of the paper's", "better in", "p"], rows)
    )
    return Section(text)


def _first_error(results: Results, configuration: Configuration) -> str:
    return number(float(results.values(configuration, "scores.truth.rmse")[0]))


def _row(
    results: Results, ours: Configuration, theirs: Configuration, path: str, name: str
) -> list[str]:
    first, second = (results.values(fit, f"scores.{path}") for fit in (ours, theirs))
    pair = _paired(first, second, path)
    return [name, mean_and_std(first), mean_and_std(second), pair.wins, pair.p]


def _paired(ours: np.ndarray, theirs: np.ndarray, path: str) -> Paired:
    if path not in SPLIT:
        return Paired(ours, theirs, signed=path.endswith("nll"))
    # Twice too large is as wrong as twice too small. A ratio of zero, as of a method that claims
    # no noise, has an infinite logarithm: then there is no test.
    with np.errstate(divide="ignore"):
        return Paired(np.abs(np.log(ours)), np.abs(np.log(theirs)), signed=True)

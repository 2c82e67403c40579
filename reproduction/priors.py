"""(o) The prior of the weights."""

from dataclasses import replace
from functools import partial

import numpy as np

from agewise.engine.objective import priors
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, VARIANT_TEXT, Variant, changed, network
from reproduction.lines import CRPS, TOTALS, compared, line, score_panels
from reproduction.paired import Contest
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import mean_and_std, table
from reproduction.verdict import Finding, Verdict

COMPARED: tuple[Variant, ...] = ("paper", "default")
"""Presets under which the prior is varied."""
PRIORS = tuple(priors.PRIORS)
"""Names of all priors that there are."""
SPLIT = {
    "scores.measured.miscalibration": "miscalibration area",
    "scores.split.epistemic_z": "epistemic z (1 is right)",
}
"""Scores of both uncertainties: paths in a cell, and names on the page."""
SHOWN = TOTALS | SPLIT
"""Scores in the table."""
DRAWN = {CRPS: TOTALS[CRPS]} | SPLIT
"""Scores in the figure."""


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN with every prior."""
    variants = compared(COMPARED, scope)
    return [with_prior(variant, prior) for variant in variants for prior in scope.few(PRIORS)]


def with_prior(variant: Variant, prior: str) -> Configuration:
    """The B-PINN with a prior of another shape, but the same scale."""
    settings = network(BPINN, variant)
    settings = replace(settings, network=replace(settings.network, prior=prior))
    return changed(BPINN, variant, f"priors/{variant}/{prior}", settings)


def section(results: Results) -> Section:
    """Scores and calibration by prior."""
    variants, names = compared(COMPARED, results.scope), results.scope.few(PRIORS)
    scores_by_variant = {variant: _scores(results, variant) for variant in variants}
    rows = [
        [
            f"{prior}, {VARIANT_TEXT[variant]}",
            *(mean_and_std(values[place]) for values in scores.values()),
        ]
        for variant, scores in scores_by_variant.items()
        for place, prior in enumerate(names)
    ]
    text = (
        "The heteroscedastic B-PINN with four priors of the same scale: Laplace, as in the paper; "
        "normal; Student's t with three degrees of freedom; and a mixture of a wide and a narrow "
        "normal. RMSE, CRPS and NLL of the total distribution to the truth; miscalibration on "
        "readings inside, which no method has seen; z is the root mean square of the error over "
        "the epistemic standard deviation. Mean ± standard deviation over repeats.\n\n"
        + table(["prior", *SHOWN.values()], rows)
    )
    lines = {
        label: [line(variant, scores_by_variant[variant][path]) for variant in variants]
        for path, label in DRAWN.items()
    }
    picture = Picture(
        "CRPS, calibration and size of the epistemic part by prior: means over repeats, joined "
        "only to lead the eye, and every repeat as a dot.",
        "CRPS, miscalibration area and epistemic z under four priors.",
        partial(score_panels, names, lines, "prior of the weights"),
    )
    verdict = Verdict(
        "The Laplace prior is the one to take",
        "chosen from earlier experience; no number",
        tuple(
            _best(variant, dict(zip(names, scores_by_variant[variant][CRPS], strict=True)))
            for variant in variants
        ),
    )
    return Section(text, {"priors": picture}, (verdict,))


def _scores(results: Results, variant: Variant) -> dict[str, list[np.ndarray]]:
    """Every score by prior, repeat by repeat."""
    fits = [with_prior(variant, prior) for prior in results.scope.few(PRIORS)]
    return {path: [results.values(fit, path) for fit in fits] for path in SHOWN}


def _best(variant: Variant, values: dict[str, np.ndarray]) -> Finding:
    contest = Contest(values, "laplace")
    phrases = (f"{prior} {pair.text}" for prior, pair in contest.pairs.items())
    return Finding(variant, contest.best, f"CRPS [K] of laplace against {'; '.join(phrases)}")

"""(o) What is believed of a weight beforehand."""

from dataclasses import replace
from functools import partial

import numpy as np

from agewise.engine.objective import priors
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, VARIANT_TEXT, Variant, changed, network
from reproduction.lines import CRPS, TOTALS, as_good, compared, line, lowest, score_panels
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import mean_and_std, number, table
from reproduction.verdict import Finding, Verdict

COMPARED: tuple[Variant, ...] = ("weighted", "default")
PRIORS = tuple(priors.PRIORS)
SPLIT = {
    "scores.measured.miscalibration": "miscalibration area",
    "scores.split.epistemic_z": "epistemic z (1 is right)",
}
SHOWN = TOTALS | SPLIT
DRAWN = {CRPS: TOTALS[CRPS]} | SPLIT


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN with every prior."""
    variants = compared(COMPARED, scope)
    return [with_prior(variant, prior) for variant in variants for prior in scope.few(PRIORS)]


def with_prior(variant: Variant, prior: str) -> Configuration:
    """The same scale, another shape."""
    settings = network(BPINN, variant)
    settings = replace(settings, network=replace(settings.network, prior=prior))
    return changed(BPINN, variant, f"priors/{variant}/{prior}", settings)


def section(results: Results) -> Section:
    """Scores and calibration by prior."""
    variants, names = compared(COMPARED, results.scope), results.scope.few(PRIORS)
    found = {variant: _scores(results, variant) for variant in variants}
    rows = [
        [
            f"{prior}, {VARIANT_TEXT[variant]}",
            *(mean_and_std(values[place]) for values in scores.values()),
        ]
        for variant, scores in found.items()
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
        label: [line(variant, found[variant][path]) for variant in variants]
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
            _best(variant, dict(zip(names, found[variant][CRPS], strict=True)))
            for variant in variants
        ),
    )
    return Section(text, {"priors": picture}, (verdict,))


def _scores(results: Results, variant: Variant) -> dict[str, list[np.ndarray]]:
    """Every score by prior, repeat by repeat."""
    every = [with_prior(variant, prior) for prior in results.scope.few(PRIORS)]
    return {path: [results.values(one, path) for one in every] for path in SHOWN}


def _best(variant: Variant, values: dict[str, np.ndarray]) -> Finding:
    found = {prior: float(np.mean(one)) for prior, one in values.items()}
    best = lowest(found)
    against = "" if best == "laplace" else f" against {number(found['laplace'])} K with laplace"
    text = f"lowest CRPS with {best}: {number(found[best])} K{against}"
    return Finding(variant, as_good(found["laplace"], found[best]), text)

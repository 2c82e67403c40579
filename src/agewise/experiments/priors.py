"""(o) What is believed of a weight beforehand."""

from dataclasses import replace

from agewise.experiments.configuration import Configuration
from agewise.experiments.experiment import Picture, Section
from agewise.experiments.families import BPINN, VARIANT_TEXT, Variant, changed, network
from agewise.experiments.lines import TOTALS, compared, line, lowest, score_panels
from agewise.experiments.results import Results
from agewise.experiments.scope import Scope
from agewise.experiments.tables import number, table, told
from agewise.experiments.verdict import Finding, Verdict
from agewise.inference.priors import PRIORS

COMPARED: tuple[Variant, ...] = ("weighted", "default")
CRPS = "scores.instants.total.total_crps"
SPLIT = {
    "scores.measured.miscalibration": "miscalibration area",
    "scores.split.epistemic_z": "epistemic z (1 is right)",
}
DRAWN = {CRPS: TOTALS[CRPS]} | SPLIT


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN with every prior."""
    variants = compared(COMPARED, scope)
    return [with_prior(variant, prior) for variant in variants for prior in PRIORS]


def with_prior(variant: Variant, prior: str) -> Configuration:
    """The same scale, another shape."""
    settings = network(BPINN, variant)
    settings = replace(settings, network=replace(settings.network, prior=prior))
    return changed(BPINN, variant, f"priors/{variant}/{prior}", settings)


def section(results: Results) -> Section:
    """Scores and calibration by prior."""
    variants = compared(COMPARED, results.scope)
    shown = TOTALS | SPLIT
    rows = [
        [
            f"{prior}, {VARIANT_TEXT[variant]}",
            *(told(results, with_prior(variant, prior), path) for path in shown),
        ]
        for variant in variants
        for prior in PRIORS
    ]
    text = (
        "The heteroscedastic B-PINN with four priors of the same scale: Laplace, as in the paper; "
        "normal; Student's t with three degrees of freedom; and a mixture of a wide and a narrow "
        "normal. RMSE, CRPS and NLL of the total distribution to the truth; miscalibration on "
        "readings inside, which no method has seen; z is the root mean square of the error over "
        "the epistemic standard deviation. Mean ± standard deviation over repeats.\n\n"
        + table(["prior", *shown.values()], rows)
    )
    lines = {
        label: [
            line(results, one, [with_prior(one, prior) for prior in PRIORS], path)
            for one in variants
        ]
        for path, label in DRAWN.items()
    }
    picture = Picture(
        "CRPS, calibration and size of the epistemic part by prior: means over repeats, joined "
        "only to lead the eye, and every repeat as a dot.",
        "CRPS, miscalibration area and epistemic z under four priors.",
        score_panels(list(PRIORS), lines, "prior of the weights"),
    )
    verdict = Verdict(
        "The Laplace prior is the one to take",
        "chosen from earlier experience; no number",
        tuple(_best(results, variant) for variant in variants),
    )
    return Section(text, {"priors": picture}, (verdict,))


def _best(results: Results, variant: Variant) -> Finding:
    found = {prior: results.mean(with_prior(variant, prior), CRPS) for prior in PRIORS}
    best = lowest(found)
    against = "" if best == "laplace" else f" against {number(found['laplace'])} K with laplace"
    text = f"lowest CRPS with {best}: {number(found[best])} K{against}"
    return Finding(variant, best == "laplace", text)

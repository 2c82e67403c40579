"""(c) The oil from bottom to top at six instants."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.engine.uncertainty.coverage import rms
from agewise.engine.uncertainty.scores import INSTANTS
from agewise.report.drawing.style import BLUE, GREEN, ORANGE, canvas
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import (
    BPINN,
    DPINN,
    POLISHED,
    VANILLA,
    VARIANT_TEXT,
    Family,
    Variant,
    main,
)
from reproduction.kept_fields import Fields, Setting, fields, setting
from reproduction.paired import Paired
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import number, table
from reproduction.verdict import Finding, Verdict

SHOWN = {BPINN: BLUE, DPINN: ORANGE, VANILLA: GREEN}
"""Families that are drawn, with their colours."""
BAND = 1.645
"""Standard deviations to either side of the mean that hold 90 % of a Gaussian."""
PAIRS = ((DPINN, VANILLA), (DPINN, BPINN), (BPINN, VANILLA))
"""Families whose means are compared, two by two."""


def configurations(scope: Scope) -> list[Configuration]:
    """Three families under every preset."""
    return [main(family, variant) for variant in scope.variants for family in SHOWN]


def section(results: Results) -> Section:
    """Profiles and what they are off by, and how far the means lie apart."""
    variants = results.scope.variants
    rows = [
        [f"{first.text} and {second.text}"]
        + [number(_apart(results, variant, first, second)) for variant in variants]
        for first, second in PAIRS
    ]
    head = ["first repeat, RMS between means [K]", *(VARIANT_TEXT[variant] for variant in variants)]
    text = (
        "The paper's six instants in the first repeat, one figure a preset. In the paper's own "
        "figure the d-PINN's band is the wider one and its mean lies close to the vanilla "
        "network's. The table holds the means against each other over all times and heights; one "
        "counts as following where it is not half as far from the vanilla network's as from the "
        "B-PINN's.\n\n" + table(head, rows)
    )
    verdict = Verdict(
        "The d-PINN's mean follows the vanilla network's",
        "seen in a figure; no number",
        tuple(_follows(results, variant) for variant in variants),
    )
    pictures = {f"profiles-{variant}": _picture(results, variant) for variant in variants}
    return Section(text, pictures, (verdict,))


def _apart(results: Results, variant: Variant, first: Family, second: Family) -> float:
    """RMS difference of two means over the field [K]."""
    mean, reference = (fields(results, main(family, variant)).mean for family in (first, second))
    return float(rms(mean - reference))


def _follows(results: Results, variant: Variant) -> Finding:
    """Whether the d-PINN's mean is much nearer to the vanilla network's than to the B-PINN's."""
    vanilla, bayesian = (_distances(results, variant, DPINN, other) for other in (VANILLA, BPINN))
    # Of cells that are older than the kept means there is the first repeat alone.
    both = min(len(vanilla), len(bayesian))
    vanilla, bayesian = vanilla[:both], bayesian[:both]
    means = [number(float(values.mean())) for values in (vanilla, bayesian)]
    cut = "" if variant == "default" else f" (after {POLISHED} of its 10 000 steps of L-BFGS)"
    text = f"{means[0]} K from the vanilla's{cut}, {means[1]} K from the B-PINN's"
    return Finding.judged(variant, Paired(2 * vanilla, bayesian).margins, text)


def _distances(results: Results, variant: Variant, first: Family, second: Family) -> np.ndarray:
    """RMS difference of two means [K], repeat by repeat; of old cells, in the first repeat."""
    rows = [results.numbers(main(family, variant)) for family in (first, second)]
    if not all("coarse_mean" in numbers for row in rows for numbers in row):
        return np.array([_apart(results, variant, first, second)])
    means, others = (np.array([numbers["coarse_mean"] for numbers in row]) for row in rows)
    return np.array([rms(mean - other) for mean, other in zip(means, others, strict=True)])


def _picture(results: Results, variant: Variant) -> Picture:
    where = setting(results, main(BPINN, variant))
    predicted = {family: fields(results, main(family, variant)) for family in SHOWN}
    return Picture(
        f"Preset {VARIANT_TEXT[variant]}. Above, the oil over the height at six instants; below, "
        "the same less the truth, on one scale. Lines are means; bands hold 90 % of the total "
        "distribution, noise included; the vanilla network is taken as a point estimate "
        "and has none.",
        f"Profiles of the oil and their errors at six instants, preset {VARIANT_TEXT[variant]}.",
        partial(_figure, where, predicted),
    )


def _figure(where: Setting, predicted: dict[Family, Fields]) -> Figure:
    figure = canvas(7.4)
    panels = figure.subplots(2, len(INSTANTS), sharey=True)
    zero = np.zeros_like(where.oil)
    for above, below, hour in zip(*panels, INSTANTS, strict=True):
        row = where.row(hour)
        _draw_profiles(above, where, predicted, row, zero)
        _draw_profiles(below, where, predicted, row, where.oil)
        above.set_title(f"{hour} h", loc="left")
        above.set_xlabel("oil [°C]")
        below.set_xlabel("oil less truth [K]")
    _align(panels[1])
    for axes in panels[:, 0]:
        axes.set_ylabel("height [m]")
        axes.set_ylim(0.0, where.heights[-1])
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=6,
        frameon=False,
    )  # fmt: skip
    return figure


def _draw_profiles(
    axes: Axes, where: Setting, predicted: dict[Family, Fields], row: int, subtracted: np.ndarray
) -> None:
    for family, colour in SHOWN.items():
        mean, std = (predicted[family].mean - subtracted)[row], predicted[family].total[row]
        if family is not VANILLA:  # taken as a point estimate, so it has no band
            axes.fill_betweenx(
                where.heights, mean - BAND * std, mean + BAND * std, color=colour, alpha=0.25,
                linewidth=0, label=f"{family.text}, 90 %",
            )  # fmt: skip
        axes.plot(mean, where.heights, color=colour, linewidth=1.5, label=family.text)
    truth = (where.oil - subtracted)[row]
    axes.plot(truth, where.heights, color="black", linestyle="--", linewidth=1.2, label="truth")
    axes.grid(alpha=0.25)


def _align(panels: np.ndarray) -> None:
    """One scale for all errors, zero in the middle."""
    most = max(float(np.abs(axes.get_xlim()).max()) for axes in panels)
    for axes in panels:
        axes.set_xlim(-most, most)

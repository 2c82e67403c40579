"""(d) Calibration and sharpness, day by day."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.engine.uncertainty.coverage import LEVELS
from agewise.report.drawing.style import CYCLE, canvas
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, BPINN_HOM, VARIANT_TEXT, Family, Variant, main
from reproduction.paired import Paired
from reproduction.published import MISCALIBRATION, SHARPNESS
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import mean_and_std, number, table
from reproduction.verdict import Finding, Verdict

COMPARED = (BPINN, BPINN_HOM)
"""Families that are compared, the one that the paper favours first."""


def configurations(scope: Scope) -> list[Configuration]:
    """Both B-PINNs under every preset."""
    return [main(family, variant) for variant in scope.variants for family in COMPARED]


def section(results: Results) -> Section:
    """Both scores on readings that no method saw, with coverage curves."""
    rows = []
    for variant in results.scope.variants:
        for family in COMPARED:
            by_day = {name: daily(results, family, variant, name) for name in ("crps", *NAMES)}
            figures = [mean_and_std(values.ravel()) for values in by_day.values()]
            rows.append([f"{family.text}, {VARIANT_TEXT[variant]}", *figures])
    for family in COMPARED:
        printed = [f"{mean:.3f} ± {std:.2f}" for mean, std in (
            MISCALIBRATION[family.name], SHARPNESS[family.name]
        )]  # fmt: skip
        rows.append([f"{family.text}, *published*", "", *printed])
    head = ["", "CRPS [K]", "miscalibration area", "sharpness [K]"]
    text = (
        "On the noisy readings of four sensors inside, which no method has seen: the area between "
        "nominal and actual coverage (0 is perfect, 0.5 the worst), and the width of the predicted "
        "distributions. Mean ± standard deviation over days and repeats.\n\n" + table(head, rows)
    )
    caption = (
        "How often central intervals hold a reading, against how often they should; one line a "
        "day, all repeats together. Below the diagonal a model is too sure, above it too modest."
    )
    picture = Picture(caption, "Coverage curves of both B-PINNs by day.", partial(_figure, results))
    return Section(text, {"calibration": picture}, tuple(_verdicts(results)))


NAMES = ("miscalibration", "sharpness")
"""Scores of a day that the paper prints too."""


def daily(results: Results, family: Family, variant: Variant, name: str) -> np.ndarray:
    """One number of every day, over (repeat, day); of a curve also over its levels."""
    repeats = results.numbers(main(family, variant))
    return np.array([[day[name] for day in numbers["days"]] for numbers in repeats])


def _figure(results: Results) -> Figure:
    variants = results.scope.variants
    figure = canvas(1.2 + 2.6 * len(COMPARED))
    panels = figure.subplots(len(COMPARED), len(variants), sharex=True, sharey=True, squeeze=False)
    for row, family in zip(panels, COMPARED, strict=True):
        for axes, variant in zip(row, variants, strict=True):
            _draw_curves(axes, daily(results, family, variant, "coverage").mean(axis=0))
            axes.set_title(f"{family.text}, {VARIANT_TEXT[variant]}", loc="left")
    for axes in panels[-1]:
        axes.set_xlabel("nominal coverage [1]")
    for axes in panels[:, 0]:
        axes.set_ylabel("actual coverage [1]")
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=5, frameon=False)
    return figure


def _draw_curves(axes: Axes, by_day: np.ndarray) -> None:
    axes.plot([0, 1], [0, 1], color="black", linewidth=1.0, linestyle="--", label="calibrated")
    # There are more colours than days.
    for number_of_day, (curve, colour) in enumerate(zip(by_day, CYCLE, strict=False), start=1):
        axes.plot(LEVELS, curve, color=colour, linewidth=1.5, label=f"day {number_of_day}")
    axes.set_aspect("equal")
    axes.grid(alpha=0.25)


def _verdicts(results: Results) -> list[Verdict]:
    variants = results.scope.variants
    return [
        Verdict(
            "The heteroscedastic B-PINN is better calibrated than the homoscedastic one",
            "area 0.196 against 0.214",
            tuple(_smaller(results, v, "miscalibration") for v in variants),
        ),
        Verdict(
            "It is sharper on average",
            "0.526 against 0.560 K",
            tuple(_smaller(results, v, "sharpness") for v in variants),
        ),
        Verdict(
            "but its sharpness varies more",
            "± 0.337 against ± 0.089",
            tuple(_more_variable(results, v) for v in variants),
        ),
    ]


def _smaller(results: Results, variant: Variant, name: str) -> Finding:
    # Days of a repeat share its weights, so repeats are the independent samples of the test.
    pair = Paired(*(daily(results, family, variant, name).mean(axis=1) for family in COMPARED))
    return Finding(variant, pair.smaller, pair.text)


def _more_variable(results: Results, variant: Variant) -> Finding:
    by_day = [daily(results, family, variant, "sharpness") for family in COMPARED]
    # From day to day within a repeat, since repeats are what is tested.
    het, hom = (np.std(values, axis=1) for values in by_day)
    text = f"± {number(float(het.mean()))} against ± {number(float(hom.mean()))} K from day to day"
    return Finding.judged(variant, Paired(hom, het).margins, text)

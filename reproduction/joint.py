"""(e) Both uncertainties together, day by day."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from agewise.report.drawing.style import GREY, RED, SPREAD, canvas, draw_scale
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, DPINN, VARIANT_TEXT, Family, Variant, main
from reproduction.kept_fields import Fields, Setting, fields, finite, setting
from reproduction.paired import Paired
from reproduction.published import ALEATORIC, EPISTEMIC
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import number, table
from reproduction.verdict import Finding, Verdict

COMPARED = (BPINN, DPINN)
"""Families that are compared, one row of panels each."""
PARTS = {"epistemic": EPISTEMIC, "aleatoric": ALEATORIC}
"""Parts of the variance, with the ranges that the paper prints [K²]."""
BINS = 56
"""Number of edges of the bins on each axis."""
LEAST, DECADES = 1e-7, 6.0
"""Smallest variance that is drawn [K²], and the largest number of decades on an axis."""


def configurations(scope: Scope) -> list[Configuration]:
    """Both heteroscedastic networks under every preset."""
    return [main(family, variant) for variant in scope.variants for family in COMPARED]


def section(results: Results) -> Section:
    """Ranges of both variances beside the paper's, and their densities."""
    variants = results.scope.variants
    rows = [
        [f"{family.text}, {VARIANT_TEXT[variant]}", *_ranges(results, family, variant)]
        for variant in variants
        for family in COMPARED
    ]
    for family in COMPARED:
        printed = ("{:g} to {:g}".format(*PARTS[part][family.name]) for part in PARTS)
        rows.append([f"{family.text}, *published*", *printed, ""])
    head = ["5 to 95 % of the field", "epistemic [K²]", "aleatoric [K²]", "mean of the sum [K²]"]
    text = (
        "Both variances over all times and heights: the range that holds nine in ten, and the mean "
        "of their sum, averaged over repeats. The paper names its ranges without a unit; its "
        "measure of uncertainty is the variance.\n\n" + table(head, rows)
    )
    verdict = Verdict(
        "The d-PINN's bands are wider than the B-PINN's",
        "variances 0.2 to 1.8 and 0.5 to 5.5 against 0.001 to 0.016 and 0.10 to 1.4",
        tuple(wider(results, variant) for variant in variants),
    )
    pictures = {f"joint-{variant}": _picture(results, variant) for variant in variants}
    return Section(text, pictures, (verdict,))


def _ranges(results: Results, family: Family, variant: Variant) -> list[str]:
    fit = main(family, variant)
    ranges = [
        " to ".join(number(results.mean(fit, f"variances.{part}.{end}")) for end in ("p05", "p95"))
        for part in PARTS
    ]
    return [*ranges, number(float(totals(results, family, variant).mean()))]


def totals(results: Results, family: Family, variant: Variant) -> np.ndarray:
    """Mean over the field of both variances together [K²], repeat by repeat."""
    fit = main(family, variant)
    return np.sum([results.values(fit, f"variances.{part}.mean") for part in PARTS], axis=0)


def wider(results: Results, variant: Variant) -> Finding:
    """Whether the d-PINN's variances together exceed the B-PINN's."""
    dropout, bayesian = (totals(results, family, variant) for family in (DPINN, BPINN))
    means = " against ".join(number(float(values.mean())) for values in (dropout, bayesian))
    margins = Paired(bayesian, dropout).margins
    return Finding.judged(variant, margins, f"mean total variance {means} K²")


def _picture(results: Results, variant: Variant) -> Picture:
    where = setting(results, main(BPINN, variant))
    predicted = {family: fields(results, main(family, variant)) for family in COMPARED}
    return Picture(
        f"Preset {VARIANT_TEXT[variant]}, first repeat. How epistemic and aleatoric variance come "
        "together over all times and heights of a day; colours tell the share of the day. The "
        "dashed frame is the range that the paper names for its data; the grey stripe is the "
        "variance of the twin's true noise on that day, 5 to 95 %, where the aleatoric part "
        "should lie.",
        "Joint densities of both variances for four days, B-PINN above, d-PINN below, preset "
        f"{VARIANT_TEXT[variant]}.",
        partial(_figure, where, predicted),
    )


def _figure(where: Setting, predicted: dict[Family, Fields]) -> Figure:
    figure = canvas(6.0)
    days = where.days()
    panels = figure.subplots(len(predicted), len(days), sharex=True, sharey=True, squeeze=False)
    pairs = {family: [_pairs(answer, day) for day in days] for family, answer in predicted.items()}
    edges = _edges(np.concatenate([pair for by_day in pairs.values() for pair in by_day]))
    shares = {family: [_shares(pair, edges) for pair in by_day] for family, by_day in pairs.items()}
    high = max(
        float(finite(share[share > 0]).max()) for by_day in shares.values() for share in by_day
    )
    norm = LogNorm(high / 100, high)  # empty bins are masked below, so they need no colour
    for row, (family, by_day) in zip(panels, shares.items(), strict=True):
        for axes, day, share in zip(row, days, by_day, strict=True):
            _draw_noise(axes, where.noise[day] ** 2)
            shown = np.ma.masked_equal(share, 0.0)
            axes.pcolormesh(*edges, shown.T, cmap=SPREAD, norm=norm, rasterized=True)
            _draw_published(axes, family)
        row[0].set_ylabel(f"{family.text}\naleatoric variance [K²]")
    _finish(panels, edges)
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=2, frameon=False)
    label = "share of the day's times and heights [%]"
    draw_scale(figure, ScalarMappable(norm, SPREAD), label, ax=panels, aspect=30)
    return figure


def _finish(panels: np.ndarray, edges: tuple[np.ndarray, np.ndarray]) -> None:
    for number_of_day, axes in enumerate(panels[0], start=1):
        axes.set_title(f"day {number_of_day}", loc="left")
    for axes in panels[-1]:
        axes.set_xlabel("epistemic variance [K²]")
    for axes in panels.flat:
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(edges[0][0], edges[0][-1])
        axes.set_ylim(edges[1][0], edges[1][-1])
        axes.grid(alpha=0.25)


def _draw_noise(axes: Axes, variance: np.ndarray) -> None:
    low, high = np.quantile(variance, [0.05, 0.95])
    axes.axhspan(low, high, color=GREY, alpha=0.2, linewidth=0, label="true noise, 5 to 95 %")


def _draw_published(axes: Axes, family: Family) -> None:
    (left, right), (low, high) = EPISTEMIC[family.name], ALEATORIC[family.name]
    frame = Rectangle(
        (left, low), right - left, high - low, fill=False, edgecolor=RED, linestyle="--",
        label="published range",
    )  # fmt: skip
    axes.add_patch(frame)


def _pairs(prediction: Fields, day: np.ndarray) -> np.ndarray:
    """Variances (epistemic, aleatoric) of a day [K²], above zero."""
    parts = (prediction.epistemic[day] ** 2, prediction.aleatoric[day] ** 2)
    return np.maximum(np.stack([part.ravel() for part in parts], axis=-1), LEAST)


def _edges(pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges of the bins on both axes, around all values and the paper's ranges."""
    edges = []
    for part, values in zip(PARTS, pairs.T, strict=True):
        printed = [end for family in COMPARED for end in PARTS[part][family.name]]
        high = 1.5 * max(float(finite(values).max()), *printed)
        low = max(min(float(finite(values).min()), *printed) / 1.5, high / 10**DECADES)
        edges.append(np.geomspace(low, high, BINS))
    return edges[0], edges[1]


def _shares(pairs: np.ndarray, edges: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Percent of the pairs in each bin, those beyond the axes in the last."""
    inside = [
        np.clip(values, axis[0], axis[-1]) for values, axis in zip(pairs.T, edges, strict=True)
    ]
    counts, _, _ = np.histogram2d(*inside, bins=edges)
    return 100 * counts / len(pairs)

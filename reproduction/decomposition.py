"""(f) The split at two instants, and whether the epistemic part tells the error."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from agewise.engine.uncertainty.coverage import rms
from agewise.report.drawing.style import BLUE, GREEN, GREY, ORANGE, RED, canvas
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import (
    BPINN,
    BPINN_HOM,
    DPINN,
    DPINN_HOM,
    VANILLA,
    VARIANT_TEXT,
    Family,
    Variant,
    main,
)
from reproduction.inputs import EXACT
from reproduction.kept_fields import Fields, Setting, fields, finite, setting
from reproduction.measures import TRACKED
from reproduction.more_repeats import with_more
from reproduction.paired import Margins, together
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import number, over_repeats, table
from reproduction.verdict import Finding, Verdict

SHOWN = (BPINN, BPINN_HOM)
"""Families that are drawn."""
SPLIT_FAMILIES = (BPINN, BPINN_HOM, DPINN, DPINN_HOM)
"""Families with an epistemic part, which the table lists."""
TRACKS = 0.5
"""Share of the rank correlation of `exact` from which the epistemic part counts as tracking."""
PLACES = {"field": "the whole field"} | {str(hour): f"{hour} h" for hour in TRACKED}
"""Where error and epistemic part are compared: names in a cell, and in words."""
LEAST, DECADES = 1e-5, 3.5
"""Smallest value that is drawn [K], and the largest number of decades on an axis."""
BINS, TENTHS = 45, 10
"""Numbers of edges of the bins on an axis, and of groups from the surest to the least sure."""


def configurations(scope: Scope) -> list[Configuration]:
    """All families under every preset, and the exact yardstick."""
    families = (*SPLIT_FAMILIES, VANILLA)
    return [main(family, v) for v in scope.variants for family in families] + [EXACT]


def section(results: Results) -> Section:
    """Rank correlations, and the split over the height."""
    variants = results.scope.variants
    rows = [
        [f"{family.text}, {VARIANT_TEXT[variant]}", *_tracking(results, main(family, variant))]
        for variant in variants
        for family in SPLIT_FAMILIES
    ]
    rows.append(["`exact`", *_tracking(results, EXACT)])
    text = (
        "The paper holds the error of the mean against the epistemic part at 6 and 25 h, by eye. "
        "Here it is Spearman's rank correlation of the two, over all times and heights and over "
        "the height at these instants, mean ± standard deviation over repeats; 1 means that the "
        "error is largest wherever the method is least sure. Even a right epistemic part stays "
        "below that, since it tells the size of an error on average only. `exact`, which needs no "
        "network, is there to compare; the claim holds where all three are above "
        f"{TRACKS:g} of its own.\n\n" + table(["rank correlation", *PLACES.values()], rows)
    )
    verdict = Verdict(
        "The epistemic part of the heteroscedastic B-PINN tracks its error",
        "seen at 6 and 25 h; no number",
        tuple(_tracks(results, variant) for variant in variants),
    )
    pictures = {f"decomposition-{variant}": _picture(results, variant) for variant in variants}
    return Section(text, pictures, (verdict,))


def _tracking(results: Results, configuration: Configuration) -> list[str]:
    return [over_repeats(results, configuration, f"tracking.{place}") for place in PLACES]


def _tracks(results: Results, variant: Variant) -> Finding:
    results = with_more(results, variant)
    network, exact = (
        [results.values(configuration, f"tracking.{place}") for place in PLACES]
        for configuration in (main(BPINN, variant), EXACT)
    )
    margins = [Margins(ours - TRACKS * best) for ours, best in zip(network, exact, strict=True)]
    phrases = (
        f"{number(float(ours.mean()))} at {name} (`exact`: {number(float(best.mean()))}; "
        f"above half of it {margin.text})"
        for ours, best, name, margin in zip(network, exact, PLACES.values(), margins, strict=True)
    )
    holds = together(margin.holds for margin in margins)
    return Finding(variant, holds, "rank correlation " + ", ".join(phrases))


def _picture(results: Results, variant: Variant) -> Picture:
    where = setting(results, main(BPINN, variant))
    predicted = {family: fields(results, main(family, variant)) for family in (*SHOWN, VANILLA)}
    return Picture(
        f"Preset {VARIANT_TEXT[variant]}, first repeat. Left and middle, over the height: both "
        "standard deviations, their sum in squares, and what the mean is off by, that of the "
        "vanilla network too. Right, over all times and heights: how often an error comes with an "
        "epistemic deviation, darker the more often; dots are the RMS error in tenths of the "
        "field, from the surest to the least sure, and a right epistemic part puts them on the "
        "dashed line. Axes are logarithmic.",
        "Standard deviations and errors over the height at 6 and 25 h, and errors against the "
        f"epistemic part, for both B-PINNs, preset {VARIANT_TEXT[variant]}.",
        partial(_figure, where, predicted),
    )


def _figure(where: Setting, predicted: dict[Family, Fields]) -> Figure:
    figure = canvas(7.6)
    panels = figure.subplots(len(SHOWN), len(TRACKED) + 1, squeeze=False)
    vanilla, edges = np.abs(predicted[VANILLA].mean - where.oil), _edges(where, predicted)
    for row, family in zip(panels, SHOWN, strict=True):
        error = np.abs(predicted[family].mean - where.oil)
        for axes, hour in zip(row, TRACKED, strict=False):
            _draw_split(axes, where, predicted[family], where.row(hour), (error, vanilla))
            axes.set_title(f"{family.text}, {hour} h", loc="left")
        _draw_tracking(row[-1], predicted[family].epistemic, error, edges)
        row[-1].set_title(f"{family.text}, whole field", loc="left")
        row[0].set_ylabel("height [m]")
    _align(panels[:, :-1])
    for axes in panels[-1, :-1]:
        axes.set_xlabel("standard deviation, error [K]")
    panels[-1, -1].set_xlabel("epistemic σ [K]")
    handles = panels[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=5, frameon=False)
    return figure


def _draw_split(
    axes: Axes, where: Setting, prediction: Fields, row: int, errors: tuple[np.ndarray, np.ndarray]
) -> None:
    lines = {
        "epistemic σ": (prediction.epistemic, BLUE, "-"),
        "aleatoric σ": (prediction.aleatoric, ORANGE, "-"),
        "total σ": (prediction.total, GREY, "--"),
        "error of the mean": (errors[0], "black", "-"),
        "error of the vanilla": (errors[1], GREEN, ":"),
    }
    for name, (values, colour, style) in lines.items():
        axes.plot(
            np.maximum(values[row], LEAST), where.heights, color=colour, linestyle=style,
            linewidth=1.6, label=name,
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(0.0, where.heights[-1])
    axes.grid(alpha=0.25)


def _align(panels: np.ndarray) -> None:
    """One scale for all panels, of at most `DECADES`."""
    high = max(axes.get_xlim()[1] for axes in panels.flat)
    low = max(min(axes.get_xlim()[0] for axes in panels.flat), high / 10**DECADES)
    for axes in panels.flat:
        axes.set_xlim(low, high)


def _draw_tracking(axes: Axes, epistemic: np.ndarray, error: np.ndarray, edges: np.ndarray) -> None:
    """Errors by epistemic deviation, and the size of the errors in each tenth of these."""
    # Values beyond the axes are counted in the outermost bins, not lost.
    inside = [np.clip(values.ravel(), edges[0], edges[-1]) for values in (epistemic, error)]
    counts, _, _ = np.histogram2d(*inside, bins=[edges, edges])
    shown, norm = np.ma.masked_equal(counts, 0.0), LogNorm(1.0, max(float(counts.max()), 10.0))
    axes.pcolormesh(edges, edges, shown.T, cmap="Blues", norm=norm, rasterized=True)
    # Groups of equal size from the surest to the least sure, each with its RMS on both axes.
    tenths = np.array_split(np.argsort(inside[0]), TENTHS)
    sizes = [[rms(values[rows]) for rows in tenths] for values in inside]
    axes.plot(*sizes, "o-", color=RED, markersize=4, linewidth=1.2, label="RMS error, by tenths")
    ends = [edges[0], edges[-1]]
    axes.plot(ends, ends, color="black", linestyle="--", linewidth=1.0, label="equal")
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, ylabel="error of the mean [K]")
    axes.legend(loc="upper left")
    axes.grid(alpha=0.25)


def _edges(where: Setting, predicted: dict[Family, Fields]) -> np.ndarray:
    """Logarithmic bins for both axes of all panels, around most of the values."""
    values = [predicted[family].epistemic for family in SHOWN]
    values += [np.abs(predicted[family].mean - where.oil) for family in SHOWN]
    # From the second percentile, since the error crosses zero and its logarithm has no bottom.
    ranges = [np.quantile(np.maximum(finite(field), LEAST), [0.02, 1.0]) for field in values]
    high = 3.0 * max(float(high) for _, high in ranges)
    low = min(*(float(low) for low, _ in ranges), high / 100)
    return np.geomspace(max(low, high / 10**DECADES), high, BINS)

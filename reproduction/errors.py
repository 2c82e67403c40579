"""(h) Where the errors are, and how they grow from day to day."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import SymLogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from agewise.report.drawing.style import canvas, draw_scale
from reproduction.calibration import daily
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, DPINN, VANILLA, VARIANT_TEXT, Family, Variant, main
from reproduction.kept_fields import (
    Setting,
    draw_map,
    fields,
    finite,
    name_map,
    setting,
)
from reproduction.measures import Map
from reproduction.more_repeats import with_more
from reproduction.paired import Margins
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import mean_and_std, number, table
from reproduction.verdict import Finding, Verdict

SHOWN = (BPINN, DPINN, VANILLA)
"""Families that are drawn, one row each."""
SIGNED = "RdBu_r"
"""Colour map of values that may be above or below zero."""
MOST = 0.995
"""Share of the field that lies within the range of the colours [1]."""
LINEAR = 30.0
"""Colours are logarithmic down to this part of the largest error, so that small ones show too."""
CONTOURS = 4
"""Number of contour lines over a standard deviation, about."""
TIMES = 5.0
"""Ratio of two slopes from which one counts as about ten times the other."""


def configurations(scope: Scope) -> list[Configuration]:
    """Three families under every preset."""
    return [main(family, variant) for variant in scope.variants for family in SHOWN]


def section(results: Results) -> Section:
    """Error variances by day, their growth, and the fields of both errors."""
    variants = results.scope.variants
    rows = [
        [f"{family.text}, {VARIANT_TEXT[variant]}", *_row(results, family, variant)]
        for variant in variants
        for family in SHOWN
    ]
    days = error_variance(results, BPINN, variants[0]).shape[1]
    head = ["[K²]", *(f"day {day + 1}" for day in range(days)), "slope [K² a day]"]
    text = (
        "The paper says that the variance of the ageing error grows an order of magnitude faster "
        "for the d-PINN, and does not say how that was measured. Here it is measured twice. For "
        "the oil: mean square of mean less truth over a day's times and heights, and the slope of "
        "a straight line through the days (table; mean ± standard deviation over repeats). For "
        "ageing: mean square of the error of the life used so far over the height, at the end of "
        "each day of the first repeat. A claim holds "
        f"where the d-PINN's slope is above zero and at least {TIMES:g} times the size of the "
        "B-PINN's.\n\n" + table(head, rows)
    )
    verdicts = (
        Verdict(
            "The variance of the d-PINN's error grows about ten times faster: the oil's",
            "an order of magnitude",
            tuple(_faster(variant, _oil_slopes(results, variant), "K²") for variant in variants),
        ),
        Verdict(
            "and that of ageing",
            "an order of magnitude",
            tuple(
                _faster(variant, _ageing_slopes(results, variant), "min²") for variant in variants
            ),
        ),
    )
    pictures = {f"errors-{variant}": _picture(results, variant) for variant in variants}
    return Section(text, pictures, verdicts)


def error_variance(results: Results, family: Family, variant: Variant) -> np.ndarray:
    """Mean square of the oil's error over (repeat, day) [K²]."""
    return daily(results, family, variant, "rmse") ** 2


def slope(by_day: np.ndarray) -> float:
    """Slope of a straight line through the days."""
    # Least squares: with days counted from their middle, the intercept drops out.
    days = np.arange(by_day.size) - (by_day.size - 1) / 2
    return float(days @ by_day / (days @ days or 1.0))  # a single day has no slope


def _row(results: Results, family: Family, variant: Variant) -> list[str]:
    variances = error_variance(results, family, variant)
    slopes = np.array([slope(by_day) for by_day in variances])
    return [mean_and_std(values) for values in (*variances.T, slopes)]


Slopes = tuple[np.ndarray, np.ndarray]
"""Growth of an error's variance a day over repeats, of the d-PINN and of the B-PINN."""


def _oil_slopes(results: Results, variant: Variant) -> Slopes:
    """Growth of the oil's error variance a day [K²]."""
    results = with_more(results, variant)
    dropout, bayesian = (
        np.array([slope(by_day) for by_day in error_variance(results, family, variant)])
        for family in (DPINN, BPINN)
    )
    return dropout, bayesian


def _ageing_slopes(results: Results, variant: Variant) -> Slopes:
    """Growth of the ageing error's variance a day [min²]; of old cells, in the first repeat."""
    more = with_more(results, variant)
    rows = [more.numbers(main(family, variant)) for family in (DPINN, BPINN)]
    if not all("life_error" in numbers for row in rows for numbers in row):
        return _kept_slopes(results, variant)
    dropout, bayesian = (
        np.array([slope(np.array(numbers["life_error"])) for numbers in row]) for row in rows
    )
    return dropout, bayesian


def _kept_slopes(results: Results, variant: Variant) -> Slopes:
    """The same from the fields that the first repeat keeps."""
    where = setting(results, main(BPINN, variant))
    # Life used is a running sum, so its value at the end of a day is that of all days up to it.
    ends = [np.flatnonzero(day)[-1] for day in where.days()]
    rates = (fields(results, main(family, variant)).ageing for family in (DPINN, BPINN))
    errors = (where.life_used(rate - where.ageing)[ends] for rate in rates)
    dropout, bayesian = (np.array([slope(np.mean(error**2, axis=1))]) for error in errors)
    return dropout, bayesian


def _faster(variant: Variant, slopes: Slopes, unit: str) -> Finding:
    dropout, bayesian = (float(values.mean()) for values in slopes)
    text = f"{number(dropout)} against {number(bayesian)} {unit} a day"
    text += "" if bayesian > 0 else ": the B-PINN's does not grow"
    margins = Margins(slopes[0] - TIMES * np.abs(slopes[1]))
    return Finding.judged(variant, margins, text)


def _picture(results: Results, variant: Variant) -> Picture:
    return Picture(
        f"Preset {VARIANT_TEXT[variant]}, first repeat. Mean less truth over time and height: left "
        "of the oil, right of the life used since the start; one scale a column, in decades but "
        "for the smallest errors. Contours are the predicted standard deviation in the "
        "same units, noise included (of the life used: summed); the vanilla network is taken as a "
        "point estimate and has none.",
        "Heat maps of the errors of oil and life used with contours of the standard deviation, "
        f"preset {VARIANT_TEXT[variant]}.",
        partial(_figure, results, variant),
    )


def _figure(results: Results, variant: Variant) -> Figure:
    where = setting(results, main(BPINN, variant))
    predicted = {family.text: fields(results, main(family, variant)) for family in SHOWN}
    figure = canvas(8.0)
    panels = figure.subplots(len(SHOWN), 2, sharex=True, sharey=True)
    oil = {name: (answer.mean - where.oil, answer.total) for name, answer in predicted.items()}
    life = {
        name: (where.life_used(answer.ageing - where.ageing), where.life_used(answer.ageing_std))
        for name, answer in predicted.items()
    }
    _draw_column(figure, panels[:, 0], where, oil, "oil, mean less truth [K]")
    _draw_column(figure, panels[:, 1], where, life, "life used, mean less truth [min]")
    for axes in panels.flat:
        place = axes.get_subplotspec()
        name_map(axes, left=place.is_first_col(), bottom=place.is_last_row())
    return figure


def _draw_column(
    figure: Figure,
    panels: np.ndarray,
    where: Setting,
    maps: dict[str, tuple[Map, Map]],
    label: str,
) -> None:
    sizes = [np.quantile(np.abs(finite(error)), MOST) for error, _ in maps.values()]
    # Not zero, which would leave the scale without width.
    most = max(*(float(size) for size in sizes), 1e-12)
    norm = SymLogNorm(most / LINEAR, vmin=-most, vmax=most)
    for axes, (name, (error, std)) in zip(panels, maps.items(), strict=True):
        draw_map(axes, where, error, cmap=SIGNED, norm=norm)
        if name != VANILLA.text:
            _draw_contours(axes, where, std)
        axes.set_title(name, loc="left")
    scale = ScalarMappable(norm, SIGNED)
    draw_scale(figure, scale, label, ax=panels, aspect=45, extend="both")


def _draw_contours(axes: Axes, where: Setting, std: Map) -> None:
    """Contours of a standard deviation, unless it is the same everywhere."""
    low, high = np.quantile(finite(std), [0.0, MOST])
    levels = MaxNLocator(CONTOURS).tick_values(low, high)
    inside = levels[(levels > low) & (levels < high)]
    if not inside.size:
        return
    lines = axes.contour(
        where.hours, where.heights, std.T, levels=inside, colors="black", linewidths=0.7
    )
    for text in axes.clabel(lines, fontsize=8, fmt="%g"):
        text.set_rotation(0.0)  # a 6 upside down is a 9

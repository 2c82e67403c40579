"""(g) Ageing over time and height, and the life that it uses."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from agewise.report.drawing.style import BLUE, HEAT, ORANGE, SPREAD, canvas, draw_scale
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, DPINN, VARIANT_TEXT, Family, Variant, main
from reproduction.inputs import EXACT
from reproduction.kept_fields import (
    Fields,
    Setting,
    draw_map,
    fields,
    finite,
    name_map,
    setting,
)
from reproduction.measures import Map
from reproduction.more_repeats import with_more
from reproduction.paired import Paired, together
from reproduction.published import AGEING
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import over_repeats, table
from reproduction.verdict import Finding, Verdict

COMPARED = {BPINN: BLUE, DPINN: ORANGE}
"""Families that are compared, with their colours."""
COLUMNS = {
    "truth": "true life used",
    "mean": "life used",
    "error": "error",
    "band": "spread summed",
    "functions": "spread of functions",
}
"""Columns of the table [min]: names of the numbers in a cell, and their headings."""
DECADES = 3.0
"""Number of decades that the colours span; what is lower has the darkest."""
LEAST = 1e-12
"""Smallest upper end of a scale [h of life an hour], so that a field of zeros has one too."""
CUT = 3.0
"""Where a band is cut off, as a multiple of the largest mean."""


def configurations(scope: Scope) -> list[Configuration]:
    """Both heteroscedastic networks under every preset, and the exact yardstick."""
    networks = [main(family, variant) for variant in scope.variants for family in COMPARED]
    return [*networks, EXACT]


def section(results: Results) -> Section:
    """Minutes of life beside the published ones, and the fields they come from."""
    variants = results.scope.variants
    rows = [
        [f"{family.text}, {VARIANT_TEXT[variant]}"]
        + [over_repeats(results, main(family, variant), f"ageing.{name}") for name in COLUMNS]
        for variant in variants
        for family in COMPARED
    ]
    rows.append(["`exact`", *(over_repeats(results, EXACT, f"ageing.{name}") for name in COLUMNS)])
    for family in COMPARED:
        # The paper prints the mean and a spread, and neither a truth nor an error.
        mean, std = AGEING[family.name]
        rows.append([f"{family.text}, *published*", "", f"{mean:.2f}", "", f"{std:.2f}", ""])
    text = (
        "Ageing by IEC 60076-7: how fast life is used, relative to 98 °C. The table tells the "
        "minutes of life used in four days at the height where the method finds most. Its spread "
        "is told twice. *Summed* integrates the pointwise standard deviation, sensor noise "
        "included, as the paper appears to do. That overstates it: noise is new every minute and "
        "cancels, and it belongs to the sensor, not to the oil. *Of functions* is the standard "
        "deviation of the minutes over whole functions drawn from the posterior. Fields are kept "
        "every half hour, which flattens peaks: that part of the error has `exact` too. Mean ± "
        "standard deviation over repeats.\n\n" + table(["[min]", *COLUMNS.values()], rows)
    )
    verdict = Verdict(
        "The standard deviation of the d-PINN's ageing exceeds its mean, the B-PINN's does not",
        "13.09 against 8.65 min; B-PINN 1.48 against 8.83 min",
        tuple(exceeds(results, variant) for variant in variants),
    )
    pictures = {f"ageing-{variant}": _picture(results, variant) for variant in variants}
    return Section(text, pictures, (verdict,))


def exceeds(results: Results, variant: Variant) -> Finding:
    """A contrast of two methods: what both do would tell nothing of either."""
    results = with_more(results, variant)
    (dropout_mean, dropout_std), (mean, std) = (
        [results.values(main(family, variant), f"ageing.{x}") for x in ("mean", "band")]
        for family in (DPINN, BPINN)
    )
    dropout, bayesian, narrow = (
        Paired(dropout_mean, dropout_std), Paired(mean, std), Paired(std, mean),
    )  # fmt: skip
    text = f"mean and deviation [min]: d-PINN {dropout.text}; B-PINN {bayesian.text}"
    return Finding(variant, together([dropout.smaller, narrow.smaller]), text)


def _picture(results: Results, variant: Variant) -> Picture:
    where = setting(results, main(BPINN, variant))
    predicted = {family: fields(results, main(family, variant)) for family in COMPARED}
    return Picture(
        f"Preset {VARIANT_TEXT[variant]}, first repeat. Left, the ageing rate over time and "
        "height: the truth, then the means, on one scale. Right, the pointwise standard deviation, "
        "noise included, again on one scale; and, at the top, the life used in four days over the "
        "height, with a band of the summed standard deviation to either side, cut off where "
        "it is very wide.",
        "Heat maps of the ageing rate and its standard deviation, and life used over the height, "
        f"preset {VARIANT_TEXT[variant]}.",
        partial(_figure, where, predicted),
    )


def _figure(where: Setting, predicted: dict[Family, Fields]) -> Figure:
    figure = canvas(8.0)
    panels = figure.subplots(1 + len(predicted), 2)
    rates = {"truth": where.ageing} | {
        f"{f.text}, mean": answer.ageing for f, answer in predicted.items()
    }
    stds = {f"{family.text}, σ": answer.ageing_std for family, answer in predicted.items()}
    # The truth has no spread, so its place on the right is free for the life used.
    _draw_maps(figure, panels[:, 0], where, rates, HEAT)
    _draw_maps(figure, panels[1:, 1], where, stds, SPREAD)
    _draw_life(panels[0, 1], where, predicted)
    for axes in panels[:, 0]:
        name_map(axes, bottom=axes is panels[-1, 0])
    name_map(panels[-1, 1], left=False)
    return figure


def _draw_maps(
    figure: Figure, panels: np.ndarray, where: Setting, maps: dict[str, Map], colours: str
) -> None:
    high = max(LEAST, *(float(finite(values).max()) for values in maps.values()))
    low = high / 10**DECADES
    norm = LogNorm(low, high)
    # Below the scale values are lifted to its end, since zero has no logarithm and no colour.
    for axes, (name, values) in zip(panels, maps.items(), strict=True):
        draw_map(axes, where, np.maximum(values, low), cmap=colours, norm=norm)
        axes.set_title(name, loc="left")
    scale, label = ScalarMappable(norm, colours), "ageing rate [h of life an h]"
    draw_scale(figure, scale, label, ax=panels, aspect=15 * len(panels), extend="min")


def _draw_life(axes: Axes, where: Setting, predicted: dict[Family, Fields]) -> None:
    """Life used over the height, with bands cut off at zero and where means would be squeezed."""
    true = where.life_used(where.ageing)[-1]
    most = float(true.max())
    for family, colour in COMPARED.items():
        used = where.life_used(predicted[family].ageing)[-1]
        spread = where.life_used(predicted[family].ageing_std)[-1]
        axes.fill_betweenx(
            where.heights, np.maximum(used - spread, 0.0), used + spread, color=colour, alpha=0.25,
            linewidth=0,
        )  # fmt: skip
        axes.plot(used, where.heights, color=colour, linewidth=1.5, label=family.text)
        most = max(most, float(finite(used).max()))
    axes.plot(true, where.heights, color="black", linestyle="--", linewidth=1.2, label="truth")
    axes.set_title("life used in the end", loc="left")
    axes.set_xlabel("life used [min]")
    axes.set_xlim(0.0, min(axes.get_xlim()[1], CUT * most))
    axes.set_ylim(0.0, where.heights[-1])
    axes.legend(loc="lower right")
    axes.grid(alpha=0.25)

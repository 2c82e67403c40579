"""Where the uncertainty comes from."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.assessment.answer.life import Source
from agewise.assessment.decision.unknown_names import unknown_name
from agewise.report.drawing.style import BLUE, GREEN, ORANGE, canvas, legend_above
from agewise.report.inputs import ReportInputs

NAMES: dict[Source, str] = {
    "epistemic": "oil temperature (epistemic)",
    "aleatoric": "sensor noise (aleatoric)",
    "sensor bias": "sensor bias",
    "nameplate": "nameplate",
    "ageing law": "ageing law",
    "future": "future load and weather",
}
"""Sources as a reader knows them, in the order of the figure."""
QUANTITY_NAMES: dict[str, str] = dict(NAMES.items())
"""Quantities that are sources in themselves; the others have names of their own in words."""
QUANTITIES = 8
"""Largest number of single quantities that are drawn."""
BAR = 0.38
"""Thickness of a bar, as a fraction of the distance between two rows."""


def source_split(inputs: ReportInputs) -> Figure:
    """Shares of the variance of remaining and of used life by source, and by single quantity."""
    life = inputs.summary.life
    figure = canvas(4.6)
    groups, single = figure.subplots(1, 2, gridspec_kw={"width_ratios": [1.15, 1.0]})
    _draw_groups(groups, life.sources, life.loss_sources)
    _draw_single(single, _largest(life.quantities))
    for axes in (groups, single):
        axes.grid(axis="x", alpha=0.25)
        axes.set_axisbelow(True)
        axes.tick_params(axis="y", length=0)
    return figure


def _draw_groups(axes: Axes, life: Mapping[Source, float], loss: Mapping[Source, float]) -> None:
    names: list[Source] = [name for name in NAMES if name in life and name in loss]
    rows = np.arange(len(names))
    series = (("remaining life", life, BLUE, -0.5), ("life used in this window", loss, ORANGE, 0.5))
    for label, shares, colour, side in series:
        values = [100 * shares[name] for name in names]
        _draw_bars(axes, rows + side * BAR, values, colour, label)
    axes.set_yticks(rows, [NAMES[name] for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("share of the variance [%]")
    legend_above(axes, columns=2)


def _draw_single(axes: Axes, shares: Mapping[str, float]) -> None:
    rows = np.arange(len(shares))
    values = [100 * share for share in shares.values()]
    _draw_bars(axes, rows, values, GREEN, "remaining life, by single quantity")
    axes.set_yticks(rows, [QUANTITY_NAMES.get(name) or unknown_name(name) for name in shares])
    axes.set_ylim(max(len(shares), 4) - 0.5, -0.5)  # few bars stay as thin as many
    axes.set_xlabel("share of the variance [%]")
    legend_above(axes, columns=1)


def _draw_bars(axes: Axes, rows: np.ndarray, values: list[float], colour: str, label: str) -> None:
    bars = axes.barh(rows, values, height=BAR, color=colour, label=label)
    axes.bar_label(bars, [_tag(value) for value in values], padding=3, fontsize=8.5)
    # Room for the labels. Two series may share the axes, so an axis never shrinks; two zeros,
    # since `min` takes a single number for a sequence where there are no values.
    axes.set_xlim(min(0.0, *values, 0.0), max(1.16 * max(values, default=0.0), axes.get_xlim()[1]))


def _tag(value: float) -> str:
    return "< 1 %" if 0 < abs(value) < 0.5 else f"{value:.0f} %"


def _largest(shares: Mapping[str, float]) -> dict[str, float]:
    ordered = sorted(shares.items(), key=lambda item: -item[1])
    return dict(ordered[:QUANTITIES])

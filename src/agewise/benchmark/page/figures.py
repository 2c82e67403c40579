"""Pictures of the table: errors at a glance, how often bands hold, and constants draw by draw."""

from collections.abc import Callable

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.benchmark.page.fields import doubts, errors
from agewise.benchmark.page.table import mean
from agewise.benchmark.results import LEVELS, Results, Row
from agewise.plant.spread import WITHIN_90
from agewise.report.drawing.style import BLUE, GREY, PALE, RC, RED, canvas

SHORT = 0.1
"""How far below its level [1] a coverage counts as too small."""
NARROWEST = 5
"""Draws for which a method has room at the least."""
INNER = 0.9
"""Share of the ends of a method's intervals that a picture has room for [1]."""
LONGER = 3.0
"""Intervals over those of the typical method [1] from which a method's may leave the picture."""
MOST_CONSTANTS = 4
"""Constants that are drawn at the most."""


def pictures(results: Results) -> dict[str, Callable[[], Figure]]:
    """Functions that draw, by the names of the files without their suffix."""
    # Functions and not figures: whoever asks for the names alone draws nothing.
    drawn = {
        "errors": lambda: errors(results),
        "doubts": lambda: doubts(results),
        "coverage": lambda: coverage(results),
    }
    if judged_constants(results):
        drawn["constants"] = lambda: constants(results)
    return drawn


def coverage(results: Results) -> Figure:
    """The share of the box in which bands hold the truth: one dot for each problem."""
    # Methods without doubt have no bands to count.
    methods = [m for m in results.methods if any(r.coverage("0.95") for r in _of(results, m))]
    with mpl.rc_context(RC):
        figure = canvas(1.6 + 0.55 * len(methods))
        panels = figure.subplots(1, len(LEVELS), sharey=True, squeeze=False)[0]
        for axes, level in zip(panels, LEVELS, strict=True):
            axes.axvline(float(level), color=GREY, linestyle="--", linewidth=1.2, zorder=0)
            for line, method in enumerate(methods):
                shares = [mean(row.coverage(level)) for row in _of(results, method)]
                _dots(axes, line, [share for share in shares if share is not None], float(level))
            axes.set_title(f"bands of {100 * float(level):g} %")
            axes.set_xlim(-0.03, 1.03)
            axes.set_xlabel("share of the box that they hold")
            axes.grid(axis="x", alpha=0.25)
        panels[0].set_yticks(range(len(methods)), methods)
        # Upside down, so that the first method stands on top, as in the table.
        panels[0].set_ylim(len(methods) - 0.5, -0.5)
    return figure


def _of(results: Results, method: str) -> list[Row]:
    return [row for (_, name), row in results.rows.items() if name == method]


def _dots(axes: Axes, line: int, shares: list[float], level: float) -> None:
    # Moved up and down in turn, so that equal shares do not hide each other.
    heights = line + 0.16 * (np.arange(len(shares)) % 5 - 2)
    colours = [RED if share < level - SHORT else BLUE for share in shares]
    axes.scatter(shares, heights, c=colours, s=22, edgecolors="white", linewidths=0.4)
    if shares:
        axes.plot([np.mean(shares)] * 2, [line - 0.4, line + 0.4], color="black", linewidth=1.5)


def judged_constants(results: Results) -> dict[tuple[str, str], list[Row]]:
    """Rows of every constant that several methods or draws were judged by, the most first."""
    rows_by_constant: dict[tuple[str, str], list[Row]] = {}
    for (problem, _), row in results.rows.items():
        for name in row.done[0].get("constants", {}) if row.done else ():
            rows_by_constant.setdefault((problem, name), []).append(row)
    ordered = sorted(
        rows_by_constant.items(), key=lambda item: -sum(len(row.done) for row in item[1])
    )
    return dict(ordered[:MOST_CONSTANTS])


def constants(results: Results) -> Figure:
    """Constants with their intervals of 90 %, draw by draw and method by method."""
    chosen = judged_constants(results)
    with mpl.rc_context(RC):
        figure = canvas(0.6 + 2.1 * len(chosen))
        panels = figure.subplots(len(chosen), 1, squeeze=False)[:, 0]
        for axes, ((problem, name), rows) in zip(panels, chosen.items(), strict=True):
            _draw_constant(axes, name, rows)
            axes.set_title(f"{name} of {problem}", loc="left")
    return figure


def _draw_constant(axes: Axes, name: str, rows: list[Row]) -> None:
    truth = rows[0].done[0]["constants"][name]["truth"]
    start, ticks, rooms = 0.0, [], []
    for row in rows:
        # Room for the name of a method that has few draws.
        start += max(0, NARROWEST - len(row.done)) / 2
        far = []
        for cell in row.done:
            constant = cell["constants"][name]
            holds = constant.get("holds_0.9")
            colour = PALE if holds is None else BLUE if holds else RED
            # Of intervals that no standard deviation gives, the reach is kept.
            reach = constant.get("reach_0.9", WITHIN_90 * constant["std"])
            axes.errorbar(start, constant["mean"], reach, fmt="o", color=colour, markersize=3)
            far.append(abs(constant["mean"] - truth) + reach)
            start += 1
        rooms.append(float(np.quantile(far, INNER)))
        # The middle of a method's marks.
        ticks.append((start - (len(row.done) + 1) / 2, row.method))
        start += 1.5 + max(0, NARROWEST - len(row.done)) / 2
    # One method that knows next to nothing would flatten all others: its bars leave the picture.
    room = 1.25 * max(room for room in rooms if room <= LONGER * float(np.median(rooms)))
    axes.set_ylim(truth - room, truth + room)
    axes.axhline(truth, color="black", linewidth=1.0)
    axes.set_xticks([place for place, _ in ticks], [method for _, method in ticks])
    axes.tick_params(axis="x", length=0)
    axes.set_ylabel(name)
    axes.grid(axis="y", alpha=0.25)

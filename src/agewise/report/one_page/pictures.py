"""The three small figures of the printed page."""

import numpy as np
from matplotlib.axes import Axes

from agewise.assessment.answer.life import Source
from agewise.report.drawing.style import BLUE, GREY, RED
from agewise.report.drawing.times import field_times, name_time_axis
from agewise.report.figures.sources import NAMES
from agewise.report.figures.temperatures import NEAR, hottest
from agewise.report.inputs import ReportInputs
from agewise.transformer.cooling_defaults import LIMITS

SIZE = 7.0
"""Size of the letters in a small figure [points]."""
MARGIN = 1.15
"""Length of the axis of years, as a multiple of the year by which nearly all lives have ended."""
MOST = 0.97
"""Share of lives that are nearly all."""


def draw_hot_spot(axes: Axes, inputs: ReportInputs) -> None:
    """The hottest place of the winding over time, with the limits of the guide near it."""
    field = hottest(inputs.field)
    times, mean = field_times(inputs.profile, inputs.field), field["winding_mean"].to_numpy()
    axes.plot(times, mean, color=RED, linewidth=0.9)
    # The lowest limit always, so that one sees how far off it is; the others where they are near.
    lowest = min(limits.hot_spot for limits in LIMITS.values())
    near = {
        name: limits.hot_spot
        for name, limits in LIMITS.items()
        if limits.hot_spot == lowest or limits.hot_spot <= mean.max() + NEAR
    }
    for name, limit in near.items():
        axes.axhline(limit, color="black", linestyle="--", linewidth=0.8)
        axes.text(
            0.98, limit + 1, f"{limit:g} °C, {name}", fontsize=SIZE - 0.5, ha="right",
            transform=axes.get_yaxis_transform(),
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.4},
        )  # fmt: skip
    axes.set_ylim(top=max(float(mean.max()), *near.values()) + NEAR / 2)
    _finish(axes, "Hot spot [°C]")
    name_time_axis(axes, inputs.profile)
    axes.xaxis.label.set_fontsize(SIZE)
    axes.tick_params(axis="x", labelrotation=30)


def draw_end_of_life(axes: Axes, inputs: ReportInputs) -> None:
    """The probability that the insulation has come to its end, over the years."""
    ends, horizon = inputs.ends, inputs.horizon
    share = 100 * np.arange(1, ends.size + 1) / inputs.courses
    last = horizon
    if ends.size > MOST * inputs.courses:
        last = MARGIN * float(ends[int(MOST * ends.size)])
    years = np.concatenate([[0.0], ends, [last]])
    # The last share holds to the end of the axis; it is nothing where no life has ended.
    reached = np.concatenate([[0.0], share])
    axes.step(years, np.append(reached, reached[-1]), where="post", color=BLUE)
    for end in inputs.summary.life.end_before:
        if end.years <= last:
            axes.plot(end.years, 100 * end.probability, "o", color=BLUE, markersize=3)
    axes.set_xlim(0.0, last)
    axes.set_ylim(0.0, 100.0)
    axes.set_xlabel("years from now", fontsize=SIZE)
    _finish(axes, "Chance that the insulation has\nreached its end of life [%]")


def draw_sources(axes: Axes, inputs: ReportInputs) -> None:
    """Where the doubt about the remaining life comes from."""
    shares = inputs.summary.life.sources
    names: list[Source] = [name for name in NAMES if name in shares]
    axes.barh(range(len(names)), [100 * shares[name] for name in names], color=GREY, height=0.6)
    axes.set_yticks(range(len(names)), [NAMES[name].partition(" (")[0] for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("share [%]", fontsize=SIZE)
    _finish(axes, "Where the uncertainty of\nthe remaining life comes from")
    axes.tick_params(axis="y", length=0)


def _finish(axes: Axes, title: str) -> None:
    axes.set_title(title, fontsize=SIZE + 1, loc="left")
    axes.tick_params(labelsize=SIZE)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)

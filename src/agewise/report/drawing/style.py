"""Colours, sizes and legends that every figure shares."""

from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.image import imsave
from matplotlib.ticker import LogLocator

# Okabe and Ito's palette, told apart by colour-blind readers too.
BLUE, ORANGE, RED, GREEN, GREY = "#0072B2", "#E69F00", "#D55E00", "#009E73", "#555555"
SKY, PURPLE, PALE = "#56B4E9", "#CC79A7", "#AAAAAA"
CYCLE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, GREY)
"""Colours one after the other, for lines whose number is not known beforehand."""
HEAT, SPREAD = "inferno", "viridis"
"""Colour maps of means and of standard deviations."""

WIDTH, DPI = 10.0, 130
"""Width of a figure [inches] and its resolution [dots an inch].

Sharp on a page of 1000 pixels, and small in the file.
"""
RC: dict[Any, Any] = {
    "font.size": 10.0,
    "axes.titlesize": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    # Long noisy lines overflow the renderer unless it takes them in pieces.
    "agg.path.chunksize": 10_000,
}
"""Settings of matplotlib while the figures of a report are drawn."""


def canvas(height: float) -> Figure:
    """An empty figure of the page's width; `height` in inches."""
    return Figure(figsize=(WIDTH, height), dpi=DPI, layout="constrained")


def png(figure: Figure) -> bytes:
    """The figure as a PNG file; the same figure gives the same bytes."""
    content, drawn = BytesIO(), FigureCanvasAgg(figure)
    # `savefig` would draw twice, once to find the layout.
    drawn.draw()
    imsave(content, np.asarray(drawn.buffer_rgba()), format="png")
    return content.getvalue()


def draw_scale(figure: Figure, colours: ScalarMappable, label: str, **place: Any) -> None:
    """A colour bar with plain numbers; on a logarithmic one a few, however short it is.

    Args:
        figure: The figure that gets the bar.
        colours: What was drawn in these colours.
        label: Quantity and unit beside the bar.
        place: The axes that the bar belongs to and its shape, as `Figure.colorbar` takes them.
    """
    low, high = colours.get_clim()
    bar = figure.colorbar(colours, label=label, pad=0.01, format="%g", **place)
    if isinstance(colours.norm, LogNorm) and low and high:
        # Over two decades powers of ten are enough; a shorter scale may hold only one of them.
        bar.set_ticks(LogLocator(subs=(1.0,) if high > 100 * low else (1.0, 2.0, 5.0)))
        bar.minorticks_off()


def legend_above(axes: Axes, columns: int = 4) -> None:
    """A legend over the axes, where it hides no data."""
    axes.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, borderaxespad=0.2,
        borderpad=0.2, handlelength=1.6, columnspacing=1.4,
    )  # fmt: skip


def mark(axes: Axes, value: float, text: str, *, colour: str = "black") -> None:
    """A dashed vertical line whose label stands in the legend."""
    axes.axvline(value, color=colour, linestyle="--", linewidth=1.5, label=text)

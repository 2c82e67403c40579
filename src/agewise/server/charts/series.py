"""A chart as numbers: what the page's script draws and a program can read."""

from itertools import pairwise
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel

Numbers = list[float | None]
"""Values of a series; null where there is none."""


class Series(BaseModel):
    """A line with the band around it."""

    name: str
    """What it is, for the legend."""
    tone: Literal["load", "air", "measured", "oil", "winding", "life", "other"]
    """Its colour, as a variable of the style sheet."""
    panel: int = 0
    """Which of the axes under each other it belongs to, from 0."""
    x: list[Any]
    """Times, years or temperatures."""
    y: list[Any]
    """Values, or heights."""
    low: Numbers | None = None
    """Lower end of its band, two standard deviations below."""
    high: Numbers | None = None
    """Upper end of its band, two standard deviations above."""
    inner_low: Numbers | None = None
    """Lower end of the band of what is not known, without the noise of sensors."""
    inner_high: Numbers | None = None
    """Upper end of that band."""
    hidden: bool = False
    """Whether it is shown only when its name in the legend is chosen."""
    steps: bool = False
    """Whether it moves in steps."""


class Level(BaseModel):
    """A line across a panel, such as a limit."""

    name: str
    """What it is."""
    value: float
    """Where it is."""
    panel: int = 0
    """Which of the axes it belongs to."""


class Heat(BaseModel):
    """Colours over time and height."""

    x: list[Any]
    """Times."""
    y: list[float]
    """Heights [m]."""
    z: list[Numbers]
    """A row for every height."""
    unit: str
    """Unit of the colours."""


class Chart(BaseModel):
    """A chart with the words around it."""

    title: str
    """Heading over it."""
    caption: str
    """How to read it."""
    alternative: str
    """What it shows, for whoever cannot see it."""
    x_title: str
    """What runs to the right, with its unit."""
    y_titles: list[str]
    """What runs upwards in each panel, with its unit."""
    series: list[Series] = []
    """Lines and their bands."""
    levels: list[Level] = []
    """Limits."""
    bars: Series | None = None
    """Bars, of a distribution."""
    heat: Heat | None = None
    """Colours, of a map."""
    band_direction: Literal["y", "x"] = "y"
    """Whether bands run above and below their line, or left and right of it."""


def numbers(values: np.ndarray, digits: int = 2) -> Numbers:
    """Values for JSON, rounded to what a chart can show; null for what is not a number."""
    rounded = np.round(np.asarray(values, dtype=float), digits)
    return [value if np.isfinite(value) else None for value in rounded.tolist()]


def times(values: np.ndarray) -> list[Any]:
    """Times for JSON: ISO 8601 without a zone, as a clock on site shows them, or hours."""
    if np.issubdtype(values.dtype, np.datetime64):
        return np.datetime_as_string(values, unit="s").tolist()
    return np.round(values.astype(float), 4).tolist()


def thinned(rank: np.ndarray, most: int) -> np.ndarray:
    """Rows that stand for all: of each stretch the one of highest rank, so that peaks stay."""
    if rank.size <= most:
        return np.arange(rank.size)
    edges = np.linspace(0, rank.size, most + 1).astype(int)
    return np.array([first + int(np.argmax(rank[first:last])) for first, last in pairwise(edges)])

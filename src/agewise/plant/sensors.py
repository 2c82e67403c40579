"""Sensors inside the oil, named by their height."""

import re

INTERIOR = re.compile(r"oil@(?P<height>0?\.\d+)")
"""A sensor inside the oil, by its height as a fraction of the tank's."""


def sensor_column(height: float) -> str:
    """The name of the column of a sensor inside the oil, by its height as a fraction."""
    return f"oil@{height:g}"


def sensor_height(column: str) -> float | None:
    """The height that a column's name gives, None when it names no sensor inside the oil."""
    match = INTERIOR.fullmatch(column)
    # The ends have columns of their own: `ambient` at the bottom, `top_oil` at the top.
    height = float(match["height"]) if match else 0.0
    return height if 0.0 < height < 1.0 else None

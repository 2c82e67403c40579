"""Pieces of a problem's box: its faces, edges and first instants."""

from collections.abc import Mapping

from agewise.engine.problems import Box, Region


def face(axes: Mapping[str, tuple[float, float]], **pinned: float) -> Box:
    """The part of a box where some coordinates have given values: `face(axes, t=0.0)`."""
    # In the order of the axes, which is that of a point.
    ends = {name: (pinned[name],) * 2 if name in pinned else span for name, span in axes.items()}
    return Box(tuple(low for low, _ in ends.values()), tuple(high for _, high in ends.values()))


def full_box(axes: Mapping[str, tuple[float, float]]) -> Region:
    """All of the box."""
    return Region((face(axes),))


def walls(axes: Mapping[str, tuple[float, float]], *names: str) -> Region:
    """Both ends of each of these coordinates."""
    return Region(tuple(face(axes, **{name: end}) for name in names for end in axes[name]))


def line_and_ends(axes: Mapping[str, tuple[float, float]]) -> dict[str, Region]:
    """All of a line, `interior`, and its two `ends`."""
    return {"interior": full_box(axes), "ends": walls(axes, "x")}


def line_over_time(axes: Mapping[str, tuple[float, float]]) -> dict[str, Region]:
    """All of a line over time, `interior`, its two ends, `wall`, and its first instant,
    `initial`."""
    first = Region((face(axes, t=0.0),))
    return {"interior": full_box(axes), "wall": walls(axes, "x"), "initial": first}

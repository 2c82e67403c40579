"""A posterior of one or two coordinates as a picture: mean, both bands, readings, residuals."""

from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from agewise.engine.equations.functions.unknown import Unknown
from agewise.engine.equations.posterior.check import Check
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BAND = 1.96
"""Standard deviations on both sides of the mean: 95 %."""
ALONG, ACROSS = 401, 81
"""Points along the coordinate of a curve, and along each of a map."""


@runtime_checkable
class Drawable(Protocol):
    """What a picture is drawn of: a posterior of any equation."""

    @property
    def problem(self) -> AbstractProblem:
        """Problem that was fitted."""
        ...

    @property
    def method(self) -> str:
        """Name of the method."""
        ...

    @property
    def unknown(self) -> Unknown:
        """Its functions."""
        ...

    @property
    def readers(self) -> dict[str, str]:
        """Name of the sensor that reads each function."""
        ...

    @property
    def check(self) -> Check:
        """Whether the fit can be trusted."""
        ...

    def predict(self, points: ArrayLike, of: str | None = None) -> Prediction:
        """Mean and both variances at points."""
        ...


def picture(posterior: Drawable, of: str | None = None) -> "Figure":
    """Mean and bands of a function of one coordinate, or maps of one of two.

    Args:
        posterior: What was fitted.
        of: Name of the function; the first of the problem unless given.
    """
    name = posterior.unknown.named(of)
    coordinates = posterior.problem.functions()[name]
    if len(coordinates) == 1:
        return _curve(posterior, name, coordinates[0])
    if len(coordinates) == 2 and len(posterior.problem.coordinates()) == 2:
        return _maps(posterior, name)
    raise InputError(
        f"{name!r} has {len(coordinates)} coordinates; pictures are of one or two.",
        hint="use `predict` at points of your choice.",
    )


def _curve(posterior: Drawable, name: str, coordinate: str) -> "Figure":
    from matplotlib.figure import Figure

    box = posterior.problem.coordinates()
    place = list(box).index(coordinate)
    line = np.linspace(*box[coordinate], ALONG)
    # Coordinates that the function does not depend on stay anywhere, here at their least.
    points = np.tile([low for low, _ in box.values()], (ALONG, 1)).astype(float)
    points[:, place] = line
    prediction = posterior.predict(points, name)
    # Not by pyplot, which would keep every figure open.
    figure = Figure(figsize=(8.0, 4.5), layout="constrained")
    axes = figure.subplots()
    # The wider band first, so that the narrower one lies over it.
    for variance, label, shade in (
        (prediction.total, "95 % of readings", 0.18),
        (prediction.epistemic, "95 % of the function", 0.4),
    ):
        reach = BAND * np.sqrt(variance)
        axes.fill_between(
            line,
            prediction.mean - reach,
            prediction.mean + reach,
            color="tab:blue",
            alpha=shade,
            lw=0,
            label=label,
        )
    axes.plot(line, prediction.mean, color="tab:blue", label=f"mean of {name}")
    sensor = posterior.readers.get(name)
    if sensor is not None:
        read = posterior.problem.observations()[sensor]
        axes.plot(np.asarray(read.points)[:, place], read.values, "k.", ms=4, label=sensor)
    axes.set_xlabel(coordinate)
    axes.set_ylabel(name)
    axes.legend(frameon=False)
    axes.set_title(_title(posterior), fontsize=10, loc="left", wrap=True)
    return figure


def _maps(posterior: Drawable, name: str) -> "Figure":
    from matplotlib.figure import Figure

    (x, x_ends), (y, y_ends) = posterior.problem.coordinates().items()
    across, up = np.linspace(*x_ends, ACROSS), np.linspace(*y_ends, ACROSS)
    points = np.stack(np.meshgrid(across, up, indexing="ij"), axis=-1).reshape(-1, 2)
    prediction = posterior.predict(points, name)
    figure = Figure(figsize=(10.0, 4.2), layout="constrained")
    parts = ((prediction.mean, f"mean of {name}"), (np.sqrt(prediction.epistemic), "epistemic std"))
    for axes, (values, title) in zip(figure.subplots(1, 2), parts, strict=True):
        # Made with the first coordinate outer; a picture has it across, hence the transpose.
        mesh = axes.pcolormesh(across, up, values.reshape(ACROSS, ACROSS).T, shading="gouraud")
        figure.colorbar(mesh, ax=axes)
        axes.set(xlabel=x, ylabel=y, title=title)
    figure.suptitle(_title(posterior), fontsize=10)
    return figure


def _title(posterior: Drawable) -> str:
    """The method, and a warning where the fit is not sound."""
    check = posterior.check
    return posterior.method if check.sound else f"NOT SOUND: {check.findings[0]}"

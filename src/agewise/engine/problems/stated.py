"""A problem as a user states it: equations, coordinates, unknowns and readings, without a class."""

from collections.abc import Mapping, Sequence

import equinox as eqx

from agewise.engine.problems.base import AbstractProblem, Box, Observations, Region, Residual
from agewise.engine.problems.constants import AbstractConstant
from agewise.engine.problems.given import (
    box_given,
    names_given,
    refuse_no_list,
    refuse_no_mapping,
)
from agewise.errors import InputError

Place = Mapping[str, float]
"""Where some coordinates are pinned, such as `{"x": 0.0}` for a wall."""


class Problem(AbstractProblem):
    """Any equation with its data, in its own units.

    Equations are exact unless a scale says how nearly they hold. What must vanish on a wall or at
    the first instant is one more equation, with the `places` where it holds.

    Examples:
        A cooling cup, $u' = -k u$, read at three instants with known noise; `k` is not known.

        >>> import numpy as np
        >>> import agewise
        >>> cup = agewise.Problem(
        ...     equations={"cooling": lambda u, t: agewise.partial(u, 0)(t) + u.k * u(t)},
        ...     coordinates={"t": (0.0, 2.0)},
        ...     constants={"k": agewise.LogNormal(1.0, 0.5)},
        ...     readings={
        ...         "probe": agewise.Observations(
        ...             np.array([[0.0], [1.0], [2.0]]),
        ...             np.array([1.0, 0.5, 0.25]),
        ...             np.full(3, 0.01),
        ...         )
        ...     },
        ... )
        >>> list(cup.constants())
        ['k']
    """

    # Tuples of pairs and not dictionaries, since what is static must be hashable.
    equations: tuple[tuple[str, Residual], ...] = eqx.field(static=True)
    """What must vanish, by name, each written at one point: `lambda u, point: ...`."""
    box: tuple[tuple[str, tuple[float, float]], ...] = eqx.field(static=True)
    """Least and largest value of every coordinate, in its unit."""
    parts: tuple[tuple[str, Region], ...] = eqx.field(static=True)
    """Where every equation holds."""
    # Not static: readings are arrays, which another fit of the same equations may change.
    measured: dict[str, Observations]
    """What was read, by the name of the sensor."""
    unknown_functions: tuple[tuple[str, tuple[str, ...]], ...] = eqx.field(static=True)
    """Every unknown function, with the names of the coordinates that it depends on."""
    unknown_constants: dict[str, AbstractConstant]
    """Every unknown constant, with what is known of it beforehand."""
    declared: dict[str, float]
    """How nearly an equation holds, by its name, as a standard deviation in its unit."""
    closed: tuple[str, ...] = eqx.field(static=True)
    """Coordinates whose two ends are the same place."""
    typical: tuple[tuple[str, float], ...] = eqx.field(static=True)
    """Typical size of a function, by its name, in its unit."""

    def __init__(
        self,
        *,
        equations: Mapping[str, Residual],
        coordinates: Mapping[str, tuple[float, float]],
        places: Mapping[str, Sequence[Place]] | None = None,
        readings: Mapping[str, Observations] | None = None,
        functions: Mapping[str, tuple[str, ...]] | None = None,
        constants: Mapping[str, AbstractConstant] | None = None,
        scales: Mapping[str, float] | None = None,
        periodic: Sequence[str] = (),
        sizes: Mapping[str, float] | None = None,
    ):
        """State a problem.

        Args:
            equations: What must vanish, by name, each a function of the unknowns and one point.
            coordinates: Least and largest value of every coordinate, in the order of a point.
            places: Where an equation holds if not in the whole box: pinned coordinates.
            readings: What was read, by sensor.
            functions: Unknown functions and their coordinates; one, `u`, of all unless given.
            constants: Unknown constants, each with its prior.
            scales: How nearly an equation holds; exactly unless given.
            periodic: Coordinates whose two ends are the same place.
            sizes: Typical sizes of functions that nobody reads.
        """
        box = box_given(coordinates)
        for argument, (given, example) in {
            "equations": (equations, '{"law": lambda u, p: ...}'),
            "places": (places, '{"start": [{"t": 0.0}]}'),
            "readings": (readings, '{"probe": agewise.Observations(points, values)}'),
            "functions": (functions, '{"u": ("t",)}'),
            "constants": (constants, '{"k": agewise.LogNormal(1.0, 0.5)}'),
            "scales": (scales, '{"law": 0.1}'),
            "sizes": (sizes, '{"u": 40.0}'),
        }.items():
            refuse_no_mapping(argument, given, example)
        pinned = dict(places or {})
        for name, spots in pinned.items():
            refuse_no_list(name, spots)
        strange = sorted({c for spots in pinned.values() for spot in spots for c in spot} - {*box})
        if strange:
            raise InputError(
                f"A place pins {strange[0]!r}, which is no coordinate.",
                hint=f"the coordinates are {', '.join(box)}.",
            )
        self.equations, self.box = tuple(equations.items()), tuple(box.items())
        # Names without an equation are kept, so that the statement's check can name them.
        names = [*equations, *(name for name in pinned if name not in equations)]
        # One place that pins nothing is the whole box.
        self.parts = tuple((name, _region(box, pinned.get(name, ({},)))) for name in names)
        self.measured = dict(readings or {})
        depending = functions or {"u": tuple(box)}
        self.unknown_functions = tuple((n, names_given(axes)) for n, axes in depending.items())
        self.unknown_constants = dict(constants or {})
        self.declared = dict.fromkeys(equations, 0.0) | dict(scales or {})
        self.closed, self.typical = names_given(periodic), tuple((sizes or {}).items())

    def residuals(self):
        """The equations."""
        return dict(self.equations)

    def coordinates(self):
        """The box."""
        return dict(self.box)

    def functions(self):
        """The unknown functions."""
        return dict(self.unknown_functions)

    def constants(self):
        """The unknown constants."""
        return self.unknown_constants

    def periodic(self):
        """The closed coordinates."""
        return self.closed

    def sizes(self):
        """The typical sizes."""
        return dict(self.typical)

    def observations(self):
        """The readings."""
        return self.measured

    def scales(self):
        """As declared, else zero: exact."""
        return self.declared

    def regions(self):
        """The whole box, or the places that were given."""
        return dict(self.parts)


def _region(box: Mapping[str, tuple[float, float]], places: Sequence[Place]) -> Region:
    """The pieces of a box where the coordinates of each place are pinned."""
    pieces = []
    for place in places:
        # A pinned coordinate has equal ends, which is what makes a wall of a box.
        lower = tuple(float(place.get(name, low)) for name, (low, _) in box.items())
        upper = tuple(float(place.get(name, high)) for name, (_, high) in box.items())
        pieces.append(Box(lower, upper))
    return Region(tuple(pieces))

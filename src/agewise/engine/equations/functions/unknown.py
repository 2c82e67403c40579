"""All that is unknown in a problem as one vector of numbers: its functions, then its constants."""

from collections.abc import Mapping
from dataclasses import replace

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.equations.functions.features import BoxFeatures
from agewise.engine.equations.functions.networks import AbstractNetwork, Numbers, Perceptron, Waves
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.problems.constants import AbstractConstant
from agewise.engine.problems.unknowns import Unknowns
from agewise.types import Point, Scalar, ScalarField


class UnknownFunction(eqx.Module):
    """One unknown function in its own unit: a centre plus a size times a network."""

    network: AbstractNetwork
    """Network of order one that gives the function its shape."""
    axes: tuple[int, ...] = eqx.field(static=True)
    """Coordinates of a point that the function depends on."""
    # Arrays, since readings often tell them: another number is then not another program.
    centre: np.ndarray
    """Value about which the function moves, in its unit."""
    size: np.ndarray
    """By how much the function moves about its centre, in its unit."""

    def at(self, numbers: Numbers, point: Point) -> Scalar:
        """The function at one point of the whole problem."""
        # Derivatives along coordinates that it does not depend on are zero by this.
        inner = point[jnp.asarray(self.axes)]
        return self.network.value(numbers, inner) * self.size + self.centre


class Unknown(eqx.Module):
    """Functions and constants of a problem, given one vector of numbers for all of them."""

    function_names: tuple[str, ...] = eqx.field(static=True)
    """Names of the functions, in the order of their numbers."""
    function_parts: tuple[UnknownFunction, ...]
    """The functions in that order. Not a dictionary, which JAX sorts by its names."""
    constant_names: tuple[str, ...] = eqx.field(static=True)
    """Names of the constants, in the order of their numbers."""
    constant_parts: tuple[AbstractConstant, ...]
    """The constants in the order of their names."""

    @classmethod
    def of(
        cls, functions: Mapping[str, UnknownFunction], constants: Mapping[str, AbstractConstant]
    ) -> "Unknown":
        """Functions and constants in the order in which they are given."""
        own, fixed = tuple(functions.values()), tuple(constants.values())
        return cls(tuple(functions), own, tuple(constants), fixed)

    @property
    def functions(self) -> dict[str, UnknownFunction]:
        """Every unknown function by its name."""
        return dict(zip(self.function_names, self.function_parts, strict=True))

    @property
    def constants(self) -> dict[str, AbstractConstant]:
        """Every unknown constant by its name."""
        return dict(zip(self.constant_names, self.constant_parts, strict=True))

    @property
    def size(self) -> int:
        """Numbers of all functions, and one for each constant."""
        return sum(f.network.size for f in self.functions.values()) + len(self.constants)

    def initial(self, rng: np.random.Generator) -> Float[np.ndarray, " number"]:
        """Numbers to start from; constants at the middle of what is known of them."""
        parts = [function.network.initial(rng) for function in self.functions.values()]
        return np.concatenate([*parts, np.zeros(len(self.constants))])

    def unknowns(self, numbers: Numbers) -> Unknowns:
        """What an equation is written in, for these numbers."""
        fields: dict[str, ScalarField] = {}
        start = 0
        for name, function in self.functions.items():
            own = numbers[start : start + function.network.size]
            # Defaults bind what the loop would change before the function is called.
            fields[name] = lambda point, function=function, own=own: function.at(own, point)
            start += function.network.size
        values = {
            # Constants stand behind all functions.
            name: constant.value(numbers[start + place])
            for place, (name, constant) in enumerate(self.constants.items())
        }
        return Unknowns(fields, values)

    def drawn_constants(
        self, numbers: Float[np.ndarray, "draw number"]
    ) -> dict[str, Float[np.ndarray, " draw"]]:
        """The constants of drawn numbers, in their units."""
        standard = self.standard_constants(numbers)
        return {
            name: np.asarray(constant.value(jnp.asarray(standard[name])))
            for name, constant in self.constants.items()
        }

    def standard_constants(
        self, numbers: Float[np.ndarray, "draw number"]
    ) -> dict[str, Float[np.ndarray, " draw"]]:
        """The numbers behind the constants, which are standard normal beforehand."""
        # Counted from the front: a slice of minus zero would be all numbers.
        standard = numbers[:, numbers.shape[1] - len(self.constants) :]
        return dict(zip(self.constants, standard.T, strict=True))

    def gains(self) -> dict[str, np.ndarray]:
        """Gains, or what else was learned beside the numbers of a function, by its name."""
        arrays = {name: function.network.kept for name, function in self.functions.items()}
        return {name: np.asarray(array) for name, array in arrays.items() if array is not None}

    def with_gains(self, gains: Mapping[str, np.ndarray]) -> "Unknown":
        """The same with other gains, by the names of their functions."""
        functions = {
            name: replace(function, network=function.network.with_kept(gains[name]))
            if name in gains
            else function
            for name, function in self.functions.items()
        }
        return Unknown.of(functions, self.constants)

    def named(self, of: str | None) -> str:
        """The function that is meant: the one of this name, else the first."""
        return next(iter(self.functions)) if of is None else of


@eqx.filter_jit
def values_at(
    unknown: Unknown, numbers: Numbers, name: str, points: Float[Array | np.ndarray, "point axis"]
) -> Float[Array, " point"]:
    """One function at points."""
    return jax.vmap(getattr(unknown.unknowns(numbers), name))(jnp.asarray(points))


@eqx.filter_jit
def drawn_values(
    unknown: Unknown,
    drawn: Float[Array | np.ndarray, "draw number"],
    name: str,
    points: Float[Array | np.ndarray, "point axis"],
) -> Float[Array, "draw point"]:
    """One function at points, for every drawn vector of numbers."""
    # One draw after the other: side by side, the layers of all would be held at once.
    return jax.lax.map(
        lambda numbers: values_at(unknown, numbers, name, points), jnp.asarray(drawn)
    )


@eqx.filter_jit
def gradients_at(
    unknown: Unknown, numbers: Numbers, name: str, points: Float[Array | np.ndarray, "point axis"]
) -> Float[Array, "point number"]:
    """How one function at points depends on the numbers."""

    def value(numbers: Numbers, point: Point) -> Scalar:
        return getattr(unknown.unknowns(numbers), name)(point)

    return jax.vmap(jax.grad(value), (None, 0))(numbers, jnp.asarray(points))


def perceptrons(
    problem: AbstractProblem, hidden: tuple[int, ...], stretch: float, sizes: Mapping[str, tuple]
) -> Unknown:
    """Unknowns whose functions are networks with these hidden layers.

    Args:
        problem: Says the coordinates of every function, and the constants.
        hidden: Units of each hidden layer.
        stretch: Half the width of the box as a network sees it [1].
        sizes: Centre and size of every function, in its unit.
    """

    def network(axes: tuple[int, ...], lower: tuple, upper: tuple) -> Perceptron:
        return Perceptron.plain(BoxFeatures(lower, upper, _closed(problem, axes), stretch), hidden)

    return _unknown(problem, network, sizes)


def waves(
    problem: AbstractProblem, count: int, reach: float, sizes: Mapping[str, tuple]
) -> Unknown:
    """Unknowns whose functions are sums of so many waves that fade beyond a reach."""

    def network(axes: tuple[int, ...], lower: tuple, upper: tuple) -> Waves:
        return Waves(lower, upper, _closed(problem, axes), count, reach)

    return _unknown(problem, network, sizes)


def _closed(problem: AbstractProblem, axes: tuple[int, ...]) -> tuple[bool, ...]:
    """Whether the two ends of each of these axes are the same place."""
    names = list(problem.coordinates())
    return tuple(names[axis] in problem.periodic() for axis in axes)


def _unknown(problem: AbstractProblem, network, sizes: Mapping[str, tuple]) -> Unknown:
    names, ends = list(problem.coordinates()), list(problem.coordinates().values())
    functions = {}
    for name, coordinates in problem.functions().items():
        axes = tuple(names.index(coordinate) for coordinate in coordinates)
        lower, upper = (tuple(float(ends[axis][end]) for axis in axes) for end in (0, 1))
        centre, size = map(np.asarray, sizes[name])
        functions[name] = UnknownFunction(network(axes, lower, upper), axes, centre, size)
    return Unknown.of(functions, problem.constants())

"""The library's problems as a user of DeepXDE states them."""
# The peer lives in an environment of its own, out of the type checker's sight:
# pyright: reportMissingImports=false

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import deepxde as dde
import numpy as np
import torch

A_FACE = 100
"""Points on each wall and at the first instant of a problem in the plane."""

Tensor = Any
Pde = Callable[[Tensor, Tensor, Mapping[str, Tensor]], list[Tensor]]


@dataclass(frozen=True)
class Statement:
    """One problem."""

    axes: tuple[tuple[float, float], ...]
    """Ends of every coordinate."""
    functions: tuple[str, ...] = ("u",)
    """Outputs of the network."""
    pde: Pde | None = None
    """What must vanish, given inputs, outputs and constants."""
    constants: Mapping[str, Callable[[Tensor], Tensor]] = field(default_factory=dict)
    """Every unknown constant as a function of a number that starts at 0: the library's priors."""
    conditions: Callable[[Mapping[str, Tensor]], list] = lambda constants: []
    """Walls and first instants."""
    sensors: Mapping[str, Pde] = field(default_factory=dict)
    """What each sensor reads, as a list of one."""
    transform: Callable[[Tensor, Tensor], Tensor] | None = None
    """Of the outputs: hard conditions, and sizes that are not of order one."""
    ring: bool = False
    """Whether the first coordinate is periodic, of length 2."""
    stretch: float = 1.0
    """Half the width of the box as the network sees it: more for solutions that wave often."""


def d(y: Tensor, x: Tensor, axis: int, of: int = 0) -> Tensor:
    return dde.grad.jacobian(y, x, i=of, j=axis)


def dd(y: Tensor, x: Tensor, axis: int, of: int = 0) -> Tensor:
    return dde.grad.hessian(y, x, component=of, i=axis, j=axis)


def normal(mean: float, std: float) -> Callable[[Tensor], Tensor]:
    return lambda z: mean + std * z


def log_normal(median: float, log_std: float) -> Callable[[Tensor], Tensor]:
    return lambda z: median * torch.exp(log_std * z)


def face(axes: tuple, **pinned: float) -> np.ndarray:
    """Evenly spaced points where coordinates a0, a1 have given values."""
    spans = [
        np.array([pinned[f"a{number}"]])
        if f"a{number}" in pinned
        else np.linspace(ends[0], ends[1], A_FACE)
        for number, ends in enumerate(axes)
    ]
    return np.stack([place.ravel() for place in np.meshgrid(*spans, indexing="ij")], axis=1)


def held(points: np.ndarray, values: np.ndarray | float = 0.0) -> Any:
    """The first output has these values at points."""
    column = (
        np.full((len(points), 1), values) if np.isscalar(values) else np.reshape(values, (-1, 1))
    )
    return dde.icbc.PointSetBC(points, column)


def zero(points: np.ndarray, operator: Callable[[Tensor, Tensor], Tensor]) -> Any:
    """Something made of the outputs vanishes at points."""
    return dde.icbc.PointSetOperatorBC(
        points, np.zeros((len(points), 1)), lambda x, y, _: operator(x, y)
    )


def walls(axes: tuple, *numbers: int) -> np.ndarray:
    return np.concatenate([face(axes, **{f"a{n}": end}) for n in numbers for end in axes[n]])


def value(x: Tensor, y: Tensor, c: Mapping[str, Tensor]) -> list[Tensor]:
    return [y[:, :1]]


LINE, SQUARE, RING = ((-0.7, 0.7),), ((-1.0, 1.0), (-1.0, 1.0)), ((-1.0, 1.0), (0.0, 1.0))
UNIT, SAND, WINDOW = ((0.0, 1.0), (0.0, 1.0)), ((0.0, 1.0), (0.0, 0.5)), ((0.0, 1.0), (0.01, 0.03))
DAY = ((0.0, 1.0), (0.0, 24.0))
OMEGA = 2 * math.pi


def _poisson(k: Callable | None) -> Pde:
    def source(x, y, c):
        reaction = 0.0 if k is None else k(c) * torch.tanh(y)
        return [0.01 * dd(y, x, 0) + reaction]

    return source


def _plane(reaction: Callable) -> Pde:
    return lambda x, y, c: [0.01 * (dd(y, x, 0) + dd(y, x, 1)) + reaction(y, c)]


def _islands(x, y, c):
    return [dd(y, x, 0) / OMEGA**2 + 0.1 / OMEGA * d(y, x, 0) + y]


def _linka(x, y, c):
    return [(dd(y, x, 0) + c["c"] * d(y, x, 0)) / c["k"] + y - c["x0"]]


def _kraichnan(x, y, c):
    u1, u2, u3 = y[:, 0:1], y[:, 1:2], y[:, 2:3]
    total = c["a"] + c["b"]
    return [
        d(y, x, 0, 0) - c["a"] * u2 * u3,
        d(y, x, 0, 1) - c["b"] * u1 * u3,
        d(y, x, 0, 2) + total * u1 * u2,
    ]


def _burgers(viscosity: float) -> Statement:
    def pde(x, y, c):
        return [d(y, x, 1) + y * d(y, x, 0) - viscosity * dd(y, x, 0)]

    start = face(RING, a1=0.0)
    return Statement(
        RING,
        pde=pde,
        conditions=lambda c: [held(walls(RING, 0)), held(start, -np.sin(np.pi * start[:, 0]))],
    )


def _allen_cahn(x, y, c):
    return [d(y, x, 1) - 1e-4 * dd(y, x, 0) - 5 * (y - y**3)]


def _helmholtz(x, y, c):
    wave = torch.sin(math.pi * x[:, 0:1]) * torch.sin(4 * math.pi * x[:, 1:2])
    return [dd(y, x, 0) + dd(y, x, 1) + y - (1 - 17 * math.pi**2) * wave]


def _swing(x: np.ndarray) -> np.ndarray:
    return np.sin(np.pi * x[:, 0]) + 0.5 * np.sin(4 * np.pi * x[:, 0])


def _buckley(x, y, c):
    slope = 2 * y * (1 - y) / (y**2 + (1 - y) ** 2) ** 2
    return [d(y, x, 1) + slope * d(y, x, 0) - 0.01 * dd(y, x, 0)]


def _front(x: np.ndarray) -> np.ndarray:
    return (1 - np.tanh((x[:, 0] - 0.2) / 0.05)) / 2


def _diffusion(x, y, c):
    v, v_x = y[:, 1:2], d(y, x, 0, 1)
    # DeepXDE has no function of fewer coordinates: that v does not change is one more residual.
    # Both by the window's length, or rates of fifty in it would drown the readings.
    change = d(y, x, 1) - v_x * d(y, x, 0) - v * dd(y, x, 0)
    return [0.02 * change, 0.02 * d(y, x, 1, 1)]


def _oil(x, y, c):
    angle = OMEGA * x[:, 1:2] / 24.0
    capacity, transfer = 870.0 * 1900.0 / 3600.0, 870.0 * 1900.0 / 16008.0
    volume = (842.0 + 9800.0) / (transfer * 45.0)
    losses = (842.0 + 9800.0 * (0.5 - 0.4 * torch.sin(angle)) ** 2) / volume
    air = 20.0 - 5.0 * torch.sin(angle)
    return [d(y, x, 1) - (c["k"] * dd(y, x, 0) + losses - c["h"] * (y - air)) / capacity]


def _bratu(size: float) -> Statement:
    return Statement(
        ((0.0, 1.0),),
        pde=lambda x, y, c: [dd(y, x, 0) + torch.exp(y)],
        transform=lambda x, y: size * x * (1 - x) * y,
    )


STATEMENTS: dict[str, Statement] = {
    "heat-rod": Statement(
        UNIT,
        pde=lambda x, y, c: [d(y, x, 1) - 0.05 * dd(y, x, 0)],
        conditions=lambda c: [
            held(walls(UNIT, 0)),
            held(face(UNIT, a1=0.0), np.sin(np.pi * face(UNIT, a1=0.0)[:, 0])),
        ],
    ),
    "poisson": Statement(LINE, sensors={"source": _poisson(None), "ends": value}, stretch=2.0),
    "poisson-nonlinear": Statement(
        LINE, sensors={"source": _poisson(lambda c: 0.7), "ends": value}, stretch=2.0
    ),
    "poisson-inverse": Statement(
        LINE,
        constants={"k": normal(0.5, 1.0)},
        sensors={"source": _poisson(lambda c: c["k"]), "values": value},
        stretch=2.0,
    ),
    "poisson-read": Statement(
        ((0.0, 1.0),),
        # Not over its size: the equation is exact, and readings are noisy.
        pde=lambda x, y, c: [dd(y, x, 0) + math.pi**2 * torch.sin(math.pi * x)],
        sensors={"values": value},
        transform=lambda x, y: x * (1 - x) * y,
    ),
    "logistic": Statement(
        ((0.0, 10.0),),
        pde=lambda x, y, c: [d(y, x, 0) - c["r"] * y * (1 - y)],
        constants={"r": log_normal(1.0, 0.7)},
        sensors={"share": value},
    ),
    "noise-islands": Statement(((0.0, 5.0),), pde=_islands, sensors={"place": value}, stretch=5.0),
    "linka": Statement(
        ((0.0, 1.0),),
        ("x",),
        pde=_linka,
        constants={
            "c": log_normal(2.2, 0.5),
            "k": log_normal(350.0, 0.5),
            "x0": log_normal(0.56, 0.5),
        },
        sensors={"cases": value},
        stretch=4.0,
    ),
    "bratu": _bratu(1.0),
    "bratu-upper": _bratu(16.0),
    "kraichnan-orszag": Statement(
        ((0.0, 10.0),),
        ("u1", "u2", "u3"),
        pde=_kraichnan,
        constants={"a": normal(0.0, 2.0), "b": normal(0.0, 2.0)},
        sensors={
            "first": lambda x, y, c: [y[:, 0:1]],
            "second": lambda x, y, c: [y[:, 1:2]],
            "third": lambda x, y, c: [y[:, 2:3]],
        },
        stretch=3.0,
    ),
    "burgers": _burgers(0.01 / math.pi),
    "burgers-smooth": _burgers(0.1 / math.pi),
    "allen-cahn": Statement(
        RING,
        pde=_allen_cahn,
        ring=True,
        transform=lambda x, y: x[:, :1] ** 2 * torch.cos(math.pi * x[:, :1]) + x[:, 1:] * y,
    ),
    "helmholtz": Statement(
        SQUARE,
        pde=_helmholtz,
        transform=lambda x, y: (1 - x[:, :1] ** 2) * (1 - x[:, 1:] ** 2) * y,
        stretch=4.0,
    ),
    "wave": Statement(
        UNIT,
        # Over the largest of its terms' rough size, which would drown the conditions.
        pde=lambda x, y, c: [(dd(y, x, 1) - 4 * dd(y, x, 0)) / 100.0],
        conditions=lambda c: [
            held(walls(UNIT, 0)),
            held(face(UNIT, a1=0.0), _swing(face(UNIT, a1=0.0))),
            zero(face(UNIT, a1=0.0), lambda x, y: d(y, x, 1)),
        ],
        stretch=3.0,
    ),
    "buckley-leverett": Statement(
        SAND,
        pde=_buckley,
        conditions=lambda c: [
            held(walls(SAND, 0), _front(walls(SAND, 0))),
            held(face(SAND, a1=0.0), _front(face(SAND, a1=0.0))),
        ],
    ),
    "poisson-plane": Statement(
        SQUARE, sensors={"source": _plane(lambda y, c: y * (y**2 - 1)), "edges": value}
    ),
    "poisson-plane-inverse": Statement(
        SQUARE,
        constants={"k": normal(0.5, 1.0)},
        sensors={"source": _plane(lambda y, c: c["k"] * y**2), "values": value},
    ),
    "diffusion-of-place": Statement(
        WINDOW,
        ("u", "v"),
        pde=_diffusion,
        conditions=lambda c: [zero(walls(WINDOW, 0), lambda x, y: d(y, x, 0))],
        sensors={"grid": value},
    ),
    "random-source": Statement(
        ((-1.0, 1.0),),
        ("u", "f"),
        pde=lambda x, y, c: [(dd(y, x, 0) + y[:, 1:2]) / 10.0],
        sensors={"source": lambda x, y, c: [y[:, 1:2]]},
        transform=lambda x, y: torch.cat([(1 - x**2) * y[:, :1], 10.0 * y[:, 1:2]], dim=1),
    ),
    "oil-inside": Statement(
        DAY,
        pde=_oil,
        constants={
            "k": log_normal(10.0, 0.5),
            "h": log_normal(870.0 * 1900.0 / 16008.0, 0.2),
        },
        sensors={f"x={height:g}": value for height in (0.0, 0.25, 0.5, 0.75, 1.0)},
        transform=lambda x, y: 30.0 + 10.0 * y,
        stretch=2.0,
    ),
}

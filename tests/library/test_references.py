"""References without a closed form, against a second method that shares nothing with them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from agewise.engine.problems import Unknowns
from agewise.library.allen_cahn import AllenCahn, allen_cahn_course
from agewise.library.buckley_leverett import VISCOSITY, BuckleyLeverett
from agewise.library.burgers import SMOOTH, Burgers
from agewise.library.diffusion_of_place import DiffusionOfPlace, diffusivity
from agewise.library.known import AbstractKnownProblem
from agewise.library.kraichnan_orszag import KraichnanOrszag
from agewise.library.oil_inside import (
    CONDUCTIVITY,
    HEAT_TRANSFER,
    NAMEPLATE,
    OilInside,
    air,
    load,
    top,
)
from agewise.library.sensors import grid
from agewise.transformer.oil.reference import oil_temperature


def slope(u: np.ndarray, h: float) -> np.ndarray:
    """First derivative by central differences of order four; two points are lost at each end."""
    return (u[:-4] - 8 * u[1:-3] + 8 * u[3:-1] - u[4:]) / (12 * h)


def bend(u: np.ndarray, h: float) -> np.ndarray:
    """Second derivative, likewise."""
    return (-u[:-4] + 16 * u[1:-3] - 30 * u[2:-2] + 16 * u[3:-1] - u[4:]) / (12 * h**2)


def stepped(start: np.ndarray, instants: list[float], rates: Callable[[np.ndarray], np.ndarray]):
    """Values at instants, by an explicit method whose steps adapt."""
    solved = solve_ivp(
        lambda _, u: rates(u), (instants[0], instants[-1]), start, t_eval=instants[1:], rtol=1e-7
    )
    return solved.y.T.ravel()


def compared(problem: AbstractKnownProblem, x: np.ndarray, instants: list[float], found) -> float:
    points = grid(np.array(instants[1:]), x)[:, ::-1]
    truth = problem.reference(points)["u"]
    return float(np.linalg.norm(found - truth) / np.linalg.norm(truth))


FROM_A_SOLVER = [Burgers(SMOOTH), AllenCahn(), BuckleyLeverett(), DiffusionOfPlace.made()]
FROM_A_SOLVER += [KraichnanOrszag.made()]


@pytest.mark.parametrize("problem", FROM_A_SOLVER, ids=lambda problem: type(problem).__name__)
def test_residuals_vanish_at_the_reference(problem: AbstractKnownProblem):
    """Its derivatives by differences: what is stated is what was solved."""
    lower, upper = np.array(list(problem.coordinates().values())).T
    width = upper - lower
    for name, region in problem.regions().items():
        # Away from the ends of time, beyond which there is no reference.
        share = np.random.default_rng(0).uniform(0.2, 0.8, (12, len(lower)))
        box = region.boxes[-1]
        points = np.array(box.lower) + share * np.subtract(box.upper, box.lower)
        steps = 1e-3 * width * np.where(points[0] == 0.0, 0.0, 1.0)
        near = [quadratic(problem, point, steps) for point in points]
        of = problem.residuals()[name]
        found = [float(of(u, jnp.asarray(p))) for u, p in zip(near, points, strict=True)]
        # Terms are of the size of the fastest change; differences know them to three digits.
        fastest = max(1.0, *(float(np.abs(u.slopes).max()) for u in near))
        assert np.abs(found).max() < 2e-3 * fastest, name


def quadratic(problem: AbstractKnownProblem, point: np.ndarray, steps: np.ndarray) -> Any:
    """All functions near a point, to second order; flat along an axis without a step."""
    moves = np.concatenate([np.zeros((1, len(point))), np.diag(steps), -np.diag(steps)])
    functions, slopes = {}, []
    for name, values in problem.reference(point + moves).items():
        up, down = values[1:].reshape(2, -1)
        safe = np.where(steps == 0, 1.0, steps)
        slope, bend = (up - down) / (2 * safe), (up + down - 2 * values[0]) / safe**2
        slopes.append(slope)

        def function(p, at=values[0], slope=slope, bend=bend):
            away = p - point
            return at + jnp.sum(slope * away + bend * away**2 / 2)

        functions[name] = function
    u: Any = Unknowns(functions, problem.true_constants())
    u.slopes = np.array(slopes)
    return u


def test_burgers_is_that_of_finite_differences():
    x, instants = np.linspace(-1, 1, 401), [0.0, 0.3, 0.7, 1.0]
    h = x[1] - x[0]

    def rates(u: np.ndarray) -> np.ndarray:
        # Odd about both walls, so values beyond them are known.
        wide = np.concatenate([-u[2:0:-1], u, -u[-2:-4:-1]])
        return SMOOTH * bend(wide, h) - u * slope(wide, h)

    found = stepped(-np.sin(np.pi * x), instants, rates)
    assert compared(Burgers(SMOOTH), x, instants, found) < 1e-5


def test_the_slope_of_the_shock_is_the_published_one():
    """Basdevant et al. (1986): 152.00516 at the origin, at time 1.6037/pi."""
    step, t = 1e-6, 1.6037 / np.pi
    before, after = Burgers().reference(np.array([[-step, t], [step, t]]))["u"]
    assert (before - after) / (2 * step) == pytest.approx(152.00516, abs=1e-4)


def test_allen_cahn_is_that_of_finite_differences():
    x, instants = np.linspace(0, 1, 801), [0.0, 0.2, 0.6, 1.0]
    h = x[1] - x[0]

    def rates(u: np.ndarray) -> np.ndarray:
        # Even about the middle and about the place where the ring closes.
        wide = np.concatenate([u[2:0:-1], u, u[-2:-4:-1]])
        return 1e-4 * bend(wide, h) + 5 * (u - u**3)

    found = stepped(x**2 * np.cos(np.pi * x), instants, rates)
    assert compared(AllenCahn(), x, instants, found) < 1e-5


def test_half_the_modes_of_allen_cahn_change_little():
    points = grid(np.linspace(-1, 1, 101), np.linspace(0.1, 1, 10))
    few, many = allen_cahn_course(512)(points), allen_cahn_course(1024)(points)
    assert np.linalg.norm(few - many) < 1e-5 * np.linalg.norm(many)


def test_buckley_leverett_is_that_of_finite_differences():
    x, instants = np.linspace(0, 1, 501), [0.0, 0.25, 0.5]
    h = x[1] - x[0]

    def rates(u: np.ndarray) -> np.ndarray:
        flow = u**2 / (u**2 + (1 - u) ** 2)
        # Next to the walls nothing happens, so that lower order does there.
        change = np.zeros_like(u)
        change[2:-2] = VISCOSITY * bend(u, h) - slope(flow, h)
        for at in (1, -2):
            near = [at - 1, at, at + 1]
            spread = (u[near[0]] - 2 * u[at] + u[near[2]]) / h**2
            change[at] = VISCOSITY * spread - (flow[near[2]] - flow[near[0]]) / (2 * h)
        return change

    start = (1 - np.tanh((x - 0.2) / 0.05)) / 2
    assert compared(BuckleyLeverett(), x, instants, stepped(start, instants, rates)) < 1e-5


def test_diffusion_is_that_of_finite_volumes():
    """Of order two, so two grids extrapolated."""

    def found(count: int, at: float) -> np.ndarray:
        h = 1 / count
        exchange = diffusivity(np.arange(1, count) * h) / h**2
        matrix = np.diag(exchange, 1) + np.diag(exchange, -1)
        matrix -= np.diag(matrix.sum(axis=1))
        rates, shapes = np.linalg.eigh(matrix)
        # The mean of a cell, of the cosine that it starts from.
        start = np.diff(np.sin(np.pi * np.arange(count + 1) * h)) / (np.pi * h)
        final = shapes @ (np.exp(rates * at) * (shapes.T @ start))
        return final if count == 100 else final.reshape(100, -1).mean(axis=1)

    coarse, fine = (found(count, 0.02) for count in (100, 200))
    edges = np.linspace(0, 1, 101)
    nodes, weights = np.polynomial.legendre.leggauss(4)
    x = (edges[:-1, None] + (nodes + 1) / 200).ravel()
    truth = DiffusionOfPlace.made().reference(np.stack([x, np.full_like(x, 0.02)], axis=1))["u"]
    means = truth.reshape(100, -1) @ weights / 2
    np.testing.assert_allclose((4 * fine - coarse) / 3, means, atol=2e-6)


def test_the_flow_of_buckley_leverett_is_the_derivative_of_its_fraction():
    """The residual has it written out; here JAX differentiates the fraction itself."""

    def function(xt):
        return 0.3 + 0.2 * jnp.sin(3 * xt[0] + xt[1])

    def fraction(xt):
        return function(xt) ** 2 / (function(xt) ** 2 + (1 - function(xt)) ** 2)

    def both(xt):
        flow, storage = jax.grad(fraction)(xt)[0], jax.grad(function)(xt)[1]
        residual = BuckleyLeverett().residuals()["interior"](function, xt)
        return residual, storage + flow - VISCOSITY * jax.hessian(function)(xt)[0, 0]

    one, other = jax.jit(jax.vmap(both))(jnp.array([[0.3, 0.1], [0.5, 0.2]]))
    np.testing.assert_allclose(one, other, rtol=1e-5)


def test_the_oil_is_that_of_the_reference_solver():
    """Three days from a straight line: by the last one the oil has forgotten how it began."""
    tank = replace(NAMEPLATE, conductivity=CONDUCTIVITY, heat_transfer=HEAT_TRANSFER)
    hours = np.linspace(0.0, 72.0, 72 * 12 + 1)
    driven = (np.asarray(of(hours), dtype=float) for of in (load, air, top))
    heights = np.array([0.2, 0.5, 0.9])
    solved = oil_temperature(tank, 3600 * hours, *driven, heights=heights, hold="linear", degree=2)
    last = slice(48 * 12, None)
    points = grid(hours[last] - 48.0, heights)[:, ::-1]
    oil = OilInside.made().reference(points)["u"]
    np.testing.assert_allclose(solved.temperature[last].ravel(), oil, atol=5e-3)

"""The reference solution against manufactured, analytic and independent ones."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.elements import Degree, LineElements
from agewise.transformer.oil.heat_equation import HeatEquation
from agewise.transformer.oil.reference import (
    NO_DEPARTURE,
    Departure,
    OilTemperature,
    oil_temperature,
)
from agewise.transformer.oil.tank import Tank
from agewise.twin.twin import TwinSettings, make_twin

TANK = Tank.closed(
    no_load_losses=842.0, load_losses=9800.0, oil_time_constant=16008.0, top_oil_rise=45.0
)
HEIGHTS = np.linspace(0.0, TANK.height, 51)
MANUFACTURED_HEIGHT = 1.5
CAPACITY, TRANSFER = 1.3, 2.1


@dataclass(frozen=True)
class Manufactured:
    """$u = 1 + f(x) g(t)$ with sines, and the source that makes it a solution."""

    velocity: float = 0.0
    growth: float = 0.0
    """of the conductivity, $0.7 e^{growth\\,u}$"""

    def conductivity(self, u: np.ndarray) -> np.ndarray:
        return 0.7 * np.exp(self.growth * u)

    def u(self, x: np.ndarray, t: np.ndarray) -> np.ndarray:
        return 1 + np.sin(2 * x + 0.3) * np.cos(3 * t + 0.5)

    def source(self, x: np.ndarray, t: np.ndarray) -> np.ndarray:
        u_t = -3 * np.sin(2 * x + 0.3) * np.sin(3 * t + 0.5)
        u_x = 2 * np.cos(2 * x + 0.3) * np.cos(3 * t + 0.5)
        u_xx = -4 * np.sin(2 * x + 0.3) * np.cos(3 * t + 0.5)
        u = self.u(x, t)
        conduction = self.conductivity(u) * (u_xx + self.growth * u_x**2)
        return CAPACITY * (u_t + self.velocity * u_x) - conduction + TRANSFER * u

    def error(self, count: int, degree: Degree, steps: int, *, uneven: bool = False) -> float:
        """The largest error at nodes and between them, over one unit of time."""
        mesh = LineElements.uniform(MANUFACTURED_HEIGHT, count, degree)
        k = self.conductivity if self.growth else float(self.conductivity(np.zeros(1))[0])
        equation = HeatEquation(mesh, CAPACITY, k, TRANSFER, self.velocity)
        lengths = np.where(np.arange(steps) % 2, 1.6 if uneven else 1.0, 0.4 if uneven else 1.0)
        t = np.append(0.0, np.cumsum(lengths))[:, None] / steps
        x = np.linspace(0.0, MANUFACTURED_HEIGHT, 6 * count * degree + 1)
        bottom, top = self.u(mesh.nodes[[0, -1]], t).T
        source = self.source(mesh.nodes, (t[1:] + t[:-1]) / 2)
        start = self.u(mesh.nodes, np.zeros(1))
        got = equation.solution(t[:, 0], bottom, top, source, start, mesh.interpolation(x))
        return float(np.abs(got - self.u(x, t)).max())


PHYSICS = pytest.mark.parametrize(
    "case",
    [Manufactured(), Manufactured(velocity=0.8), Manufactured(velocity=-0.5, growth=0.4)],
    ids=["plain", "flow", "flow and growth"],
)


def orders(errors: list[float]) -> np.ndarray:
    return np.log2(errors[:-1]) - np.log2(errors[1:])


@PHYSICS
@pytest.mark.parametrize("degree", [1, 2])
def test_order_in_height_is_one_more_than_the_degree(case: Manufactured, degree: Degree):
    errors = [case.error(count, degree, steps=1500) for count in (4, 8, 16)]
    assert np.all(orders(errors) >= degree + 0.9)


@PHYSICS
@pytest.mark.parametrize("uneven", [False, True], ids=["even", "uneven"])
def test_order_in_time_is_two(case: Manufactured, uneven: bool):
    errors = [case.error(48, 2, steps, uneven=uneven) for steps in (20, 40, 80)]
    assert np.all((orders(errors) > 1.9) & (orders(errors) < 2.2))


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_time_has_no_preferred_unit(unit: float):
    mesh = LineElements.uniform(1.0, 10)
    seconds = np.linspace(0.0, 1.0, 301)
    ends, start = np.sin(seconds), np.zeros(11)

    def heated(unit: float) -> np.ndarray:
        equation = HeatEquation(mesh, CAPACITY * unit, 0.7, TRANSFER, velocity=0.5 / unit)
        return equation.solution(unit * seconds, ends, ends, np.ones((300, 1)), start, np.eye(11))

    np.testing.assert_allclose(heated(unit), heated(1.0), atol=1e-6)


def test_uniform_source_is_the_same_number_at_every_node():
    mesh = LineElements.uniform(1.0, 12, 2)
    equation = HeatEquation(mesh, CAPACITY, 0.7, TRANSFER)
    seconds = np.linspace(0.0, 1.0, 11)
    one_place = np.linspace(1.0, 3.0, 10)[:, None]
    ends, start = np.zeros(11), np.zeros(mesh.nodes.size)
    at_nodes = np.repeat(one_place, mesh.nodes.size, axis=1)
    one, every = (
        equation.solution(seconds, ends, ends, source, start, np.eye(mesh.nodes.size))
        for source in (one_place, at_nodes)
    )
    np.testing.assert_allclose(one, every, atol=1e-12)


@pytest.mark.parametrize(("degree", "tolerance"), [(1, 5e-3), (2, 1e-5)])
def test_steady_state_is_the_analytic_one(degree: Degree, tolerance: float):
    seconds = 20 * TANK.time_constant * np.array([0.0, 0.5, 1.0])
    bottom, top, load = 18.0, 52.0, 0.8
    heights = np.linspace(0.0, TANK.height, 37)
    ends = np.full(3, bottom), np.full(3, top)
    solution = oil_temperature(
        TANK, seconds, np.full(3, load), *ends, heights=heights, degree=degree, longest_step=2e3
    )
    rise, reach = 45.0 * (842 + 9800 * load**2) / (842 + 9800), np.sqrt(10 * 16008 / 1.653e6)
    below, above = -rise, top - bottom - rise
    steady = (below * np.sinh((1 - heights) / reach) + above * np.sinh(heights / reach)) / np.sinh(
        1 / reach
    )
    np.testing.assert_allclose(solution.temperature[-1], bottom + rise + steady, atol=tolerance)


@dataclass(frozen=True)
class Series:
    seconds: np.ndarray
    load: np.ndarray
    bottom: np.ndarray
    top: np.ndarray

    def between(self, first: int, last: int) -> "Series":
        rows = slice(first, last + 1)
        return Series(self.seconds[rows], self.load[rows], self.bottom[rows], self.top[rows])


@cache
def twin_series() -> Series:
    """The clean ends and load of the default twin, four days of minutes."""
    twin = make_twin(TwinSettings(seed=0))
    oil = twin.truth["oil_true"].to_numpy().astype(float)
    load = twin.truth["load_true"].to_numpy().astype(float)
    return Series(60.0 * np.arange(len(oil)), load, oil[:, 0], oil[:, -1])


def solved(series: Series, heights: np.ndarray = HEIGHTS, **options: Any) -> OilTemperature:
    ends = series.bottom, series.top
    return oil_temperature(TANK, series.seconds, series.load, *ends, heights=heights, **options)


def by_lines(
    series: Series, conductivity: Callable[[np.ndarray], np.ndarray | float], velocity: float
) -> np.ndarray:
    """The method of lines: central differences at 101 heights, an adaptive integrator in time."""
    size = TANK.height / 100
    losses = (842 + 9800 * series.load**2) / TANK.volume
    u = np.linspace(series.bottom[0], series.top[0], 101)

    def slope(t: float, inside: np.ndarray) -> np.ndarray:
        row = min(int(t // 60), series.seconds.size - 2)
        share = t / 60 - row
        u[0] = (1 - share) * series.bottom[row] + share * series.bottom[row + 1]
        u[-1] = (1 - share) * series.top[row] + share * series.top[row + 1]
        u[1:-1] = inside
        flux = conductivity((u[1:] + u[:-1]) / 2) * np.diff(u) / size
        carried = TANK.heat_capacity * velocity * (u[2:] - u[:-2]) / (2 * size)
        cooled = TANK.heat_transfer * (inside - u[0])
        return (np.diff(flux) / size - carried + losses[row + 1] - cooled) / TANK.heat_capacity

    span = (0.0, series.seconds[-1])
    settings = {"lband": 1, "uband": 1, "max_step": 60.0, "rtol": 1e-6, "atol": 1e-5}
    lines = solve_ivp(slope, span, u[1:-1].copy(), "LSODA", t_eval=series.seconds, **settings)
    return lines.y.T


@pytest.mark.parametrize(
    ("days", "departure"),
    [(4, NO_DEPARTURE), (1, Departure(velocity=2e-5, growth=0.02))],
    ids=["tank", "departure"],
)
def test_agrees_with_the_method_of_lines(days: int, departure: Departure):
    series = twin_series().between(0, 1440 * days - 1)
    heights = np.linspace(0.0, TANK.height, 101)[1:-1]
    ours = solved(series, heights=heights, departure=departure).temperature
    lines = by_lines(
        series, lambda u: 10.0 * np.exp(departure.growth * (u - 30.0)), departure.velocity
    )
    np.testing.assert_allclose(ours, lines, atol=0.01)


def test_halving_the_step_changes_nothing():
    coarse, fine = (solved(twin_series(), longest_step=step) for step in (60.0, 30.0))
    np.testing.assert_allclose(coarse.temperature, fine.temperature, atol=1e-3)


def test_four_days_of_minutes_take_less_than_half_a_second():
    series, seconds = twin_series(), []
    for _ in range(3):
        begin = time.process_time()
        solved(series, elements=100)
        seconds.append(time.process_time() - begin)
    assert min(seconds) < 0.5


@pytest.mark.parametrize("hold", ["backward", "forward"])
def test_a_run_may_be_split(hold: Hold):
    series, split = twin_series().between(0, 600), 250
    nodes = np.linspace(0.0, TANK.height, 101)
    options = {"heights": nodes, "hold": hold}
    whole = solved(series, **options).temperature
    first = solved(series.between(0, split), **options).temperature
    second = solved(series.between(split, 600), **options, start=first[-1]).temperature
    np.testing.assert_allclose(np.concatenate([first, second[1:]]), whole, atol=1e-9)


@pytest.mark.parametrize("hold", ["backward", "forward"])
def test_rows_that_say_nothing_new_may_be_missing(hold: Hold):
    rng = np.random.default_rng(6)
    minutes, knots = 60.0 * np.arange(241.0), 900.0 * np.arange(17.0)
    side, shift = ("left", 0) if hold == "backward" else ("right", -1)
    block = np.searchsorted(knots, minutes, side=side) + shift
    every = Series(
        minutes,
        rng.uniform(0.0, 1.2, 17)[block],
        np.interp(minutes, knots, rng.normal(20, 1, 17)),
        np.interp(minutes, knots, rng.normal(50, 1, 17)),
    )
    kept = np.sort(np.append(15 * np.arange(17), [3, 50, 100, 101]))
    few = Series(*(series[kept] for series in vars(every).values()))
    whole, sparse = solved(every, hold=hold), solved(few, hold=hold)
    np.testing.assert_allclose(sparse.temperature, whole.temperature[kept], atol=1e-9)


def random_series(count: int, seed: int) -> list[Series]:
    rng = np.random.default_rng(seed)
    seconds = np.cumsum(rng.integers(1, 4, 200)) * 60.0
    return [
        Series(
            seconds,
            rng.uniform(0.0, 1.2, 200),
            20 + np.cumsum(rng.normal(0, 0.2, 200)),
            50 + np.cumsum(rng.normal(0, 0.2, 200)),
        )
        for _ in range(count)
    ]


def test_a_batch_of_draws_is_one_draw_at_a_time():
    draws = random_series(3, seed=1)
    together = oil_temperature(
        TANK,
        draws[0].seconds,
        np.stack([draw.load for draw in draws]),
        np.stack([draw.bottom for draw in draws]),
        np.stack([draw.top for draw in draws]),
        heights=HEIGHTS,
    ).temperature
    alone = [solved(draw).temperature for draw in draws]
    np.testing.assert_allclose(together, np.stack(alone), atol=1e-9)


def test_draws_are_refused_where_the_conductivity_varies():
    series = random_series(1, seed=1)[0]
    pair = replace(
        series,
        **{name: np.stack([getattr(series, name)] * 2) for name in ("load", "bottom", "top")},
    )
    with pytest.raises(ValueError, match="one draw at a time"):
        solved(pair, departure=Departure(growth=0.02))


def test_answers_to_ends_and_load_superpose():
    one, two = random_series(2, seed=2)
    mixture = replace(
        one,
        # Losses, not loads, are what adds up.
        load=np.sqrt(0.3 * one.load**2 + 0.7 * two.load**2),
        bottom=0.3 * one.bottom + 0.7 * two.bottom,
        top=0.3 * one.top + 0.7 * two.top,
    )
    mixed = 0.3 * solved(one).temperature + 0.7 * solved(two).temperature
    np.testing.assert_allclose(solved(mixture).temperature, mixed, atol=1e-9)


def test_nothing_is_hotter_than_ends_and_start_without_a_source():
    mesh = LineElements.uniform(TANK.height, 50)
    equation = HeatEquation(mesh, TANK.heat_capacity, TANK.conductivity, 0.0)
    seconds = 60.0 * np.arange(1441.0)
    day = 2 * np.pi * seconds / 86400
    bottom, top = 20 + 5 * np.sin(day), 40 + 9 * np.sin(3 * day)
    start = 20 + 20 * mesh.nodes + 6 * np.sin(np.pi * mesh.nodes)
    everywhere = equation.solution(
        seconds, bottom, top, np.zeros((1440, 1)), start, np.eye(mesh.nodes.size)
    )
    given = np.concatenate([bottom, top, start])
    assert everywhere.min() >= given.min() - 1e-9
    assert everywhere.max() <= given.max() + 1e-9


def test_ends_and_start_are_what_was_given():
    series = random_series(1, seed=4)[0]
    oil = solved(series).temperature
    np.testing.assert_allclose(oil[:, 0], series.bottom, atol=1e-9)
    np.testing.assert_allclose(oil[:, -1], series.top, atol=1e-9)
    line = np.linspace(series.bottom[0], series.top[0], 51)
    np.testing.assert_allclose(oil[0], line, atol=1e-9)


def test_a_load_sample_belongs_to_its_interval():
    series = random_series(1, seed=5)[0]
    shifted = replace(series, load=np.append(series.load[:1], series.load[:-1]))
    forward = solved(series, hold="forward").temperature
    np.testing.assert_allclose(forward, solved(shifted, hold="backward").temperature, atol=1e-12)

    jump = 80
    late = replace(series, load=np.where(np.arange(200) < jump, 0.0, 1.0))
    never = replace(series, load=np.zeros(200))
    warmer = {
        hold: (solved(late, hold=hold).temperature - solved(never).temperature)[:, 25]
        for hold in ("backward", "forward")
    }
    assert warmer["backward"][jump] > 1e-3
    assert np.abs(warmer["backward"][:jump]).max() < 1e-12
    assert warmer["forward"][jump + 1] > 1e-3
    assert np.abs(warmer["forward"][: jump + 1]).max() < 1e-12


def test_departure_grows_from_the_tank_conductivity():
    assert NO_DEPARTURE.conductivity(10.0) == 10.0
    growing = Departure(growth=0.02).conductivity(10.0)
    assert callable(growing)
    at_30, at_31 = growing(np.array([30.0, 31.0]))
    assert at_30 == pytest.approx(10.0)
    assert at_31 / at_30 == pytest.approx(1.02, abs=1e-3)


def test_oil_far_from_both_ends_settles_above_the_air_and_not_above_the_bottom():
    """Far from the ends the equation is rho_cp T' = q - h (T - Ta): steady at Ta + q/h."""
    tall = replace(TANK, height=20.0)
    seconds, flat = np.arange(0.0, 40 * tall.time_constant, 3600.0), np.ones_like
    load, air, ends = 0.7 * flat(seconds), 10.0 * flat(seconds), 30.0 * flat(seconds)
    middle = {"heights": np.array([10.0]), "longest_step": 3600.0}
    above = float(tall.source(0.7)) / tall.heat_transfer
    by_air = oil_temperature(tall, seconds, load, ends, ends, air=air, **middle)
    by_bottom = oil_temperature(tall, seconds, load, ends, ends, **middle)
    assert by_air.temperature[-1, 0] == pytest.approx(10.0 + above, abs=1e-3)
    assert by_bottom.temperature[-1, 0] == pytest.approx(30.0 + above, abs=1e-3)
    same = oil_temperature(tall, seconds, load, ends, ends, air=ends, **middle)
    assert np.array_equal(same.temperature, by_bottom.temperature)

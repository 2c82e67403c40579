"""The transformer's residuals, on temperatures for which the equation is known to hold."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.oil.heat import (
    DISCREPANCY,
    INITIAL_STD,
    Scales,
    TransformerHeat,
    transformer_heat,
)
from agewise.transformer.oil.reference import oil_temperature
from agewise.transformer.oil.tank import Tank
from agewise.types import T, X

HEIGHT, TAU = 1.3, 16008.0
TANK = Tank.closed(
    no_load_losses=842.0,
    load_losses=9800.0,
    oil_time_constant=TAU,
    top_oil_rise=45.0,
    height=HEIGHT,
)
REACH = np.sqrt(10.0 * TAU / 1.653e6)
SECONDS = np.linspace(0.0, 86400.0, 97)
AIR, LOAD = 17.0, 0.8
RISE = 45.0 * (842 + 9800 * LOAD**2) / (842 + 9800)


@pytest.fixture(autouse=True)
def double_precision():
    with jax.enable_x64(True):
        yield


def garbage(seed: int) -> np.ndarray:
    """Readings that no solution passes through: the equation must not ask them."""
    return np.random.default_rng(seed).normal(30.0, 8.0, SECONDS.size)


def problem(*, load: float = LOAD, seed: int = 0, **options) -> TransformerHeat:
    sensors = {0.0: garbage(seed), 1.0: garbage(seed + 1)}
    return transformer_heat(TANK, SECONDS, np.full(SECONDS.size, load), sensors, **options)


def kelvin(made: TransformerHeat, name: str, celsius, points: np.ndarray) -> np.ndarray:
    """A residual [K] of a temperature [°C], a function of metres and seconds."""

    def u(xt):
        return made.units.scaled(celsius(xt[X] * HEIGHT, xt[T] * SECONDS[-1]))

    residual = made.residuals()[name]
    values = jax.jit(jax.vmap(lambda point: residual(u, point)))(jnp.asarray(points))
    return np.asarray(values) * made.units.spread


def inside(count: int = 200) -> np.ndarray:
    return np.random.default_rng(9).uniform(0.0, 1.0, (count, 2))


def steady(x, t):
    """Ends at 17 and 41 °C."""
    above = 24.0 - RISE
    between = above * jnp.sinh(x / REACH) - RISE * jnp.sinh((HEIGHT - x) / REACH)
    return AIR + RISE + between / np.sinh(HEIGHT / REACH) + 0 * t


def relaxing(x, t):
    """A ripple of three half waves that conducts and cools away."""
    wave = 3 * np.pi / HEIGHT
    decay = 1 / TAU + 10.0 / 1.653e6 * wave**2
    return steady(x, t) + 7.0 * jnp.exp(-decay * t) * jnp.sin(wave * x)


@pytest.mark.parametrize("celsius", [steady, relaxing])
def test_equation_holds_for_exact_solutions(celsius):
    np.testing.assert_allclose(kelvin(problem(), "interior", celsius, inside()), 0.0, atol=1e-8)


def test_equation_fails_for_another_load():
    missing = 45.0 * 9800 * (LOAD**2 - 0.5**2) / (842 + 9800)
    got = kelvin(problem(load=0.5), "interior", relaxing, inside())
    np.testing.assert_allclose(got, missing, rtol=1e-9)


def test_a_drift_shows_as_its_rate_times_the_time_constant():
    def drifting(x, t):
        return relaxing(x, t) + t / 3600.0  # 1 K/h, at every height alike

    made = problem()
    got = kelvin(made, "interior", drifting, inside())
    np.testing.assert_allclose(got, TAU / 3600, rtol=1e-9)
    scaled = got / made.units.spread
    np.testing.assert_allclose(scaled / made.scales()["interior"], 1 / DISCREPANCY, rtol=1e-9)
    declared = problem(discrepancy=0.5).scales()["interior"]
    np.testing.assert_allclose(scaled / declared, 1 / 0.5, rtol=1e-9)


def test_source_asks_the_function_for_the_ambient_not_the_sensor():
    one, other = (kelvin(problem(seed=seed), "interior", relaxing, inside()) for seed in (0, 50))
    np.testing.assert_allclose(one, other, atol=1e-8)

    def shifted(x, t):
        return relaxing(x, t) + 4.0

    def cold_bottom(x, t):
        return relaxing(x, t) - 4.0 * (x == 0)

    points = inside()
    np.testing.assert_allclose(kelvin(problem(), "interior", shifted, points), 0.0, atol=1e-8)
    np.testing.assert_allclose(kelvin(problem(), "interior", cold_bottom, points), 4.0, rtol=1e-8)


@pytest.mark.parametrize("hold", ["backward", "forward"])
def test_load_is_held_as_in_the_reference(hold: Hold):
    load = np.random.default_rng(2).uniform(0.0, 1.2, SECONDS.size)
    made = transformer_heat(TANK, SECONDS, load, {0.0: garbage(0), 1.0: garbage(1)}, hold=hold)
    middles = jnp.asarray((SECONDS[1:] + SECONDS[:-1]) / 2 / SECONDS[-1])
    rises = np.asarray(jax.vmap(made.rise)(middles)) * made.units.spread
    expected = 45.0 * (842 + 9800 * interval_load(load, hold) ** 2) / (842 + 9800)
    np.testing.assert_allclose(rises, expected, rtol=1e-9)


def test_reference_solution_obeys_the_equation():
    """A smooth day, solved from the day before, and fitted by polynomials in height and time."""
    seconds = 60.0 * np.arange(-1440.0, 1441.0)
    day = 2 * np.pi * seconds / 86400
    load = 0.6 + 0.3 * np.sin(day)
    bottom, top = 18 + 5 * np.sin(day), 38 + 9 * np.sin(day - 0.5)
    heights = HEIGHT * (1 - np.cos(np.pi * np.arange(25) / 24)) / 2
    oil = oil_temperature(TANK, seconds, load, bottom, top, heights=heights, degree=2)
    window, field = seconds[1440:], oil.temperature[1440:]

    def basis(share, degree: int):
        angles = jnp.arccos(2 * jnp.asarray(share) - 1)
        return jnp.cos(jnp.multiply.outer(angles, jnp.arange(degree + 1.0)))

    over_time, over_height = basis(window / 86400, 20), basis(heights / HEIGHT, 12)
    coefficients = np.linalg.pinv(over_time) @ field @ np.linalg.pinv(over_height).T

    def fitted(x, t):
        return basis(t / 86400, 20) @ coefficients @ basis(x / HEIGHT, 12)

    made = transformer_heat(TANK, window, load[1440:], {0.0: bottom[1440:], 1.0: top[1440:]})
    points = 0.05 + 0.9 * inside()
    assert np.abs(kelvin(made, "interior", fitted, points)).max() < 0.05

    def straight(x, t):
        return fitted(0.0, t) * (1 - x / HEIGHT) + fitted(HEIGHT, t) * x / HEIGHT

    assert np.abs(kelvin(made, "interior", straight, points)).max() > 5.0


def test_what_air_and_load_drive_is_taken_out_of_the_equation_of_the_rest():
    """A ripple alone obeys it, however noisy the air that cools the tank is read."""
    air, load = AIR + garbage(5) / 10, np.full(SECONDS.size, LOAD)
    sensors = {0.0: garbage(0), 1.0: garbage(1)}

    def ripple(x, t):
        return relaxing(x, t) - steady(x, t)

    points = inside()
    whole = transformer_heat(TANK, SECONDS, load, sensors, air=air)
    assert np.abs(kelvin(whole, "interior", ripple, points)).max() > 5.0
    driven = (air + 10.0, np.full(SECONDS.size, AIR + RISE))
    rest = transformer_heat(TANK, SECONDS, load, sensors, air=air, driven=driven)
    assert np.abs(kelvin(rest, "interior", ripple, points)).max() < 1e-6
    # What was taken out has the ends that it was given.
    assert rest.known is not None
    for height, end in enumerate(driven):
        at = np.stack([np.full(SECONDS.size, float(height)), SECONDS / SECONDS[-1]], axis=1)
        np.testing.assert_allclose(rest.known(at), end, atol=1e-9)


def test_first_profile_is_a_line():
    points = np.stack([np.linspace(0.0, 1.0, 11), np.zeros(11)], axis=1)
    made = problem()
    line = kelvin(made, "initial", lambda x, t: 20.0 + 15.0 * x + t, points)
    np.testing.assert_allclose(line, 0.0, atol=1e-10)
    bent = kelvin(made, "initial", lambda x, t: 20.0 + 4.0 * x * (HEIGHT - x), points)
    share = points[:, 0]
    np.testing.assert_allclose(bent, 4.0 * HEIGHT**2 * share * (1 - share), atol=1e-10)
    assert made.scales()["initial"] * made.units.spread == pytest.approx(INITIAL_STD)


def test_a_measured_inside_frees_the_first_profile():
    sensors = {0.0: garbage(0), 0.4: garbage(1), 1.0: garbage(2)}
    made = transformer_heat(TANK, SECONDS, np.full(SECONDS.size, LOAD), sensors)
    for named in (made.residuals(), made.regions(), made.scales()):
        assert set(named) == {"interior"}
    assert set(made.observations()) == {"x=0", "x=0.4", "x=1"}


def test_observations_are_the_measurements_in_other_units():
    made = problem()
    for name, share, celsius in (("x=0", 0.0, garbage(0)), ("x=1", 1.0, garbage(1))):
        sensor = made.observations()[name]
        np.testing.assert_allclose(made.units.celsius(sensor.values), celsius)
        np.testing.assert_allclose(sensor.points[:, X], share)
        np.testing.assert_allclose(sensor.points[:, T] * SECONDS[-1], SECONDS)
    values = np.concatenate([sensor.values for sensor in made.observations().values()])
    assert (values.mean(), values.std()) == pytest.approx((0.0, 1.0), abs=1e-9)


def test_scales_undo_themselves():
    units = Scales(height=2.0, window=100.0, mean=30.0, spread=5.0)
    assert units.scaled(40.0) == 2.0
    assert units.celsius(units.scaled(17.0)) == pytest.approx(17.0)
    np.testing.assert_allclose(units.point(np.array([0.0, 2.0]), 25.0), [[0.0, 0.25], [1.0, 0.25]])

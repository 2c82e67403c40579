import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from agewise.engine.problems import (
    LogNormal,
    Normal,
    Uniform,
    Unknowns,
    mixed_partial,
    partial,
    second_partial,
)

POINT = jnp.array([0.3, 0.7])


def wave(point):
    return jnp.sin(2 * point[0]) * point[1] ** 3


def test_unknowns_are_functions_and_constants_by_name():
    u = Unknowns({"u": wave, "v": lambda p: p[0]}, {"k": 0.7})
    assert u(POINT) == u.u(POINT) == wave(POINT)
    assert u.v(POINT) == POINT[0]
    assert u.k == 0.7
    with pytest.raises(AttributeError, match="no unknown 'w'; it has: u, v, k"):
        _ = u.w


def test_derivatives_are_those_of_the_first_function():
    u = Unknowns({"u": wave}, {})
    x, t = (float(c) for c in POINT)
    np.testing.assert_allclose(partial(u, 0)(POINT), 2 * np.cos(2 * x) * t**3, rtol=1e-5)
    np.testing.assert_allclose(second_partial(u, 1)(POINT), np.sin(2 * x) * 6 * t, rtol=1e-5)
    np.testing.assert_allclose(
        mixed_partial(u, 0, 1)(POINT), 2 * np.cos(2 * x) * 3 * t**2, rtol=1e-5
    )


@pytest.mark.parametrize(
    ("constant", "same"),
    [
        (Normal(0.5, 2.0), stats.norm(0.5, 2.0)),
        (LogNormal(3.0, 0.4), stats.lognorm(0.4, scale=3.0)),
        (Uniform(-1.0, 4.0), stats.uniform(-1.0, 5.0)),
    ],
)
def test_constants_have_the_quantiles_of_their_distribution(constant, same):
    levels = np.array([0.01, 0.2, 0.5, 0.9])
    with jax.enable_x64(True):
        values = constant.value(jnp.asarray(stats.norm.ppf(levels)))
    np.testing.assert_allclose(values, same.ppf(levels), rtol=1e-9)

"""A series as a function of time says the same as the series itself."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.oil.signal import HeldSignal

HOLDS = ("backward", "forward")
RNG = np.random.default_rng(5)
TIMES = np.cumsum(RNG.uniform(0.5, 2.0, 30)).astype(np.float32)
VALUES = RNG.normal(size=30).astype(np.float32)
INSTANTS = np.sort(RNG.uniform(TIMES[0] - 3, TIMES[-1] + 3, 400)).astype(np.float32)


def held(hold: Hold) -> HeldSignal:
    return HeldSignal(jnp.asarray(TIMES), jnp.asarray(VALUES), hold)


def at(signal: HeldSignal, instants: np.ndarray) -> np.ndarray:
    return np.asarray(jax.vmap(signal)(jnp.asarray(instants)))


@pytest.mark.parametrize("hold", HOLDS)
def test_held_signal_is_the_load_of_its_interval(hold: Hold):
    for share in (0.01, 0.5, 0.99):
        within = TIMES[:-1] + np.float32(share) * np.diff(TIMES)
        np.testing.assert_array_equal(at(held(hold), within), interval_load(VALUES, hold))


@pytest.mark.parametrize("hold", HOLDS)
def test_held_signal_at_samples_and_beyond_them(hold: Hold):
    np.testing.assert_array_equal(at(held(hold), TIMES), VALUES)
    beyond = np.array([TIMES[0] - 1, TIMES[-1] + 1])
    np.testing.assert_array_equal(at(held(hold), beyond), VALUES[[0, -1]])


@pytest.mark.parametrize("signal", [held(hold) for hold in HOLDS])
def test_signals_compile(signal: HeldSignal):
    compiled = jax.jit(lambda signal, t: signal(t))
    for t in jnp.asarray(INSTANTS[::40]):
        np.testing.assert_allclose(compiled(signal, t), signal(t), rtol=1e-6)


@pytest.mark.parametrize("hold", HOLDS)
def test_many_instants_at_once_are_each_of_them(hold: Hold):
    instants = np.concatenate([INSTANTS, TIMES]).astype(float)
    np.testing.assert_array_equal(held(hold).at(instants), at(held(hold), instants))

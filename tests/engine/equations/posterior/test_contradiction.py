"""Few readings of unknown noise that an equation does not explain."""

import numpy as np
import pytest

import agewise

INSTANTS = np.linspace(0.2, 4.0, 8)[:, None]


def test_eight_readings_of_half_the_rate_are_not_called_noisy():
    noise = 0.01 * np.random.default_rng(0).standard_normal(8)
    decay = agewise.Problem(
        equations={"decay": lambda u, t: agewise.partial(u, 0)(t) + u(t)},
        coordinates={"t": (0.0, 4.0)},
        readings={"gauge": agewise.Observations(INSTANTS, np.exp(-0.5 * INSTANTS[:, 0]) + noise)},
        scales={"decay": 0.0},
    )
    settings = agewise.EquationSettings(attempts=1)
    with pytest.warns(agewise.UnsoundFit, match="follow a course"):
        agewise.fit(decay, method="laplace", settings=settings, key=0)


def test_fifteen_readings_of_a_decay_with_another_term_are_not_called_noisy():
    """u' = -0.3 u - u²/2, fitted by u' = -k u: a decay of 0.7 follows most of it."""
    times = np.linspace(0.0, 5.0, 15)
    fade = np.exp(-0.3 * times)
    values = 0.6 * fade / (0.3 + (1 - fade)) + np.random.default_rng(0).normal(0, 0.03, 15)
    decay = agewise.Problem(
        equations={"decay": lambda u, t: agewise.partial(u, 0)(t) + u.k * u(t)},
        coordinates={"t": (0.0, 5.0)},
        constants={"k": agewise.LogNormal(1.0, 0.8)},
        readings={"gauge": agewise.Observations(times[:, None], values)},
    )
    settings = agewise.EquationSettings(attempts=1)
    with pytest.warns(agewise.UnsoundFit, match="follow a course"):
        agewise.fit(decay, method="laplace", settings=settings, key=0)

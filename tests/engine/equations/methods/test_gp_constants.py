"""A process leaves the constants of ordinary equations where readings have them."""

import numpy as np

import agewise


def test_a_process_does_not_pull_at_the_rate_of_a_decay():
    times = np.linspace(0.0, 6.0, 20)
    read = np.exp(-0.5 * times) + np.random.default_rng(1).normal(0, 0.05, 20)
    decay = agewise.Problem(
        equations={"decay": lambda u, p: agewise.partial(u, 0)(p) + u.k * u(p)},
        coordinates={"t": (0.0, 6.0)},
        constants={"k": agewise.LogNormal(0.5, 1.0)},
        readings={"probe": agewise.Observations(times[:, None], read, np.full(20, 0.05))},
    )
    mean, std = agewise.fit(decay, method="gp", key=0).constants["k"]
    # Least squares on the solution give 0.51 ± 0.027; amplitude and length by evidence gave 0.412.
    assert abs(mean - 0.509) < 0.015 and 0.02 < std < 0.04

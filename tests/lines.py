"""Straight lines that were read, whose fits tests share with all that is compiled for them.

Most of the time of a small fit goes into compiling it. Another fit of the same line, by networks of
the same size, finds its programs compiled, however many steps it takes.
"""

from functools import cache

import numpy as np

import agewise

NOISE = 0.05
SMALL = agewise.EquationSettings(
    hidden=(8, 8),
    steps=60,
    lead_steps=20,
    turns=2,
    single_start=True,
    attempts=1,
    members=3,
    draws=100,
    index=12,
    index_width=8,
    index_steps=10,
    dropout_steps=4,
    waves=50,
    samples=200,
)
"""Networks and searches that are soon done."""


WAVES = ("exact", "nuts", "hmc")
"""Methods that make functions of waves; others make them of networks."""


def same_programs(method: str) -> str:
    """The group of tests that fit a line by functions of one kind, whatever the method makes of
    the most probable one: what finds that is compiled once."""
    return f"{'waves' if method in WAVES else 'networks'}, any equation"


@cache
def line() -> agewise.Problem:
    """A straight line, u'' = 0, read at 25 random places: its posterior is that of regression."""
    rng = np.random.default_rng(3)
    places = np.sort(rng.uniform(0.0, 2.0, 25))
    values = 0.3 + 0.8 * places + rng.normal(0, NOISE, 25)
    return agewise.Problem(
        equations={"straight": lambda u, p: agewise.second_partial(u, 0)(p)},
        coordinates={"x": (0.0, 2.0)},
        readings={"gauge": agewise.Observations(places[:, None], values, np.full(25, NOISE))},
    )


def regression(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the least-squares line at places."""
    read = line().observations()["gauge"]
    design, rows = np.vander(np.asarray(read.points)[:, 0], 2), np.vander(x, 2)
    covariance = np.linalg.inv(design.T @ design) * NOISE**2
    best = np.linalg.lstsq(design, np.asarray(read.values), rcond=None)[0]
    return rows @ best, np.sqrt(np.einsum("ij,jk,ik->i", rows, covariance, rows))

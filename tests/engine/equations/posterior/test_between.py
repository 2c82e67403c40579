"""What only readings tell may not run far beyond them from one reading to the next."""

import jax.numpy as jnp
import numpy as np
import pytest

import agewise
from agewise.engine.equations.posterior.between import between, beyond_finding, told_by_readings
from agewise.engine.equations.posterior.check import prior_finding
from agewise.engine.fit import UnsoundFit

BOX = np.array([[0.0], [1.0]])
PLACES = np.linspace(0.0, 1.0, 10)[:, None]
PECLET = 50.0


def transport(u, p):
    """What a flow of this Peclet number carries away, less what diffuses there."""
    return agewise.partial(u, 0)(p) - agewise.second_partial(u, 0)(p) / PECLET


def flow() -> agewise.Problem:
    """A substance in a flow between two walls, of whose source ten readings are known."""
    source = 1 + np.sin(2 * np.pi * PLACES[:, 0])
    return agewise.Problem(
        equations={"end": lambda u, p: u(p)},
        coordinates={"x": (0.0, 1.0)},
        places={"end": [{"x": 0.0}, {"x": 1.0}]},
        readings={"source": agewise.Observations(PLACES, source, np.full(10, 0.05), transport)},
    )


def test_a_boundary_layer_that_is_taken_for_a_spike_of_its_source_is_a_finding():
    # 99 % off with z 121, the source -20 between two readings of 1: it counted as sound.
    with pytest.warns(UnsoundFit, match="Between its readings, .* 'source' goes to"):
        agewise.fit(
            flow(), method="laplace", settings=agewise.EquationSettings(attempts=1, turns=1)
        )


def test_waves_that_are_fast_enough_leave_open_what_no_reading_tells():
    # Slower waves were likelier by evidence, and wrong: z 14, with a spike of nine spreads.
    middle = agewise.fit(flow(), method="exact").predict([0.5])
    assert abs(middle.mean[0] - 0.5 - 1 / np.pi) < 2 * np.sqrt(middle.epistemic[0])


def test_points_lie_between_neighbours_alone():
    inner = between(PLACES[2:8:1], BOX)
    assert not len(inner)  # six readings are few
    points = between(np.concatenate([PLACES[:5], PLACES[7:]]), BOX)
    assert points.min() > 0 and points.max() < 1
    # The hole where two are left out is no place between neighbours.
    assert not np.any((points > PLACES[4]) & (points < PLACES[7]))


@pytest.mark.parametrize(
    ("peak", "found"), [(1.9, False), (2.1, True), (-0.9, False), (-1.1, True)]
)
def test_more_than_their_whole_spread_beyond_readings_is_too_far(peak: float, found: bool):
    points, read = np.array([[0.1], [0.3]]), np.linspace(0.0, 1.0, 10)
    said = beyond_finding("probe", points, np.array([0.5, peak]), read)
    assert (said is not None) == found
    assert said is None or "(at 0.3)" in said


def test_what_equations_tell_may_lie_anywhere_between_readings():
    assert told_by_readings(flow())
    law = agewise.Problem(
        equations={"law": lambda u, p: transport(u, p) - jnp.exp(-p[0])},
        coordinates={"x": (0.0, 1.0)},
        readings={"probe": agewise.Observations(PLACES, PLACES[:, 0])},
    )
    assert not told_by_readings(law)


def test_where_nothing_is_read_nobody_is_told_to_read_more():
    said = prior_finding(3.0, 3, exact=True)
    assert said is not None and "stiff" in said and "readings" not in said
    assert prior_finding(6.0, 3, exact=True) is None

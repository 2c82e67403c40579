"""The rest of the oil: what constants change is known to first order, and drives no rest."""

from dataclasses import replace

import inside_twin
import jax.numpy as jnp
import numpy as np

from agewise.assessment.calibration.tank_record import stated_tank
from agewise.engine.problems.unknowns import Unknowns
from agewise.transformer.oil.inverse.record import TankRecord
from agewise.transformer.oil.inverse.rest import OilRest, oil_rest

SHARES = {"conductivity": 1.0, "heat_transfer": -0.5, "volume": -0.5}
"""Departures of the constants from those of the known part, relative to each other."""
HEIGHTS = np.array([0.2, 0.5, 0.8])


def stated() -> tuple[TankRecord, OilRest]:
    """A day of a twin with sensors inside, whose volume is sought too."""
    twin = inside_twin.twin()
    _, record, prior = stated_tank(twin.profile, twin.nameplate, volume=True, hold="backward")
    return record, oil_rest(record, record.tank, prior)


def departed(rest: OilRest, size: float) -> dict[str, float]:
    """Constants that depart so far from those of the known part."""
    return {name: getattr(rest.tank, name) * (1 + size * share) for name, share in SHARES.items()}


def test_only_products_of_departures_drive_the_rest():
    _, rest = stated()
    points = [jnp.array([x, t]) for x in HEIGHTS for t in (10.0, 17.3)]

    def forcing(size: float) -> np.ndarray:
        # Of a rest of zero the residual is what drives it.
        unknowns = Unknowns({"u": lambda xt: 0.0 * xt[0]}, departed(rest, size))
        return np.array([rest.residuals()["interior"](unknowns, point) for point in points])

    assert np.abs(forcing(0.0)).max() < 1e-6
    np.testing.assert_allclose(forcing(0.02), 4 * forcing(0.01), rtol=0.05, atol=1e-6)


def test_constants_move_the_oil_as_its_equation_says():
    record, rest = stated()
    other = departed(rest, 0.02)
    rows = np.array([600, 1000, 1400])
    solved, known = (
        record.oil(tank, HEIGHTS)[:, rows] for tank in (replace(rest.tank, **other), rest.tank)
    )
    points = [[x, record.seconds[row] / 3600] for x in HEIGHTS for row in rows]
    moved = rest.moved({name: np.array([value]) for name, value in other.items()}, points)
    np.testing.assert_allclose(moved[0], (solved - known).ravel(), atol=6e-3)
    assert np.abs(moved).max() > 0.1

"""The twin's truth: clean top oil, and the oil between clean ends."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from jaxtyping import Float

from agewise.errors import InputError
from agewise.transformer.iec60076 import ThermalConstants, top_oil
from agewise.transformer.oil.reference import NO_DEPARTURE, Departure, oil_temperature
from agewise.transformer.oil.tank import Tank
from agewise.twin.weather import smooth_noise
from agewise.units import SECONDS_PER_HOUR

Series = Float[np.ndarray, " time"]
"""Numbers by minute."""

HEIGHTS = 51
"""Number of heights of the truth, equally spaced."""
ELEMENTS = 50
"""Number of finite elements, of second degree: each height of the truth is a node."""

DISTURBANCE_K, DISTURBANCE_H = 1.0, 3.0
"""Standard deviation [K] and correlation time [h] of a disturbance of the top oil, so that no
method wins by knowing the generator."""

MISMATCH_RMS = 2.0
"""Root mean square by which a mismatch of 1 moves the oil between its ends [K]."""
MISMATCH = Departure(velocity=2e-5, growth=0.02)
"""Its direction, scaled to that size: oil that rises a metre in 14 hours, and a conductivity that
grows by 2 % a kelvin."""
MISMATCH_SEARCH = 8.0
"""Largest factor on that direction; beyond, the field saturates."""
SEARCH_STEP = 20
"""Stride in rows of the search for that factor, which needs no fine solution."""


def true_top_oil(
    constants: ThermalConstants,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    ambient: Float[np.ndarray, " time"],
    *,
    cooling_loss: float,
    rng: np.random.Generator,
) -> Float[np.ndarray, " time"]:
    """Top oil by IEC 60076-7 plus a slow disturbance [°C].

    Args:
        constants: Constants of the unit.
        seconds: Times of the rows [s], 0 at the beginning of the window; negative before.
        load: Load [p.u.].
        ambient: Temperature of the air [°C].
        cooling_loss: Share of the cooling that is lost from the middle of the window on.
        rng: Random numbers of the disturbance.
    """
    lost_row = cooling_lost_row(seconds)
    oil = cooled_top_oil(
        constants, seconds, load, ambient, cooling_loss=cooling_loss, lost_row=lost_row
    )
    slow = DISTURBANCE_H * SECONDS_PER_HOUR
    return oil + smooth_noise(seconds, std=DISTURBANCE_K, correlation_time_s=slow, rng=rng)


def cooled_top_oil(
    constants: ThermalConstants,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    ambient: Float[np.ndarray, " time"],
    *,
    cooling_loss: float,
    lost_row: int,
) -> Float[np.ndarray, " time"]:
    """Top oil by IEC 60076-7 [°C] of a unit that loses a share of its cooling at a row.

    With a heat transfer h left of 1, the same losses raise the oil by 1/h as much, and its time
    constant, heat capacity over heat transfer, is longer by the same factor.
    """
    oil = top_oil(constants, seconds, load, ambient)
    if cooling_loss:
        left = 1 - cooling_loss
        poorer = replace(
            constants,
            top_oil_rise=constants.top_oil_rise / left,
            oil_time_constant=constants.oil_time_constant / left,
        )
        later = (seconds[lost_row:], load[lost_row:], ambient[lost_row:])
        # Heat does not jump: the oil goes on from where it is when the cooling is lost.
        oil[lost_row:] = top_oil(poorer, *later, start=float(oil[lost_row]))
    return oil


@dataclass(frozen=True, eq=False)
class Ends:
    """The oil's two ends, and what heats and cools it between them."""

    seconds: Series
    """Times of the rows [s]."""
    load: Series
    """Load at these times [p.u.]."""
    air: Series
    """Temperature of the air that cools the tank [°C]."""
    bottom: Series
    """Temperature of the oil at the bottom [°C]."""
    top: Series
    """Temperature of the oil at the top [°C]."""

    def rows(self, rows: slice) -> "Ends":
        """Some of the rows."""
        return Ends(*(getattr(self, field.name)[rows] for field in fields(self)))

    def solution(self, tank: Tank, **options: Any) -> Float[np.ndarray, "time height"]:
        """The reference solution between the ends [°C]."""
        series = (self.seconds, self.load, self.bottom, self.top)
        return oil_temperature(tank, *series, air=self.air, **options).temperature


def true_bottom(air: Series, top: Series, *, offset: float) -> Series:
    """Oil at the bottom [°C]: warmer than the air by a share of what the top is."""
    return air + offset * (top - air) if offset else air


def true_oil(
    tank: Tank, ends: Ends, *, mismatch: float, cooling_loss: float
) -> Float[np.ndarray, "time height"]:
    """Oil temperature between clean ends [°C], by the reference solver.

    Args:
        tank: Constants of the heat equation.
        ends: The ends, the load and the air.
        mismatch: Size of the departure from the heat equation; 0 for none.
        cooling_loss: Share of the cooling that is lost from the middle of the window on.
    """
    # Elements of second degree have a node in their middle, which is solved for but not kept.
    nodes = np.linspace(0.0, tank.height, 2 * ELEMENTS + 1)
    departure = _scaled_departure(tank, ends, mismatch) if mismatch else NO_DEPARTURE
    mesh = {"heights": nodes, "elements": ELEMENTS, "degree": 2, "departure": departure}
    if not cooling_loss:
        return ends.solution(tank, **mesh)[:, ::2]
    half = cooling_lost_row(ends.seconds)
    # Both parts have the row at which the cooling is lost, which is kept once.
    before = ends.rows(slice(half + 1)).solution(tank, **mesh)
    poorer = replace(tank, heat_transfer=tank.heat_transfer * (1 - cooling_loss))
    after = ends.rows(slice(half, None)).solution(poorer, start=before[-1], **mesh)
    return np.concatenate([before, after[1:]])[:, ::2]


def cooling_lost_row(seconds: Float[np.ndarray, " time"]) -> int:
    """The first row with less cooling: the middle of the window, whatever came before it."""
    return int(np.searchsorted(seconds, seconds[-1] / 2))


def _scaled_departure(tank: Tank, ends: Ends, mismatch: float) -> Departure:
    """The departure, so large that it moves the oil inside by the root mean square asked for."""
    coarse = ends.rows(slice(None, None, SEARCH_STEP))
    # One step of the solver a row: otherwise it would refine the coarse rows again.
    longest = float(np.diff(coarse.seconds).max())
    # Without the ends, which no departure moves.
    inside = np.linspace(0.0, tank.height, 22)[1:-1]

    def solution(size: float) -> np.ndarray:
        departure = Departure(MISMATCH.velocity * size, MISMATCH.growth * size)
        mesh = {"heights": inside, "elements": 21, "departure": departure}
        return coarse.solution(tank, **mesh, longest_step=longest)

    base = solution(0.0)

    def excess(size: float) -> float:
        return float(np.sqrt(np.mean((solution(size) - base) ** 2))) - MISMATCH_RMS * mismatch

    # The root must lie in between: the excess is negative at 0, so it has to be positive here.
    if excess(MISMATCH_SEARCH) < 0:
        raise InputError(
            f"So short or cool a window cannot be moved by {MISMATCH_RMS * mismatch:g} K.",
            hint="make it longer, or the mismatch smaller.",
        )
    from scipy.optimize import brentq  # takes longer to load than most twins, which obey, to make

    size = brentq(excess, 0.0, MISMATCH_SEARCH, xtol=5e-3)
    return Departure(MISMATCH.velocity * size, MISMATCH.growth * size)

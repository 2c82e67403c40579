"""The constant load that may be held in the hours ahead at a stated risk of passing a limit."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float

from agewise.transformer.iec60076 import ThermalConstants

Binding = Literal["hot spot", "top oil", "current"]
"""What keeps the permitted load from being higher."""
BINDING: dict[str, str] = {
    "hot spot": "the hot spot's limit binds",
    "top oil": "the top oil's limit binds",
    "current": "the guide's limit of the current binds",
}
"""The same in words."""
TOLERANCE = 1e-4
"""Accuracy of a permitted load [p.u.]."""
LAGS = ("top_oil_lag", "winding_lag", "slow_lag")
"""Properties of `ThermalConstants` that say how fast the present state is forgotten."""


@dataclass(frozen=True)
class Ceiling:
    """Limits of temperatures and load."""

    top_oil: float
    """Highest top-oil temperature [°C]."""
    hot_spot: float
    """Highest hot-spot temperature [°C]."""
    load: float
    """Highest load [p.u.], whatever the temperatures."""


@dataclass(frozen=True)
class Permit:
    """A load that may be held, and what keeps it from being higher."""

    load: float
    """Load [p.u.]; 0 where the risk is exceeded even without load."""
    binding: Binding
    """What would be passed first by a higher load."""
    risk: float
    """Share of draws in which a temperature passes its limit under that load."""


@dataclass(frozen=True, eq=False)
class Ahead:
    """The hours ahead in draws: constants of the guide, the present state and the model's error.

    The guide's top oil goes on from its own present value, not from the measured one; the error
    makes up for the difference, from the first instant on.
    """

    constants: Sequence[ThermalConstants]
    """Constants of the guide, one set a draw or one for all draws."""
    top_oil: Float[np.ndarray, " draw"]
    """Top oil at present by the guide's model [°C]."""
    winding_part: Float[np.ndarray, " draw"]
    """Winding part of the hot spot's rise at present [K]."""
    oil_part: Float[np.ndarray, " draw"]
    """Oil part of the hot spot's rise at present, which is subtracted [K]."""
    seconds: Float[np.ndarray, " time"]
    """Instants ahead, counted from the present [s]."""
    error: Float[np.ndarray, "draw time"]
    """True minus modelled top oil at these instants [K]."""

    def peaks(
        self, load: float, ambient: float, steps: int | None = None
    ) -> tuple[Float[np.ndarray, " draw"], Float[np.ndarray, " draw"]]:
        """Highest top oil and highest hot spot in every draw [°C], under a constant load.

        Args:
            load: Load [p.u.], held.
            ambient: Air temperature [°C], held.
            steps: Number of instants that count, from the first on; all if None.
        """
        # Under a constant load every lag is an exponential in closed form. A search for the load
        # comes here again and again, so all that does not depend on the load is cached below.
        instants, unit = slice(steps), self._columns
        losses = (1 + unit["loss_ratio"] * load**2) / (1 + unit["loss_ratio"])
        rise = unit["top_oil_rise"] * losses ** unit["oil_exponent"]
        gradient = unit["gradient"] * load ** unit["winding_exponent"]
        # The error is in what is left: it does not depend on the load.
        oil = (ambient + rise) * self._oil_gone[:, instants] + self._oil_left[:, instants]
        top = oil.max(axis=1)
        # From here on the array becomes the hot spot, in place.
        # The highest top oil need not be at the same instant as the highest hot spot.
        oil += gradient * self._winding_gone[:, instants]
        oil += self._winding_left[:, instants]
        return top, oil.max(axis=1)

    @cached_property
    def _columns(self) -> dict[str, Float[np.ndarray, "_ 1"]]:
        """Every constant as a column over the draws; one that does not vary has a single row, so
        that its exponentials are worked out once."""
        names = [field.name for field in fields(ThermalConstants)] + list(LAGS)
        columns = {}
        for name in names:
            column = np.array([[getattr(constants, name)] for constants in self.constants])
            columns[name] = column[:1] if (column == column[0]).all() else column
        return columns

    def _left(self, lag: str) -> Float[np.ndarray, "_ time"]:
        """Share of the present state that is left at every instant."""
        return np.exp(-self.seconds / self._columns[lag])

    @cached_property
    def _oil_gone(self) -> Float[np.ndarray, "_ time"]:
        """Share of the way to its steady value that the top oil has gone at every instant."""
        return 1 - self._left("top_oil_lag")

    @cached_property
    def _oil_left(self) -> Float[np.ndarray, "draw time"]:
        """What is left of the present top oil, and the model's error [°C]."""
        return self.top_oil[:, None] * self._left("top_oil_lag") + self.error

    @cached_property
    def _winding_gone(self) -> Float[np.ndarray, "_ time"]:
        """Share of the steady gradient that a rise from zero has reached at every instant."""
        k21 = self._columns["k21"]
        return k21 * (1 - self._left("winding_lag")) - (k21 - 1) * (1 - self._left("slow_lag"))

    @cached_property
    def _winding_left(self) -> Float[np.ndarray, "draw time"]:
        """What is left of the hot spot's present rise [K]."""
        winding = self.winding_part[:, None] * self._left("winding_lag")
        return winding - self.oil_part[:, None] * self._left("slow_lag")


def permit(
    ahead: Ahead, ambient: float, ceiling: Ceiling, risk: float, *, steps: int | None = None
) -> Permit:
    """The highest constant load at which temperatures pass their limits in `risk` of the draws.

    By bisection: every draw gets hotter with the load, so that the share grows with it.

    Args:
        ahead: The hours ahead in draws.
        ambient: Air temperature [°C], held.
        ceiling: Limits that must not be passed.
        risk: Probability of passing a temperature limit that is accepted.
        steps: Number of instants that count, from the first on; all if None.
    """

    def excess(load: float) -> tuple[float, float]:
        # The quantile is above zero where more than `risk` of the draws pass a limit. Unlike that
        # share, it changes continuously with the load.
        top, hot = ahead.peaks(load, ambient, steps)
        beyond = np.maximum(top - ceiling.top_oil, hot - ceiling.hot_spot)
        return float(np.quantile(beyond, 1 - risk)), float((beyond > 0).mean())

    low, high = 0.0, ceiling.load
    beyond, share = excess(high)
    if beyond <= 0:
        return Permit(high, "current", share)
    while high - low > TOLERANCE:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle)[0] <= 0 else (low, middle)
    # The lower bound is the answer: under it the risk was kept, or it is zero.
    # Each limit by its own quantile: the one that is nearer is what binds.
    top, hot = (np.quantile(peak, 1 - risk) for peak in ahead.peaks(low, ambient, steps))
    nearer_hot_spot = hot - ceiling.hot_spot >= top - ceiling.top_oil
    return Permit(low, "hot spot" if nearer_hot_spot else "top oil", excess(low)[1])


def permitted_loads(
    ahead: Ahead,
    ambients: Sequence[float],
    durations: Sequence[int],
    ceiling: Ceiling,
    risk: float,
) -> list[list[Permit]]:
    """Permits for each of the ambients [°C] (rows) and durations (columns).

    A duration is a number of instants of `ahead`.
    """
    return [
        [permit(ahead, ambient, ceiling, risk, steps=steps) for steps in durations]
        for ambient in ambients
    ]

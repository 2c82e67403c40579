"""The load that the hours ahead permit: no limit is passed but at a stated risk."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Literal

import numpy as np
from jaxtyping import Float

from agewise.transformer.iec60076 import ThermalConstants

Binding = Literal["hot spot", "top oil", "current"]
"""What keeps the permitted load from being higher."""
TOLERANCE = 1e-4
"""Accuracy of a permitted load [p.u.]."""
LAGS = ("top_oil_lag", "winding_lag", "slow_lag")
"""Lags of `ThermalConstants` over which the present is forgotten."""


@dataclass(frozen=True)
class Ceiling:
    """What must not be passed."""

    top_oil: float
    """Highest top-oil temperature [°C]."""
    hot_spot: float
    """Highest hot-spot temperature [°C]."""
    load: float
    """Highest load [p.u.], whatever the temperatures."""


@dataclass(frozen=True)
class Permit:
    """A load that may be held, and why not more."""

    load: float
    """Load [p.u.]; 0 where the risk is exceeded even without load."""
    binding: Binding
    """What would be passed first by a higher load."""
    risk: float
    """Share of draws in which a temperature passes its limit under that load."""


@dataclass(frozen=True, eq=False)
class Ahead:
    """The hours ahead in draws: what the guide needs, where all stands now, and its error to come.

    The guide's top oil goes on from where the guide itself has it; what was measured is that plus
    the first of the error.
    """

    constants: Sequence[ThermalConstants]
    """Constants of the guide, one set a draw or one for all draws."""
    top_oil: Float[np.ndarray, " draw"]
    """Top oil at present by the guide's model [°C]."""
    winding_part: Float[np.ndarray, " draw"]
    """Winding part of the hot spot's rise at present [K]."""
    oil_part: Float[np.ndarray, " draw"]
    """Oil part of that rise at present, which is subtracted [K]."""
    seconds: Float[np.ndarray, " time"]
    """Instants ahead, counted from the present [s]."""
    error: Float[np.ndarray, "draw time"]
    """True minus modelled top oil at these instants [K]."""

    def peaks(
        self, load: float, ambient: float, steps: int | None = None
    ) -> tuple[Float[np.ndarray, " draw"], Float[np.ndarray, " draw"]]:
        """°C: the highest top oil and hot spot under a constant load and ambient, in every draw.

        With `steps`, of so many of the instants only.
        """
        kept, unit = slice(steps), self._columns
        losses = (1 + unit["loss_ratio"] * load**2) / (1 + unit["loss_ratio"])
        rise = unit["top_oil_rise"] * losses ** unit["oil_exponent"]
        gradient = unit["gradient"] * load ** unit["winding_exponent"]
        oil = (ambient + rise) * self._oil_gone[:, kept] + self._oil_left[:, kept]
        top = oil.max(axis=1)
        oil += gradient * self._winding_gone[:, kept]
        oil += self._winding_left[:, kept]
        return top, oil.max(axis=1)

    @cached_property
    def _columns(self) -> dict[str, Float[np.ndarray, "_ 1"]]:
        """Every constant as a column; columns in which nothing varies have one row."""
        names = [field.name for field in fields(ThermalConstants)] + list(LAGS)
        columns = {}
        for name in names:
            column = np.array([[getattr(one, name)] for one in self.constants])
            columns[name] = column[:1] if (column == column[0]).all() else column
        return columns

    def _left(self, lag: str) -> Float[np.ndarray, "_ time"]:
        """The share of the present that is left at every instant."""
        return np.exp(-self.seconds / self._columns[lag])

    @cached_property
    def _oil_gone(self) -> Float[np.ndarray, "_ time"]:
        return 1 - self._left("top_oil_lag")

    @cached_property
    def _oil_left(self) -> Float[np.ndarray, "draw time"]:
        return self.top_oil[:, None] * self._left("top_oil_lag") + self.error

    @cached_property
    def _winding_gone(self) -> Float[np.ndarray, "_ time"]:
        """Of the gradient's steady value, what is there at every instant."""
        k21 = self._columns["k21"]
        return k21 * (1 - self._left("winding_lag")) - (k21 - 1) * (1 - self._left("slow_lag"))

    @cached_property
    def _winding_left(self) -> Float[np.ndarray, "draw time"]:
        winding = self.winding_part[:, None] * self._left("winding_lag")
        return winding - self.oil_part[:, None] * self._left("slow_lag")


def permit(
    ahead: Ahead, ambient: float, ceiling: Ceiling, risk: float, *, steps: int | None = None
) -> Permit:
    """The highest constant load at which temperatures pass their limits in `risk` of the draws.

    By bisection: every draw gets hotter with the load, so that the share grows with it.
    """

    def excess(load: float) -> tuple[float, float]:
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
    """Permits over ambients (rows) and durations, each given as a number of instants."""
    return [
        [permit(ahead, ambient, ceiling, risk, steps=steps) for steps in durations]
        for ambient in ambients
    ]

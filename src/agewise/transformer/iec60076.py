"""IEC 60076-7:2018, the loading guide: top oil, hot spot and ageing of one transformer.

Times are in seconds, temperatures in °C, rises in K, loads in p.u. of the rated current.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from agewise.errors import InputError
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.ageing.registry import DEFAULT_LAW
from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.lag import Scheme, lagged
from agewise.units import SECONDS_PER_MINUTE


@dataclass(frozen=True)
class ThermalConstants:
    """What IEC 60076-7 needs to know of a transformer (8.2)."""

    oil_time_constant: float
    """Time constant of the oil, tau_o [s]."""
    winding_time_constant: float
    """Time constant of the winding, tau_w [s]."""
    top_oil_rise: float
    """Steady rise of the top oil over the air at rated load [K]."""
    gradient: float
    """Hot spot over top oil at rated load [K]: hot-spot factor times winding gradient."""
    loss_ratio: float
    """Load losses at rated load over no-load losses, R [1]."""
    oil_exponent: float
    """Exponent x of the total losses in the top-oil rise [1]."""
    winding_exponent: float
    """Exponent y of the load in the hot-spot gradient [1]."""
    k11: float
    """Factor on the oil's time constant in the lag of the top oil [1]."""
    k21: float
    """Factor on the gradient in the winding's part of the hot-spot rise; the oil's part, which is
    subtracted, has the factor k21 - 1 [1]."""
    k22: float
    """Factor on the winding's time constant, and divisor of the oil's, in the hot spot [1]."""

    @property
    def top_oil_lag(self) -> float:
        """Time constant with which the top oil follows load and air, k11 tau_o [s]."""
        return self.k11 * self.oil_time_constant

    @property
    def winding_lag(self) -> float:
        """Time constant of the winding's part of the hot-spot rise, k22 tau_w [s]."""
        return self.k22 * self.winding_time_constant

    @property
    def slow_lag(self) -> float:
        """Time constant of the oil's part of the hot-spot rise, tau_o / k22 [s]."""
        return self.oil_time_constant / self.k22

    def top_oil_target(self, load: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
        """Steady top-oil rise at a load, ((1 + R K²)/(1 + R))^x times the rated rise [K]."""
        losses = (1 + self.loss_ratio * load**2) / (1 + self.loss_ratio)
        return self.top_oil_rise * losses**self.oil_exponent

    def with_load_losses(self, factor: float) -> "ThermalConstants":
        """The same unit in a tap that has `factor` times the load losses, on the same base of load.

        The losses $1 + R f K^2$ heat the oil as before, and are those at rated load for $K = 1$.
        """
        ratio = factor * self.loss_ratio
        rise = self.top_oil_rise * ((1 + ratio) / (1 + self.loss_ratio)) ** self.oil_exponent
        # As they are where nothing changes, without the rounding of a quotient.
        return self if factor == 1 else replace(self, loss_ratio=ratio, top_oil_rise=rise)

    def gradient_target(self, load: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
        """Steady rise of the hot spot over the top oil at a load, G K^y [K]."""
        return self.gradient * load**self.winding_exponent


@dataclass(frozen=True)
class ThermalHistory:
    """The plain answer of IEC 60076-7 at every row of a profile.

    Examples:
        >>> import agewise
        >>> history = agewise.iec_answer("demo/profile.csv", "demo/nameplate.toml")
        >>> float(history.loss_of_life[0])  # h, from the first row on
        0.0
    """

    top_oil: Float[np.ndarray, " time"]
    """Top-oil temperature, measured or modelled [°C]."""
    hot_spot: Float[np.ndarray, " time"]
    """Temperature of the hottest place of the winding [°C]."""
    ageing_rate: Float[np.ndarray, " time"]
    """Hours of life that an hour at this temperature uses [1]."""
    loss_of_life: Float[np.ndarray, " time"]
    """Life used since the first row [h]."""


def thermal_history(
    constants: ThermalConstants,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    ambient: Float[np.ndarray, " time"],
    *,
    measured_top_oil: Float[np.ndarray, " time"] | None = None,
    law: AbstractAgeingLaw = DEFAULT_LAW,
    hold: Hold = "backward",
    scheme: Scheme = "exact",
    start_top_oil: float | None = None,
    start_hot_spot_rise: float | None = None,
    oil_load: Float[np.ndarray, " time"] | None = None,
) -> ThermalHistory:
    """Top oil, hot spot, ageing rate and loss of life at every sample, by IEC 60076-7.

    Args:
        constants: Thermal constants of the unit.
        seconds: Instants of the samples [s], increasing.
        load: Load at these instants [p.u.].
        ambient: Air temperature at these instants [°C]; not used where the top oil was measured.
        measured_top_oil: Top oil at these instants [°C]; modelled from load and air if None.
        law: Law by which the paper ages.
        hold: Interval that a sample of the load stands for.
        scheme: How lags are followed from sample to sample.
        start_top_oil: Modelled top oil at the first instant [°C]; steady for its load if None.
        start_hot_spot_rise: Hot spot over top oil at the first instant [K]; steady if None.
        oil_load: Load that heats the oil at these instants [p.u.]; the load itself if None.

    Returns:
        The history, of the length of `seconds`; loss of life counts from the first sample.
    """
    oil = measured_top_oil
    if oil is None:
        heating = load if oil_load is None else oil_load
        oil = top_oil(
            constants, seconds, heating, ambient, start=start_top_oil, hold=hold, scheme=scheme
        )
    rise = hot_spot_rise(
        constants, seconds, load, start=start_hot_spot_rise, hold=hold, scheme=scheme
    )
    hot_spot = oil + rise
    rate = law.rate(hot_spot)
    return ThermalHistory(oil, hot_spot, rate, loss_of_life(seconds, rate, axis=0))


def top_oil(
    constants: ThermalConstants,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    ambient: Float[np.ndarray, " time"],
    *,
    start: float | None = None,
    hold: Hold = "backward",
    scheme: Scheme = "exact",
) -> Float[np.ndarray, " time"]:
    r"""Top-oil temperature [°C] from load [p.u.] and ambient [°C] (8.2.3).

    Without `start` [°C] the oil is steady for the first load and ambient.

    $k_{11}\tau_o\,\dot\Theta_o = ((1+RK^2)/(1+R))^x\,\Delta\Theta_{or} - (\Theta_o - \Theta_a)$
    """
    target = constants.top_oil_target(interval_load(load, hold))
    if start is None:
        # The first load whatever the hold: nothing is known of the time before the first row.
        start = float(ambient[0] + constants.top_oil_target(load[:1])[0])
    if scheme == "difference":
        _refuse_long_steps(constants, seconds)
    # Losses jump with a held load; the air does not, and enters as a ramp.
    return lagged(seconds, target, constants.top_oil_lag, start, scheme, ramp=ambient)


def hot_spot_rise(
    constants: ThermalConstants,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    *,
    start: float | None = None,
    hold: Hold = "backward",
    scheme: Scheme = "exact",
) -> Float[np.ndarray, " time"]:
    r"""Hot spot over top oil [K], $\Delta\Theta_{h1} - \Delta\Theta_{h2}$ (8.2.3).

    Without `start` [K] the rise is steady for the first load [p.u.].
    """
    winding, oil = hot_spot_parts(constants, seconds, load, start=start, hold=hold, scheme=scheme)
    return winding - oil


def hot_spot_parts(
    constants: ThermalConstants,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    *,
    start: float | None = None,
    hold: Hold = "backward",
    scheme: Scheme = "exact",
) -> tuple[Float[np.ndarray, " time"], Float[np.ndarray, " time"]]:
    r"""The winding's part and the oil's part of the hot-spot rise [K] (8.2.3).

    $k_{22}\tau_w\,\dot H_1 = k_{21} G K^y - H_1$ and
    $(\tau_o/k_{22})\,\dot H_2 = (k_{21}-1) G K^y - H_2$. A given start is shared between the two
    parts as at steady state.
    """
    target = constants.gradient_target(interval_load(load, hold))
    if start is None:
        start = float(constants.gradient_target(load[:1])[0])
    if scheme == "difference":
        _refuse_long_steps(constants, seconds)
    # Both parts follow the same target, so each lag starts from it and is weighed afterwards.
    fast, slow = constants.k21, constants.k21 - 1
    winding = lagged(seconds, target, constants.winding_lag, start, scheme)
    oil = lagged(seconds, target, constants.slow_lag, start, scheme)
    return fast * winding, slow * oil


def _refuse_long_steps(constants: ThermalConstants, seconds: np.ndarray) -> None:
    lags = (constants.winding_lag, constants.slow_lag, constants.top_oil_lag)
    longest = float(np.diff(seconds).max(initial=0.0)) / SECONDS_PER_MINUTE
    # Half of tau_w is the guide's own bound; a step above a lag would overshoot its target.
    allowed = min(constants.winding_time_constant / 2, *lags) / SECONDS_PER_MINUTE
    if longest > allowed:
        raise InputError(
            f"The difference scheme needs steps of at most {allowed:g} min here (half the winding "
            f"time constant, and no lag), but there is a step of {longest:g} min.",
            hint="use the exact scheme, which takes any step.",
        )

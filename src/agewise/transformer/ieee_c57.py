"""IEEE C57.91-2011, clause 7: top oil, hottest spot, ageing and loss of life of one transformer.

The constants are those of IEC 60076-7 with k11 = k21 = k22 = 1, with IEEE's exponents: n for the
oil, and 2m for the winding. Times are in seconds, temperatures in °C, rises in K, loads in p.u.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.ageing.ieee import IEEE_LAWS, AverageWindingRise
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.between_samples import Hold, interval_load
from agewise.transformer.cooling_defaults import Cooling
from agewise.transformer.iec60076 import ThermalConstants, ThermalHistory, hot_spot_rise

HOT_SPOT_RISE: dict[AverageWindingRise, float] = {65: 80.0, 55: 65.0}
"""Rise of the hottest spot over the air at rated load by the average winding rise, where nobody
measured it [K] (7.2)."""
STEADY = 1e-6
"""Relative distance from its target below which a rise is steady: there the quotient in the time
constant would be 0/0, and its limit is taken."""


@dataclass(frozen=True)
class Exponents:
    """Exponents of clause 7 for a kind of cooling (7.2)."""

    oil: float
    """Exponent n of the total losses in the top-oil rise [1]."""
    winding: float
    """Exponent m of the squared load in the rise of the hottest spot over the top oil [1]."""


EXPONENTS: dict[Cooling, Exponents] = {
    "ONAN": Exponents(oil=0.8, winding=0.8),
    "ONAF": Exponents(oil=0.9, winding=0.8),
    "OF": Exponents(oil=0.9, winding=0.8),
    "OD": Exponents(oil=1.0, winding=1.0),
}
"""Exponents by cooling; OF is forced and not directed, OD is directed."""


def ieee_history(
    constants: ThermalConstants,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    ambient: Float[np.ndarray, " time"],
    *,
    winding_rise: AverageWindingRise = 65,
    measured_top_oil: Float[np.ndarray, " time"] | None = None,
    hold: Hold = "backward",
    start_top_oil: float | None = None,
    start_hot_spot_rise: float | None = None,
    oil_load: Float[np.ndarray, " time"] | None = None,
) -> ThermalHistory:
    """Top oil, hottest spot, ageing and loss of life at every sample, by IEEE C57.91, clause 7.

    Args:
        constants: Constants of the unit, with k11 = k21 = k22 = 1.
        seconds: Instants of the samples [s], increasing.
        load: Load at these instants [p.u.].
        ambient: Air temperature at these instants [°C]; not used where the top oil was measured.
        winding_rise: Average winding rise for which the insulation was built [K].
        measured_top_oil: Top oil at these instants [°C]; modelled from load and air if None.
        hold: Interval that a sample of the load stands for.
        start_top_oil: Modelled top oil at the first instant [°C]; steady for its load if None.
        start_hot_spot_rise: Hot spot over top oil at the first instant [K]; steady if None.
        oil_load: Load that heats the oil at these instants [p.u.]; the load itself if None.

    Returns:
        The history, of the length of `seconds`; its ageing rate is the factor FAA.
    """
    oil = measured_top_oil
    if oil is None:
        # Only the rise is followed here, so that the air of the first instant comes off a given
        # oil.
        start = None if start_top_oil is None else start_top_oil - float(ambient[0])
        heating = load if oil_load is None else oil_load
        oil = ambient + top_oil_rise(constants, seconds, heating, start=start, hold=hold)
    # With all k at 1, IEC's two parts of the rise become IEEE's one.
    hot_spot = oil + hot_spot_rise(constants, seconds, load, start=start_hot_spot_rise, hold=hold)
    factor = IEEE_LAWS[winding_rise].rate(hot_spot)
    return ThermalHistory(oil, hot_spot, factor, loss_of_life(seconds, factor, axis=0))


def top_oil_rise(
    constants: ThermalConstants,
    seconds: Float[np.ndarray, " time"],
    load: Float[np.ndarray, " time"],
    *,
    start: float | None = None,
    hold: Hold = "backward",
) -> Float[np.ndarray, " time"]:
    r"""Rise of the top oil over the air [K], one step of the load after the other (7.2).

    $\Delta\Theta_{TO} = (\Delta\Theta_U - \Delta\Theta_i)(1 - e^{-t/\tau}) + \Delta\Theta_i$.
    The air is added to it without a lag: that is the clause's model, and not IEC's. Every row is a
    step, so that minutes of a constant load follow the equation behind the corrected time constant,
    while one long row has the clause's exponential.
    """
    targets = constants.top_oil_target(interval_load(load, hold))
    # The first load whatever the hold: nothing is known of the time before the first row.
    rise = float(constants.top_oil_target(load[:1])[0]) if start is None else start
    rises = [rise]
    for target, step in zip(targets.tolist(), np.diff(seconds).tolist(), strict=True):
        # Taken anew in every row, since it depends on how far the rise still has to go.
        time_constant = top_oil_time_constant(constants, rise, target)
        rise = target + (rise - target) * math.exp(-step / time_constant)
        rises.append(rise)
    return np.array(rises)


def top_oil_time_constant(constants: ThermalConstants, initial: float, ultimate: float) -> float:
    r"""Time constant of the top oil between two rises [K], corrected for n other than 1 [s] (7.2).

    $\tau = \tau_R\,(u - i)/(u^{1/n} - i^{1/n})$, $u$ and $i$ being the ultimate and the initial
    rise over the rated one.
    """
    power, rated = 1 / constants.oil_exponent, constants.top_oil_rise
    if power == 1:
        return constants.oil_time_constant
    # Oil that is colder than the air, as it may be given at a start, has no power.
    after, before = ultimate / rated, max(initial / rated, 0.0)
    if abs(after - before) <= STEADY * after:
        # The limit of the quotient below as both rises meet: one over the derivative of u^(1/n).
        return constants.oil_time_constant / (power * after ** (power - 1))
    return constants.oil_time_constant * (after - before) / (after**power - before**power)

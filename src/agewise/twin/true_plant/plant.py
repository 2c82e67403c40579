"""The true plant: what happens in the window of a twin, without any noise."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.plant.nameplate import Nameplate
from agewise.twin.settings import WARM_UP, TwinSettings
from agewise.twin.true_plant.layers import stratified
from agewise.twin.true_plant.oil import Ends, true_bottom, true_oil, true_top_oil
from agewise.twin.true_plant.surroundings import Surroundings
from agewise.twin.true_plant.winding import true_rise


@dataclass(frozen=True, eq=False)
class TruePlant:
    """What truly happened in the window, minute by minute."""

    times: pd.DatetimeIndex
    """Every minute of the window, in local time."""
    seconds: Float[np.ndarray, " time"]
    """Seconds from the beginning of the window."""
    load: Float[np.ndarray, " time"]
    """True load of every minute [p.u.]."""
    air: Float[np.ndarray, " time"]
    """Temperature of the air at the unit [°C]."""
    air_error: Float[np.ndarray, " time"]
    """What the air's thermometer shows too much, besides its noise [K]."""
    oil: Float[np.ndarray, "time height"]
    """Temperature of the oil at 51 heights from bottom to top [°C]."""
    hot_spot: Float[np.ndarray, " time"]
    """Temperature of the winding in the top oil [°C]."""


def true_plant(settings: TwinSettings, nameplate: Nameplate, around: Surroundings) -> TruePlant:
    """The plant with these constants in these surroundings."""
    # Negative during the warm-up: the window begins at 0.
    seconds = (around.times - around.times[WARM_UP]).total_seconds().to_numpy()
    top = true_top_oil(
        nameplate.thermal_constants(),
        seconds,
        around.load,
        around.air,
        cooling_loss=settings.cooling_loss,
        rng=settings.stream("top oil"),
    )
    series = (seconds, around.load, around.air, top)
    seconds, load, air, top = (values[WARM_UP:] for values in series)
    bottom = true_bottom(air, top, offset=settings.bottom_offset)
    solved = true_oil(
        nameplate.oil_tank(),
        Ends(seconds, load, air, bottom, top),
        mismatch=settings.mismatch,
        cooling_loss=settings.cooling_loss,
    )
    layers = settings.stream("layers")
    oil = stratified(solved, strength=settings.stratification, rng=layers)
    # The winding forgets within minutes, and begins steady in the window itself.
    hot_spot = oil[:, -1] + true_rise(nameplate, seconds, load)
    error = around.air_error[WARM_UP:]
    return TruePlant(around.times[WARM_UP:], seconds, load, air, error, oil, hot_spot)

"""Readings: what the sensors of a made plant show, and the table that its logger writes."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.plant.sensors import sensor_column
from agewise.twin.noise import noise_law
from agewise.twin.settings import TwinSettings
from agewise.twin.true_plant.oil import HEIGHTS
from agewise.twin.true_plant.plant import TruePlant

INTERIOR = (0.2, 0.4, 0.6, 0.8)
"""Heights of the sensors inside the oil, as fractions of the tank's."""
NOISE_FLOOR = 1e-3
"""Smallest noise of a sensor [K]: no sensor is perfect, and a likelihood needs a scale."""
TEMPERATURE_DECIMALS, LOAD_DECIMALS = 4, 5
"""Decimals of temperatures [°C] and loads [p.u.] in the profile: far finer than the noise."""

Readings = dict[str, Float[np.ndarray, " time"]]
"""What the sensors show, by the name of their column in a profile: temperatures [°C]."""


def noise_std(settings: TwinSettings, plant: TruePlant) -> Float[np.ndarray, "time height"]:
    """Standard deviation of a thermometer's noise at each minute and height of the oil [K]."""
    return _std(settings, plant, plant.oil, np.linspace(0.0, 1.0, HEIGHTS))


def readings(
    settings: TwinSettings, plant: TruePlant, std: Float[np.ndarray, "time height"]
) -> Readings:
    """What the thermometers show, also those that the profile will not have.

    Args:
        settings: The twin, for its random numbers.
        plant: What truly happened.
        std: Standard deviation of the noise at each minute and height of the oil [K].
    """
    columns = {1.0: "top_oil"} | {share: sensor_column(share) for share in INTERIOR}
    # Sensors stand at heights of the truth, so that nothing is interpolated.
    rows = {share: round(share * (HEIGHTS - 1)) for share in columns}
    shown = {
        columns[share]: plant.oil[:, row] + std[:, row] * _noise(settings, f"{share}", plant)
        for share, row in rows.items()
    }
    return shown | {
        # Twins began with one thermometer at the bottom, that of the air: it has its numbers.
        "ambient": _noisy(settings, plant, plant.air, 0.0, "0.0") + plant.air_error,
        "bottom_oil": _noisy(settings, plant, plant.oil[:, 0], 0.0, "bottom"),
        "winding": _noisy(settings, plant, plant.hot_spot, 1.0, "winding"),
    }


def profile_frame(settings: TwinSettings, plant: TruePlant, shown: Readings) -> pd.DataFrame:
    """The profile's table: what the plant would have written."""
    # Loads are magnitudes, so noise cannot make them negative.
    error = settings.load_noise * settings.stream("load noise").normal(size=plant.load.size)
    names = ["ambient", "top_oil"]
    names += ["bottom_oil"] if settings.bottom_oil else []
    names += ["winding"] if settings.winding else []
    names += [sensor_column(share) for share in INTERIOR] if settings.interior else []
    return pd.DataFrame(
        {
            "time": plant.times,
            "load": np.maximum(plant.load + error, 0.0).round(LOAD_DECIMALS),
            **{name: shown[name].round(TEMPERATURE_DECIMALS) for name in names},
        }
    )


def _std(
    settings: TwinSettings,
    plant: TruePlant,
    true: Float[np.ndarray, "time height"],
    shares: Float[np.ndarray, " height"],
) -> Float[np.ndarray, "time height"]:
    law = noise_law(settings.noise_law)
    return np.maximum(settings.noise * law(true, plant.seconds, shares), NOISE_FLOOR)


def _noisy(
    settings: TwinSettings,
    plant: TruePlant,
    true: Float[np.ndarray, " time"],
    share: float,
    sensor: str,
) -> Float[np.ndarray, " time"]:
    """The reading of a thermometer whose truth is given: the same law, numbers of its own."""
    std = _std(settings, plant, true[:, None], np.array([share]))[:, 0]
    return true + std * _noise(settings, sensor, plant)


def _noise(settings: TwinSettings, sensor: str, plant: TruePlant) -> Float[np.ndarray, " time"]:
    """Independent normal numbers of one sensor, of standard deviation 1."""
    return settings.stream(f"noise {sensor}").normal(size=plant.seconds.size)

"""The truth of a twin as a data set: what scoring needs and no method may see."""

import json
from dataclasses import asdict

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Float

from agewise.plant.field import field_dataset, with_units
from agewise.plant.nameplate import Nameplate
from agewise.plant.sensors import sensor_column
from agewise.plant.timeline import timeline
from agewise.twin.readings import INTERIOR, Readings
from agewise.twin.settings import TwinSettings
from agewise.twin.true_plant.oil import HEIGHTS
from agewise.twin.true_plant.plant import TruePlant
from agewise.twin.true_plant.surroundings import drawn_air_bias
from agewise.twin.true_plant.winding import true_life


def truth_dataset(
    settings: TwinSettings,
    nameplate: Nameplate,
    plant: TruePlant,
    std: Float[np.ndarray, "time height"],
    shown: Readings,
) -> xr.Dataset:
    """The truth on every minute and 51 heights, and the readings that methods may not see.

    Args:
        settings: What was asked for, so that a truth says how it was made.
        nameplate: The true constants of the unit.
        plant: What truly happened.
        std: Standard deviation of the noise at each minute and height [K].
        shown: What the thermometers show [°C], those inside the oil among them.
    """
    instants = timeline(pd.Series(plant.times), where="the twin")
    height = nameplate.oil_tank().height
    grid = np.linspace(0.0, height, HEIGHTS)
    fields = field_dataset(
        instants, instants.seconds, grid, {"oil_true": plant.oil, "noise_std": std}
    )
    inside = np.stack([shown[sensor_column(share)] for share in INTERIOR], axis=1)
    series = xr.Dataset(
        {
            "sensor": (("time", "sensor_height"), inside),
            "load_true": ("time", plant.load),
            "air_true": ("time", plant.air),
            "air_error_true": ("time", plant.air_error),
            "hot_spot_true": ("time", plant.hot_spot),
        },
        coords={"sensor_height": ("sensor_height", height * np.array(INTERIOR), {"units": "m"})},
    )
    return fields.merge(with_units(series)).assign_attrs(
        fields.attrs
        | {
            "settings": json.dumps(asdict(settings)),
            "true_air_bias_k": drawn_air_bias(settings),
        }
        | _true_figures(nameplate, plant, grid)
    )


def _true_figures(
    nameplate: Nameplate, plant: TruePlant, grid: Float[np.ndarray, " height"]
) -> dict[str, str | float]:
    """Attributes of a truth: the constants behind it, and what they make of the insulation."""
    constants = {name: quantity.mean for name, quantity in nameplate.thermal_quantities().items()}
    constants["tank.conductivity_w_per_mk"] = nameplate.tank.conductivity_w_per_mk.mean
    life = true_life(nameplate, plant.seconds, plant.load, plant.oil)
    return {
        "true_constants": json.dumps(constants),
        "true_bottom_share": nameplate.bottom_share().mean,
        "true_hot_spot_c": life.hot_spot_peak,
        "true_loss_of_life_h": life.loss_of_life,
        "true_worst_height_m": float(grid[life.worst_row]),
    }

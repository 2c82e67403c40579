"""Nameplates of a made fleet: from a pole's 100 kVA to a substation's 100 MVA."""

import datetime
from dataclasses import dataclass
from typing import Any

import numpy as np

from agewise.plant.nameplate import Nameplate
from agewise.transformer.cooling_defaults import DISTRIBUTION_LIMIT_KVA, Cooling, cooling_defaults
from agewise.twin.true_plant.nameplates import Deviation, printed_nameplate, true_nameplate

SIZES_KVA = (
    *(100.0, 160.0, 250.0, 400.0, 630.0, 1000.0, 1600.0, 2500.0),
    *(6300.0, 10_000.0, 16_000.0, 25_000.0, 40_000.0, 63_000.0, 100_000.0),
)
"""Ratings [kVA]: preferred numbers (ISO 3, R10), as makers offer them."""
NO_LOAD, LOAD = (18_000.0, 0.75), (120_000.0, 0.8)
"""Losses of a unit of 25 MVA [W], and the power of its rating with which they grow: similar units
of growing size follow 3/4; load losses so that the bundled cases lie on the line."""
REFERENCE_KVA = 25_000.0
"""Rating to which those losses belong [kVA], that of the case `aged-substation`."""
LOSS_SPREAD = 0.15
"""Relative standard deviation of losses among units of one rating: chosen."""
RISES_K, GRADIENTS_K = (42.0, 62.0), (14.0, 25.0)
"""Rated rises of the top oil and gradients of the hot spot that heat-run sheets show [K]."""
LARGEST_ERROR = 1.0
"""Largest error of a sheet, in the measure of `Deviation.error`: a rise up to 25 % off."""
LOST_FIELDS = (
    "oil.top_oil_rise_k",
    "oil.time_constant_min",
    "oil.exponent",
    "oil.k11",
    "winding.gradient_k",
    "winding.exponent",
    "winding.k21",
)
"""Fields that a sheet of an old unit may have lost."""
LOST = 0.3
"""Chance that one of them is lost, where a sheet is not whole."""
UPGRADED = 0.25
"""Share of units with thermally upgraded paper."""
OLDEST_YEARS = 45.0
"""Age of the oldest unit [years]."""
VOLTAGES_V = (400.0, 20_000.0)
"""Voltage of the side on which the current is measured, of distribution and of power units [V]."""


@dataclass(frozen=True)
class Sheets:
    """The two nameplates of a unit."""

    printed: Nameplate
    """The nameplate that its owner has, errors and all."""
    lost: tuple[str, ...]
    """Dotted names of the fields that the owner has lost."""
    true: Nameplate
    """The nameplate of the unit as it is."""
    age_years: float
    """Age on the first day of the window [years]."""


def drawn_sheets(name: str, latitude: float, start: str, rng: np.random.Generator) -> Sheets:
    """A unit's nameplates: another cooling, size, age and error each time."""
    size = float(rng.choice(SIZES_KVA))
    cooling = _cooling(size, rng)
    age = float(rng.uniform(0.5, OLDEST_YEARS))
    given = _fields(size, cooling, rng) | {
        "name": name,
        "site": {"latitude": latitude},
        "insulation": {"paper": "upgraded" if rng.random() < UPGRADED else "normal"},
        "history": {"commissioned": _commissioned(start, age)},
    }
    sheet = Nameplate.model_validate(given)
    is_complete = rng.random() < 0.5
    lost = () if is_complete else tuple(field for field in LOST_FIELDS if rng.random() < LOST)
    error = float(rng.uniform(0.0, LARGEST_ERROR))
    true = true_nameplate(sheet, Deviation(error), rng=rng)
    return Sheets(printed_nameplate(sheet, leave_out=lost), lost, true, age)


def _fields(size: float, cooling: Cooling, rng: np.random.Generator) -> dict[str, Any]:
    """Fields of a nameplate: the guide's constants by cooling, and a design of its own."""
    row = cooling_defaults(cooling, size)
    # Losses and times are positive, so that it is their logarithms that spread evenly.
    spread = np.exp(rng.normal(0.0, (LOSS_SPREAD, LOSS_SPREAD, 0.15, 0.15)))
    ratio = size / REFERENCE_KVA
    return {
        "rated_power_kva": size,
        # The truth value is an index: 0 for distribution units, 1 for power units.
        "rated_voltage_v": VOLTAGES_V[int(size > DISTRIBUTION_LIMIT_KVA)],
        "no_load_losses_w": round(NO_LOAD[0] * ratio ** NO_LOAD[1] * float(spread[0]), 0),
        "load_losses_w": round(LOAD[0] * ratio ** LOAD[1] * float(spread[1]), 0),
        "cooling": cooling,
        "oil": {
            "time_constant_min": round(row.oil_time_constant_min * float(spread[2]), 1),
            "top_oil_rise_k": round(float(rng.uniform(*RISES_K)), 1),
            "exponent": row.oil_exponent,
            "k11": row.k11,
        },
        "winding": {
            "time_constant_min": round(row.winding_time_constant_min * float(spread[3]), 1),
            "gradient_k": round(float(rng.uniform(*GRADIENTS_K)), 1),
            "exponent": row.winding_exponent,
            "k21": row.k21,
            "k22": row.k22,
        },
    }


def _cooling(size: float, rng: np.random.Generator) -> Cooling:
    """A cooling that is built at a rating: fans from some MVA on, pumps on the largest."""
    if size <= DISTRIBUTION_LIMIT_KVA:
        return "ONAN"
    kinds: tuple[Cooling, ...] = ("ONAN", "ONAF") if size < 40_000 else ("ONAF", "OF", "OD")
    return kinds[int(rng.integers(len(kinds)))]


def _commissioned(start: str, age_years: float) -> datetime.date:
    return datetime.date.fromisoformat(start) - datetime.timedelta(days=round(365.25 * age_years))

"""Units of load, temperature and time, and their conversion to p.u., °C and seconds."""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.errors import InputError

UNITS: dict[str, dict[str, tuple[str, ...]]] = {
    "load": {
        "p.u.": ("pu", "perunit", "1"),
        "%": ("%", "pct", "percent", "perc", "prozent", "porcentaje", "pourcent", "percento"),
        "A": ("a", "amp", "amps", "ampere", "amperes", "amperios", "amperio", "arms"),
        "kA": ("ka",),
        "kVA": ("kva",),
        "MVA": ("mva",),
        "kW": ("kw",),
        "MW": ("mw",),
        "kvar": ("kvar",),
        "Mvar": ("mvar",),
    },
    "temperature": {
        "°C": ("c", "celsius", "centigrade", "grad", "gradc"),
        "°F": ("f", "fahrenheit"),
        "K": ("k", "kelvin"),
    },
    "time": {
        "min": ("min", "mins", "minute", "minutes", "minuten", "minutos", "minuti"),
        "s": ("s", "sec", "secs", "second", "seconds", "sekunden", "segundos", "secondes"),
        "h": ("h", "hr", "hrs", "hour", "hours", "stunden", "horas", "heures", "ore"),
    },
}
"""How units are written, without accents, dots, spaces and degree signs."""

SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}
LACKING = ("kW", "MW", "kvar", "Mvar")
"""Active or reactive power alone does not give the current."""
FAHRENHEIT_ZERO, FAHRENHEIT_STEP = 32.0, 1.8
KELVIN_ZERO = 273.15
KELVIN_ABOVE, CODES_ABOVE = 200.0, 900.0
"""Temperatures that are all above the first are kelvin; beyond the second are codes."""
LARGEST_LOAD = 5.0
"""p.u. that half of the loads may not exceed: that is percent, ampere or power."""
PERCENT_RANGE = (50.0, 200.0)
"""What can be meant by a rated load in percent."""


@dataclass(frozen=True)
class Rated:
    """What 1 p.u. of load is."""

    power_kva: float | None = None
    current_a: float | None = None

    def of(self, unit: str) -> float | None:
        """The rated load in a unit, None where it is not known."""
        if unit == "%":
            return 100.0
        known = self.current_a if unit in ("A", "kA") else self.power_kva
        return known if known is None or unit in ("A", "kVA") else known / 1000


def measure(role: str) -> str:
    """What a role measures: `load`, `time` or `temperature`."""
    return role if role in ("load", "time") else "temperature"


def unit_of(text: str, kind: str) -> str | None:
    """The unit of a kind that a text names, as `degC` names °C; None when it names none."""
    plain = unit_word(text)
    return next((unit for unit, words in UNITS[kind].items() if plain in words), None)


def unit_word(text: str) -> str:
    """A unit without accents, dots, brackets, spaces and degree signs, in small letters."""
    plain = unicodedata.normalize("NFKD", re.sub("Â?[°º˚]", "", text)).lower()
    plain = re.sub(r"[^a-z0-9%]", "", plain)
    return re.sub(r"^deg(rees?)?(?=[cfk]|$)", "", plain)


def per_unit(
    values: Float[np.ndarray, " row"], unit: str, base: float | None, where: str
) -> Float[np.ndarray, " row"]:
    """Loads in p.u., where `base` is the rated load in their own unit."""
    if unit in LACKING:
        raise InputError(
            f"{where}: the load is in {unit}, which does not give the current.",
            hint="give the current in A, or the apparent power in kVA or MVA.",
        )
    if unit == "p.u.":
        return values
    if base is None:
        field = "rated_current_a" if unit in ("A", "kA") else "rated_power_kva"
        raise InputError(
            f"{where}: the load is in {unit}, but the rated load in {unit} is not known.",
            hint=f"give `rated_load` in {unit}, or {field} in the nameplate.",
        )
    low, high = PERCENT_RANGE
    if unit == "%" and not low <= base <= high:
        raise InputError(
            f"{where}: the load is in percent, but the rated load is given as {base:g}.",
            hint='leave `rated_load` out (100 % is the rated load), or say `units={"load": "A"}`.',
        )
    return values / base


def celsius(values: Float[np.ndarray, " row"], unit: str) -> Float[np.ndarray, " row"]:
    """Temperatures in °C."""
    if unit == "°F":
        return (values - FAHRENHEIT_ZERO) / FAHRENHEIT_STEP
    return values - KELVIN_ZERO if unit == "K" else values


def seems_kelvin(values: Float[np.ndarray, " row"]) -> bool:
    """Whether temperatures without a unit can only be kelvin, codes for no value set aside."""
    readings = values[np.isfinite(values) & (np.abs(values) < CODES_ABOVE) & (values != 0)]
    return bool(readings.size and (readings > KELVIN_ABOVE).all())


def refuse_large_loads(values: Float[np.ndarray, " row"], where: str) -> None:
    """Refuse loads without a unit that are too large to be p.u.; single codes do not matter."""
    readings = values[np.isfinite(values) & (values != 0)]
    if readings.size and np.median(readings) > LARGEST_LOAD:
        raise InputError(
            f"{where}: the median of the load is {np.median(readings):g}, which looks like percent "
            f"or ampere, not p.u.",
            hint='say `units={"load": "%"}` or `units={"load": "A"}` (or kA, kVA, MVA).',
        )

"""Units of load, temperature and time, and their conversion to p.u., °C and seconds."""

import math
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
    "state": {},
    "time": {
        "min": ("min", "mins", "minute", "minutes", "minuten", "minutos", "minuti"),
        "s": ("s", "sec", "secs", "second", "seconds", "sekunden", "segundos", "secondes"),
        "h": ("h", "hr", "hrs", "hour", "hours", "stunden", "horas", "heures", "ore"),
    },
}
"""Spellings of each unit by kind, as `unit_word` leaves them: no accents, dots or degree signs."""

SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}
"""Seconds in each unit of time."""
ACTIVE_UNITS, REACTIVE_UNITS = ("kW", "MW"), ("kvar", "Mvar")
"""Units of active and of reactive power."""
LACKING = (*ACTIVE_UNITS, *REACTIVE_UNITS)
"""Units of power that alone do not give the current."""
FAHRENHEIT_ZERO, FAHRENHEIT_STEP = 32.0, 1.8
"""Reading of a Fahrenheit scale at 0 °C [°F], and its degrees in one kelvin."""
KELVIN_ZERO = 273.15
"""Absolute temperature at 0 °C [K]."""
CURRENT_AGREEMENT = 0.1
"""Relative difference above which a rated current contradicts rated power and voltage: nameplates
round, and give voltages with and without load."""
KELVIN_ABOVE, CODES_ABOVE = 200.0, 900.0
"""A column whose numbers all exceed the first is in kelvin; numbers from the second on are codes
for missing values, such as 999 and -9999."""
LARGEST_FLAG = 5.0
"""Largest number of a column of whole states, as 0 and 1 for an alarm; a winding is warmer [°C]."""
LARGEST_LOAD = 5.0
"""Median load above which a column cannot be in p.u. [p.u.]: it is percent, ampere or power."""
PERCENT_RANGE = (50.0, 200.0)
"""Smallest and largest number that can be meant as a rated load in percent [%]."""


@dataclass(frozen=True)
class WindingRating:
    """What a winding is rated for, and how much it heats the oil."""

    weight: float
    """Load losses at its rated current over those of the unit [1]."""
    current_a: float | None = None
    """Rated current [A], None where it is not known."""
    power_kva: float | None = None
    """Rated power [kVA], None where it is not known."""

    def of(self, unit: str) -> float | None:
        """The rated load of this winding in a unit, None where it is not known."""
        return Rated(self.power_kva, self.current_a).of(unit)


@dataclass(frozen=True)
class Rated:
    """What 1 p.u. of load is."""

    power_kva: float | None = None
    """Rated power [kVA], None where it is not known."""
    current_a: float | None = None
    """Rated current [A], None where it is not known."""
    windings: tuple[WindingRating, ...] = ()
    """Windings with loads of their own, in the order of their columns; none for a single load."""

    @classmethod
    def of_unit(
        cls, power_kva: float, *, current_a: float | None = None, voltage_v: float | None = None
    ) -> "Rated":
        r"""What 1 p.u. is of a three-phase unit, $I = S / (\sqrt 3\,U)$ where no current is given.

        Args:
            power_kva: Rated power [kVA].
            current_a: Rated current on the side where the load is measured [A], if it is known.
            voltage_v: Voltage between two lines on that side [V], if it is known.

        Raises `ValueError` where the current is not the one that power and voltage give.
        """
        if voltage_v is None:
            return cls(power_kva, current_a)
        implied = 1000 * power_kva / (math.sqrt(3) * voltage_v)
        if current_a is not None and abs(current_a / implied - 1) > CURRENT_AGREEMENT:
            raise ValueError(
                f"rated_current_a is {current_a:g}, but rated_power_kva and rated_voltage_v give "
                f"{implied:.4g} A for three phases, as if they were those of two sides; give one "
                f"of them"
            )
        return cls(power_kva, implied if current_a is None else current_a)

    def of(self, unit: str) -> float | None:
        """The rated load in a unit, None where it is not known."""
        if unit == "%":
            return 100.0
        base = self.current_a if unit in ("A", "kA") else self.power_kva
        # kA and MVA are a thousand of the units in which ratings are kept.
        return base if base is None or unit in ("A", "kVA") else base / 1000


def measure(role: str) -> str:
    """What a role measures: `load`, `time`, `temperature`, or nothing but a `state`."""
    if role in ("cooling_stage", "tap", "oil_share"):
        return "state"
    return role if role in ("load", "time") else "temperature"


def unit_of(text: str, kind: str) -> str | None:
    """The unit of a kind that a text names, as `degC` names °C; None when it names none."""
    plain = unit_word(text)
    return next((unit for unit, words in UNITS[kind].items() if plain in words), None)


def unit_word(text: str) -> str:
    """A unit without accents, dots, brackets, spaces and degree signs, in small letters."""
    # `Â°` is a degree sign of UTF-8 that some program has read as Latin-1 and written again.
    plain = unicodedata.normalize("NFKD", re.sub("Â?[°º˚]", "", text)).lower()
    plain = re.sub(r"[^a-z0-9%]", "", plain)
    return re.sub(r"^deg(rees?)?(?=[cfk]|$)", "", plain)


def per_unit(
    values: Float[np.ndarray, " row"], unit: str, base: float | None, where: str
) -> Float[np.ndarray, " row"]:
    """Loads in p.u.

    Args:
        values: Loads in `unit`.
        unit: A key of `UNITS["load"]`.
        base: The rated load in the same unit, None where it is not known.
        where: What the file is called in errors.
    """
    if unit in LACKING:
        raise _lacking(unit, where)
    if unit == "p.u.":
        return values
    if base is None:
        ampere = unit in ("A", "kA")
        field = "rated_current_a or rated_voltage_v" if ampere else "rated_power_kva"
        raise InputError(
            f"{where}: the load is in {unit}, but the rated load in {unit} is not known.",
            hint=f"give `rated_load` in {unit}, or {field} in the nameplate.",
        )
    # A rated current that is given beside loads in percent would divide them by the wrong number.
    low, high = PERCENT_RANGE
    if unit == "%" and not low <= base <= high:
        raise InputError(
            f"{where}: the load is in percent, but the rated load is given as {base:g}.",
            hint='leave `rated_load` out (100 % is the rated load), or say `units={"load": "A"}`.',
        )
    return values / base


def _lacking(unit: str, where: str) -> InputError:
    """The refusal of active or reactive power alone, which the other one would complete."""
    active = unit in ACTIVE_UNITS
    other = "reactive power (Mvar or kvar)" if active else "active power (MW or kW)"
    only = (
        f" With {unit} alone and a power factor that hardly changes, say at how many {unit} the "
        f"unit is fully loaded: `rated_load`."
    )
    return InputError(
        f"{where}: the load is in {unit}, which does not give the current.",
        hint=f'name the {other} beside it, as `columns={{"load": "P+Q"}}`; or give the current in '
        f"A, or the apparent power in kVA or MVA.{only if active else ''}",
    )


def celsius(values: Float[np.ndarray, " row"], unit: str) -> Float[np.ndarray, " row"]:
    """Temperatures in °C."""
    if unit == "°F":
        return (values - FAHRENHEIT_ZERO) / FAHRENHEIT_STEP
    return values - KELVIN_ZERO if unit == "K" else values


def seems_kelvin(values: Float[np.ndarray, " row"]) -> bool:
    """Whether temperatures without a unit can only be kelvin; codes for no value do not count."""
    # Zero is left out too: an empty register of a logger reads so, in any unit.
    readings = values[np.isfinite(values) & (np.abs(values) < CODES_ABOVE) & (values != 0)]
    return bool(readings.size and (readings > KELVIN_ABOVE).all())


def seems_flag(values: Float[np.ndarray, " row"]) -> bool:
    """Whether numbers are states rather than temperatures: never below 0 nor above 5."""
    # In a hard winter an idle unit may be as cold, but then it is below 0 at times.
    readings = values[np.isfinite(values) & (np.abs(values) < CODES_ABOVE)]
    return bool(readings.size and (readings >= 0).all() and (readings <= LARGEST_FLAG).all())


def refuse_large_loads(
    values: Float[np.ndarray, " row"], where: str, *, suggests: str = ""
) -> None:
    """Refuse loads without a unit that are too large to be p.u.

    Args:
        values: Loads as the file has them.
        where: What the file is called in errors.
        suggests: What the name of the column speaks of, `current` or `power`; empty if of neither.
    """
    # The median, so that single codes for no value do not matter; without the zeros of times when
    # the unit is switched off, which could be more than half.
    readings = np.abs(values[np.isfinite(values) & (values != 0)])
    if not readings.size or np.median(readings) <= LARGEST_LOAD:
        return
    looks, likely = {
        "current": ("ampere", ("A", "kA")),
        "power": ("a power", ("MVA", "kVA", "MW", "kW")),
        "": ("percent or ampere", ("%", "A", "kA", "kVA", "MVA", "MW")),
    }[suggests]
    first, second, *rest = (f'`units={{"load": "{unit}"}}`' for unit in likely)
    others = f" (or {', '.join(likely[2:])})" if rest else ""
    raise InputError(
        f"{where}: the median of the load is {np.median(readings):g}, which looks like {looks}, "
        f"not p.u.",
        hint=f"say {first} or {second}{others}.",
    )

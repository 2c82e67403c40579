"""A nameplate in TOML with a comment on every field: what it is, and what holds if it is left out.

A field that was not given stands there behind a `#`, with the number that holds without it, or an
example where nothing does.
"""

import datetime
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import without_fields

HEAD = """\
# Nameplate of a transformer for agewise; docs/formats.md lists the ranges of its fields.
# A line behind a # is left out: take the # away to give it. Any number may also be given with its
# standard deviation, as { mean = 15.1, std = 1.5 }, where it is not known for sure. Stages of the
# cooling, losses by tap and windings with loads of their own go into tables [[cooling_stages]],
# [[taps]] and [[rated_windings]], see docs/formats.md.
"""


@dataclass(frozen=True)
class Entry:
    """One field of the file."""

    name: str
    """Dotted name, as `oil.k11`."""
    comment: str
    """What it is, with its unit, and what holds if it is left out."""
    example: str = ""
    """What stands behind the `#` where no default has a number; as TOML."""


BY_COOLING = "If left out: by cooling, IEC 60076-7."
ENTRIES = (
    Entry("name", "Name in reports. If left out: transformer.", '"T1"'),
    Entry("rated_power_kva", "Rated power of the cooling below [kVA]. Required."),
    Entry(
        "rated_voltage_v",
        "Rated voltage of the measured winding [V]. If left out: none.",
        "20000.0",
    ),
    Entry(
        "rated_current_a",
        "Rated current of the winding whose current is exported [A]. If left out: loads in A need "
        "--rated.",
        "722.0",
    ),
    Entry("no_load_losses_w", "No-load losses [W]. Required."),
    Entry("load_losses_w", "Load losses at rated power, without the no-load losses [W]. Required."),
    Entry("cooling", "As printed: ONAN, ONAF, OFAF, ODAF, ONAN/ONAF, ... If left out: ONAN."),
    Entry("standard", "iec (60076-7) or ieee (C57.91). If left out: iec.", '"iec"'),
    Entry("oil.time_constant_min", f"Time constant of the oil [min]. {BY_COOLING}"),
    Entry(
        "oil.top_oil_rise_k",
        "Top oil over air at rated load, from the test report [K]. If left out: 60, the limit that "
        "units are built to; measured top oil teaches it.",
    ),
    Entry("oil.exponent", f"Oil exponent x. {BY_COOLING}"),
    Entry("oil.k11", f"Constant k11. {BY_COOLING}"),
    Entry("oil.bottom_rise_k", "Bottom oil over air at rated load [K]. If left out: by cooling."),
    Entry("winding.time_constant_min", f"Time constant of the winding [min]. {BY_COOLING}"),
    Entry(
        "winding.gradient_k",
        "Hot spot over top oil at rated load: winding gradient times hot-spot factor [K]. It "
        f"decides most about the life. {BY_COOLING}",
    ),
    Entry("winding.exponent", f"Winding exponent y. {BY_COOLING}"),
    Entry("winding.k21", f"Constant k21. {BY_COOLING}"),
    Entry("winding.k22", f"Constant k22. {BY_COOLING}"),
    Entry("tank.height_m", "Height of the oil [m]. If left out: 1."),
    Entry(
        "tank.conductivity_w_per_mk", "Effective vertical conductivity [W/(m K)]. If left out: 10."
    ),
    Entry("tank.heat_capacity_j_per_m3k", "Heat capacity of oil [J/(m3 K)]. If left out: 1.653e6."),
    Entry(
        "tank.heat_transfer_w_per_m3k",
        "Oil to air [W/(m3 K)]. If left out: from the time constant.",
    ),
    Entry("tank.volume_m3", "Effective volume of oil [m3]. If left out: from losses and rise."),
    Entry("insulation.paper", "normal or upgraded (thermally). If left out: normal."),
    Entry(
        "insulation.life_hours",
        "Life at the law's reference temperature [h]. If left out: the law's.",
    ),
    Entry(
        "insulation.moisture_percent",
        "Water in the paper [%]. If left out: the standard's dry paper.",
        "2.0",
    ),
    Entry(
        "insulation.breathing",
        "sealed or free-breathing. If left out: not known, air does not count.",
        '"sealed"',
    ),
    Entry(
        "history.commissioned",
        "Date of commissioning. If left out, and no life_used_hours: the paper counts as new.",
        "1998-05-01",
    ),
    Entry(
        "history.life_used_hours",
        "Life used before the data begin [h]. If left out: guessed from commissioned.",
        "{ mean = 100000.0, std = 20000.0 }",
    ),
    Entry(
        "history.load_growth_percent_per_year",
        "Growth of the load [% a year]. If left out: 0 ± 0.5.",
        "0.0",
    ),
    Entry(
        "site.latitude",
        "Degrees north. If left out: seasons without data are not known.",
        "40.0",
    ),
    Entry(
        "site.monthly_air_c",
        "Mean air from January to December [°C]. If left out: by the latitude.",
        "[6, 7, 10, 12, 16, 22, 25, 25, 21, 15, 10, 7]",
    ),
    Entry(
        "ieee.average_winding_rise_k",
        "Average winding rise of the insulation, 65 or 55 [K]; for IEEE alone. If left out: 65, or "
        "55 with normal paper.",
        "65",
    ),
    Entry(
        "ieee.hot_spot_rise_k",
        "Hottest spot over air at rated load [K]. If left out: 80, or 65 for a rise of 55.",
        "80.0",
    ),
    Entry("ieee.oil_exponent", "Exponent n. If left out: by cooling, IEEE C57.91.", "0.8"),
    Entry("ieee.winding_exponent", "Exponent m. If left out: by cooling, IEEE C57.91.", "0.8"),
    Entry(
        "ieee.end_of_life",
        "Criterion of the end of life. If left out: functional life.",
        '"functional life"',
    ),
    Entry("ieee.life_hours", "Life at 110 or 95 °C [h]. If left out: by end_of_life.", "180000.0"),
    Entry(
        "evidence.degree_of_polymerisation",
        "Of a paper sample; with its day. If left out: not known.",
        "{ mean = 600.0, std = 60.0, date = 2024-05-01 }",
    ),
    Entry("evidence.furans_mg_per_kg", "2-FAL in the oil [mg/kg]. If left out: not known.", "0.5"),
    Entry("evidence.moisture_percent", "Water in the paper [%]. If left out: not known.", "2.0"),
    Entry("evidence.oxygen_ppm", "Oxygen in the oil [ppm]. If left out: not known.", "2000.0"),
)
"""Every field that an owner may give, in the order of the file."""


def commented_nameplate(given: Mapping[str, Any]) -> str:
    """The text of a nameplate: what was given, and every other field behind a `#`.

    Args:
        given: Values by their dotted names; rated power and losses are among them.

    Raises pydantic's `ValidationError` where the values make no nameplate.
    """
    unit = Nameplate.model_validate(_nested(given))
    return "\n".join([HEAD, *_lines(given, _defaults(unit))]) + "\n"


def _lines(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[str]:
    section = ""
    for entry in ENTRIES:
        own, _, field = entry.name.rpartition(".")
        if not own and field not in Nameplate.model_fields:
            continue
        if own != section:
            section = own
            yield f"\n[{section}]"
        yield f"# {entry.comment}"
        if entry.name in given:
            yield f"{field} = {_toml(given[entry.name])}"
        else:
            yield f"#{field} = {_toml(defaults.get(entry.name)) or entry.example}"


def _defaults(unit: Nameplate) -> dict[str, Any]:
    """What holds where nothing is given, by dotted names."""
    dumped = without_fields(unit.model_dump(exclude_none=True), ("name", "from_table"))
    flat = {
        f"{section}.{field}": value
        for section, fields in dumped.items()
        if isinstance(fields, dict)
        for field, value in fields.items()
    }
    tank = unit.oil_tank()
    rise = unit.bottom_share().mean * unit.oil.top_oil_rise_k.mean
    closed = {
        "oil.bottom_rise_k": float(f"{rise:.3g}"),
        "tank.heat_transfer_w_per_m3k": float(f"{tank.heat_transfer:.4g}"),
        "tank.volume_m3": float(f"{tank.volume:.4g}"),
    }
    return flat | closed | {"cooling": unit.cooling}


def _nested(given: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for name, value in given.items():
        section, _, field = name.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[field] = value
    return nested


def _toml(value: Any) -> str:
    """A value as TOML writes it; nothing for nothing."""
    if value is None:
        return ""
    if isinstance(value, datetime.date):
        return value.isoformat()
    # JSON's strings are TOML's; its numbers are too.
    return json.dumps(value, ensure_ascii=False)

"""A made fleet in files: a folder of folders, a catalogue, and the truth of every unit."""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from agewise.errors import InputError
from agewise.files import replacing, write_text
from agewise.plant.nameplate_file import write_nameplate
from agewise.plant.tables import write_table
from agewise.twin.faults import Fault, Injected, inject
from agewise.twin.fleet.dialects import DIALECTS
from agewise.twin.fleet.hopeless import HOPELESS
from agewise.twin.fleet.settings import FleetSettings
from agewise.twin.fleet.truth import life, record
from agewise.twin.fleet.unit import Lived, Unit, drawn_unit, window
from agewise.twin.noise import temperature_law

CATALOGUE, TRUTH = "fleet.csv", "truth.json"
"""Names of the two files beside the units' folders."""
LOGGER_FAULTS = (
    *("gap", "irregular", "spikes", "stuck", "sentinel", "missing", "duplicates", "unsorted"),
    *("interpolated", "range"),
)
"""Faults of a logger that a dirty file may have, from `agewise.twin.faults`."""
SCENARIOS = 0.4
"""Share of the units whose owner has a plan of the coming year."""
NOISE = (0.2, 0.8)
"""Factors on the thermometers' noise, of good and of poor ones."""
AIR_BIAS_K = 0.5
"""Standard deviation of the constant error of the air's thermometer [K]."""


@dataclass(frozen=True)
class Dirt:
    """What is wrong with a unit's files."""

    dialect: str = "plain"
    """How the profile is written, a key of `DIALECTS`."""
    faults: tuple[Fault, ...] = ()
    """Faults of the logger."""
    hopeless: str = ""
    """Why the files can only be refused, a key of `HOPELESS`; empty where they can be used."""


def write_fleet(settings: FleetSettings, directory: str | Path) -> list[dict[str, Any]]:
    """Write a made fleet, and return what is known of every unit, as `truth.json` holds it.

    Args:
        settings: How many units, how long, and how many of them ail.
        directory: An empty or a new folder.
    """
    folder = Path(directory)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder.", hint="choose another `directory`.")
    rows, records = [], []
    for number in range(settings.assets):
        unit = drawn_unit(settings, number)
        records.append(_written(settings, unit, folder / unit.id))
        rows.append(_row(unit, scenario=records[-1]["scenario"]))
    write_table(pd.DataFrame(rows), folder / CATALOGUE)
    known = {"settings": asdict(settings), "units": records}
    write_text(folder / TRUTH, json.dumps(known, indent=1) + "\n")
    return records


def _written(settings: FleetSettings, unit: Unit, folder: Path) -> dict[str, Any]:
    """Write the files of one unit; what there is to know about it."""
    lived = window(settings, unit)
    known = life(settings, unit, lived)
    dirt = _drawn_dirt(settings, unit)
    faults = settings.stream(unit.number, "faults")
    spoiled = inject(readings(settings, unit, lived), dirt.faults, rng=faults)
    folder.mkdir(parents=True)
    write_nameplate(known.printed, folder / "nameplate.toml", leave_out=unit.sheets.lost)
    with replacing(folder / "profile.csv") as temporary:
        temporary.write_bytes(DIALECTS[dirt.dialect].text(spoiled.frame, known.printed))
    planned = bool(settings.stream(unit.number, "scenario").random() < SCENARIOS)
    if planned:
        write_table(known.scenario, folder / "scenario.csv")
    if dirt.hopeless:
        HOPELESS[dirt.hopeless](folder)
    return record(unit, known.truth, _of_files(dirt, spoiled.injected, planned))


def readings(settings: FleetSettings, unit: Unit, lived: Lived) -> pd.DataFrame:
    """What the sensors of a unit show, row by row: load [p.u.], temperatures [°C].

    A load is the mean over the interval that ends at its time; a sensor that is gone shows nothing.
    """
    rng = settings.stream(unit.number, "noise")
    step = settings.step_min
    # From the end of the first interval on, since a load is the mean of the interval before.
    rows = np.arange(step, lived.load.size, step)
    factor, bias = rng.uniform(*NOISE), AIR_BIAS_K * rng.normal()
    temperatures = {"ambient": lived.air[rows] + bias, "top_oil": lived.top_oil[rows]}
    load = lived.load[1 : rows[-1] + 1].reshape(-1, step).mean(axis=1)
    frame = pd.DataFrame({"time": lived.times[rows], "load": load})
    for name, true in temperatures.items():
        std = factor * temperature_law(true[:, None], 60.0 * rows, np.ones(1))[:, 0]
        frame[name] = true + std * rng.normal(size=rows.size)
    if unit.incident.lasts("sensor gone"):
        gone = rows >= 1440 * unit.incident.day
        frame.loc[gone, unit.incident.column] = np.nan
    return frame


def _drawn_dirt(settings: FleetSettings, unit: Unit) -> Dirt:
    """What is wrong with the files of a unit."""
    rng = settings.stream(unit.number, "dirt")
    dirty, hopeless = rng.random() < settings.dirty, rng.random() < settings.hopeless
    # All is drawn before anything is decided, so that a larger share shifts no number.
    why, dialect = str(rng.choice(list(HOPELESS))), str(rng.choice(list(DIALECTS)))
    kinds = rng.choice(LOGGER_FAULTS, size=2, replace=False)
    severities, count = rng.integers(1, 3, size=2), int(rng.integers(0, 3))
    if hopeless:  # in plain form, so that one thing alone is wrong
        return Dirt(hopeless=why)
    if not dirty:
        return Dirt()
    faults = [Fault(str(k), int(s)) for k, s in zip(kinds, severities, strict=True)][:count]
    return replace(Dirt(dialect), faults=tuple(faults))


def _of_files(dirt: Dirt, injected: tuple[Injected, ...], planned: bool) -> dict[str, Any]:
    return {
        "dialect": dirt.dialect,
        "faults": [asdict(fault) for fault in injected],
        "hopeless": dirt.hopeless,
        "scenario": planned,
    }


def _row(unit: Unit, *, scenario: bool) -> dict[str, Any]:
    """A unit's row of the catalogue; paths are those below its folder."""
    return {
        "id": unit.id,
        "name": unit.sheets.printed.name,
        "site": unit.place,
        "nameplate": f"{unit.id}/nameplate.toml",
        "data": f"{unit.id}/profile.csv",
        "scenario": f"{unit.id}/scenario.csv" if scenario else "",
        "criticality": unit.criticality,
    }

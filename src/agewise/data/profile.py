"""The profile: what a plant measured, one row an instant."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.data.sensors import sensor_column, sensor_height
from agewise.data.tables import SEMICOLONS, read_table, write_table
from agewise.data.timeline import Timeline, timeline
from agewise.errors import InputError

REQUIRED = ("time", "load", "ambient")

TEMPERATURE_RANGE = (-60.0, 250.0)
"""°C that a sensor on a transformer can show; beyond is another unit, a code or a fault."""
LOAD_RANGE = (0.0, 5.0)
"""p.u. that a transformer can carry; beyond is percent, ampere, a sign or a fault."""


@dataclass(frozen=True)
class Profile:
    """Load [p.u.] and temperatures [°C] over time."""

    timeline: Timeline
    load: Float[np.ndarray, " time"]
    ambient: Float[np.ndarray, " time"]
    top_oil: Float[np.ndarray, " time"] | None
    interior: Mapping[float, Float[np.ndarray, " time"]]
    """Sensors inside the oil, by height as a fraction."""
    ignored: tuple[str, ...] = ()
    """Columns of the file that mean nothing here."""

    @property
    def seconds(self) -> Float[np.ndarray, " time"]:
        """Seconds from the first row."""
        return self.timeline.seconds

    def frame(self) -> pd.DataFrame:
        """The profile as a table, in the columns of its file format."""
        columns = {"time": self.timeline.labels, "load": self.load, "ambient": self.ambient}
        if self.top_oil is not None:
            columns["top_oil"] = self.top_oil
        inside = {sensor_column(height): values for height, values in self.interior.items()}
        return pd.DataFrame(columns | inside)


def read_profile(path: str | Path) -> Profile:
    """Read a profile, CSV or Parquet; whatever cannot be used is refused by line and column."""
    return profile_from(read_table(Path(path), text_columns=("time",)), where=str(path))


def write_profile(profile: Profile, path: Path) -> None:
    """Write a profile, CSV or Parquet by its suffix."""
    write_table(profile.frame(), path)


def profile_from(frame: pd.DataFrame, *, where: str = "the table") -> Profile:
    """A profile from a table with the columns of the file format."""
    for name in REQUIRED:
        if name not in frame:
            names = ", ".join(map(str, frame.columns)) or "no columns"
            semicolons = len(frame.columns) == 1 and ";" in names
            raise InputError(
                f"{where} lacks the column {name!r}.",
                hint=SEMICOLONS if semicolons else f"it has: {names}.",
            )
    if len(frame) < 2:
        raise InputError(
            f"{where} has too few rows: {len(frame)}, where at least 2 are needed.",
            hint="give it the measurements, one row an instant.",
        )
    heights = {str(name): sensor_height(str(name)) for name in frame}
    interior = {name: height for name, height in heights.items() if height is not None}
    if len(set(interior.values())) < len(interior):
        raise InputError(
            f"{where} has two sensors inside at one height: {', '.join(interior)}.",
            hint="rename or remove one of them.",
        )
    used = {*REQUIRED, "top_oil", *interior}
    return Profile(
        timeline=timeline(frame["time"], where=where),
        load=_numbers(frame["load"], LOAD_RANGE, "p.u.", where),
        ambient=_numbers(frame["ambient"], TEMPERATURE_RANGE, "°C", where),
        top_oil=(
            _numbers(frame["top_oil"], TEMPERATURE_RANGE, "°C", where)
            if "top_oil" in frame
            else None
        ),
        interior={
            height: _numbers(frame[name], TEMPERATURE_RANGE, "°C", where)
            for name, height in sorted(interior.items(), key=lambda item: item[1])
        },
        ignored=tuple(str(name) for name in frame if name not in used),
    )


def _numbers(
    column: pd.Series, allowed: tuple[float, float], unit: str, where: str
) -> Float[np.ndarray, " time"]:
    values = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    low, high = allowed
    bad = ~((values >= low) & (values <= high))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        given = column.iloc[row]
        cell = f"{where}, line {row + 2}, column {column.name!r}"
        if pd.isna(given) or str(given).strip() == "":
            raise InputError(f"{cell}: there is no value.", hint="fill or remove that row.")
        if np.isnan(values[row]):
            raise InputError(
                f"{cell}: {str(given)!r} is not a number.", hint="write numbers as 12.5."
            )
        percent = unit == "p.u." and high < values[row] <= 100 * high
        raise InputError(
            f"{cell}: {given} {unit} is outside {low:g} to {high:g}.",
            hint="if that is percent, divide by 100; if it is ampere, by the rated current."
            if percent
            else f"give values in {unit}, loads as magnitudes; remove codes for missing values.",
        )
    return values

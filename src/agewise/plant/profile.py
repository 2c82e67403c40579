"""The profile: what a plant measured, one row an instant."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.errors import InputError
from agewise.plant.measures import seems_flag
from agewise.plant.record import DataFinding
from agewise.plant.sensors import sensor_column, sensor_height
from agewise.plant.strict_numbers import LOAD_RANGE, TEMPERATURE_RANGE, strict_numbers
from agewise.plant.tables import SEMICOLONS
from agewise.plant.timeline import Timeline, timeline

REQUIRED = ("time", "load", "ambient")
"""Columns without which a table is no profile."""
DOUBTS = ("load_std", "ambient_std")
"""Columns of a stored profile that say how sure another one is."""
STATES = ("cooling_stage", "tap", "oil_share")
"""Columns that say how the unit was switched, and how its windings shared the load; they are no
readings of their own, and each value holds."""
STATE_RANGE = (-100.0, 100.0)
"""Lowest and highest number of a stage, a tap or a share."""
KNOWN_AIR_K = 3.0
"""Standard deviation up to which air that was not measured at the unit still says how far its oil
is above [K]: the guide's top oil is good to 2 K by itself."""
OPTIONAL = ("top_oil", "bottom_oil", "winding")
"""Temperatures that a profile may have besides sensors inside the oil, in the order of a file."""


@dataclass(frozen=True)
class Profile:
    """Load [p.u.] and temperatures [°C] over time; a temperature that nobody measured is NaN.

    `read_profile` makes one of a file, `profile_from` of a table.

    Examples:
        >>> import agewise
        >>> profile = agewise.read_profile("demo/profile.csv")
        >>> profile.seconds[:3].tolist()  # from the first row
        [0.0, 60.0, 120.0]
        >>> list(profile.frame().columns)
        ['time', 'load', 'ambient', 'top_oil']
    """

    timeline: Timeline
    """Instants of the rows, and how the file wrote them."""
    load: Float[np.ndarray, " time"]
    """Load factor, as a share of the rated current [p.u.]."""
    ambient: Float[np.ndarray, " time"]
    """Temperature of the air at the unit [°C]."""
    top_oil: Float[np.ndarray, " time"] | None
    """Temperature of the oil at the top of the tank [°C]; None where it is not measured."""
    interior: Mapping[float, Float[np.ndarray, " time"]]
    """Temperatures of sensors inside the oil [°C], by height as a fraction of the tank's."""
    bottom_oil: Float[np.ndarray, " time"] | None = None
    """Temperature of the oil at the bottom of the tank [°C]; None where it is not measured."""
    winding: Float[np.ndarray, " time"] | None = None
    """Reading of a winding temperature indicator, the hot spot [°C]; None where there is none."""
    ignored: tuple[str, ...] = ()
    """Names of the columns of the file that have no role and are not read."""
    load_std: Float[np.ndarray, " time"] | None = None
    """Standard deviation of a load that was filled in [p.u.]; None or 0 where it was measured."""
    ambient_std: Float[np.ndarray, " time"] | None = None
    """Standard deviation of an ambient that was not measured at the unit: a constant, or from a
    weather file [K]; None where it was measured."""
    cooling_stage: Float[np.ndarray, " time"] | None = None
    """Stage of the cooling that was on, 0 for the first; None where no column says so."""
    tap: Float[np.ndarray, " time"] | None = None
    """Position of the tap changer; None where no column says so."""
    oil_share: Float[np.ndarray, " time"] | None = None
    """Load that heats the oil over the load, where windings are loaded differently [1]."""
    findings: tuple[DataFinding, ...] = ()
    """What was found in the data, and done about it."""

    @property
    def seconds(self) -> Float[np.ndarray, " time"]:
        """Seconds from the first row."""
        return self.timeline.seconds

    @property
    def air_std(self) -> float:
        """Standard deviation of air that was not measured at the unit [K]; 0 where it was."""
        return 0.0 if self.ambient_std is None else float(np.sqrt(np.mean(self.ambient_std**2)))

    @property
    def air_known(self) -> bool:
        """Whether the air at the unit is known well enough to say how far the oil rises above."""
        return self.air_std <= KNOWN_AIR_K

    def between(self, first: int, last: int) -> "Profile":
        """The rows from `first` to `last`, both included, their seconds counted anew."""
        rows, own = slice(first, last + 1), self.timeline
        seconds, start = own.seconds[rows] - own.seconds[first], own.start
        if start is not None:
            start = start + pd.Timedelta(seconds=float(own.seconds[first]))
        labels = own.labels.iloc[rows].reset_index(drop=True)
        optional = {name: getattr(self, name) for name in (*OPTIONAL, *DOUBTS, *STATES)}
        # Findings stay as they are: they tell of the whole record, in rows of its file.
        return replace(
            self,
            timeline=Timeline(labels, seconds, start),
            load=self.load[rows],
            ambient=self.ambient[rows],
            interior={height: values[rows] for height, values in self.interior.items()},
            **{name: None if series is None else series[rows] for name, series in optional.items()},
        )

    def frame(self) -> pd.DataFrame:
        """The profile as a table, in the columns of its file format; empty where it is NaN."""
        columns = {"time": self.timeline.labels, "load": self.load, "ambient": self.ambient}
        columns |= {
            name: series
            for name in (*OPTIONAL, *STATES)
            if (series := getattr(self, name)) is not None
        }
        inside = {sensor_column(height): values for height, values in self.interior.items()}
        # Only a repaired profile has these columns, by which a reader knows that it was repaired.
        doubts = {name: std for name in DOUBTS if (std := getattr(self, name)) is not None}
        # A column of zeros says no more than none.
        return pd.DataFrame(columns | inside | {n: std for n, std in doubts.items() if std.any()})


def profile_from(frame: pd.DataFrame, *, where: str = "the table") -> Profile:
    """A profile of a table with the columns of the file format, every cell of it measured.

    Nothing is repaired here, and no name or unit is guessed: `read_profile` does that, of files and
    of tables alike.

    Args:
        frame: Columns `time` (zoned time stamps, or minutes), `load` [p.u.], `ambient` [°C] and,
            where they are measured, `top_oil`, `bottom_oil`, `winding` and sensors inside such as
            `oil@0.25` [°C].
        where: What the table is called in sentences about it.

    Returns:
        The profile.

    Raises:
        InputError: A column is missing, or a cell holds no number or one that is impossible.

    Examples:
        >>> import agewise, pandas
        >>> columns = {"time": [0, 10, 20], "load": [0.5, 0.6, 0.7], "ambient": [20.0, 20.5, 21.0]}
        >>> agewise.profile_from(pandas.DataFrame(columns)).seconds.tolist()
        [0.0, 600.0, 1200.0]
    """
    return _profile(frame, where, empty=False)


def stored_profile_from(frame: pd.DataFrame, *, where: str = "the table") -> Profile:
    """The profile whose `frame` was stored: empty temperatures and doubts as they were.

    Nothing is judged again. Findings are not part of a table.
    """
    return _profile(frame, where, empty=True)


def _profile(frame: pd.DataFrame, where: str, *, empty: bool) -> Profile:
    """The profile of a table; `empty` allows temperatures without a value, and `DOUBTS`."""
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
            hint="give a file with measurements, one row for each time.",
        )
    # `oil@0.5` and `oil@.50` are two names of one height.
    heights = {str(name): sensor_height(str(name)) for name in frame}
    interior = {name: height for name, height in heights.items() if height is not None}
    if len(set(interior.values())) < len(interior):
        raise InputError(
            f"{where} has two sensors inside at one height: {', '.join(interior)}.",
            hint="rename or remove one of them.",
        )
    stored = [name for name in DOUBTS if empty and name in frame]
    measured = [name for name in OPTIONAL if name in frame]
    if not empty and "winding" in frame and seems_flag(_readable(frame["winding"])):
        measured.remove("winding")  # the contact of an alarm, which has the same name
    states = [name for name in STATES if name in frame]
    used = {*REQUIRED, *measured, *interior, *stored, *states}

    def optional(name: str) -> Float[np.ndarray, " time"] | None:
        return temperatures(name) if name in measured else None

    def temperatures(name: str) -> Float[np.ndarray, " time"]:
        return strict_numbers(frame[name], TEMPERATURE_RANGE, "°C", where, empty=empty)

    def state(name: str) -> Float[np.ndarray, " time"] | None:
        return strict_numbers(frame[name], STATE_RANGE, "", where) if name in states else None

    return Profile(
        timeline=timeline(frame["time"], where=where),
        load=strict_numbers(frame["load"], LOAD_RANGE, "p.u.", where),
        ambient=temperatures("ambient"),
        top_oil=optional("top_oil"),
        bottom_oil=optional("bottom_oil"),
        winding=optional("winding"),
        interior={
            height: temperatures(name)
            # By height, whatever the order of the columns.
            for name, height in sorted(interior.items(), key=lambda item: item[1])
        },
        ignored=tuple(str(name) for name in frame if name not in used),
        load_std=strict_numbers(frame["load_std"], LOAD_RANGE, "p.u.", where)
        if "load_std" in stored
        else None,
        ambient_std=temperatures("ambient_std") if "ambient_std" in stored else None,
        cooling_stage=state("cooling_stage"),
        tap=state("tap"),
        oil_share=state("oil_share"),
    )


def _readable(column: pd.Series) -> Float[np.ndarray, " time"]:
    """A column as numbers, NaN where a cell is none."""
    return pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan)

"""Columns that say how a unit was switched: no rule of quality judges them; each value holds."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from jaxtyping import Float

from agewise.plant.profile import STATES, Profile
from agewise.plant.record import Record

States = Mapping[str, Float[np.ndarray, " row"]]
"""Columns of states by name."""


def without_states(record: Record) -> tuple[Record, States]:
    """A record with readings alone, and its states."""
    states = {name: record.columns[name] for name in STATES if name in record.columns}
    readings = {name: values for name, values in record.columns.items() if name not in states}
    return replace(record, columns=readings), states


def with_states(profile: Profile, record: Record, states: States) -> Profile:
    """A repaired profile with the states of its record: at each row the last that was written."""
    if not states:
        return profile
    order = np.argsort(record.seconds, kind="stable")
    order = order[np.isfinite(record.seconds[order])]
    seconds = record.seconds[order]
    rows = profile.seconds + _first(profile, record)
    place = np.clip(np.searchsorted(seconds, rows, side="right") - 1, 0, seconds.size - 1)
    # Nobody says what was on before the first entry: the same as then.
    held = {name: pd.Series(values[order]).ffill().bfill() for name, values in states.items()}
    state_columns = {
        name: cells.to_numpy()[place] for name, cells in held.items() if cells.notna().all()
    }
    return replace(profile, **state_columns)


def _first(profile: Profile, record: Record) -> float:
    """Seconds of the profile's first row in the count of the record."""
    if profile.timeline.start is None or record.start is None:
        return float(np.nanmin(record.seconds))
    return float((profile.timeline.start - record.start).total_seconds())

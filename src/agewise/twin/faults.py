"""Known faults in a profile: what was asked, what was done, and where it lies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from agewise.errors import InputError

Frame = pd.DataFrame
Rng = np.random.Generator
Rows = Int[np.ndarray, " row"]

THERMOMETERS = ("ambient", "top_oil", "bottom_oil", "winding", "oil")
"""Parts of the names of thermometers before @."""
SENSORS = ("load", *THERMOMETERS)
JITTER = 2.0
"""Jitter of the times in steps, by share of rows dropped; below half a step, time runs forward."""
HEATLESS_MINUTES = 720.0
"""Length of a load without heat [min]: about four time constants, so that heat would have shown."""
SPIKE_SHARE = 0.002
"""Share of the rows that are spikes."""
IMPOSSIBLE = (-150.0, 400.0)
"""Impossible values, whether in °C or in p.u."""
SENTINELS = (-999.0, 999.9, 0.0)  # what loggers write for no value


@dataclass(frozen=True)
class Fault:
    """A fault that is asked for."""

    kind: str
    """Name of the fault, a key of `KINDS`."""
    severity: int = 2
    """1 (mild), 2 (plain) or 3 (gross)."""

    def __post_init__(self):
        if self.kind not in KINDS:
            raise _refusal(f"There is no fault of the kind {self.kind!r}.")
        if self.severity not in (1, 2, 3):
            raise _refusal(f"The fault {self.kind!r} has no severity {self.severity}.")

    @classmethod
    def parse(cls, text: str) -> "Fault":
        """The fault that `KIND` or `KIND:SEVERITY` asks for."""
        kind, colon, severity = text.partition(":")
        if colon and not severity.isdecimal():
            raise _refusal(f"The severity of the fault {text!r} is not a whole number.")
        return cls(kind, int(severity)) if colon else cls(kind)


@dataclass(frozen=True)
class Injected:
    """A fault that was put into a frame."""

    kind: str
    """Name of the fault, a key of `KINDS`."""
    severity: int
    """1 (mild), 2 (plain) or 3 (gross)."""
    column: str
    """Empty when the fault is about rows or time; `ambient,top_oil` when the two are swapped."""
    first_row: int
    """First row of the spoiled frame that is concerned, from 0."""
    last_row: int
    """Last row of the spoiled frame that is concerned, included."""
    text: str
    """What was done, for people."""


@dataclass(frozen=True, eq=False)
class Spoiled:
    """A spoiled profile, and its faults in the order in which they were applied."""

    frame: Frame
    """The table, faults included."""
    injected: tuple[Injected, ...]
    """Every fault that was put in, and where it lies."""


@dataclass(frozen=True, eq=False)
class Change:
    """A frame after one fault, and the place of the fault in it."""

    frame: Frame
    """The table after the fault; its index says which row of the frame before each row was."""
    rows: Rows
    """Rows of the frame that are concerned, from 0."""
    column: str = ""
    """Column that is concerned; empty when the fault is about rows or time."""


@dataclass(frozen=True)
class Kind:
    """How to spoil a frame, by how much, and what that is called."""

    change: Callable[[Frame, float, Rng], Change]
    sizes: tuple[float, float, float]
    """Mild, plain and gross, in the unit that the text names."""
    text: str
    """What is done, with a place for the size."""


def inject(frame: Frame, faults: Sequence[Fault], *, rng: Rng) -> Spoiled:
    """A copy of `frame` with the faults in it, applied in the order of the registry.

    That order is the way of a sample: when it is taken, what the sensor says, how the file is
    written. So no sensor's fault loses its rows to a gap; where two faults meet in one cell, the
    later one is what the file shows.
    """
    # Counted from 0 before every fault, so that an index says where each row was.
    frame, injected = frame.reset_index(drop=True), ()
    for fault in sorted(faults, key=lambda fault: list(KINDS).index(fault.kind)):
        kind = KINDS[fault.kind]
        size = kind.sizes[fault.severity - 1]
        change = kind.change(frame, size, rng)
        place = (change.column, int(change.rows[0]), int(change.rows[-1]))
        record = Injected(fault.kind, fault.severity, *place, kind.text.format(size))
        # Earlier faults move along when rows are dropped, doubled or exchanged.
        origin = change.frame.index.to_numpy()
        injected = (*(_moved(earlier, origin) for earlier in injected), record)
        frame = change.frame.reset_index(drop=True)
    return Spoiled(frame, injected)


def _irregular(frame: Frame, share: float, rng: Rng) -> Change:
    limit = JITTER * share * _step(frame)
    # Whole seconds, as loggers write them.
    jitter = rng.uniform(-limit, limit, len(frame)).round().astype("timedelta64[s]")
    jittered = frame.assign(time=frame["time"] + jitter)
    remaining = jittered.drop(index=pd.Index(_scattered(len(frame), share, rng)))
    return Change(remaining, np.arange(len(remaining)))


def _gap(frame: Frame, minutes: float, rng: Rng) -> Change:
    hole = _stretch(frame, minutes, rng)
    sides = np.array([hole[0] - 1, hole[0]])  # the rows that are neighbours now
    return Change(frame.drop(index=pd.Index(hole)), sides)


def _clock(frame: Frame, minutes: float, rng: Rng) -> Change:
    rows = _onwards(frame, rng)
    forward = np.where(frame.index >= rows[0], 60 * minutes, 0).astype("timedelta64[s]")
    return Change(frame.assign(time=frame["time"] + forward), rows)


def _swapped(frame: Frame, share: float, rng: Rng) -> Change:
    length = round(share * len(frame))
    rows = rng.integers(len(frame) - length + 1) + np.arange(length)
    once = _rewritten(frame, "ambient", rows, frame["top_oil"].to_numpy()[rows])
    twice = _rewritten(once.frame, "top_oil", rows, frame["ambient"].to_numpy()[rows])
    return replace(twice, column="ambient,top_oil")


def _bias(frame: Frame, size: float, rng: Rng) -> Change:
    column, rows = _sensor(frame, THERMOMETERS, rng), _onwards(frame, rng)
    offset = rng.choice((-size, size))
    return _rewritten(frame, column, rows, frame[column].to_numpy()[rows] + offset)


def _heatless(frame: Frame, size: float, rng: Rng) -> Change:
    rows = _stretch(frame, HEATLESS_MINUTES, rng)
    return _rewritten(frame, "load", rows, frame["load"].to_numpy()[rows] + size)


def _interpolated(frame: Frame, minutes: float, rng: Rng) -> Change:
    column, rows = _sensor(frame, SENSORS, rng), _stretch(frame, minutes, rng)
    start, end = frame[column].to_numpy()[rows[[0, -1]]]
    return _rewritten(frame, column, rows, np.linspace(start, end, len(rows)))


def _stuck(frame: Frame, minutes: float, rng: Rng) -> Change:
    column, rows = _sensor(frame, SENSORS, rng), _stretch(frame, minutes, rng)
    return _rewritten(frame, column, rows, frame[column].to_numpy()[rows[:1]])


def _spikes(frame: Frame, size: float, rng: Rng) -> Change:
    column = _sensor(frame, THERMOMETERS, rng)
    rows = 2 * _scattered(len(frame) // 2, 2 * SPIKE_SHARE, rng)  # a good sample between any two
    offsets = rng.choice((-size, size), len(rows))
    return _rewritten(frame, column, rows, frame[column].to_numpy()[rows] + offsets)


def _replaced(codes: tuple[float, ...], frame: Frame, share: float, rng: Rng) -> Change:
    column, rows = _sensor(frame, SENSORS, rng), _scattered(len(frame), share, rng)
    return _rewritten(frame, column, rows, rng.choice(codes, len(rows)))


def _duplicates(frame: Frame, share: float, rng: Rng) -> Change:
    twice = _scattered(len(frame), share, rng)
    # Each copy stands right behind its row, as a logger would write it.
    repeated = frame.loc[np.sort(np.append(frame.index, twice))]
    return Change(repeated, np.flatnonzero(repeated.index.duplicated(keep=False)))


def _unsorted(frame: Frame, minutes: float, rng: Rng) -> Change:
    order, block = np.arange(len(frame)), _stretch(frame, minutes, rng)
    order[block] = rng.permutation(block)
    return Change(frame.loc[order], block)


# Sizes are chosen, not measured: a mild fault is easily overlooked, a gross one shows at once.
KINDS: dict[str, Kind] = {
    "irregular": Kind(_irregular, (0.02, 0.08, 0.2), "jittered time, {:.0%} of the rows dropped"),
    "gap": Kind(_gap, (30.0, 180.0, 720.0), "{:g} min of rows removed between these two"),
    "clock": Kind(_clock, (5.0, 20.0, 60.0), "time stamps {:g} min forward to the end"),
    "swapped": Kind(_swapped, (0.1, 0.4, 1.0), "exchanged over {:.0%} of the file"),
    "bias": Kind(_bias, (1.0, 2.0, 5.0), "off by {:g} K to the end"),
    "heatless": Kind(_heatless, (0.3, 0.5, 0.8), "{:g} p.u. too high for half a day, without heat"),
    "interpolated": Kind(_interpolated, (60.0, 240.0, 720.0), "a straight line for {:g} min"),
    "stuck": Kind(_stuck, (60.0, 240.0, 720.0), "one value held for {:g} min"),
    "spikes": Kind(_spikes, (8.0, 15.0, 40.0), "single samples off by {:g} K"),
    "range": Kind(partial(_replaced, IMPOSSIBLE), (0.001, 0.005, 0.02), "{:.1%} impossible values"),
    "sentinel": Kind(partial(_replaced, SENTINELS), (0.001, 0.01, 0.05), "{:.1%} no-value codes"),
    "missing": Kind(partial(_replaced, (np.nan,)), (0.005, 0.05, 0.25), "{:.1%} missing values"),
    "duplicates": Kind(_duplicates, (0.001, 0.01, 0.05), "{:.1%} of the rows written twice"),
    "unsorted": Kind(_unsorted, (10.0, 60.0, 720.0), "{:g} min of rows out of order"),
}
"""Faults by name, in the order in which they are applied."""


def _refusal(sentence: str) -> InputError:
    kinds = ", ".join(KINDS)
    return InputError(sentence, hint=f"KIND or KIND:SEVERITY, severity 1, 2 or 3; kinds: {kinds}")


def _moved(record: Injected, origin: Rows) -> Injected:
    """An earlier fault, at its rows in the frame after a later one."""
    inside = np.flatnonzero((origin >= record.first_row) & (origin <= record.last_row))
    if not inside.size:  # a gap within a wider gap: they have the same two sides
        inside = np.flatnonzero(origin < record.first_row)[-1] + np.array([0, 1])
    return replace(record, first_row=int(inside[0]), last_row=int(inside[-1]))


def _sensor(frame: Frame, names: tuple[str, ...], rng: Rng) -> str:
    columns = [str(column) for column in frame]
    return str(rng.choice([name for name in columns if name.split("@")[0] in names]))


def _rewritten(frame: Frame, column: str, rows: Rows, values: Float[np.ndarray, " _"]) -> Change:
    column_values = frame[column].to_numpy(float, copy=True)
    column_values[rows] = values
    return Change(frame.assign(**{column: column_values}), rows, column)


def _step(frame: Frame) -> float:
    return float(np.nanmedian(frame["time"].diff().dt.total_seconds()))


def _stretch(frame: Frame, minutes: float, rng: Rng) -> Rows:
    """Neighbouring rows worth `minutes`, with a row or more left on either side."""
    length = round(60 * minutes / _step(frame))
    if length > len(frame) - 2:
        sentence = f"A fault of {minutes:g} min does not fit into a profile of {len(frame)} rows."
        raise InputError(sentence, hint="ask for a milder fault or a longer profile")
    return rng.integers(1, len(frame) - length) + np.arange(length)


def _onwards(frame: Frame, rng: Rng) -> Rows:
    """All rows from a moment on, in the middle half of the file."""
    return np.arange(rng.integers(len(frame) // 4, 3 * len(frame) // 4), len(frame))


def _scattered(total: int, share: float, rng: Rng) -> Rows:
    """A share of the rows, at least one, never the first or the last."""
    count = max(1, round(share * total))
    return np.sort(1 + rng.choice(total - 2, count, replace=False))

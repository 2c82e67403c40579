"""All units of a fleet: one round of a watch, into the catalogue."""

import csv
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from agewise.errors import InputError
from agewise.files import write_text
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow
from agewise.fleet.watch.alerts import Change
from agewise.fleet.watch.new_readings import time_text
from agewise.fleet.watch.outbox import posted
from agewise.fleet.watch.planned_load import PlannedLoad, planned_load
from agewise.fleet.watch.symptoms import SENSOR
from agewise.fleet.watch.unit_state import Standing, UnitState, read_state, write_state
from agewise.fleet.watch.unit_watch import DayRow, Watched, begun, watched
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import read_nameplate, write_nameplate
from agewise.plant.profile import Profile
from agewise.reading.options import Reading
from agewise.reading.profile_file import read_profile
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

FOLDER = "watch"
"""Folder of the units' states in that of a fleet."""
SILENT_H = 36.0
"""Time by which a unit's last reading is behind the fleet's newest until its logger counts as gone
[h]: files come once a day, and one day may be late."""


@dataclass
class Round:
    """What a round of a watch did."""

    looked: list[str] = field(default_factory=list)
    """Units that had new readings, or that are watched from now on."""
    still: list[str] = field(default_factory=list)
    """Units without new readings."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Units that cannot be watched, and why."""
    raised: list[tuple[str, str]] = field(default_factory=list)
    """Alerts that were raised: unit and reason."""
    cleared: list[tuple[str, str]] = field(default_factory=list)
    """Alerts that were cleared: unit and kind."""
    posted: int = 0
    """Messages that were posted."""


def watch_round(
    directory: Path,
    catalogue: Catalogue,
    *,
    post: str | None = None,
    notify: Callable[[str], None] = lambda sentence: None,
) -> Round:
    """Look once at every unit of a fleet; one bad file stops nobody.

    Args:
        directory: Folder that `agewise fleet assess` wrote.
        catalogue: Its catalogue.
        post: URL to which alerts are posted; None for none.
        notify: Called with a sentence where something happened that somebody should know.
    """
    done, runs, states = Round(), catalogue.latest_runs(), {}
    for asset in catalogue.assets():
        try:
            states[asset.id] = _look(directory, catalogue, asset, runs.get(asset.id), done)
        except InputError as error:
            done.left_out[asset.id] = error.sentence
        except Exception as error:
            done.left_out[asset.id] = f"{type(error).__name__}: {error}"
    _tell_silent(directory, catalogue, states, done)
    if post is not None:
        folder = directory / FOLDER
        done.posted = posted(catalogue.alerts(), post, folder, notify=notify)
    return done


def _look(
    directory: Path, catalogue: Catalogue, asset: AssetRow, run: RunRow | None, done: Round
) -> UnitState:
    """Look at one unit, and write down what was seen."""
    place = _place(directory, asset)
    state, base = read_state(place.with_suffix(".npz")), _base(run)
    unit, profile = _unit(directory, place, asset, run, state, base)
    plan = _plan(directory, asset, unit)
    if state is None or state.memory.base != base:
        unit, seen = begun(unit, profile, base=base, plan=plan)
        write_nameplate(unit, place.with_suffix(".toml"))
        place.with_suffix(".csv").unlink(missing_ok=True)
    else:
        seen = watched(state, unit, profile, plan=plan)
    (done.looked if seen.rows else done.still).append(asset.id)
    # Alerts first: raised again after a crash they are found standing, and not doubled.
    _write_alerts(catalogue, asset.id, seen, done)
    if seen.rows:
        _append(place.with_suffix(".csv"), seen)
        write_state(seen.state, place.with_suffix(".npz"))
    return seen.state


def _unit(
    directory: Path,
    place: Path,
    asset: AssetRow,
    run: RunRow | None,
    state: UnitState | None,
    base: str,
) -> tuple[Nameplate, Profile]:
    """The nameplate of a unit with what was learned of it, and all its readings."""
    own = place.with_suffix(".toml")
    if state is not None and state.memory.base == base and own.is_file():
        unit = read_nameplate(own)
    elif run is not None and run.folder and (directory / run.folder / "nameplate.toml").is_file():
        unit = read_nameplate(directory / run.folder / "nameplate.toml")
    else:
        unit = read_nameplate(directory / asset.nameplate)
    mapping = getattr(asset, "mapping", None)
    reading = Reading.parse(mapping=None if mapping is None else directory / mapping)
    return unit, read_profile(directory / asset.data, reading, rated=unit.rated())


def _plan(directory: Path, asset: AssetRow, unit: Nameplate) -> PlannedLoad | None:
    """The load that a unit's owner plans; None where there is no scenario."""
    if not asset.scenario:
        return None
    return planned_load(read_profile(directory / asset.scenario, rated=unit.rated()))


def _write_alerts(catalogue: Catalogue, asset_id: str, seen: Watched, done: Round) -> None:
    """Write the changes down, and put right what an earlier round left undone."""
    for change in seen.changes:
        _write_change(catalogue, asset_id, change, done)
    standing = seen.state.memory.standing
    for alert in catalogue.alerts(asset_id, standing=True):
        if alert.kind not in standing:
            _clear(catalogue, asset_id, alert.kind, seen.state.memory.last, done)


def _write_change(catalogue: Catalogue, asset_id: str, change: Change, done: Round) -> None:
    if not change.raised:
        _clear(catalogue, asset_id, change.kind, change.at, done)
        return
    words = {"value": change.value, "at": _instant(change.at)}
    if catalogue.raise_alert(asset_id, change.kind, change.reason, **words) is not None:
        done.raised.append((asset_id, change.reason))


def _clear(catalogue: Catalogue, asset_id: str, kind: str, at: float, done: Round) -> None:
    if catalogue.clear_alert(asset_id, kind, at=_instant(at)):
        done.cleared.append((asset_id, kind))


def _tell_silent(
    directory: Path, catalogue: Catalogue, states: dict[str, UnitState], done: Round
) -> None:
    """Raise an alert about units whose files have stopped while others go on."""
    dated = {name: state for name, state in states.items() if state.memory.timezone}
    newest = newest_reading(state.memory.last for state in dated.values())
    for name, state in dated.items():
        memory, hours = state.memory, (newest - state.memory.last) / SECONDS_PER_HOUR
        if hours < SILENT_H or SENSOR in memory.standing:
            continue
        since = time_text(memory.last, memory.timezone)
        reason = (
            f"Nothing has been read since {since}, while other units were read for {hours:.0f} h "
            "more: check its logger and how its file gets here."
        )
        _write_change(catalogue, name, Change(SENSOR, True, newest, reason, hours), done)
        standing = memory.standing | {SENSOR: Standing(newest)}
        path = _place(directory, catalogue.asset(name)).with_suffix(".npz")
        write_state(replace(state, memory=replace(memory, standing=standing)), path)


def newest_reading(instants: Iterable[float], now: float | None = None) -> float:
    """The latest instant up to `now` [s], today if None; 0 where there is none.

    A logger whose clock is years ahead says nothing of when others should have been read.
    """
    now = datetime.now(UTC).timestamp() if now is None else now
    return max((each for each in instants if each <= now + SECONDS_PER_DAY), default=0.0)


def _append(path: Path, seen: Watched) -> None:
    """Add what the looks told to the unit's table."""
    names = ["time", *(each.name for each in fields(DayRow) if each.name != "end")]
    before = list(csv.DictReader(path.read_text("utf-8").splitlines())) if path.is_file() else []
    zone, last = seen.state.memory.timezone, before[-1]["time"] if before else ""
    for row in seen.rows:
        cells = {name: "" if v is None else f"{v:.6g}" for name, v in asdict(row).items()}
        time = time_text(row.end, zone)
        if time != last:  # of a round that was stopped after its table was written
            before.append({"time": time} | {name: cells[name] for name in names[1:]})
    lines = [",".join(names), *(",".join(row[name] for name in names) for row in before)]
    write_text(path, "\n".join(lines) + "\n")


def _place(directory: Path, asset: AssetRow) -> Path:
    """Where the files of a unit are kept, without their endings."""
    return directory / FOLDER / f"{quote(asset.id, safe='')}.unit"


def _base(run: RunRow | None) -> str:
    return "" if run is None or not run.folder else f"run {run.id}"


def _instant(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)

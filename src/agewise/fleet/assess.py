"""The whole errand: which assets changed, assess those, write down how each ended."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from sqlalchemy.exc import OperationalError

from agewise.errors import InputError
from agewise.fleet.asset import Asset
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow
from agewise.fleet.engine.cluster import Engine
from agewise.fleet.engine.dispatch import outcomes
from agewise.fleet.outcome import Outcome
from agewise.fleet.plan import Plan, resolved, work_of
from agewise.fleet.table_file import write_fleet_table
from agewise.fleet.task import assessed
from agewise.fleet.work import Work
from agewise.store.run import MANIFEST

LOG_FILE = "fleet.log"
"""Name of the log in the folder of a fleet."""
LOG = logging.getLogger("agewise.fleet")


@dataclass(frozen=True)
class Tally:
    """What became of every asset of a fleet, by id."""

    unchanged: list[str] = field(default_factory=list)
    """Those whose last run still answers: same files, settings and version."""
    done: list[str] = field(default_factory=list)
    """Those that were assessed now."""
    refused: dict[str, str] = field(default_factory=dict)
    """Those whose files cannot be used, and why; also from an earlier run with the same files."""
    failed: dict[str, str] = field(default_factory=dict)
    """Those that ended in an error, and which."""


def assess_fleet(
    assets: Iterable[Asset],
    plan: Plan,
    engine: Engine,
    catalogue: Catalogue,
    *,
    begun: Callable[[int, int], None] = lambda left, unchanged: None,
    ended: Callable[[Outcome], None] = lambda outcome: None,
    notify: Callable[[str], None] = lambda sentence: None,
) -> Tally:
    """Assess what changed of a fleet; every asset ends as done, refused or failed.

    Args:
        assets: The assets of the fleet.
        plan: How they are assessed, and where runs go.
        engine: Where the work is done.
        catalogue: Where it is written down.
        begun: Called once with the number of assets to be assessed, and of those unchanged.
        ended: Called with every outcome, as it comes.
        notify: Called with a sentence where something happened that somebody should know.

    Returns:
        What became of every asset.
    """
    from agewise import __version__

    with _logged(plan.directory):
        everything = [resolved(asset) for asset in assets]
        catalogue.register(map(_row, everything))
        latest, tally, works = catalogue.latest_runs(), Tally(), []
        for asset in everything:
            work = work_of(asset, plan, version=__version__)
            run = latest.get(asset.id)
            if run is not None and answers(run, work, plan.directory):
                _note(tally, run)
            else:
                works.append(work)
        begun(len(works), len(everything) - len(works))
        LOG.info("%d assets, %d unchanged", len(everything), len(everything) - len(works))
        _all_recorded(works, plan, engine, catalogue, tally, ended, notify)
        write_fleet_table(catalogue, plan.directory)
    return tally


def answers(run: RunRow, work: Work, directory: Path) -> bool:
    """Whether a run still answers for an asset: same files, settings and version, and there.

    What failed is tried again, for its cause may be gone.
    """
    same = (run.input_hash, run.settings_hash) == (work.input_hash, work.settings_hash)
    if not same or run.versions.get("agewise") != work.version or run.status == "failed":
        return False
    return run.folder is None or (directory / run.folder / MANIFEST).is_file()


def _note(tally: Tally, run: RunRow) -> None:
    if run.status == "refused":
        tally.refused[run.asset_id] = run.sentence or ""
    else:
        tally.unchanged.append(run.asset_id)


def _all_recorded(
    works: list[Work],
    plan: Plan,
    engine: Engine,
    catalogue: Catalogue,
    tally: Tally,
    ended: Callable[[Outcome], None],
    notify: Callable[[str], None],
) -> None:
    waiting: list[Outcome] = []
    for outcome in outcomes(
        works, partial(assessed, plan=plan), engine, notify=_also_logged(notify)
    ):
        _add(tally, outcome)
        waiting = _recorded(catalogue, [*waiting, outcome])
        ended(outcome)
    if waiting and _recorded(catalogue, waiting):
        raise InputError(
            f"The catalogue could not record {len(waiting)} runs: is its disk full?",
            hint="free some space and assess the fleet again; the finished runs are kept and are "
            "not repeated.",
        )


def _recorded(catalogue: Catalogue, waiting: list[Outcome]) -> list[Outcome]:
    """Write outcomes down; those that the database has no room for now wait for another time."""
    for number, outcome in enumerate(waiting):
        try:
            catalogue.record(RunRow(**outcome.columns()))
        except OperationalError as error:
            LOG.error("the catalogue could not be written: %s", error.orig)
            return waiting[number:]
    return []


def _add(tally: Tally, outcome: Outcome) -> None:
    name, why = outcome.work.asset.id, outcome.sentence or ""
    if outcome.status == "done":
        tally.done.append(name)
    else:
        (tally.refused if outcome.status == "refused" else tally.failed)[name] = why
    LOG.info("%s %s in %.1f s %s", name, outcome.status, outcome.seconds, why)


def _also_logged(notify: Callable[[str], None]) -> Callable[[str], None]:
    def both(sentence: str) -> None:
        LOG.warning("%s", sentence)
        notify(sentence)

    return both


def _row(asset: Asset) -> AssetRow:
    return AssetRow(
        id=asset.id,
        name=asset.name,
        site=asset.site,
        criticality=asset.criticality,
        nameplate=str(asset.nameplate),
        data=str(asset.data),
        scenario=asset.scenario and str(asset.scenario),
        mapping=asset.mapping and str(asset.mapping),
    )


@contextmanager
def _logged(directory: Path) -> Iterator[None]:
    """Write what happens to a file in the folder of the fleet, behind what is there."""
    directory.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(directory / LOG_FILE, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    before = LOG.level, LOG.propagate
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    try:
        yield
    finally:
        LOG.removeHandler(handler)
        handler.close()
        LOG.setLevel(before[0])
        LOG.propagate = before[1]

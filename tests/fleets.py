"""A small fleet whose runs are real: one short record, assessed once, stands for all of them."""

import json
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from agewise.assessment.oil.settings import Settings
from agewise.assessment.runs import assessed_run
from agewise.assessment.stored import SUMMARY
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow
from agewise.report.page.page import PAGE
from agewise.server.work.accepted import run_row
from agewise.store.run import MANIFEST, Run, load_run, seal
from agewise.twin.twin import TwinSettings, make_twin
from agewise.twin.twin_file import write_twin

ACTIONS = ("load on", "watch", "act", "load on", "load on", "cannot tell")
"""What is advised, one asset after the other."""
MENDED = {
    "reason": "The oil is cooler than the air.",
    "mend": "Check the thermometer.",
    "narrow_by": "",
    "changes": "",
}
"""What stands in place of an answer where nothing can be told."""
HOSTILE = "<script>alert('x')</script> & \"so on\""
"""A name that would become markup if it were not escaped."""
BEGIN = datetime(2026, 11, 1, 2, 0, tzinfo=UTC)
"""When the first run began."""


@dataclass(frozen=True)
class MadeFleet:
    """A fleet in a folder, and the files that its runs were made from."""

    directory: Path
    profile: Path
    nameplate: Path


def made_run(folder: Path) -> MadeFleet:
    """A record of half a day, its nameplate, and the run that they give."""
    write_twin(make_twin(TwinSettings(seed=5, days=0.5, case="aged-substation")), folder / "twin")
    made = MadeFleet(folder, folder / "twin/profile.csv", folder / "twin/nameplate.toml")
    assessed_run(made.profile, made.nameplate, folder / "run", Settings(method="line", quick=True))
    # Drawing a report takes seconds, and no page looks into it.
    (folder / "run" / PAGE).write_text("<!DOCTYPE html><title>report</title>")
    return made


def made_fleet(made: MadeFleet, directory: Path, count: int = 12, folders: int = 3) -> MadeFleet:
    """A fleet of `count` assets; the first ones have folders, of which one cannot tell."""
    directory.mkdir(parents=True, exist_ok=True)
    with Catalogue(directory) as catalogue:
        names = [HOSTILE if n == 3 else f"Transformer {n}" for n in range(count)]
        catalogue.register(
            AssetRow(id=f"T{n}", name=name, site=f"Site {n % 4}", criticality=1 + n % 5)
            for n, name in enumerate(names)
        )
        rows = [_row(made, directory, n, folder=n < folders or n == 5) for n in range(count - 3)]
        rows += [_ended(f"T{count - 3}", "refused"), _ended(f"T{count - 2}", "failed")]
        for row in rows:
            catalogue.record(row)
        catalogue.raise_alert("T1", "cooling lost", "The oil is 9 K hotter than explained.")
        catalogue.raise_alert("T2", "limit passed", "The hot spot passed 120 °C.")
        catalogue.clear_alert("T2", "limit passed")
    return MadeFleet(directory, made.profile, made.nameplate)


def _row(made: MadeFleet, directory: Path, n: int, *, folder: bool) -> RunRow:
    action = ACTIONS[n % len(ACTIONS)]
    place = f"runs/T{n}"
    if folder:
        shutil.copytree(made.directory / "run", directory / place)
        _advise(directory / place, action)
    run = load_run(directory / place) if folder else _original(made.directory / "run")
    row = run_row(f"T{n}", run, place, seconds=2.0)
    row.folder = place if folder else None
    row.started = BEGIN + timedelta(minutes=n)
    row.action, row.reason = action, f"Reason {n}."
    row.chance = (n % 20) / 20
    row.years_left_median = None if n % 4 == 0 else 3.0 + n % 40
    return row


@cache
def _original(folder: Path) -> Run:
    return load_run(folder)


def _advise(folder: Path, action: str) -> None:
    """Write another advice into a run and seal it anew."""
    content = json.loads((folder / SUMMARY).read_text())
    content["decision"] |= {"action": action}
    if action == "cannot tell":
        content["decision"] |= MENDED
    identity = load_run(folder).identity
    (folder / SUMMARY).write_text(json.dumps(content))
    (folder / MANIFEST).unlink()
    seal(folder, identity)


def _ended(asset: str, status: str) -> RunRow:
    """A run without an answer."""
    return RunRow(
        asset_id=asset, started=BEGIN, seconds=0.5, status=status, sentence=f"It was {status}.",
        hint="mend the file." if status == "refused" else None, folder=None, input_hash="0" * 64,
        settings_hash="0" * 64, inputs={}, versions={}, method="exact", seed=0, findings=[],
        quantities={},
    )  # fmt: skip

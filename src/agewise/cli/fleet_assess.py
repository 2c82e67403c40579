"""`agewise fleet assess`: every asset of a fleet that changed, side by side, into a catalogue."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Argument, Exit, Option

from agewise.cli.compiled import compiled_code_environment
from agewise.cli.console import MOST_JOBS, answer, printable, stage, watched
from agewise.cli.overwrite import refuse_inside_run
from agewise.errors import InputError

if TYPE_CHECKING:
    from agewise.fleet.assess import Tally

CatalogueUrl = Annotated[
    str | None,
    Option(
        envvar="AGEWISE_CATALOGUE",
        help="URL of the catalogue, as postgresql://user@host/fleet; a file in DIR if left out.",
    ),
]
"""Where the catalogue is kept; shared by the commands of a fleet."""
MOST_NAMED = 5
"""Most assets that are named one by one; the catalogue and the log have them all."""


def assess(
    *,
    fleet: Annotated[
        Path, Argument(help="Table of assets (CSV, Parquet, TOML), or a folder of folders.")
    ],
    out: Annotated[Path, Option(help="Folder for runs, catalogue, log and fleet.parquet.")],
    method: Annotated[
        str | None, Option(help="As of agewise assess; solver if left out, line is the fastest.")
    ] = None,
    seed: Annotated[int, Option(help="Seed of the random draws.")] = 0,
    quick: Annotated[bool, Option("--quick", help="Rougher answers, sooner.")] = False,
    decide: Annotated[
        list[str] | None,
        Option(help="Threshold of the decisions, as soon_years=5; may be repeated."),
    ] = None,
    reports: Annotated[
        bool, Option("--reports", help="Write every report now, which takes seconds for each.")
    ] = False,
    jobs: Annotated[
        int | None,
        Option(min=1, max=MOST_JOBS, help="Processes side by side; as many as cores if left out."),
    ] = None,
    engine: Annotated[
        Literal["local", "dask"],
        Option(help="local: processes of this machine; dask: those of a running --scheduler."),
    ] = "local",
    scheduler: Annotated[
        str | None, Option(help="Address of a running scheduler of Dask, as tcp://host:8786.")
    ] = None,
    catalogue: CatalogueUrl = None,
) -> None:
    """Assess every asset that changed since the last time.

    Every asset ends as done, refused or failed. Run the command again after an interruption:
    finished assets are not assessed again.
    """
    refuse_inside_run(out)
    _refuse_half_a_cluster(engine, scheduler)
    with stage("Reading the fleet", spinner=False):
        from agewise.fleet.extra import refuse_missing_parts

        refuse_missing_parts()
        from agewise.assessment.decision.thresholds import DecisionThresholds
        from agewise.assessment.oil.settings import Settings
        from agewise.fleet.assess import LOG_FILE, assess_fleet
        from agewise.fleet.catalogue.catalogue import Catalogue
        from agewise.fleet.engine.cluster import Engine
        from agewise.fleet.inventory.inventory import assets_of
        from agewise.fleet.plan import FLEET_METHOD, Plan
        from agewise.fleet.table_file import TABLE

        plan = Plan(
            out.resolve(),
            Settings(method=method or FLEET_METHOD, seed=seed, quick=quick),
            thresholds=DecisionThresholds.parse(decide or ()),
            reports=reports,
        )
        assets = assets_of(fleet, plates=out.resolve() / "nameplates")
        place = Engine(jobs or os.cpu_count() or 1, scheduler, compiled_code_environment())
    with Catalogue(catalogue or plan.directory) as opened, _bar() as bar:
        tally = assess_fleet(
            assets,
            plan,
            place,
            opened,
            begun=bar.begun,
            ended=lambda outcome: bar.step(),
            notify=bar.notify,
        )
    answer(_rows(tally, len(assets)) | {"table": f"{out / TABLE}", "log": f"{out / LOG_FILE}"})
    if tally.failed:
        raise Exit(1)  # for whoever started it at night: some of it is to be looked at


def _refuse_half_a_cluster(engine: str, scheduler: str | None) -> None:
    """Refuse a cluster without an address, and an address without a cluster."""
    if (engine == "dask") != (scheduler is not None):
        raise InputError(
            "The engine dask and the address of a scheduler belong together.",
            hint="give `engine='dask'` and `scheduler='tcp://host:8786'`, or neither.",
        )


def _rows(tally: "Tally", count: int) -> dict[str, str]:
    """What became of the fleet, in lines for people."""
    rows = {
        "assets": f"{count}",
        "assessed": f"{len(tally.done)}",
        "unchanged": f"{len(tally.unchanged)}, found as they were",
    }
    for name, those in (("refused", tally.refused), ("failed", tally.failed)):
        rows[name] = f"{len(those)}"
        for number, (asset, why) in enumerate(those.items(), start=1):
            if number <= MOST_NAMED:
                rows[f"{name} {number}"] = f"{asset}: {why}"
    return rows


@dataclass(frozen=True)
class _Bar:
    """How somebody is told of the work while it goes on."""

    begun: Callable[[int, int], None]
    """Told how many assets are assessed, and how many are unchanged."""
    step: Callable[[], None]
    """One asset has come to its end."""
    notify: Callable[[str], None]
    """Says a sentence."""


@contextmanager
def _bar() -> Iterator[_Bar]:
    """A bar with the time left, or lines where nobody watches."""
    if not watched():
        yield _Bar(_say_begun, lambda: None, _say)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeElapsedColumn as Elapsed
    from rich.progress import TimeRemainingColumn as Left

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    times = (Elapsed(), TextColumn("left"), Left(elapsed_when_finished=False))
    with Progress(*columns, *times, console=Console(stderr=True)) as progress:
        task = progress.add_task("assets", total=None)

        def begun(count: int, unchanged: int) -> None:
            progress.update(task, total=count)

        def print_sentence(sentence: str) -> None:
            progress.console.print(printable(sentence), markup=False)

        yield _Bar(begun, lambda: progress.advance(task), print_sentence)


def _say_begun(count: int, unchanged: int) -> None:
    _say(f"Assessing {count} assets; {unchanged} are unchanged ...")


def _say(sentence: str) -> None:
    print(printable(sentence), file=sys.stderr, flush=True)

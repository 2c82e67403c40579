"""One asset: its answer in the report's words, its runs and its alerts."""

from datetime import datetime

from pydantic import BaseModel

from agewise.assessment.life.effort import FULL
from agewise.errors import InputError
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AlertRow, AssetRow, RunRow
from agewise.report.page.answer import TONES
from agewise.report.wording import MISSING, percent, temperature, years
from agewise.server.answers import missing
from agewise.server.charts.catalogue import ChartName
from agewise.server.views.asset_line import FEWEST_DRAWS, STATE_TONES, AssetLine
from agewise.server.views.latest import latest, line
from agewise.server.views.shelf import Sections, Shelf

MOST_RUNS = 100
"""Runs of the history that are shown, the latest first."""


class RunLine(BaseModel):
    """A run in the history of an asset."""

    number: int
    """Number of the run."""
    started: datetime
    """When it began (UTC)."""
    state: str
    """What was advised, or how it ended."""
    sentence: str
    """Why."""
    method: str
    """Name of the inference method."""
    window_end: str | None
    """Last time stamp of its record."""
    hot_spot: str
    """Highest hot spot, in words."""
    years_left: str
    """Median of the years left, in words."""
    chance: str
    """Chance of an end within the horizon, in words."""
    shown: bool
    """Whether it is the run that this page shows."""

    @property
    def tone(self) -> str:
        """Its look, as a class of the style sheet."""
        return STATE_TONES[self.state]


class AlertLine(BaseModel):
    """Something about an asset that somebody should look at."""

    asset: str
    """The asset that it is about."""
    kind: str
    """What happened."""
    reason: str
    """Why it was raised, in a sentence."""
    raised: datetime
    """Since when (UTC)."""
    cleared: datetime | None
    """Until when (UTC); null while it stands."""


class AssetView(BaseModel):
    """One asset."""

    asset: AssetLine
    """Its line in the list of the fleet."""
    older: bool
    """Whether the sections are those of an older run, since the latest gave none."""
    trouble: str
    """Why nothing could be read of the run that should be shown; empty where all is well."""
    sections: Sections | None
    """What the report of the run says; null where there is none."""
    charts: list[ChartName]
    """Names of its charts."""
    has_report: bool
    """Whether the report is there as a page."""
    runs: list[RunLine]
    """Its runs, the latest first."""
    alerts: list[AlertLine]
    """Its alerts, the latest first."""


def asset_line(catalogue: Catalogue, asset_id: str) -> AssetLine:
    """An asset in one line; refused where the catalogue does not know it."""
    with catalogue.reading() as session:
        row = session.execute(latest().where(AssetRow.id == asset_id)).one_or_none()
    if row is None:
        raise missing(f"asset {asset_id!r}")
    return line(row)


def told_run(catalogue: Catalogue, asset_id: str) -> RunRow | None:
    """The latest run of an asset that left a folder; None where no run did."""
    return next((run for run in catalogue.history(asset_id) if run.folder), None)


def run_folder(catalogue: Catalogue, asset_id: str) -> str:
    """The folder of that run; refused where there is none."""
    asset_line(catalogue, asset_id)
    run = told_run(catalogue, asset_id)
    if run is None or run.folder is None:
        raise missing(f"finished run of {asset_id!r}", "assess it first.")
    return run.folder


def asset_view(catalogue: Catalogue, shelf: Shelf, asset_id: str) -> AssetView:
    """All that is known of an asset."""
    shown = asset_line(catalogue, asset_id)
    history = catalogue.history(asset_id)
    run = next((past_run for past_run in history if past_run.folder), None)
    view = AssetView(
        asset=shown,
        older=run is not None and run is not history[0],
        trouble="",
        sections=None,
        charts=[],
        has_report=False,
        runs=[run_line(past_run, shown=past_run is run) for past_run in history[:MOST_RUNS]],
        alerts=[alert_line(alert) for alert in catalogue.alerts(asset_id)],
    )
    if run is None or run.folder is None:
        return view
    try:
        read = shelf.run(run.folder)
    except InputError as error:
        trouble = shelf.without_place(f"{error.sentence} {error.hint}")
        return view.model_copy(update={"trouble": trouble})
    contents = {
        "sections": read.sections,
        "charts": list(read.charts),
        "has_report": read.has_report,
    }
    return view.model_copy(update=contents)


def run_line(run: RunRow, *, shown: bool) -> RunLine:
    """A run of the history; without numbers where nothing can be told."""
    has_answer = run.status == "done" and run.action in TONES and run.action != "cannot tell"
    return RunLine(
        number=run.id,
        started=run.started,
        state=(run.action or "cannot tell") if run.status == "done" else run.status,
        sentence=run.sentence or run.reason or "",
        method=run.method,
        window_end=run.window_end,
        hot_spot=temperature(run.hot_spot_mean)
        if has_answer and run.hot_spot_mean is not None
        else MISSING,
        years_left=years(run.years_left_median, FULL.horizon) if has_answer else MISSING,
        chance=percent(run.chance, FEWEST_DRAWS)
        if has_answer and run.chance is not None
        else MISSING,
        shown=shown,
    )


def alert_line(alert: AlertRow) -> AlertLine:
    """An alert as a page shows it."""
    return AlertLine(
        asset=alert.asset_id,
        kind=alert.kind,
        reason=alert.reason,
        raised=alert.raised,
        cleared=alert.cleared,
    )

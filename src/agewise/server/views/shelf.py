"""Finished runs as pages show them, read once and kept while they do not change."""

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from agewise.errors import InputError
from agewise.report.inputs import ReportInputs
from agewise.report.page.answer import Answer, Badge, answer
from agewise.report.page.brief import Brief, brief
from agewise.report.page.known import KnownUnit, known_unit
from agewise.report.page.page import PAGE
from agewise.report.page.sections import (
    Findings,
    HeightRow,
    LimitRow,
    NamedValues,
    cooling,
    findings,
    introduction,
    limits,
    provenance,
    used_by_height,
)
from agewise.report.stored import stored_inputs
from agewise.server.answers import missing
from agewise.server.charts.catalogue import CHARTS, TELLS, ChartName
from agewise.server.charts.series import Chart
from agewise.store.run import MANIFEST, load_run

MOST_KEPT = 300
"""Runs that are kept in memory, some 200 kB each."""


@dataclass(frozen=True)
class Sections:
    """What the report of a run says, in the report's own words."""

    introduction: str
    """Which window was assessed, by which method."""
    answer: Answer
    """What to do, why, and how sure that is."""
    brief: Brief
    """What was assumed and what was learned."""
    findings: Findings
    """What to know before relying on the answer."""
    limits: tuple[LimitRow, ...]
    """How likely each limit was exceeded; none where nothing can be told."""
    cooling: Badge
    """Whether the unit is cooled as its nameplate says."""
    cooling_text: str
    """The same in a sentence."""
    known: KnownUnit
    """Constants given, assumed and learned."""
    heights: tuple[HeightRow, ...]
    """Life used by height; none where nothing can be told."""
    provenance: tuple[NamedValues, ...]
    """How the answer was made."""


@dataclass(frozen=True)
class ShownRun:
    """A finished run as pages show it."""

    sections: Sections
    """What its report says."""
    charts: dict[ChartName, bytes]
    """Its charts as JSON."""
    has_report: bool
    """Whether its report is there as a page."""


def sections_of(inputs: ReportInputs) -> Sections:
    """The words of a run's report."""
    # Where the data undermine every answer, none of its numbers stands.
    has_answer = inputs.summary.decision.action != "cannot tell"
    return Sections(
        introduction(inputs),
        answer(inputs),
        brief(inputs) if has_answer else Brief((), ()),
        findings(inputs),
        limits(inputs) if has_answer else (),
        cooling(inputs),
        inputs.summary.cooling.text,
        known_unit(inputs),
        used_by_height(inputs) if has_answer else (),
        provenance(inputs),
    )


def shown_run(folder: Path) -> ShownRun:
    """A finished run, read from its folder."""
    inputs = stored_inputs(load_run(folder))
    has_answer = inputs.summary.decision.action != "cannot tell"
    charts: dict[ChartName, Chart] = {
        name: chart(inputs) for name, chart in CHARTS.items() if has_answer or name not in TELLS
    }
    encoded: dict[ChartName, bytes] = {
        name: chart.model_dump_json().encode() for name, chart in charts.items()
    }
    return ShownRun(sections_of(inputs), encoded, (folder / PAGE).is_file())


class Shelf:
    """Runs of the fleet's folder that were shown lately."""

    def __init__(self, root: Path, most: int = MOST_KEPT):
        self.root = root.resolve()
        self._most = most
        self._kept: OrderedDict[tuple[Path, int], ShownRun] = OrderedDict()
        self._lock = Lock()

    def folder(self, relative: str) -> Path:
        """The folder of a run, provided that it lies inside the folder of the fleet."""
        folder = (self.root / relative).resolve()
        if not folder.is_relative_to(self.root):
            raise missing("such run in the folder of this fleet")
        return folder

    def run(self, relative: str) -> ShownRun:
        """A run by its folder in that of the fleet; an `InputError` where it is damaged."""
        folder = self.folder(relative)
        manifest = folder / MANIFEST
        if not manifest.is_file():
            raise InputError("The folder of this run is gone.", hint="assess the asset again.")
        key = folder, manifest.stat().st_mtime_ns
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept
        # Outside the lock: reading takes a while, and two readers of one run do no harm.
        shown = shown_run(folder)
        with self._lock:
            self._kept[key] = shown
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return shown

    def without_place(self, text: str) -> str:
        """A sentence that does not tell where on the disk the fleet is."""
        return text.replace(f"{self.root}/", "")

    def file(self, relative: str, name: str) -> Path:
        """A file of a run."""
        path = self.folder(f"{relative}/{name}")
        if not path.is_file():
            raise missing(f"file {name} in this run")
        return path

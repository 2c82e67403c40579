"""`reproduction.md` and its pictures, from the kept cells alone."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import matplotlib as mpl

from agewise.files import replacing, write_text
from agewise.report.drawing.style import RC, png
from agewise.units import SECONDS_PER_MINUTE
from reproduction import earlier_verdicts
from reproduction.configuration import TUNING_SEED
from reproduction.experiment import Experiment, Section
from reproduction.paired import CHANCE
from reproduction.registry import EXPERIMENTS
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import table

PAGE, FOLDER, CELLS = "reproduction.md", "reproduction", "cells"
"""Names of the page, of the folder beside it for pictures, and of that for cells within."""
INTRODUCTION = """\
# The paper, reproduced

Every table and figure of section 3 and appendix B of Ramirez et al., *Disentangling Aleatoric and
Epistemic Uncertainty in Physics-Informed Neural Networks*, ours beside the published numbers, with
a verdict on every claim.

**The plant's data are not public.** A twin replaces them: four days of one-minute samples of the
same transformer, with a known truth and known noise (`agewise twin`). So the published numbers
stand beside ours to compare orders, not sizes.

Three presets: **paper** is the published recipe, what it does not tell read so that it comes
closest to the published numbers; **paper-literal** has its equations as they are printed, in our
scaling; **default** is ours.
"""
HOW_JUDGED = f"""\
One rule for all, worked out from the numbers below. A claim is put as a margin that every repeat
has: a difference of two methods on the same twin, or the distance from a limit. *In 4 of 5* tells
in how many twins it is above zero, p is that of Student's t over the repeats (of logarithms, but
for NLL and correlations). From {CHANCE:g} on the difference lies within the scatter of the repeats
and may be chance: **cannot be told**. So it is with a single repeat, which has no scatter, as where
older cells keep fields, weights and the ageing error of the first repeat only. A value is the best
if it beats each of the others by this rule; a claim of several parts holds if all do, and does not
if one does not. A claim that contrasts two methods is judged on both. The vanilla network makes a
tenth of its steps of L-BFGS, so what is lost to it is lost, but a win over it is none. Where a
claim rests on the B-PINN and the d-PINN of the preset paper alone, it is judged on ten twins. The
tests are not corrected for their number: of a score of true nulls one would seem to be decided."""
QUICK_WARNING = (
    "\n\n**This is a quick run: its networks are hardly trained, so the numbers mean nothing.**"
)
NOT_RUN = Section("Not run yet.")


def write_page(scope: Scope, out: Path, cells: Path | None = None) -> Path:
    """Build the page and its pictures from kept cells; returns its path.

    Cells lie under `out` unless another folder is given.
    """
    results = Results(cells or out / FOLDER / CELLS, scope)
    sections = finished(results)
    # Settings of matplotlib hold for the whole process, so they are put back afterwards.
    with mpl.rc_context(RC):
        for section in sections.values():
            _write_pictures(section, out / FOLDER)
    write_text(out / PAGE, page_text(results, sections))
    return out / PAGE


def is_free(out: Path) -> bool:
    """Whether a page can be written to a folder: nothing is in its place but an earlier one."""
    page = out / PAGE
    if page.exists():
        # Known by its heading, so that no page of somebody else is replaced.
        return page.read_text("utf-8", errors="replace").startswith(INTRODUCTION.splitlines()[0])
    # A run that was killed leaves cells, but no page yet.
    return not (out / FOLDER).exists() or (out / FOLDER / CELLS).is_dir()


def finished(results: Results) -> dict[str, Section]:
    """The sections of all experiments whose cells are there."""
    return {
        name: experiment.section(results)
        for name, experiment in EXPERIMENTS.items()
        if results.complete(experiment.configurations(results.scope))
    }


def page_text(results: Results, sections: Mapping[str, Section]) -> str:
    """The page without its pictures; an experiment that is not finished is named as such."""
    done = [experiment for name, experiment in EXPERIMENTS.items() if name in sections]
    parts = [
        INTRODUCTION,
        _how(results.scope),
        _verdicts(sections.values()),
        *(
            _part(experiment, sections.get(experiment.name, NOT_RUN))
            for experiment in EXPERIMENTS.values()
        ),
        _times(done, results),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _how(scope: Scope) -> str:
    preset = f" --preset {scope.preset}" if scope.preset else ""
    quick = " --quick" if scope.quick else ""
    warning = QUICK_WARNING if scope.quick else ""
    return (
        f"`agewise reproduce all --seeds {scope.repeats}{preset}{quick}` makes this page: repeats "
        f"0 to {scope.repeats - 1}, each with a twin and initial weights of its own. The "
        f"reading of the recipe is chosen on twins of its own (from {TUNING_SEED} on), which no "
        f"other table shows. Kept cells are not run again, so the page is rebuilt from them in a "
        f"minute.{warning}"
    )


def _verdicts(sections: Iterable[Section]) -> str:
    verdicts = [each for section in sections for each in section.verdicts if each.findings]
    rows = [
        [verdict.claim, verdict.published, f"**{verdict.status}**", verdict.numbers]
        for verdict in verdicts
    ]
    if not rows:
        return ""
    judged = table(["claim", "published", "here", "our numbers"], rows)
    return f"## Verdicts\n\n{HOW_JUDGED}\n\n{judged}\n\n{earlier_verdicts.text(verdicts)}"


def _part(experiment: Experiment, section: Section) -> str:
    pictures = [
        f"![{picture.alternative}]({FOLDER}/{name}.png)\n\n*{picture.caption}*"
        for name, picture in section.pictures.items()
    ]
    command = f"`agewise reproduce {experiment.name}` ({experiment.source})"
    return "\n\n".join([f"## {experiment.title}", command, section.text, *pictures])


def _times(experiments: Iterable[Experiment], results: Results) -> str:
    """Core-minutes of each experiment, those of shared cells in the first that needs them."""
    counted: set[str] = set()
    rows, total = [], 0.0
    for experiment in experiments:
        configurations = experiment.configurations(results.scope)
        own = {c.name: c for c in configurations if c.name not in counted}
        counted |= set(own)
        minutes = sum(results.seconds(c) for c in own.values()) / SECONDS_PER_MINUTE
        total += minutes
        cells = sum(len(results.scope.cells(c)) for c in configurations)
        new = sum(len(results.scope.cells(c)) for c in own.values())
        rows.append([experiment.name, str(cells), str(new), f"{minutes:.1f}"])
    rows.append(["all", "", str(sum(int(row[2]) for row in rows)), f"{total:.1f}"])
    head = ["experiment", "cells", "of its own", "minutes of one core"]
    text = (
        "Cells are shared: each is counted where it first occurs. They ran two at a time on a busy "
        "machine, so these are not the shortest times."
    )
    return f"## Time taken\n\n{text}\n\n{table(head, rows)}"


def _write_pictures(section: Section, folder: Path) -> None:
    for name, picture in section.pictures.items():
        with replacing(folder / f"{name}.png") as temporary:
            temporary.write_bytes(png(picture.figure()))

"""Findings of one kind in several columns as one sentence, for people."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from agewise.plant.notes import and_text
from agewise.plant.record import DataFinding

TOGETHER = {"guess": "{} things were guessed. "}
"""How a sentence about several notes begins, by their kind; others are put behind each other."""


def joined_findings(findings: Iterable[DataFinding]) -> list[DataFinding]:
    """One finding a kind and what was done, where there were several; in the order of the first.

    A file with nine columns says nine times that cells are missing: one sentence with the columns
    in it says as much.
    """
    groups: dict[tuple[str, str, str, bool], list[DataFinding]] = {}
    for finding in findings:
        # What makes the oil doubtful is not hidden among what does not.
        alike = finding.kind, finding.done, finding.mend, finding.doubt_k > 0
        groups.setdefault(alike, []).append(finding)
    return [same[0] if len(same) == 1 else _joined(same) for same in groups.values()]


def _joined(same: Sequence[DataFinding]) -> DataFinding:
    columns = list(dict.fromkeys(finding.column for finding in same if finding.column))
    return replace(
        same[0],
        column=",".join(columns),
        # Columns share rows, so their sum would count some twice.
        rows=max(finding.rows for finding in same),
        start=min(finding.start for finding in same),
        end=max(finding.end for finding in same),
        text=_text(same),
        stretches=tuple(sorted({place for finding in same for place in finding.stretches})),
        doubt_k=sum(finding.doubt_k**2 for finding in same) ** 0.5,
    )


def _text(same: Sequence[DataFinding]) -> str:
    cores = [core for core in map(_core, same) if core is not None]
    words = [core.split(" ") for core in cores]
    alike = len(list(takewhile(_what_all_say, zip(*words, strict=False))))
    if len(cores) < len(same) or not alike:
        beginning = TOGETHER.get(same[0].kind, "").format(len(same))
        return beginning + " ".join(finding.text for finding in same)
    places = "; ".join(
        f"{finding.column} {' '.join(own[alike:])}"
        for finding, own in zip(same, words, strict=True)
    )
    names = and_text([finding.column.replace(",", " and ") for finding in same])
    return f"{names}: {' '.join(words[0][:alike])} ({places}); {same[0].done}."


def _what_all_say(words: tuple[str, ...]) -> bool:
    """Whether sentences have this word in common; where each begins its place, they part."""
    return len(set(words)) == 1 and words[0] != "in"


def _core(finding: DataFinding) -> str | None:
    """The sentence of a rule without its column and without what was done; None for a note."""
    begin, end = f"{finding.column}: ", f"; {finding.done}."
    if not finding.column or not (finding.text.startswith(begin) and finding.text.endswith(end)):
        return None
    return finding.text[len(begin) : -len(end)]

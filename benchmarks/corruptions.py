"""Spoiled files: is the answer right, flagged with an interval that holds the clean one, or false?

.venv/bin/python benchmarks/corruptions.py --study sceptic --seeds 0-4
.venv/bin/python benchmarks/corruptions.py --study faults --seeds 0-4

Every kind is put into every twin (each seed, both cases; days of samples a quarter of an hour
apart). The answer is the life used at the worst height. An outcome is one of

- refused: a sentence and a hint instead of an answer;
- cannot tell: no headline, but what to mend;
- flagged, held: findings that the clean file has not, and a 90 % interval with the clean answer;
- flagged, missed: the same, but the interval does not hold it;
- right: no such finding, and the interval holds the clean answer;
- SILENT: no such finding, and it does not;
- CRASHED: a trace instead of an answer.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass

import numpy as np
import pandas as pd
from corruption_kinds import FAULTS, HONEST, SCEPTIC
from seeds import seeds_of
from twin_record import record

from agewise import InputError, assess, conclusion
from agewise.assessment.answer.summary import DataFinding, Summary
from agewise.plant.nameplate import Nameplate
from agewise.quality.quality import checked
from agewise.twin.twin import TwinSettings, make_twin

CASES = ("floating-pv", "aged-substation")
EVERY_MIN = 15
"""Minutes between the samples."""
DAYS = {"sceptic": 4.0, "faults": 6.0}
"""Days of a file by study."""
OUTCOMES = (
    "refused",
    "cannot tell",
    "flagged, held",
    "flagged, missed",
    "right",
    "SILENT",
    "CRASHED",
)
OTHER = 1000
"""Added to the seed of the unit whose rows get into a file."""


@dataclass(frozen=True)
class Plant:
    """A clean file, and what is told of it."""

    frame: pd.DataFrame
    other: pd.DataFrame
    nameplate: Nameplate
    answer: Summary


def main() -> None:
    """Tables in Markdown."""
    parser = argparse.ArgumentParser(description="Spoiled files, and what is told of them.")
    parser.add_argument("--study", default="sceptic", choices=["sceptic", "faults"])
    parser.add_argument("--seeds", default="0-4", help="as 0-4 or 0,3,7")
    parser.add_argument("--kinds", default="", help="parts of the names of kinds, by commas")
    parser.add_argument("--method", default="line")
    parser.add_argument("--verbose", action="store_true", help="a line for every miss")
    asked = parser.parse_args()
    kinds = SCEPTIC if asked.study == "sceptic" else FAULTS
    wanted = [part for part in asked.kinds.split(",") if part]
    kinds = {n: k for n, k in kinds.items() if not wanted or any(w in n for w in wanted)}
    counts: dict[str, Counter] = defaultdict(Counter)
    for seed in seeds_of(asked.seeds):
        for case in CASES:
            plant = _plant(seed, case, DAYS[asked.study], asked.method)
            for name, change in kinds.items():
                rng = np.random.default_rng([seed, *name.encode(), *case.encode()])
                spoiled = change(plant.frame, plant.other, rng)
                outcome, text = _outcome(spoiled, plant, asked.method, honest=name in HONEST)
                counts[name][outcome] += 1
                if asked.verbose and outcome in ("SILENT", "CRASHED", "flagged, missed"):
                    print(f"{outcome}: {case} {seed} {name}: {text}", flush=True)
            done = sum(counts.values(), Counter())
            print(f"{case} {seed}: {dict(done)}", file=sys.stderr, flush=True)
    _print(counts)


def _print(counts: dict[str, Counter]) -> None:
    print("\n| kind | " + " | ".join(OUTCOMES) + " |")
    print("|---|" + "---|" * len(OUTCOMES))
    total: Counter = Counter()
    for name, count in counts.items():
        total += count
        print(f"| {name} | " + " | ".join(str(count[o]) for o in OUTCOMES) + " |")
    print("| all | " + " | ".join(str(total[o]) for o in OUTCOMES) + " |")
    flagged = total["flagged, held"] + total["flagged, missed"] + total["cannot tell"]
    fine = total["flagged, held"] + total["cannot tell"]
    print(
        f"\n{total.total()} files: silently wrong {total['SILENT'] / total.total():.1%}; of "
        f"{flagged} that were flagged, {fine / max(flagged, 1):.0%} hold the clean answer or "
        f"cannot tell."
    )


def _plant(seed: int, case: str, days: float, method: str) -> Plant:
    twins = [make_twin(TwinSettings(seed=s, case=case, days=days)) for s in (seed, seed + OTHER)]
    frame, other = (twin.frame.iloc[::EVERY_MIN].reset_index(drop=True) for twin in twins)
    return Plant(frame, other, twins[0].nameplate, _told(frame, twins[0].nameplate, method))


def _told(frame: pd.DataFrame, nameplate: Nameplate, method: str) -> Summary:
    return conclusion(assess(checked(record(frame)), nameplate, method=method, quick=True)).summary


def _outcome(spoiled: pd.DataFrame, plant: Plant, method: str, *, honest: bool) -> tuple[str, str]:
    try:
        told = _told(spoiled, plant.nameplate, method)
    except InputError as error:
        return "refused", error.sentence
    except Exception as error:  # a file must never end in a trace
        return "CRASHED", repr(error)
    if told.decision.action == "cannot tell":
        return "cannot tell", told.decision.reason
    flags = _named(told) - _named(plant.answer)
    # By the day, since some kinds make a file longer or shorter.
    clean = plant.answer.loss_of_life.worst.mean / plant.answer.window.hours
    if honest:
        clean *= told.loss_of_life.iec / plant.answer.loss_of_life.iec
    low, high = (end / told.window.hours for end in told.loss_of_life.worst.interval_90)
    held = low <= clean <= high
    text = f"{24 * clean:.3g} in {24 * low:.3g} to {24 * high:.3g} h a day; {sorted(flags)}"
    if flags:
        return ("flagged, held" if held else "flagged, missed"), text
    return ("right" if held else "SILENT"), text


def _named(told: Summary) -> set[tuple[str, str]]:
    """Kinds and columns of findings."""
    return {(f.kind, f.column if isinstance(f, DataFinding) else "") for f in told.findings}


if __name__ == "__main__":
    main()

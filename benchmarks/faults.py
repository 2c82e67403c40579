"""Which faults in a file are found, and how often clean data raise a false alarm?

.venv/bin/python benchmarks/faults.py --seeds 0-19
.venv/bin/python benchmarks/faults.py --study accuracy --seeds 0-4
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable

import numpy as np
import pandas as pd
from seeds import seeds_of
from twin_record import record

from agewise.plant.profile import Profile
from agewise.plant.record import DataFinding
from agewise.quality.quality import checked
from agewise.twin.faults import KINDS, SENTINELS, Fault, Injected, inject
from agewise.twin.twin import TwinSettings, make_twin

CASES = ("floating-pv", "aged-substation")
ALIKE = {"clock": ("clock", "gap"), "gap": ("gap", "clock")}
"""Faults that leave the same trace: either name is a finding, the strict share is told apart."""
WEEK = 7.0
"""days of a clean twin"""
BAD_SHARE = 0.05
"""of the samples of every thermometer in the study of accuracy"""


def main() -> None:
    """Tables in Markdown."""
    parser = argparse.ArgumentParser(description="Faults found, and false alarms.")
    parser.add_argument("--study", default="all", choices=["all", "found", "clean", "accuracy"])
    parser.add_argument("--seeds", default="0-19", help="as 0-19 or 0,3,7")
    parser.add_argument("--kinds", default=",".join(KINDS))
    asked = parser.parse_args()
    seeds = seeds_of(asked.seeds)
    if asked.study in ("all", "found"):
        found_table(seeds, asked.kinds.split(","))
    if asked.study in ("all", "clean"):
        clean_table(seeds)
    if asked.study == "accuracy":
        accuracy_table(seeds)


def found_table(seeds: list[int], kinds: list[str]) -> None:
    """The share of injected faults that are found, by kind and severity."""
    hits = defaultdict(list)
    for case in CASES:
        for interior in (False, True):
            for seed in seeds:
                clean = make_twin(TwinSettings(seed=seed, case=case, interior=interior)).frame
                for kind, severity in ((k, s) for k in kinds for s in (1, 2, 3)):
                    rng = np.random.default_rng([seed, severity, *kind.encode(), interior])
                    spoiled = inject(clean, [Fault(kind, severity)], rng=rng)
                    hits[kind, severity].append(_hit(clean, spoiled.frame, spoiled.injected[0]))
                    if hits[kind, severity][-1] == "missed":
                        fault = spoiled.injected[0]
                        print(f"missed: {case} seed {seed} {fault}", flush=True)
    print("\n| kind | mild | plain | gross | strictly by that name | changed nothing |")
    print("|---|---|---|---|---|---|")
    for kind in kinds:
        every = [Counter(hits[kind, severity]) for severity in (1, 2, 3)]
        shares = " | ".join(_share(count, "found", "other") for count in every)
        strict = ", ".join(_share(count, "found") for count in every) if kind in ALIKE else ""
        print(f"| {kind} | {shares} | {strict} | {sum(c['unchanged'] for c in every)} |")


def _share(count: Counter, *names: str) -> str:
    total = sum(count.values()) - count["unchanged"]
    return f"{sum(count[name] for name in names) / max(total, 1):.0%} of {total}"


def _hit(clean: pd.DataFrame, spoiled: pd.DataFrame, fault: Injected) -> str:
    if spoiled.equals(clean):
        return "unchanged"
    findings = checked(record(spoiled)).findings
    if any(_tells(finding, fault, (fault.kind,)) for finding in findings):
        return "found"
    if any(_tells(finding, fault, ALIKE.get(fault.kind, ())) for finding in findings):
        return "other"
    return "missed"


def _tells(finding: DataFinding, fault: Injected, kinds: tuple[str, ...]) -> bool:
    if finding.kind not in kinds or (fault.column and finding.column != fault.column):
        return False
    return any(a <= fault.last_row and b >= fault.first_row for a, b in finding.stretches)


def clean_table(seeds: list[int]) -> None:
    """False findings and false stretches a clean week."""
    print("\n| clean weeks | weeks | findings a week | stretches a week | of the kinds |")
    print("|---|---|---|---|---|")
    told = defaultdict(list)
    for case in CASES:
        for seed in seeds:
            for rough in (False, True):
                settings = TwinSettings(
                    seed=seed, case=case, days=WEEK, interior=True, rough_ambient=rough
                )
                frame = make_twin(settings).frame
                for name, change in VARIANTS.items():
                    variant = f"{case}{', rough air' if rough else ''}, {name}"
                    told[variant].append(checked(record(change(frame))).findings)
    for variant, weeks in told.items():
        every = [finding for findings in weeks for finding in findings]
        kinds = Counter(f"{finding.kind} {finding.column}" for finding in every)
        stretches = sum(len(finding.stretches) for finding in every) / len(weeks)
        named = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        print(
            f"| {variant} | {len(weeks)} | {len(every) / len(weeks):.2f} | {stretches:.2f} "
            f"| {named} |",
            flush=True,
        )
    every = [len(findings) for weeks in told.values() for findings in weeks]
    print(f"\nAll: {np.mean(every):.3f} false findings a clean week, over {len(every)} weeks.")


def _resampled(minutes: int) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda frame: frame.resample(f"{minutes}min", on="time").mean().reset_index()


def _quantised(digits: int) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda frame: frame.round({c: digits for c in frame if c not in ("time", "load")})


VARIANTS: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "1 min": lambda frame: frame,
    "1 min, 0.1 K": _quantised(1),
    "1 min, 1 K": _quantised(0),
    "15 min": _resampled(15),
    "15 min, 0.1 K": lambda frame: _quantised(1)(_resampled(15)(frame)),
    "15 min, 1 K": lambda frame: _quantised(0)(_resampled(15)(frame)),
    "60 min": _resampled(60),
    "60 min, 0.1 K": lambda frame: _quantised(1)(_resampled(60)(frame)),
    "60 min, 1 K": lambda frame: _quantised(0)(_resampled(60)(frame)),
}


def accuracy_table(seeds: list[int]) -> None:
    """Error of the solver to the truth with bad samples, repaired, beside the clean file's."""
    from agewise.assessment.field import scored
    from agewise.assessment.oil.assess import assess
    from agewise.assessment.oil.settings import Settings
    from agewise.twin.truth_file import truth_from

    print("\n| case | bad samples | RMSE clean [K] | RMSE repaired [K] | ratio |")
    print("|---|---|---|---|---|")
    for case in CASES:
        twins = [make_twin(TwinSettings(seed=seed, case=case)) for seed in seeds]

        def error(profile: Profile, twin) -> float:
            fitted = assess(profile, twin.nameplate, Settings(method="solver"))
            return scored(fitted, truth_from(twin.truth)).as_dict()["truth"]["rmse"]

        clean = [error(twin.profile, twin) for twin in twins]
        for name in ("missing", "sentinel", "spikes"):
            bad = [
                error(checked(record(_spoiled(twin.frame, name, seed))), twin)
                for seed, twin in zip(seeds, twins, strict=True)
            ]
            means = np.mean(clean), np.mean(bad), np.mean(bad) / np.mean(clean)
            cells = [f"{value:.3g}" for value in means]
            print(f"| {case} | {name} | {' | '.join(cells)} |", flush=True)


def _spoiled(frame: pd.DataFrame, name: str, seed: int) -> pd.DataFrame:
    """Every thermometer with one sample in twenty bad."""
    rng, frame = np.random.default_rng([seed, *name.encode()]), frame.copy()
    for column in (c for c in frame if c not in ("time", "load")):
        values = frame[column].to_numpy(copy=True)
        rows = rng.choice(values.size, round(BAD_SHARE * values.size), replace=False)
        bad = {
            "missing": np.full(rows.size, np.nan),
            "sentinel": rng.choice(SENTINELS, rows.size),
            "spikes": values[rows] + rng.choice((-15.0, 15.0), rows.size),
        }
        values[rows] = bad[name]
        frame[column] = values
    return frame


if __name__ == "__main__":
    main()

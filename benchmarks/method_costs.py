"""What an ensemble, an epinet and chains cost beside one fit, each in a process of its own.

    .venv/bin/python benchmarks/method_costs.py --problems bratu,poisson-inverse,burgers-smooth
    .venv/bin/python benchmarks/method_costs.py --problems "" --chains poisson-inverse@0.1

Every process compiles its own code, as a user's does, unless JAX is given a folder to keep it in.
Ensemble and chains have two processes unless `--jobs` says otherwise. Believe seconds by the clock
on a quiet machine only; those of processors, children's included, stay nearly the same beside other
work.
"""

import argparse
import json
import resource
import subprocess
import sys
import time

FITS = ("map", "ensemble", "epinet")
"""Methods that are timed on every problem, the one fit first."""
CHAINED = "poisson-inverse@0.1"
"""Problem on which four chains are timed: Yang's inverse one."""
SIDE_BY_SIDE = ("ensemble", "nuts", "hmc")
"""Methods that have as many processes as are asked for."""
ASKED = {"ensemble": "6 fits", "epinet": "one fit + 60 s", "nuts": "300 s"}
"""What each may take by the clock on two cores."""


def main() -> None:
    """Time each method on each problem and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--problems", default="bratu,poisson-inverse,burgers-smooth")
    parser.add_argument("--methods", default=",".join(FITS))
    parser.add_argument("--chains", default=CHAINED, help="problem of `nuts`; empty for none")
    parser.add_argument("--jobs", type=int, default=2, help="processes of ensemble and chains")
    parser.add_argument("--one", nargs=2, metavar=("PROBLEM", "METHOD"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(costs(asked.one[0], asked.one[1], asked.jobs)))
        return
    print("| problem | method | s | CPU s | over one fit | asked |", "|" + "---|" * 6, sep="\n")
    for problem in asked.problems.split(",") if asked.problems else ():
        _rows(problem, asked.methods.split(","), asked.jobs)
    if asked.chains:
        _rows(asked.chains, ["map", "nuts"], asked.jobs)


def _rows(problem: str, methods: list[str], jobs: int) -> None:
    """Print what every method costs on a problem; ratios are over the first, by the clock."""
    first = None
    for method in methods:
        took, worked = _in_own_process(problem, method, jobs)
        first = took if first is None else first
        shown = f"{took:.1f} | {worked:.1f} | {took / first:.1f} | {ASKED.get(method, '')}"
        print(f"| {problem} | {method} | {shown} |", flush=True)


def costs(problem: str, method: str, jobs: int) -> tuple[float, float]:
    """Time of a fit by the clock and of processors, with compilation and without imports [s]."""
    import warnings

    import agewise
    from agewise.engine.equations.settings import EquationSettings
    from agewise.library import KNOWN

    warnings.simplefilter("ignore")
    name, _, noise = problem.partition("@")
    made = KNOWN[name](seed=0, **({"noise": float(noise)} if noise else {}))
    settings = EquationSettings(jobs=jobs if method in SIDE_BY_SIDE else 1)
    begin, before = time.perf_counter(), _processor()
    agewise.fit(made, method=method, key=0, settings=settings)
    took = time.perf_counter() - begin
    if settings.jobs > 1:
        _end_workers()
    return took, _processor() - before


def _end_workers() -> None:
    """End the processes that wait for more work: only what has ended is counted."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)


def _processor() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _in_own_process(problem: str, method: str, jobs: int) -> tuple[float, float]:
    command = [sys.executable, __file__, "--jobs", str(jobs), "--one", problem, method]
    ended = subprocess.run(command, check=True, capture_output=True, text=True)
    took, worked = json.loads(ended.stdout)
    return took, worked


if __name__ == "__main__":
    main()

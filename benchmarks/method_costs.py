"""What an ensemble and an epinet cost beside one fit, by the clock, each in a process of its own.

    .venv/bin/python benchmarks/method_costs.py --problems bratu,poisson-inverse,burgers-smooth

Every process compiles its own code, as a user's does, unless JAX is given a folder to keep it in.
The ensemble has ten members in two processes; believe the ratios on a quiet machine only.
"""

import argparse
import json
import subprocess
import sys
import time

FITS = ("map", "ensemble", "epinet")
"""Methods that are timed, the one fit first."""


def main() -> None:
    """Time each method on each problem and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--problems", default="bratu,poisson-inverse,burgers-smooth")
    parser.add_argument("--methods", default=",".join(FITS))
    parser.add_argument("--one", nargs=2, metavar=("PROBLEM", "METHOD"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(seconds(*asked.one)))
        return
    print("| problem | method | s | over one fit |", "|---|---|---|---|", sep="\n")
    for problem in asked.problems.split(","):
        first = None
        for method in asked.methods.split(","):
            took = _in_own_process(problem, method)
            first = took if first is None else first
            print(f"| {problem} | {method} | {took:.1f} | {took / first:.1f} |", flush=True)


def seconds(problem: str, method: str) -> float:
    """Time that a fit takes by the clock, with compilation and without imports [s]."""
    import warnings

    import agewise
    from agewise.engine.equations.settings import EquationSettings
    from agewise.library import KNOWN

    warnings.simplefilter("ignore")
    made = KNOWN[problem](seed=0)
    settings = EquationSettings(jobs=2) if method == "ensemble" else EquationSettings()
    begin = time.perf_counter()
    agewise.fit(made, method=method, key=0, settings=settings)
    return time.perf_counter() - begin


def _in_own_process(problem: str, method: str) -> float:
    command = [sys.executable, __file__, "--one", problem, method]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()

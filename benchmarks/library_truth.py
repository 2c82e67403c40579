"""Every problem of the library as a file of arrays, for peers in environments of their own.

    .venv/bin/python benchmarks/library_truth.py build/library.npz --seed 0

Keys are `problem|points`, where errors are taken, `problem|truth|function` there,
`problem|constant|name`, and `problem|sensor|name|points` or `values`.
"""

from argparse import ArgumentParser
from pathlib import Path

import numpy as np

from agewise.library import KNOWN
from agewise.library.known import AbstractKnownProblem

POINTS = 2000
"""Points at which errors are taken, at random over the box and the same for every method."""


def arrays(name: str, problem: AbstractKnownProblem) -> dict[str, np.ndarray]:
    """What a peer must know of a problem beside its equation."""
    lower, upper = np.array(list(problem.coordinates().values())).T
    points = np.random.default_rng(0).uniform(lower, upper, (POINTS, len(lower)))
    kept = {f"{name}|points": points}
    kept |= {f"{name}|truth|{key}": values for key, values in problem.reference(points).items()}
    for key, value in problem.true_constants().items():
        kept[f"{name}|constant|{key}"] = np.array(value)
    for key, sensor in problem.observations().items():
        kept[f"{name}|sensor|{key}|points"] = np.asarray(sensor.points)
        kept[f"{name}|sensor|{key}|values"] = np.asarray(sensor.values)
    return kept


def main() -> None:
    """Write the file."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    kept = {}
    for name, make in KNOWN.items():
        kept |= arrays(name, make(seed=chosen.seed))
    np.savez(chosen.out, allow_pickle=False, **kept)


if __name__ == "__main__":
    main()

"""The oscillator with noise islands by `laplace`, beside an oracle that is told where they are.

    .venv/bin/python benchmarks/noise_islands.py --seeds 0-49

The oracle solves the equation exactly, knows the noise of every reading but for one factor inside
of the islands and one outside, and has two numbers to learn: place and speed at first. What it
misses by is chance, that no method can be without: three islands hold some 72 readings.
"""

import argparse
import warnings
from dataclasses import dataclass

import numpy as np
from seeds import seeds_of

import agewise
from agewise.benchmark.judging.scores import LOUD, function_scores, grid, noise_scores
from agewise.library import KNOWN
from agewise.library.known import AbstractKnownProblem
from agewise.library.noise_islands import DAMPING, FREQUENCY, island_noise

QUIET = 0.05
"""Standard deviation of the noise outside of the islands."""
BOUNDS = (0.8, 1.25)
"""Stated over true variance [1] that counts as right."""


@dataclass(frozen=True)
class Scored:
    """What a fit of one draw came to, or those of all."""

    z: float
    """Root mean square of error over doubt, over the whole course."""
    inside: float
    """Stated over true variance inside of the islands, the median over readings."""
    outside: float
    """The same outside of them."""

    def __str__(self) -> str:
        return f"{self.z:.2f} {self.inside:.2f} {self.outside:.2f}"


def swings(instants: np.ndarray) -> np.ndarray:
    """The two solutions of the equation of which every other is a sum."""
    damped = FREQUENCY * np.sqrt(1 - DAMPING**2)
    fades = np.exp(-DAMPING * FREQUENCY * instants)
    return np.stack([fades * np.cos(damped * instants), fades * np.sin(damped * instants)], axis=1)


def oracle(problem: AbstractKnownProblem) -> Scored:
    """Weighted least squares, by the true noise of every reading."""
    read = problem.observations()["place"]
    points, values = np.asarray(read.points), np.asarray(read.values)
    noise = island_noise(points[:, 0], QUIET)
    rows = swings(points[:, 0]) / noise[:, None]
    covariance = np.linalg.inv(rows.T @ rows)
    numbers = covariance @ rows.T @ (values / noise)
    places = grid(problem)
    basis = swings(places[:, 0])
    doubt = np.sqrt(np.einsum("pi,ij,pj->p", basis, covariance, basis))
    errors = basis @ numbers - problem.reference(places)["u"]
    squares, loud = (values / noise - rows @ numbers) ** 2, noise > LOUD * np.median(noise)
    z = float(np.sqrt(np.mean((errors / doubt) ** 2)))
    return Scored(z, float(squares[loud].mean()), float(squares[~loud].mean()))


def ours(problem: AbstractKnownProblem, method: str, seed: int) -> Scored:
    """A fit that is told nothing of the noise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", agewise.UnsoundFit)
        posterior = agewise.fit(problem, method=method, key=seed)
    noise = noise_scores(problem, posterior)["place"]
    z = function_scores(problem, posterior)["u"]["z"]
    return Scored(z, noise["ratio_loud"], noise["ratio_quiet"])


def summary(name: str, scored: list[Scored]) -> None:
    """Print how often the noise is right, and how large errors are beside their doubt."""
    low, high = BOUNDS
    right = [[low <= value <= high for value in (one.inside, one.outside)] for one in scored]
    inside, outside = np.mean(right, axis=0)
    z = float(np.sqrt(np.mean([one.z**2 for one in scored])))
    ratios = [np.mean([one.inside for one in scored]), np.mean([one.outside for one in scored])]
    print(
        f"{name}: z {z:.2f} (rms); inside {ratios[0]:.2f} (mean), right in {inside:.0%} of "
        f"{len(scored)}; outside {ratios[1]:.2f}, right in {outside:.0%}"
    )


def main() -> None:
    """Print both for each seed, then over all seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="0-4")
    parser.add_argument("--method", default="laplace")
    asked = parser.parse_args()
    pairs = []
    print("seed: z, noise inside, outside of the oracle | of the fit")
    for seed in seeds_of(asked.seeds):
        problem = KNOWN["noise-islands"](seed=seed)
        pairs.append((oracle(problem), ours(problem, asked.method, seed)))
        print(seed, *pairs[-1], sep=" | ", flush=True)
    summary("oracle", [pair[0] for pair in pairs])
    summary(asked.method, [pair[1] for pair in pairs])


if __name__ == "__main__":
    main()

"""What other systems have published of themselves, each with the rule by which cells judge it."""

from collections.abc import Iterator
from functools import partial
from math import inf

import numpy as np

from agewise.benchmark.results import Results
from agewise.benchmark.verdicts.claim import TINY, Claim
from agewise.benchmark.verdicts.rules import (
    NOT_RUN,
    Ruling,
    as_often,
    both,
    mean_within,
    smaller,
)
from agewise.benchmark.verdicts.yang_claims import inverse_claims, linear_claims

ZHANG, YU = "Zhang et al. 2019, replicated", "Yu et al. 2025"
MAXIMUM_OFF = 1e-3
"""Distance of a found maximum from the true one that still counts as the same."""


def claims() -> list[Claim]:
    """All of them, in the order of the page."""
    return [
        *inverse_claims(),
        *linear_claims(),
        *_ensembles(),
        *_conformal(),
        *_weights(),
        *_others(),
    ]


def _ensembles() -> Iterator[Claim]:
    for problem, expected in (("bratu", 0.14), ("bratu-upper", 4)):
        yield Claim(
            "ensemble (`ensemble`)",
            problem,
            f"finds both solutions, maxima 0.1405 and 4.0915 (to {MAXIMUM_OFF:g}); told to expect "
            f"a size of {expected:g}",
            "Zou et al. 2025",
            # Defaults bind what the loop would change before the rule is called.
            lambda results, p=problem: mean_within(_maxima_off(results, p), -inf, MAXIMUM_OFF),
        )
    jiang = partial(_diffusivity, "ensemble")
    yield Claim(
        "ensemble (`ensemble`)",
        "diffusion-of-place",
        "relative error of v 0.095 or less",
        "Jiang et al. 2023",
        lambda results: mean_within(jiang(results, "relative_l2"), -inf, 0.095),
    )
    yield Claim(
        "ensemble (`ensemble`)",
        "diffusion-of-place",
        "two standard deviations hold 0.71 of v (to 0.1): members agree too much",
        "Jiang et al. 2023, measured on their saved ensembles",
        lambda results: mean_within(jiang(results, "coverage_0.95"), 0.61, 0.81),
    )


def _maxima_off(results: Results, problem: str) -> list[float]:
    """How far the worse of the two maxima is off, draw by draw; infinite where one is not found."""
    return [
        max(abs(of.get("maximum", np.inf) - of["true_maximum"]) for of in solutions.values())
        for solutions in results.row(problem, "ensemble").values("solutions")
        if solutions
    ]


def _diffusivity(method: str, results: Results, score: str) -> list[float]:
    return results.row("diffusion-of-place", method).values("functions", "v", score)


def _conformal() -> Iterator[Claim]:
    yield Claim(
        "variational inference (`vi`)",
        "poisson-read",
        "95 % bands hold only 0.53 of new readings (to 0.1)",
        YU,
        lambda results: mean_within(_new(results, "poisson-read", "vi"), 0.43, 0.63),
    )
    yield Claim(
        "conformal (`vi+conformal`)",
        "poisson-read",
        "bands of 95 % hold 0.97 of new readings (0.95 to 1, but for chance)",
        YU,
        lambda results: mean_within(_new(results, "poisson-read", "vi+conformal"), 0.9, inf),
    )
    for method, published, bounds in (
        ("vi+conformal", "one width for all: off by 0.293 in islands (0.2 or more)", (0.2, inf)),
        ("vi+local", "by the nearest readings: off by 0.067 in islands (0.1 or less)", (-inf, 0.1)),
    ):
        yield Claim(
            f"conformal (`{method}`)",
            "noise-islands",
            f"coverage of 95 % bands, {published}",
            YU,
            lambda results, m=method, b=bounds: mean_within(_islands_off(results, m), *b),
        )


def _new(results: Results, problem: str, method: str) -> list[float]:
    return results.row(problem, method).values("readings", "coverage_0.95")


def _islands_off(results: Results, method: str) -> list[float]:
    loud = results.row("noise-islands", method).values("readings", "coverage_0.95_loud")
    return [abs(share - 0.95) for share in loud]


def _weights() -> Iterator[Claim]:
    """Weights of losses: the order of errors, which needs a size of minutes only."""
    for problem, figures in (
        ("allen-cahn", "0.025 < 0.079 < 0.99"),
        ("helmholtz", "0.0029 < 0.014 < 0.026"),
    ):
        yield Claim(
            "weights of losses (`map+attention`, `map+adaptive`, `map+equal`)",
            problem,
            f"residual-based attention < self-adaptive < plain: {figures}",
            "Anagnostopoulos et al. 2024",
            partial(_in_order, problem),
        )


def _in_order(problem: str, results: Results) -> Ruling:
    attention, adaptive, plain = (
        results.row(problem, f"map+{rule}").errors_by_seed
        # Where the table has none, cells that the benchmark of loss weights kept beside it.
        or {
            cell["seed"]: cell["relative_l2"]
            for cell in results.beside(f"loss_weights/{problem}-{rule}-*.json")
        }
        for rule in ("attention", "adaptive", "equal")
    )
    return both(smaller(attention, adaptive), smaller(adaptive, plain))


def _others() -> Iterator[Claim]:
    for method in ("dropout", "laplace"):
        yield Claim(
            f"d-PINN (`{method}`)",
            "random-source",
            "mean of u over draws of the source to 0.34 %, its deviation to 0.48 %",
            ZHANG,
            partial(_over_sources, method),
        )
    yield Claim(
        "Gaussian-process last layer (`gp`)",
        "heat-rod",
        "its width tells how sure it is: 95 % bands hold 0.9 or more (no figure published)",
        "Li et al. 2024",
        lambda results: mean_within(results.row("heat-rod", "gp").coverage("0.95"), 0.9, inf),
    )
    for example, figures, error, share in (
        ("cosine", "error 0.13 to 0.14, bands of 90 % hold 0.85 to 0.88", 0.14, 0.85),
        ("sine", "error 0.80, bands of 90 % hold 0.99", 0.80, 0.9),
    ):
        yield Claim(
            "approximate Bayesian computation (`abc`)",
            f"{example} (benchmarks/subset_simulation.py)",
            f"{figures}: at this or better",
            "Fernández et al. 2022",
            partial(_subset_simulation, example, error, share),
        )
    yield Claim(
        "epinet (`epinet`)",
        "poisson-inverse@0.1",
        "its spread is what is not known: 90 % intervals hold k so often (no figure published)",
        "epistemic PINN, 2025",
        lambda results: as_often(results.row("poisson-inverse@0.1", "epinet").held("0.9"), 0.9),
    )


def _subset_simulation(example: str, error: float, share: float, results: Results) -> Ruling:
    """Error and coverage of the truth, the prior kept."""
    cells = results.beside(f"subset_simulation/{example}/prior-kept-*/*.json")
    return both(
        mean_within([cell["rmse_truth"] for cell in cells], -inf, error),
        mean_within([cell["covers_truth"] for cell in cells], share, inf),
    )


def _over_sources(method: str, results: Results) -> Ruling:
    """Mean and deviation of the fitted functions over draws, beside those of the true ones."""
    profiles = results.row("random-source", method).values("profiles", "u")
    if len(profiles) < 2:
        return Ruling(None, NOT_RUN if not profiles else "one draw, which has no deviation")
    means, truths = (np.array([each[of] for each in profiles]) for of in ("mean", "truth"))
    off = [
        # Beside the truths of the same draws: few of them scatter about the process' own.
        float(np.linalg.norm(of(means, axis=0) - of(truths, axis=0)))
        / max(float(np.linalg.norm(of(truths, axis=0))), TINY)
        for of in (np.mean, np.std)
    ]
    ours = f"mean to {off[0]:.2%}, deviation to {off[1]:.2%} over the same {len(profiles)} draws"
    return Ruling(off[0] <= 0.0034 and off[1] <= 0.0048, ours)

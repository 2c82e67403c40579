"""(j) How many points of each kind."""

from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, changed, published, with_readings
from reproduction.lines import CRPS, lowest, percent, ratio
from reproduction.numbers_of_points_figure import grid_figure
from reproduction.paired import Contest, Margins, Paired
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import NONE, number, table
from reproduction.verdict import Finding, Verdict

STARTS, POINTS = (5, 100, 200), (5000, 10_000, 20_000)
"""Numbers of points of the initial state, and of the equation."""
READINGS = (2880, 5760, 8640, 11_520)
"""A quarter, half, three quarters and all of the readings of both ends."""
FACTORS = {"N_i": STARTS, "N_r": POINTS, "N_b": READINGS}
"""The same by the paper's symbols, in the order of `Counts`."""
Counts = tuple[int, int, int]
"""N_i, N_r and N_b."""
CLAIMED = (POINTS[1], READINGS[-1])
"""N_r and N_b that the paper finds best."""
EPISTEMIC, ALEATORIC = "variances.epistemic.mean", "variances.aleatoric.mean"
"""Paths of both mean variances in a cell [K²]."""
SHOWN = {
    CRPS: "CRPS [K]",
    EPISTEMIC: "epistemic variance [K²]",
    ALEATORIC: "aleatoric variance [K²]",
}
"""What the table and the figure show: paths in a cell, and names on the page."""
INSENSITIVE = 0.1
"""Relative spread of the scores over a factor below which it does not matter [1]."""


def configurations(scope: Scope) -> list[Configuration]:
    """The whole grid of the paper's preset; under ours the number of points is no weight."""
    return [at_point(counts) for counts in grid(scope)] if "paper" in scope.variants else []


def grid(scope: Scope) -> list[Counts]:
    """Every combination."""
    return list(product(scope.few(STARTS), scope.few(POINTS), scope.few(READINGS)))


def at_point(counts: Counts) -> Configuration:
    """The heteroscedastic B-PINN with so many points of each kind."""
    starts, points, readings = counts
    settings = with_readings(published(BPINN, "paper"), readings)
    name = f"sampling/paper/{starts}-{points}-{readings}"
    return changed(BPINN, "paper", name, replace(settings, starts=starts, points=points))


def section(results: Results) -> Section:
    """A figure of the grid, and what each factor does."""
    scope = results.scope
    if "paper" not in scope.variants:
        return Section("The paper's preset was left out of this run.")
    rows = [
        [
            f"{name} = {value}",
            *(number(float(_along(results, place, value, path).mean())) for path in SHOWN),
        ]
        for place, (name, values) in enumerate(FACTORS.items())
        for value in scope.few(values)
    ]
    text = (
        "The heteroscedastic B-PINN of the preset paper with other numbers of points: "
        "N_i for the initial state, N_r for the equation, and N_b of the 11 520 readings of both "
        "ends, in all combinations. A row is the mean over repeats and over the combinations with "
        "one number in common; CRPS to the truth, variances averaged over the field. (Under "
        "the default preset the objective is an integral and does not grow with the number of "
        "points.)\n\n" + table(["", *SHOWN.values()], rows)
    )
    picture = Picture(
        "All combinations. Left to right more points of the initial state, in each panel more "
        "readings to the right and more points of the equation upwards; one colour scale a row.",
        "Heat maps of CRPS and both variances over three numbers of points.",
        partial(_figure, results),
    )
    return Section(text, {"sampling": picture}, _verdicts(results))


def _fits(results: Results, path: str) -> dict[Counts, np.ndarray]:
    """A number of every combination, repeat by repeat."""
    return {counts: results.values(at_point(counts), path) for counts in grid(results.scope)}


def _along(results: Results, place: int, value: int, path: str) -> np.ndarray:
    """Mean over all combinations with one value of one factor, repeat by repeat."""
    fits = [fit for counts, fit in _fits(results, path).items() if counts[place] == value]
    return np.mean(fits, axis=0) if fits else np.array([np.nan])


def _figure(results: Results) -> Figure:
    few = {name: results.scope.few(values) for name, values in FACTORS.items()}
    # `product` varies the last factor fastest, as arrays do their last axis.
    shape = tuple(len(values) for values in few.values())
    fields: dict[str, Float[np.ndarray, "starts points readings"]] = {
        name: np.array([fit.mean() for fit in _fits(results, path).values()]).reshape(shape)
        for path, name in SHOWN.items()
    }
    return grid_figure(few, fields)


def _verdicts(results: Results) -> tuple[Verdict, ...]:
    return (
        Verdict(
            "CRPS is lowest with 10 000 points of the equation and all readings",
            "yes; shown in a figure",
            (_best(results),),
        ),
        Verdict(
            f"The number of initial points hardly matters (below {percent(INSENSITIVE)})",
            "yes; no number",
            (_starts(results),),
        ),
        Verdict(
            "Too few points of the equation raise the epistemic part",
            "yes at 5000; no number",
            (_raised(results, EPISTEMIC, POINTS[0]),),
        ),
        Verdict(
            "and too many the aleatoric part",
            "yes at 20 000; no number",
            (_raised(results, ALEATORIC, POINTS[-1]),),
        ),
    )


def _best(results: Results) -> Finding:
    """By the mean over N_i, which is said not to matter."""
    fits = _fits(results, CRPS)
    scores = {
        pair: np.mean([fit for counts, fit in fits.items() if counts[1:] == pair], axis=0)
        for pair in sorted({counts[1:] for counts in fits})
    }
    if CLAIMED not in scores:
        return Finding("paper", None, NONE)
    contest = Contest(scores, CLAIMED)
    phrases = [f"{pair.text} with {x[0]} and {x[1]}" for x, pair in _nearest(contest)]
    text = f"CRPS [K], mean over N_i, N_r = {CLAIMED[0]} and N_b = {CLAIMED[1]}: "
    return Finding("paper", contest.best, text + "; ".join(phrases))


def _nearest(contest: Contest) -> list[tuple[Any, Paired]]:
    """Other combinations that are better, or of which it cannot be told; else the next best."""
    rivals = contest.better | contest.open
    if rivals:
        return list(rivals.items())
    best = lowest({value: float(pair.theirs.mean()) for value, pair in contest.pairs.items()})
    return [(best, contest.pairs[best])]


def _starts(results: Results) -> Finding:
    """The spread of the means over N_i beside those over the other two."""
    spreads = [
        _spread([_along(results, place, value, CRPS) for value in results.scope.few(values)])
        for place, values in enumerate(FACTORS.values())
    ]
    phrases = (
        f"{percent(float(share.mean()))} over {name}"
        for share, name in zip(spreads, FACTORS, strict=True)
    )
    text = f"standard deviation of the mean CRPS: {', '.join(phrases)}"
    return Finding.judged("paper", Margins(INSENSITIVE - spreads[0]), text)


def _spread(values: list[np.ndarray]) -> np.ndarray:
    """Standard deviation over the mean, repeat by repeat."""
    return np.std(values, axis=0, ddof=1) / np.mean(values, axis=0)


def _raised(results: Results, path: str, points: int) -> Finding:
    """Whether a variance is above that with the claimed number of points of the equation."""
    # 1 is the place of N_r in `Counts`.
    new, old = (_along(results, 1, n, path) for n in (points, CLAIMED[0]))
    means = float(new.mean()), float(old.mean())
    text = (
        f"× {number(ratio(*means))} at {points} ({number(means[0])} against {number(means[1])} K²)"
    )
    return Finding.judged("paper", Paired(old, new).margins, text)

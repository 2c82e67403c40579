"""(j) How many points of each kind."""

from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, changed, published
from reproduction.lines import CRPS, as_good, lowest, percent, ratio
from reproduction.numbers_of_points_figure import grid_figure
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import number, table
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
RAISED = 1.05
"""Factor from which a variance counts as raised."""


def configurations(scope: Scope) -> list[Configuration]:
    """The whole grid under the paper's preset; under ours the number of points is no weight."""
    return [at_point(counts) for counts in grid(scope)] if "weighted" in scope.variants else []


def grid(scope: Scope) -> list[Counts]:
    """Every combination."""
    return list(product(scope.few(STARTS), scope.few(POINTS), scope.few(READINGS)))


def at_point(counts: Counts) -> Configuration:
    """The heteroscedastic B-PINN with so many points of each kind."""
    starts, points, readings = counts
    settings = replace(
        published(BPINN, "weighted"), starts=starts, points=points, readings=readings
    )
    name = f"sampling/weighted/{starts}-{points}-{readings}"
    return changed(
        BPINN, "weighted", name, replace(settings, starts=starts, points=points, readings=readings)
    )


def section(results: Results) -> Section:
    """A figure of the grid, and what each factor does."""
    scope = results.scope
    if "weighted" not in scope.variants:
        return Section("The paper's preset was left out of this run.")
    rows = [
        [f"{name} = {value}", *(number(_along(results, place, value, path)) for path in SHOWN)]
        for place, (name, values) in enumerate(FACTORS.items())
        for value in scope.few(values)
    ]
    text = (
        "The heteroscedastic B-PINN of the paper at its best weight with other numbers of points: "
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


def _fits(results: Results, path: str) -> dict[Counts, float]:
    """A number of every combination, mean over repeats."""
    return {counts: results.mean(at_point(counts), path) for counts in grid(results.scope)}


def _along(results: Results, place: int, value: int, path: str) -> float:
    """Mean over all combinations with one value of one factor."""
    fits = [fit for counts, fit in _fits(results, path).items() if counts[place] == value]
    return float(np.mean(fits)) if fits else np.nan


def _figure(results: Results) -> Figure:
    few = {name: results.scope.few(values) for name, values in FACTORS.items()}
    # `product` varies the last factor fastest, as arrays do their last axis.
    shape = tuple(len(values) for values in few.values())
    fields: dict[str, Float[np.ndarray, "starts points readings"]] = {
        name: np.array(list(_fits(results, path).values())).reshape(shape)
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
    pairs = sorted({counts[1:] for counts in fits})
    means = {
        pair: float(np.mean([fit for counts, fit in fits.items() if counts[1:] == pair]))
        for pair in pairs
    }
    best, claimed = lowest(means), means.get(CLAIMED, np.nan)
    text = f"{number(means[best])} K with N_r = {best[0]} and N_b = {best[1]}, mean over N_i"
    beside = f"; {number(claimed)} K with {CLAIMED[0]} and {CLAIMED[1]}"
    return Finding("weighted", as_good(claimed, means[best]), text + beside)


def _starts(results: Results) -> Finding:
    """The spread of the means over N_i beside those over the other two."""
    spreads = [
        _spread([_along(results, place, value, CRPS) for value in results.scope.few(values)])
        for place, values in enumerate(FACTORS.values())
    ]
    phrases = (
        f"{percent(share)} over {name}" for share, name in zip(spreads, FACTORS, strict=True)
    )
    text = f"standard deviation of the mean CRPS: {', '.join(phrases)}"
    return Finding.judged("weighted", spreads[0] < INSENSITIVE, text, spreads[0])


def _spread(values: list[float]) -> float:
    """Standard deviation over the mean."""
    return ratio(float(np.std(values, ddof=1)), float(np.mean(values)))


def _raised(results: Results, path: str, points: int) -> Finding:
    """Whether a variance is above that with the claimed number of points of the equation."""
    # 1 is the place of N_r in `Counts`.
    new, old = (_along(results, 1, n, path) for n in (points, CLAIMED[0]))
    times = ratio(new, old)
    text = f"× {number(times)} at {points} ({number(new)} against {number(old)} K²)"
    return Finding.judged("weighted", times > RAISED, text, times)

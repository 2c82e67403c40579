"""(j) How many points of each kind."""

import numpy as np
from jaxtyping import Float

from agewise.experiments.configuration import Configuration
from agewise.experiments.experiment import Picture, Section
from agewise.experiments.families import VARIANT_TEXT, Variant
from agewise.experiments.lines import COLOURS, as_good, compared, lowest, percent, ratio, shared
from agewise.experiments.results import Results
from agewise.experiments.sampling_counts import (
    FACTORS,
    POINTS,
    READINGS,
    STARTS,
    USUAL,
    at_counts,
    at_point,
    fitted,
    grid,
    lines,
    one_changed,
)
from agewise.experiments.sampling_figures import grid_figure, lines_figure
from agewise.experiments.scope import Scope
from agewise.experiments.tables import NONE, mean_and_std, number, table
from agewise.experiments.verdict import Finding, Verdict

COMPARED: tuple[Variant, ...] = ("weighted", "default")
CRPS = "scores.instants.total.total_crps"
EPISTEMIC, ALEATORIC = "variances.epistemic.mean", "variances.aleatoric.mean"
SHOWN = {
    CRPS: "CRPS [K]",
    EPISTEMIC: "epistemic variance [K²]",
    ALEATORIC: "aleatoric variance [K²]",
}
CLAIMED = (USUAL[1], READINGS[-1])
"""N_r and N_b that the paper finds best."""
INSENSITIVE = 0.1
"""Relative spread over a factor below which it does not matter."""
RAISED = 1.05
"""Factor from which a variance counts as raised."""


def configurations(scope: Scope) -> list[Configuration]:
    """The whole grid under the paper's preset; under ours one factor at a time, since the number
    of points is no weight there."""
    found = []
    if "weighted" in scope.variants:
        found += [at_point(counts) for counts in grid(scope)]
    if "default" in scope.variants:
        found += [at_counts("default", counts) for counts in lines(scope)]
    return found


def section(results: Results) -> Section:
    """Figures of the grid and the lines, and what each factor does."""
    scope, pictures, tables = results.scope, {}, []
    for variant in compared(COMPARED, scope):
        rows = [
            [
                f"{name} = {value}",
                *(_told(_along(results, variant, place, value, path)) for path in SHOWN),
            ]
            for place, (name, values) in enumerate(FACTORS.items())
            for value in scope.few(values)
        ]
        pictures |= _picture(results, variant)
        tables.append(table([VARIANT_TEXT[variant], *SHOWN.values()], rows))
    text = (
        "The heteroscedastic B-PINN with other numbers of points: N_i for the initial state, N_r "
        "for the equation, and N_b of the 11 520 readings of both ends. Under the paper's preset "
        "in all combinations, and each row is the mean over those with one number in common; "
        "under ours, where the objective does not grow with the number of points, one is changed "
        "at a time. Means over the repeats that all rows have, ± their standard deviation where "
        "there are several; CRPS to the truth, variances averaged over the field.\n\n"
    )
    verdicts = _verdicts(results, compared(COMPARED, scope))
    return Section(text + "\n\n".join(tables), pictures, verdicts)


def _told(values: np.ndarray) -> str:
    return mean_and_std(values) if values.size > 1 else number(float(values[0]))


def _along(
    results: Results, variant: Variant, place: int, value: int, path: str
) -> Float[np.ndarray, " repeat"]:
    """A number at one value of a factor: over all else of the grid, or the usual for the rest."""
    if variant == "default":
        chosen = [one_changed(place, value)]
    else:
        chosen = [counts for counts in grid(results.scope) if counts[place] == value]
    found = shared(results, [fitted(variant, counts) for counts in chosen], path)
    return np.mean(found, axis=0) if found else np.array([np.nan])


def _picture(results: Results, variant: Variant) -> dict[str, Picture]:
    few = {name: results.scope.few(values) for name, values in FACTORS.items()}
    if variant == "weighted":
        shape = tuple(len(values) for values in few.values())
        every = [fitted(variant, counts) for counts in grid(results.scope)]
        fields = {
            name: np.array(shared(results, every, path)).reshape(*shape, -1)
            for path, name in SHOWN.items()
        }
        caption = (
            "All combinations under the paper's preset at its best weight: means over the repeats "
            "that all have, and the standard deviation where there are several. Left to right more "
            "points of the initial state, in each panel more readings to the right and more points "
            "of the equation upwards; one colour scale a row."
        )
        figure = grid_figure(few, fields)
        alternative = "Heat maps over three numbers of points."
        return {"sampling-grid": Picture(caption, alternative, figure)}
    by_factor = {
        (name, label): [_along(results, variant, place, value, path) for value in few[name]]
        for place, name in enumerate(few)
        for path, label in SHOWN.items()
    }
    caption = (
        "The default preset with one number of points changed: means over repeats as lines, every "
        "repeat as a dot. The dotted lines are the paper's numbers, at which the others are kept."
    )
    usual = dict(zip(FACTORS, USUAL, strict=True))
    figure = lines_figure(few, usual, by_factor, COLOURS[variant])
    return {"sampling-lines": Picture(caption, "Scores by number of points.", figure)}


def _verdicts(results: Results, variants: list[Variant]) -> tuple[Verdict, ...]:
    usual = USUAL[1]
    return (
        Verdict(
            "CRPS is lowest with 10 000 points of the equation and all readings",
            "yes; shown in a figure",
            tuple(_best(results, variant) for variant in variants),
        ),
        Verdict(
            "The number of initial points hardly matters",
            "yes; no number",
            tuple(_insensitive(results, variant) for variant in variants),
        ),
        Verdict(
            "Too few points of the equation raise the epistemic part",
            "yes at 5000; no number",
            tuple(_raised(results, one, EPISTEMIC, POINTS[0], usual) for one in variants),
        ),
        Verdict(
            "and too many the aleatoric part",
            "yes at 20 000; no number",
            tuple(_raised(results, one, ALEATORIC, POINTS[-1], usual) for one in variants),
        ),
    )


def _best(results: Results, variant: Variant) -> Finding:
    """The best cell of the grid, or the best of the lines."""
    if variant == "weighted":
        every = grid(results.scope)
        found = shared(results, [fitted(variant, one) for one in every], CRPS)
        means = {one: float(np.mean(f)) for one, f in zip(every, found, strict=True)}
        counts = lowest(means)
        claimed = min((v for one, v in means.items() if one[1:] == CLAIMED), default=np.nan)
        holds = as_good(claimed, means[counts])
        text = f"best at {counts[0]}, {counts[1]} and {counts[2]}"
    else:
        counts = tuple(_best_along(results, variant, place) for place in range(len(FACTORS)))
        text = f"best one at a time {counts[0]}, {counts[1]} and {counts[2]}"
        values = [
            [float(np.mean(_along(results, variant, place, one, CRPS))) for one in (claim, best)]
            for place, claim, best in zip((1, 2), CLAIMED, counts[1:], strict=True)
        ]
        holds = all(as_good(*pair) for pair in values)
    return Finding(variant, holds, f"{text} (N_i, N_r, N_b)")


def _best_along(results: Results, variant: Variant, place: int) -> int:
    values = results.scope.few(list(FACTORS.values())[place])
    means = {one: float(np.mean(_along(results, variant, place, one, CRPS))) for one in values}
    return lowest(means)


def _insensitive(results: Results, variant: Variant) -> Finding:
    """The spread over N_i, all else the same, beside the spread over repeats."""
    starts = results.scope.few(STARTS)
    chosen = grid(results.scope)
    if variant == "default":
        chosen = [one_changed(0, one) for one in starts]
    every = {one: fitted(variant, one) for one in chosen}
    values = dict(zip(chosen, shared(results, list(every.values()), CRPS), strict=True))
    spreads = []
    for points, readings in sorted({one[1:] for one in chosen}):
        means = [float(np.mean(values[one, points, readings])) for one in starts]
        spreads.append(ratio(max(means), min(means)) - 1)
    several = [one for one in (results.values(c, CRPS) for c in every.values()) if one.size > 1]
    repeats = [ratio(float(np.std(one, ddof=1)), float(np.mean(one))) for one in several]
    over_starts, over_repeats = float(np.mean(spreads)), float(np.mean(repeats or [np.nan]))
    holds = over_starts < np.nanmax([over_repeats, INSENSITIVE])
    told_repeats = percent(over_repeats) if several else NONE
    text = f"{percent(over_starts)} over N_i, {told_repeats} over repeats"
    return Finding(variant, bool(holds), text)


def _raised(results: Results, variant: Variant, path: str, points: int, usual: int) -> Finding:
    """Whether a variance is above that with the usual number of points of the equation."""
    new, old = (float(np.mean(_along(results, variant, 1, n, path))) for n in (points, usual))
    times = ratio(new, old)
    text = f"× {number(times)} at {points} ({number(new)} against {number(old)} K²)"
    return Finding(variant, times > RAISED, text)

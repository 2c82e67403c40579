"""(i) What injected noise does to the two uncertainties."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.assessment.settings import Settings
from agewise.experiments.cells import twin_of
from agewise.experiments.configuration import TWIN, Configuration
from agewise.experiments.experiment import Picture, Section
from agewise.experiments.families import BPINN, VARIANT_TEXT, Variant, main
from agewise.experiments.lines import (
    COLOURS,
    compared,
    extremes,
    legend_over,
    logarithmic,
    percent,
    ratio,
)
from agewise.experiments.results import Results
from agewise.experiments.scope import Scope
from agewise.experiments.tables import NONE, mean_and_std, number, table, told
from agewise.experiments.verdict import Finding, Verdict
from agewise.report.style import GREY, canvas

LEVELS = (0.0, 0.02, 0.04, 0.06)
"""of each signal's maximum over the window; the load's is about 1 p.u."""
COMPARED: tuple[Variant, ...] = ("weighted", "default")
RIGHT = (0.85, 1.2)
"""Estimated over injected variance that counts as following it."""
STEADY = 1.5
"""Factor by which a variance may change and still count as the same."""
EPISTEMIC, ALEATORIC = "variances.epistemic.mean", "variances.aleatoric.mean"
RATIOS = {
    "ends": "scores.split.aleatoric_ratio_boundary.median",
    "inside": "scores.split.aleatoric_ratio_inside.median",
}


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN and the closed form at every level."""
    networks = [
        at_level(main(BPINN, variant), variant, level)
        for variant in COMPARED
        if variant in scope.variants
        for level in scope.few(LEVELS)
    ]
    return networks + [exact_at(level) for level in scope.few(LEVELS)]


def exact_at(level: float) -> Configuration:
    """The closed form at a level of noise."""
    exact = Configuration("exact", Settings(method="exact"))
    return at_level(exact, "exact", level)


def at_level(one: Configuration, name: str, level: float) -> Configuration:
    """A configuration on twins with so much noise, the same at all times, on every signal."""
    twin = replace(TWIN, noise_law="share", noise=level, load_noise=level)
    return replace(one, name=f"noise/{name}/{level:g}", twin=twin, keeps_fields=False)


@dataclass(frozen=True)
class Method:
    """What is drawn as one line."""

    text: str
    colour: str
    marker: str
    at: Callable[[float], Configuration]


EXACT = Method("closed form (`exact`)", GREY, "s", exact_at)


def _network(variant: Variant) -> Method:
    def at(level: float) -> Configuration:
        return at_level(main(BPINN, variant), variant, level)

    return Method(f"{BPINN.text}, {VARIANT_TEXT[variant]}", COLOURS[variant], "o", at)


def section(results: Results) -> Section:
    """Both variances at every level of noise, beside those of the closed form."""
    levels, variants = results.scope.few(LEVELS), compared(COMPARED, results.scope)
    methods = [*(_network(variant) for variant in variants), EXACT]
    injected = {level: _injected(results, level) for level in levels}
    rows = [_row(results, method, level, injected[level]) for method in methods for level in levels]
    head = [
        "",
        "noise",
        "injected variance [K²]",
        *(f"aleatoric over injected, {where}" for where in RATIOS),
        "aleatoric σ [K]",
        "epistemic variance [K²]",
        f"over that at {percent(_lowest(levels))}",
        "over the closed form's change",
    ]
    text = (
        "White noise on both thermometers and on the load, its standard deviation a share of each "
        "signal's maximum, the same at all times. The closed form is the exact posterior of the "
        "linear equation, so it tells how both parts should answer: more noise teaches less, so "
        "its epistemic variance is not constant either. Variances are means over the field; "
        "ratios are medians at the ends, where noise is measured, and inside, where it is not; "
        "without noise there is nothing to divide by. Mean ± standard deviation over repeats.\n\n"
        + table(head, rows)
    )
    picture = Picture(
        "Left: mean aleatoric variance against the injected one; on the dashed line they are the "
        "same. Right: mean epistemic variance against the level of noise. Lines join means over "
        "repeats, dots are repeats.",
        "Aleatoric variance by injected variance, and epistemic variance by noise level.",
        partial(_figure, results, methods, injected),
    )
    return Section(text, {"noise": picture}, tuple(_verdicts(results, variants, levels)))


def _injected(results: Results, level: float) -> np.ndarray:
    """Mean variance of a thermometer's noise over the field, repeat by repeat."""
    twins = [twin_of(cell.twin) for cell in results.scope.cells(exact_at(level))]
    stds = [twin.truth["noise_std"].to_numpy().astype(float) for twin in twins]
    return np.array([np.mean(std**2) if level else 0.0 for std in stds])


def _lowest(levels: list[float]) -> float:
    return min(level for level in levels if level > 0)


def _row(results: Results, method: Method, level: float, injected: np.ndarray) -> list[str]:
    where, lowest = method.at(level), _lowest(results.scope.few(LEVELS))
    change = _change(results, method, level, lowest)
    against = ratio(change, _change(results, EXACT, level, lowest))
    return [
        method.text,
        percent(level),
        mean_and_std(injected) if level else "0",
        *(told(results, where, path) if level else NONE for path in RATIOS.values()),
        mean_and_std(np.sqrt(results.values(where, ALEATORIC))),
        told(results, where, EPISTEMIC),
        number(change),
        NONE if method is EXACT else number(against),
    ]


def _change(results: Results, method: Method, level: float, reference: float) -> float:
    """Epistemic variance at one level over that at another."""
    new, old = (results.mean(method.at(one), EPISTEMIC) for one in (level, reference))
    return ratio(new, old)


def _figure(results: Results, methods: list[Method], injected: dict[float, np.ndarray]) -> Figure:
    figure = canvas(4.2)
    left, right = figure.subplots(1, 2)
    top = 1.05 * max(float(values.max()) for values in injected.values())
    left.plot([0, top], [0, top], color="black", linestyle="--", linewidth=1.0, label="injected")
    levels = {level: np.full(values.size, 100 * level) for level, values in injected.items()}
    epistemic = []
    for method in methods:
        _draw(left, method, injected, [results.values(method.at(x), ALEATORIC) for x in injected])
        values = [results.values(method.at(level), EPISTEMIC) for level in levels]
        _draw(right, method, levels, values)
        epistemic += values
    low, high = extremes(epistemic)
    if low > 0:
        logarithmic(right, low, high)
    left.set_xlabel("injected noise variance [K²]")
    left.set_ylabel("aleatoric variance [K²]")
    right.set_xlabel("noise, of each signal's maximum [%]")
    right.set_ylabel("epistemic variance [K²]")
    legend_over(figure, left)
    return figure


def _draw(
    axes: Axes, method: Method, places: dict[float, np.ndarray], values: list[np.ndarray]
) -> None:
    label, colour = method.text.replace("`", ""), method.colour
    for place, found in zip(places.values(), values, strict=True):
        axes.plot(place, found, "o", color=colour, alpha=0.35, ms=3.5, mew=0)
    middles = [float(place.mean()) for place in places.values()]
    means, style = [float(found.mean()) for found in values], f"{method.marker}-"
    axes.plot(middles, means, style, color=colour, ms=5.0, label=label)
    axes.grid(alpha=0.25)


def _verdicts(results: Results, variants: list[Variant], levels: list[float]) -> list[Verdict]:
    return [
        Verdict(
            "Aleatoric variance follows the injected noise",
            "yes; no number",
            tuple(_follows(results, variant, levels) for variant in variants),
        ),
        Verdict(
            "while the epistemic part stays as it is",
            "yes; no number",
            tuple(_stays(results, variant, levels) for variant in variants),
        ),
    ]


def _follows(results: Results, variant: Variant, levels: list[float]) -> Finding:
    """Judged at the ends, since nothing tells a method how noisy a thermometer inside would be."""
    at, noisy = _network(variant).at, [level for level in levels if level > 0]
    found = {w: [results.mean(at(level), RATIOS[w]) for level in noisy] for w in RATIOS}
    ranges = {w: f"{number(min(v))} to {number(max(v))}" for w, v in found.items()}
    holds = bool(RIGHT[0] <= min(found["ends"]) and max(found["ends"]) <= RIGHT[1])
    text = f"{ranges['ends']} of the injected variance at the ends ({ranges['inside']} inside)"
    return Finding(variant, holds, text)


def _stays(results: Results, variant: Variant, levels: list[float]) -> Finding:
    ends = (max(levels), _lowest(levels))
    mine, exact = (_change(results, one, *ends) for one in (_network(variant), EXACT))
    holds = bool(1 / STEADY < mine < STEADY)
    way = f"from {percent(ends[1])} to {percent(ends[0])}"
    text = f"× {number(mine)} {way} (closed form: × {number(exact)})"
    return Finding(variant, holds, text)

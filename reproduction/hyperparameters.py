"""(n) The d-PINN's hyperparameters, one at a time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.engine.inference.published.settings import PublishedSettings
from agewise.report.drawing.style import RED, canvas
from reproduction.configuration import Configuration
from reproduction.dropout_rate import at_rate
from reproduction.experiment import Picture, Section
from reproduction.families import DPINN, changed, published
from reproduction.lines import (
    COLOURS,
    CRPS,
    TOTALS,
    Line,
    draw_lines,
    lowest,
    suit,
)
from reproduction.paired import Contest, together
from reproduction.published import HYPERPARAMETERS
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import mean_and_std, table
from reproduction.verdict import Finding, Verdict

COLUMNS = 4
"""Number of panels side by side."""


@dataclass(frozen=True)
class Factor:
    """One hyperparameter: its values, and how to set it."""

    name: str
    """Name in paths and among the published values."""
    text: str
    """Name on the page."""
    values: tuple[Any, ...]
    """Values that are tried, as in the paper's appendix."""
    applied: Callable[[PublishedSettings, Any], PublishedSettings]
    """Function that gives settings with another value of it."""


def _network(settings: PublishedSettings, **changes: Any) -> PublishedSettings:
    """Settings with changes to the network."""
    return replace(settings, network=replace(settings.network, **changes))


def _own(settings: PublishedSettings, **changes: Any) -> PublishedSettings:
    """Settings with changes to the stage of training that is the method's own."""
    own = replace(settings.training.own, **changes)
    return replace(settings, training=replace(settings.training, own=own))


FACTORS = (
    Factor("layers", "layers", (2, 3, 4), lambda s, n: _network(s, hidden=(50,) * n)),
    Factor("nodes", "nodes", (16, 32, 50, 64), lambda s, n: _network(s, hidden=(n, n))),
    Factor("activation", "activation", ("relu", "tanh"), lambda s, n: _network(s, activation=n)),
    Factor("dropout", "dropout", (0.05, 0.1, 0.2, 0.3), lambda s, n: replace(s, dropout=n)),
    Factor("rate", "learning rate", (0.001, 0.01, 0.1), lambda s, n: _own(s, rate=n)),
    Factor("batch", "batch", (8, 16, 32, 64), lambda s, n: replace(s, batch=n)),
    Factor("steps", "steps", (5000, 10_000, 15_000), lambda s, n: _own(s, steps=n)),
    Factor("draws", "functions drawn", (50, 100, 200), lambda s, n: replace(s, draws=n)),
)


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic d-PINN of the paper with one value changed."""
    if "paper" not in scope.variants:
        return []
    fits = [at_value(f, value) for f in scope.few(FACTORS) for value in scope.few(f.values)]
    # Once each: the unchanged value of every factor is the same fit.
    return list({fit.name: fit for fit in fits}.values())


def at_value(factor: Factor, value: Any) -> Configuration:
    """The d-PINN with one hyperparameter changed."""
    # By the experiment on the rate of dropout, so that both share their cells.
    if factor.name == "dropout":
        return at_rate("paper", value)
    settings = factor.applied(published(DPINN, "paper"), value)
    return changed(DPINN, "paper", f"hyperparameters/{factor.name}-{value}", settings)


def section(results: Results) -> Section:
    """Three scores by value of every factor, the paper's choice marked."""
    scope = results.scope
    if "paper" not in scope.variants:
        return Section("The paper's preset was left out of this run.")
    factors = scope.few(FACTORS)
    best = {factor.name: _best(results, factor) for factor in factors}
    rows = [row for factor in factors for row in _rows(results, factor, best[factor.name])]
    head = ["factor", "value", *TOTALS.values(), "paper's choice", "lowest CRPS here"]
    text = (
        "The heteroscedastic d-PINN of the preset paper with one value changed at a "
        "time. The others are 2 layers of 50 nodes, tanh, a dropout of 0.05 "
        "(the paper's table lists 0.1, its study finds 0.05 the best), a rate of 0.01, batches of "
        "64 (its grid ends at 32), 15 000 steps and 200 functions. Scores of the total "
        "distribution to the truth. Mean ± standard deviation over repeats.\n\n" + table(head, rows)
    )
    picture = Picture(
        "CRPS by value of each hyperparameter, all else the same, on one scale: means over "
        "repeats as lines, every repeat as a dot. Rings are the paper's choices.",
        "Small panels of CRPS by value of eight hyperparameters.",
        partial(_figure, results),
    )
    contests = {factor.text: _contest(results, factor) for factor in factors}
    return Section(text, {"hyperparameters": picture}, (_verdict(contests),))


def _values(results: Results, factor: Factor, path: str) -> dict[Any, np.ndarray]:
    """A score at every value of a factor, repeat by repeat."""
    return {
        value: results.values(at_value(factor, value), path)
        for value in results.scope.few(factor.values)
    }


def _best(results: Results, factor: Factor) -> Any:
    scores = _values(results, factor, CRPS)
    return lowest({value: float(np.mean(repeats)) for value, repeats in scores.items()})


def _contest(results: Results, factor: Factor) -> Contest:
    """The paper's value against all others, in CRPS."""
    return Contest(_values(results, factor, CRPS), HYPERPARAMETERS[factor.name])


def _rows(results: Results, factor: Factor, best: Any) -> list[list[str]]:
    scores = [_values(results, factor, path) for path in TOTALS]
    return [
        [
            factor.text,
            str(value),
            *(mean_and_std(score[value]) for score in scores),
            "yes" if value == HYPERPARAMETERS[factor.name] else "",
            "yes" if value == best else "",
        ]
        for value in results.scope.few(factor.values)
    ]


def _verdict(contests: dict[str, Contest]) -> Verdict:
    outcomes = {name: contest.best for name, contest in contests.items()}
    best = [name for name, outcome in outcomes.items() if outcome]
    worse = [
        f"{name} {value} (p {pair.p})"
        for name, contest in contests.items()
        if contest.claimed in contest.scores
        for value, pair in contest.better.items()
    ]
    left = [name for name, outcome in outcomes.items() if outcome is None]
    text = (
        f"best: {', '.join(best) or 'none'}; better here than the paper's: "
        f"{', '.join(worse) or 'none'}; cannot be told: {', '.join(left) or 'none'}"
    )
    finding = Finding("paper", together(outcomes.values()), text)
    return Verdict(
        "The d-PINN's chosen settings are the best", "eight, each from a grid", (finding,)
    )


def _figure(results: Results) -> Figure:
    factors = results.scope.few(FACTORS)
    rows = -(-len(factors) // COLUMNS)
    figure = canvas(0.2 + 2.5 * rows)
    panels = figure.subplots(rows, COLUMNS, sharey=True, squeeze=False)
    drawn = [
        values
        for axes, factor in zip(panels.flat, factors, strict=False)
        for values in _draw_factor(axes, results, factor)
    ]
    # One scale for all panels, so it is chosen when everything is drawn.
    suit(panels.flat, drawn)
    for axes in panels[:, 0]:
        axes.set_ylabel(TOTALS[CRPS])
    return figure


def _draw_factor(axes: Axes, results: Results, factor: Factor) -> list[Any]:
    """Draw the scores by value of a factor, and return them."""
    scores, printed = _values(results, factor, CRPS), HYPERPARAMETERS[factor.name]
    names, values = [str(value) for value in scores], list(scores.values())
    draw_lines(axes, names, [Line(factor.text, COLOURS["paper"], values)])
    if printed in scores:
        place, mean = names.index(str(printed)), float(scores[printed].mean())
        axes.plot(place, mean, "o", color=RED, mfc="none", ms=11.0, mew=1.8)
    unit = "" if factor.name == "activation" else " [1]"
    axes.set_xlabel(factor.text + unit)
    return values

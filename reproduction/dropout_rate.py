"""(m) The rate of dropout."""

from dataclasses import replace
from functools import partial

import numpy as np

from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import DPINN, VARIANT_TEXT, Variant, changed, network
from reproduction.lines import (
    TOTALS,
    Line,
    compared,
    line,
    lowest,
    score_panels,
)
from reproduction.paired import Contest, Paired, together
from reproduction.published import DROPOUT
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import mean_and_std, number, table
from reproduction.verdict import Finding, Verdict

NLL = [*TOTALS.values()][-1]
"""Name on the page of the score that may be negative."""
RATES = (0.05, 0.10, 0.15, 0.20, 0.25)
"""Shares of the units that are left out [1], as in the paper's appendix."""
COMPARED: tuple[Variant, ...] = ("paper",)
"""Presets under which the rate is varied."""


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic d-PINN at every rate."""
    variants = compared(COMPARED, scope)
    return [at_rate(variant, rate) for variant in variants for rate in scope.few(RATES)]


def at_rate(variant: Variant, rate: float) -> Configuration:
    """The d-PINN with so many of its units left out."""
    settings = replace(network(DPINN, variant), dropout=rate)
    return changed(DPINN, variant, f"dropout-rate/{variant}/{rate:g}", settings)


def section(results: Results) -> Section:
    """Three scores by rate, beside the published ones."""
    rates, variants = results.scope.few(RATES), compared(COMPARED, results.scope)
    scores_by_variant = {variant: _scores(results, variant, rates) for variant in variants}
    rows = [
        [
            f"{VARIANT_TEXT[variant]}, {rate:g}",
            *(mean_and_std(values[place]) for values in scores.values()),
        ]
        for variant, scores in scores_by_variant.items()
        for place, rate in enumerate(rates)
    ]
    rows += [[f"*published*, {rate:g}", *map(number, DROPOUT[rate])] for rate in rates]
    text = (
        "The heteroscedastic d-PINN at other rates, in training and in prediction. Scores of the "
        "total distribution against the true oil over the whole field, as the paper takes them. "
        "Mean ± standard deviation over repeats.\n\n"
        + table(["rate of dropout", *TOTALS.values()], rows)
    )
    lines = {
        label: [
            *(line(variant, scores_by_variant[variant][label]) for variant in variants),
            Line("published", "black", [np.array([DROPOUT[rate][place]]) for rate in rates], "s--"),
        ]
        for place, label in enumerate(TOTALS.values())
    }
    picture = Picture(
        "Three scores of the d-PINN by rate of dropout: means over repeats as lines, every repeat "
        "as a dot, the published values dashed (other data, so only their order compares).",
        "Lines of RMSE, CRPS and NLL by rate of dropout.",
        partial(score_panels, [f"{rate:g}" for rate in rates], lines, "rate of dropout [1]"),
    )
    verdicts = (
        Verdict(
            "0.05 is the best rate of dropout",
            "in RMSE, CRPS and NLL",
            tuple(_best(variant, scores_by_variant[variant], rates) for variant in variants),
        ),
        Verdict(
            "and more dropout is worse",
            f"RMSE × {DROPOUT[RATES[-1]][0] / DROPOUT[RATES[0]][0]:.2f} from 0.05 to 0.25",
            tuple(_worse(variant, scores_by_variant[variant]) for variant in variants),
        ),
    )
    return Section(text, {"dropout-rate": picture}, verdicts)


def _scores(results: Results, variant: Variant, rates: list[float]) -> dict[str, list[np.ndarray]]:
    """Every score by rate, repeat by repeat."""
    fits = [at_rate(variant, rate) for rate in rates]
    return {label: [results.values(fit, path) for fit in fits] for path, label in TOTALS.items()}


Scores = dict[str, list[np.ndarray]]
"""Scores by their names on the page, by rate, over repeats."""


def _best(variant: Variant, scores: Scores, rates: list[float]) -> Finding:
    contests = {
        label: Contest(dict(zip(rates, values, strict=True)), rates[0], signed=label == NLL)
        for label, values in scores.items()
    }
    phrases = [f"{label} {_nearest(contest)}" for label, contest in contests.items()]
    holds = together(contest.best for contest in contests.values())
    return Finding(variant, holds, f"{rates[0]:g} against the next best: {'; '.join(phrases)}")


def _nearest(contest: Contest) -> str:
    """The claimed rate beside the best of the others."""
    rate = lowest({value: float(pair.theirs.mean()) for value, pair in contest.pairs.items()})
    return f"{contest.pairs[rate].text} at {rate:g}"


def _worse(variant: Variant, scores: Scores) -> Finding:
    """Whether all scores are worse at the highest rate than at the lowest."""
    pairs = {
        label: Paired(values[0], values[-1], signed=label == NLL)
        for label, values in scores.items()
    }
    holds = together(pair.smaller for pair in pairs.values())
    phrases = (f"{label} {pair.text}" for label, pair in pairs.items())
    return Finding(variant, holds, "; ".join(phrases))

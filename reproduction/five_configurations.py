"""(a) The five configurations at six instants and in total."""

import numpy as np

from agewise.assessment.oil.settings import Settings
from reproduction import more_repeats
from reproduction.configuration import Configuration
from reproduction.experiment import Section
from reproduction.families import (
    BPINN,
    BPINN_HOM,
    DPINN,
    FAMILIES,
    POLISHED,
    VANILLA,
    VARIANT_TEXT,
    WHOLE,
    Family,
    Variant,
    main,
    whole,
)
from reproduction.more_repeats import with_more
from reproduction.paired import Paired, together
from reproduction.published import INSTANTS, TABLE
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import NONE, change, number, over_repeats, table
from reproduction.verdict import Finding, Verdict

YARDSTICKS = tuple(
    Configuration(f"main/yardstick/{name}", Settings(method=name), keeps_fields=name == "exact")
    for name in ("line", "solver", "exact")
)
"""Methods that need no network, to compare with."""


def configurations(scope: Scope) -> list[Configuration]:
    """Five families under every preset, and the yardsticks."""
    networks = [main(family, variant) for variant in scope.variants for family in FAMILIES]
    return [
        *networks,
        *(whole(variant) for variant in in_full(scope)),
        *YARDSTICKS,
        *more_repeats.configurations(scope),
    ]


def in_full(scope: Scope) -> list[Variant]:
    """Where all steps of L-BFGS were made once."""
    return [variant for variant in scope.variants if variant in WHOLE]


def polished(scope: Scope) -> list[Variant]:
    """Where the vanilla network ends with L-BFGS."""
    return [variant for variant in scope.variants if variant != "default"]


SCORES = {"rmse": "RMSE [K]", "total_crps": "CRPS [K]", "total_nll": "NLL [nats]"}
"""The paper's scores, against the truth: names in a cell, and with units on the page."""
NAMED = {score: name.split()[0] for score, name in SCORES.items()}
"""The same without units."""
SEVERAL = 100
"""Increase that counts as several times [%]."""


def section(results: Results) -> Section:
    """A table for each score and preset, the paper's numbers below ours."""
    text = (
        "Scores against the true oil over all heights, as the paper takes them: the total "
        "distribution, noise of the sensors included. (Held against a truth without noise, that "
        "rewards a method for claiming less noise than there is; scores on readings are further "
        "down.) Mean ± standard deviation over repeats, each with a twin and "
        "initial weights of its own. A dash: there is no such number, as where a method claims to "
        "be certain. The vanilla network does not make its 10 000 steps of L-BFGS, which take "
        f"twenty minutes a fit, but {POLISHED}; under paper-literal all were made once. The rows "
        "`line`, `solver` and `exact` need no network.\n\n"
    )
    blocks = [_block(results, score, name) for score, name in SCORES.items()]
    return Section(text + "\n\n".join(blocks), verdicts=tuple(_verdicts(results)))


def _block(results: Results, score: str, name: str) -> str:
    rows = []
    for variant in results.scope.variants:
        for family in FAMILIES:
            where = main(family, variant)
            rows.append([f"{family.text}, {VARIANT_TEXT[variant]}", *_cells(results, where, score)])
    for variant in in_full(results.scope):
        label = f"{VANILLA.text}, {VARIANT_TEXT[variant]}, all of L-BFGS, once"
        rows.append([label, *_cells(results, whole(variant), score)])
    for yardstick in YARDSTICKS:
        rows.append([f"`{yardstick.settings.method}`", *_cells(results, yardstick, score)])
    for family in FAMILIES:
        printed = TABLE[family.name][score]
        rows.append([f"{family.text}, *published*", *(_printed(value) for value in printed)])
    head = [name, *(f"{hour} h" for hour in INSTANTS[:-1]), INSTANTS[-1]]
    return f"**{name}**\n\n{table(head, rows)}"


def _cells(results: Results, where: Configuration, score: str) -> list[str]:
    return [
        over_repeats(results, where, f"scores.instants.{instant}.{score}") for instant in INSTANTS
    ]


def _printed(value: float | None) -> str:
    return NONE if value is None else f"{value:.2f}"


def _verdicts(results: Results) -> list[Verdict]:
    variants = results.scope.variants
    return [
        Verdict(
            "The heteroscedastic B-PINN beats the homoscedastic one in CRPS",
            "0.58 against 0.66",
            tuple(better(results, v, BPINN_HOM, "total", "total_crps") for v in variants),
        ),
        Verdict(
            "and in NLL",
            "11.6 % lower",
            tuple(better(results, v, BPINN_HOM, "total", "total_nll") for v in variants),
        ),
        Verdict(
            "The B-PINN beats the vanilla network in RMSE",
            "57.3 % lower",
            tuple(better(results, v, VANILLA, "total", "rmse") for v in variants),
        ),
        Verdict(
            "The B-PINN beats the d-PINN in RMSE",
            "42.6 % lower",
            tuple(better(results, v, DPINN, "total", "rmse") for v in variants),
        ),
        Verdict(
            "and in CRPS",
            "40.2 % lower",
            tuple(better(results, v, DPINN, "total", "total_crps") for v in variants),
        ),
        Verdict(
            "and in NLL",
            "1.75 against 1.80",
            tuple(better(results, v, DPINN, "total", "total_nll") for v in variants),
        ),
        Verdict(
            "It beats both in every score",
            "yes",
            tuple(_best_of_all(results, v) for v in variants),
        ),
        Verdict(
            f"At 50 h the d-PINN's RMSE is several times the B-PINN's (over {SEVERAL} % more)",
            "645 % more",
            tuple(_grown(results, v) for v in variants),
        ),
    ]


def better(results: Results, variant: Variant, other: Family, instant: str, score: str) -> Finding:
    """Whether the heteroscedastic B-PINN's score is below that of another family."""
    path = f"scores.instants.{instant}.{score}"
    # Families that were repeated further are compared on all of their twins.
    results = with_more(results, variant) if other is DPINN else results
    scores = (results.values(main(family, variant), path) for family in (BPINN, other))
    pair = Paired(*scores, signed=score == "total_nll")
    mine, theirs = float(pair.ours.mean()), float(pair.theirs.mean())
    if not np.isfinite([mine, theirs]).all():
        return Finding(variant, None, NONE)
    # NLL may be negative, so a percentage of it means nothing.
    lower = "" if score == "total_nll" else f"{change(mine, theirs)}: "
    if other is VANILLA and variant in polished(results.scope):
        # Its training is cut short: what is lost to it is lost, but a win over it is none.
        holds, note = (False if pair.smaller is False else None), _cut(results, variant, path)
        return Finding(variant, holds, lower + pair.text + note)
    return Finding(variant, pair.smaller, lower + pair.text)


def _cut(results: Results, variant: Variant, path: str) -> str:
    """How far the vanilla network was trained, and what all of its steps come to."""
    cut = f", after {POLISHED} of 10 000 steps of L-BFGS, so that a win would be none"
    if variant not in WHOLE:
        return cut
    ours, all_steps = (
        float(results.values(fit, path)[0]) for fit in (main(BPINN, variant), whole(variant))
    )
    return f"{cut} (after all, on the first twin: {number(ours)} against {number(all_steps)})"


def _best_of_all(results: Results, variant: Variant) -> Finding:
    """Whether no score of the other two is lower, by what the single verdicts say."""
    pairs = {
        f"{NAMED[score]} of the {other.text}": better(results, variant, other, "total", score)
        for other in (DPINN, VANILLA)
        for score in SCORES
    }
    # Some scores do not exist, such as the NLL of a method that claims to be certain.
    outcomes = {name: pair.holds for name, pair in pairs.items() if pair.number != NONE}
    lost = [name for name, holds in outcomes.items() if holds is False]
    open_ = [name for name, holds in outcomes.items() if holds is None]
    text = f"not below {', '.join(lost)}" if lost else "not above in any score that there is"
    left = f"; cannot be told: {', '.join(open_)}" if open_ else ""
    return Finding(variant, together(outcomes.values()), text + left)


def _grown(results: Results, variant: Variant) -> Finding:
    path, results = "scores.instants.50.rmse", with_more(results, variant)
    mine, theirs = (results.values(main(family, variant), path) for family in (BPINN, DPINN))
    least = 1 + SEVERAL / 100
    means = float(theirs.mean()), float(mine.mean())
    text = f"{change(*means)} ({number(means[0])} K against {number(means[1])} K)"
    return Finding.judged(variant, Paired(least * mine, theirs).margins, text)

"""(p) Physics against no physics, with less and less data."""

from dataclasses import replace
from functools import partial

import numpy as np

from agewise.engine.inference.published.settings import PublishedSettings
from agewise.engine.presets import AnySettings
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import (
    ALL_READINGS,
    BPINN,
    VARIANT_TEXT,
    Variant,
    changed,
    network,
    with_readings,
)
from reproduction.lines import COLOURS, CRPS, RMSE, Line, compared, percent, score_panels
from reproduction.noise import Z
from reproduction.paired import Paired
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import mean_and_std, table
from reproduction.verdict import Finding, Verdict

SHARES = (0.01, 0.05, 0.25, 1.0)
"""Shares of the readings of both ends that are used [1]."""
COMPARED: tuple[Variant, ...] = ("paper", "default")
"""Presets under which readings are left out."""
SHOWN = {
    RMSE: "RMSE over the field [K]",
    "ends.rmse": "RMSE at the ends [K]",
    CRPS: "CRPS [K]",
}
"""Scores in table and figure: paths in a cell, and names on the page."""
LISTED = SHOWN | {Z: "epistemic z (1 is right)"}
"""Scores in the table."""
KINDS = {True: "with physics", False: "without"}
"""Words for whether the equation is used."""


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN with and without its equation."""
    variants = compared(COMPARED, scope)
    return [
        with_share(variant, share, physics=physics)
        for variant in variants
        for physics in (True, False)
        for share in scope.few(SHARES)
    ]


def with_share(variant: Variant, share: float, *, physics: bool) -> Configuration:
    """The B-PINN on a share of the readings, with or without the equation.

    Without it, the effect of the load by itself is not taken out of the unknown either.
    """
    count = round(share * ALL_READINGS) if share < 1 else 0  # 0 stands for all readings
    settings = _thinned(network(BPINN, variant), count, physics=physics)
    what = "physics" if physics else "none"
    name = f"scarcity/{variant}/{what}-{share:g}"
    return changed(BPINN, variant, name, settings)


def _thinned(settings: AnySettings, count: int, *, physics: bool) -> AnySettings:
    """Settings with so many readings; without physics the unknown is the solution as it is."""
    if isinstance(settings, PublishedSettings):
        return replace(with_readings(settings, count), physics=physics)
    fewer = replace(settings.likelihood, readings=count, physics=physics, lifted=physics)
    return replace(settings, likelihood=fewer)


def section(results: Results) -> Section:
    """Error over the field and at its ends by share of the readings, with and without physics."""
    shares, variants = results.scope.few(SHARES), compared(COMPARED, results.scope)
    scores_by_variant = {variant: _scores(results, variant) for variant in variants}
    rows = [
        [
            f"{VARIANT_TEXT[variant]}, {kind}",
            percent(share),
            *(mean_and_std(scores[path][physics, share]) for path in LISTED),
        ]
        for variant, scores in scores_by_variant.items()
        for physics, kind in KINDS.items()
        for share in shares
    ]
    text = (
        "The heteroscedastic B-PINN with its equation and without, on a share of the 11 520 "
        "readings, all of which are at the two ends. Without the equation nothing is known of the "
        "oil between them but that it is smooth. Errors are to the truth. Mean ± standard "
        "deviation over repeats.\n\n" + table(["", "readings", *LISTED.values()], rows)
    )
    lines = {
        label: [
            _line(
                variant,
                physics,
                [scores_by_variant[variant][path][physics, share] for share in shares],
            )
            for variant in variants
            for physics in KINDS
        ]
        for path, label in SHOWN.items()
    }
    picture = Picture(
        "Scores by share of the readings with the equation (full lines) and without it (dashed): "
        "means over repeats as lines, every repeat as a dot.",
        "Lines of error by share of the readings, with physics and without.",
        partial(score_panels, [f"{100 * share:g}" for share in shares], lines, "readings used [%]"),
    )
    verdicts = (
        Verdict(
            "Physics helps where data are few: RMSE [K] with and without",
            "the reason given for physics; no number",
            tuple(
                _helps(variant, scores_by_variant[variant][RMSE], shares) for variant in variants
            ),
        ),
    )
    return Section(text, {"scarcity": picture}, verdicts)


Values = dict[tuple[bool, float], np.ndarray]
"""A score over repeats, by whether the equation is used and by share of the readings."""


def _scores(results: Results, variant: Variant) -> dict[str, Values]:
    places = [(physics, share) for physics in KINDS for share in results.scope.few(SHARES)]
    fits = {place: with_share(variant, place[1], physics=place[0]) for place in places}
    return {
        path: {place: results.values(fit, path) for place, fit in fits.items()} for path in LISTED
    }


def _line(variant: Variant, physics: bool, values: list[np.ndarray]) -> Line:
    label = f"{VARIANT_TEXT[variant]}, {KINDS[physics]}"
    return Line(label, COLOURS[variant], values, "o-" if physics else "s--")


def _helps(variant: Variant, errors: Values, shares: list[float]) -> Finding:
    """Judged where readings are fewest; the numbers of the other shares are named too."""
    pairs = [Paired(errors[True, share], errors[False, share]) for share in shares]
    phrases = [f"at {percent(share)} {p.text}" for p, share in zip(pairs, shares, strict=True)]
    return Finding(variant, pairs[0].smaller, "; ".join(phrases))

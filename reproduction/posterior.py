"""(l) The posterior of the weights beside their prior, as training goes on."""

from dataclasses import dataclass
from functools import partial

import matplotlib as mpl
import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.engine.objective.priors import PRIORS
from agewise.report.drawing.style import SPREAD, canvas, legend_above
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, VARIANT_TEXT, Variant, main
from reproduction.lines import extremes
from reproduction.more_repeats import with_more
from reproduction.paired import Margins
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import number, table
from reproduction.training_record import WEIGHTS
from reproduction.verdict import Finding, Verdict
from reproduction.weight_densities import BLUR, Density, blurred, distance, prior_density

DRAWN = 4
"""Largest number of snapshots in a panel."""
LEAST = 3e-3
"""Density from which it is drawn [1]."""
MARGIN = 0.02
"""Difference of two distances below which they count as the same [1]."""
INSIDE = np.abs(WEIGHTS) <= WEIGHTS[-1] - 3 * BLUR
"""Which kept values are so far from the ends that the blur lacks nothing there."""


@dataclass(frozen=True)
class Snapshots:
    """The weights of the first repeat, from time to time."""

    steps: np.ndarray
    """Step of the training at which each was taken."""
    densities: Float[np.ndarray, "snapshot value"]
    """Density of a weight picked at random, blurred."""
    mean_std: Float[np.ndarray, " snapshot"]
    """Standard deviation of the means over all weights [1]."""
    weight_std: Float[np.ndarray, " snapshot"]
    """Median of the standard deviations of all weights [1]."""
    prior: Density
    """Density of a weight before any data, blurred too."""

    @property
    def distances(self) -> Float[np.ndarray, " snapshot"]:
        """Total variation between each snapshot and the prior [1]."""
        return np.array([distance(density, self.prior) for density in self.densities])


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN under every preset."""
    return [main(BPINN, variant) for variant in scope.variants]


def section(results: Results) -> Section:
    """Densities at a few snapshots, and how far they are from the prior."""
    variants = results.scope.variants
    records: dict[Variant, Snapshots] = {v: snapshots(results, v) for v in variants}
    rows = [
        [
            VARIANT_TEXT[variant],
            f"{record.steps[at]:.0f}",
            number(float(record.mean_std[at])),
            number(float(record.weight_std[at])),
            number(float(record.distances[at])),
        ]
        for variant, record in records.items()
        for at in (0, -1)
    ]
    head = ["", "step", "spread of the means", "median σ of a weight", "distance from the prior"]
    text = (
        "The heteroscedastic B-PINN's weights, each a normal distribution of its own, at the first "
        "and the last snapshot of the first repeat. The density of a weight picked at random is "
        "held against that of the Laplace prior by their total variation, half the integral of the "
        "absolute difference: 0 where they are the same, 1 where they share nothing (both blurred "
        "by 0.1, since a weight may be known more sharply than a density can show). Under the "
        "default preset the weights set out from the most probable ones, and the divergence from "
        "the prior counts less than in full. A posterior that comes nearer to the prior by more "
        f"than {MARGIN:g} counts as contracting towards it, though its weights may widen on the "
        "way, since they set out narrow.\n\n" + table(head, rows)
    )
    picture = Picture(
        "Density of a weight picked at random from the posterior, from an early snapshot (dark) to "
        "the last (bright), and of the prior (dashed), all blurred by 0.1. The scale is "
        "logarithmic, since most weights are near zero.",
        "Densities of the weights at several steps beside the prior's.",
        partial(_figure, records),
    )
    verdict = Verdict(
        "The posterior contracts towards the prior",
        "yes; shown in a figure",
        tuple(_contracts(results, variant, record) for variant, record in records.items()),
    )
    return Section(text, {"posterior": picture}, (verdict,))


def snapshots(results: Results, variant: Variant) -> Snapshots:
    """What was kept of the weights in the B-PINN's own stage."""
    configuration = main(BPINN, variant)
    settings = results.scope.cells(configuration)[0].settings.network
    assert settings is not None and settings.training.own is not None
    arrays, stage = results.arrays(configuration), settings.training.own
    interval, chosen = stage.look * stage.snapshots, settings.network
    densities = arrays["snapshot_density"].astype(float)
    return Snapshots(
        steps=interval * np.arange(1, len(densities) + 1),
        densities=np.stack([blurred(density) for density in densities]),
        mean_std=arrays["snapshot_mean_std"],
        weight_std=arrays["snapshot_weight_std"],
        prior=blurred(prior_density(PRIORS[chosen.prior](chosen.prior_scale))),
    )


def _figure(records: dict[Variant, Snapshots]) -> Figure:
    figure = canvas(4.4)
    _, highest = extremes(
        [density for record in records.values() for density in (record.prior, *record.densities)]
    )
    panels = figure.subplots(1, len(records), sharex=True, sharey=True, squeeze=False)[0]
    for axes, (variant, record) in zip(panels, records.items(), strict=True):
        _draw_densities(axes, record)
        axes.set_title(VARIANT_TEXT[variant], loc="left", pad=40.0)
        axes.set_xlabel("weight [1]")
        axes.set_yscale("log")
        axes.set_ylim(LEAST, 2 * highest)
    panels[0].set_ylabel("density [1]")
    return figure


def _draw_densities(axes: Axes, record: Snapshots) -> None:
    chosen = np.unique(np.linspace(0, len(record.steps) - 1, DRAWN).round().astype(int))
    colours = mpl.colormaps[SPREAD](np.linspace(0.0, 0.85, chosen.size))
    for at, colour in zip(chosen, colours, strict=True):
        # Down to below the axis only, since zero has no logarithm.
        density = np.maximum(record.densities[at], LEAST / 10)[INSIDE]
        label = f"step {record.steps[at]:.0f}"
        axes.plot(WEIGHTS[INSIDE], density, color=colour, label=label)
    axes.plot(WEIGHTS[INSIDE], record.prior[INSIDE], color="black", linestyle="--", label="prior")
    axes.grid(alpha=0.25)
    legend_above(axes, columns=3)


def _contracts(results: Results, variant: Variant, record: Snapshots) -> Finding:
    """Over all repeats where their distances are kept, and otherwise in the first."""
    results = with_more(results, variant)
    repeats = results.numbers(main(BPINN, variant))
    if all(numbers.get("contraction") for numbers in repeats):
        first, last = (
            results.values(main(BPINN, variant), f"contraction.{at}") for at in ("first", "last")
        )
    else:
        first, last = (record.distances[[at]] for at in (0, -1))
    narrow, wide = (number(float(record.weight_std[at])) for at in (0, -1))
    steps = f"from step {record.steps[0]:.0f} to {record.steps[-1]:.0f}"
    ends = " to ".join(number(float(values.mean())) for values in (first, last))
    text = f"distance {ends}, σ of a weight {narrow} to {wide} {steps}"
    return Finding.judged(variant, Margins(first - last - MARGIN), text)

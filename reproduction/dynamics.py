"""(k) How the terms of the objective fall in training."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from agewise.report.drawing.style import BLUE, GREEN, GREY, ORANGE, PURPLE, canvas
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, DPINN, VANILLA, VARIANT_TEXT, Variant, main
from reproduction.lines import extremes, percent
from reproduction.paired import Margins
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import number, over_repeats, table
from reproduction.training_record import SETTLED, first_stage, stage_terms
from reproduction.verdict import Finding, Verdict

COMPARED = (BPINN, DPINN, VANILLA)
"""Families that are compared, one row of panels each."""
STAGES = ("start", "own", "polish")
"""Names of the stages of a training, in their order."""
TERMS = {
    "total": ("total", "black"),
    "readings": ("readings of the ends", BLUE),
    "initial": ("initial state", GREEN),
    "interior": ("equation", ORANGE),
    "prior": ("prior", GREY),
    "divergence": ("divergence from the prior", PURPLE),
}
"""Terms of an objective: names in a history, with label and colour."""
TIMED = {name: TERMS[name][0] for name in ("initial", "readings", "interior")}
"""Terms whose convergence is in the table, with their labels."""
FLOOR = 10.0
"""Added to the height of a term above its lowest value, so that it has a logarithm [nats]."""


def configurations(scope: Scope) -> list[Configuration]:
    """Three families under every preset."""
    return [main(family, variant) for variant in scope.variants for family in COMPARED]


def section(results: Results) -> Section:
    """Curves of the first repeat, and when each term has converged."""
    variants = results.scope.variants
    rows = [
        [
            f"{family.text}, {VARIANT_TEXT[variant]}",
            *(
                over_repeats(results, main(family, variant), f"convergence.{name}")
                for name in TIMED
            ),
        ]
        for variant in variants
        for family in COMPARED
    ]
    text = (
        "The terms of the objective as training goes on. The table tells after which share of "
        "the steps a term, smoothed, stays within "
        f"{percent(SETTLED)} of its whole way from where it ends, in the stage that sets out "
        "from random weights (under the default preset that is Gauss-Newton). Mean ± "
        "standard deviation over repeats.\n\n"
        + table(["share of the steps", *TIMED.values()], rows)
    )
    picture = Picture(
        "Terms of the objective by step, first repeat, on logarithmic axes. Likelihoods become "
        "negative, so in such a row every term is drawn as what it lies above its lowest value in "
        "the stage, and ten more. Dots: the term has converged. Dotted lines part stages: "
        "Gauss-Newton and Adam under the default preset, Adam and L-BFGS for the paper's vanilla "
        "network, whose terms are mean squares. A term that is zero throughout is not drawn.",
        "Lines of the terms of three objectives by step.",
        partial(_figure, results),
    )
    verdict = Verdict(
        "The residual of the equation converges last (B-PINN)",
        "yes; shown in a figure",
        tuple(_last(results, variant) for variant in variants),
    )
    return Section(text, {"dynamics": picture}, (verdict,))


def _figure(results: Results) -> Figure:
    variants = results.scope.variants
    figure = canvas(0.6 + 2.7 * len(COMPARED))
    panels = figure.subplots(len(COMPARED), len(variants), sharex="col", squeeze=False)
    for row, family in zip(panels, COMPARED, strict=True):
        stages_by_variant = {
            variant: _stages(results, main(family, variant)) for variant in variants
        }
        # One kind of axis for a row, so that its presets can be compared.
        above = any(_negative(stage) for stages in stages_by_variant.values() for stage in stages)
        for axes, (variant, stages) in zip(row, stages_by_variant.items(), strict=True):
            _draw_training(axes, stages, above)
            axes.set_title(f"{family.text}, {VARIANT_TEXT[variant]}", loc="left")
        row[0].set_ylabel(f"above the lowest, + {FLOOR:.0f} [nats]" if above else "terms [1]")
    for axes in panels[-1]:
        axes.set_xlabel("step [1]")
    # Not every family has every term, so the legend gathers those of all panels.
    drawn = {
        label: handle
        for axes in panels.flat
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    names = [label for label, _ in TERMS.values() if label in drawn]
    handles = [drawn[name] for name in names]
    figure.legend(handles, names, loc="outside upper center", ncols=len(TERMS), frameon=False)
    return figure


@dataclass(frozen=True)
class Record:
    """A stage of a training."""

    steps: np.ndarray
    """Steps since the start of the first stage."""
    terms: Mapping[str, np.ndarray]
    """Terms of the objective that are not zero throughout."""
    converged: Mapping[str, float]
    """The step after which a term stays near its end."""


def _stages(results: Results, configuration: Configuration) -> list[Record]:
    """The stages of the first repeat."""
    arrays, passed, records = results.arrays(configuration), 0.0, []
    convergence = results.numbers(configuration)[0]["convergence"]
    for stage in STAGES:
        terms = stage_terms(arrays, stage)
        if not terms:
            continue
        steps = terms["step"].astype(float)
        # Convergence was measured in the stage that sets out from random weights, in no other.
        timed = convergence if stage == first_stage(arrays) else {}
        settled = {name: timed[name] for name in TIMED if timed.get(name) is not None}
        records.append(
            Record(
                steps + passed,
                {name: terms[name] for name in TERMS if np.any(terms.get(name, 0))},
                # A share of the steps may fall before the first look at the terms.
                {name: np.clip(s * steps[-1], *steps[[0, -1]]) for name, s in settled.items()},
            )
        )
        passed += float(steps[-1])
    return records


def _negative(stage: Record) -> bool:
    return any(bool(np.any(values < 0)) for values in stage.terms.values())


def _draw_training(axes: Axes, stages: list[Record], above: bool) -> None:
    drawn = []
    for stage in stages:
        for name, values in stage.terms.items():
            lowest, _ = extremes([values])
            heights = values.astype(float) - lowest + FLOOR if above else values
            _draw_term(axes, stage, name, heights)
            drawn.append(heights)
    for stage in stages[:-1]:
        axes.axvline(stage.steps[-1], color=GREY, linestyle=":", linewidth=1.2)
    axes.set_xscale("log")
    low, _ = extremes(drawn) if drawn else (np.nan, np.nan)
    if low > 0:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(numticks=7))
        axes.yaxis.set_minor_locator(NullLocator())
    axes.grid(alpha=0.25)


def _draw_term(axes: Axes, stage: Record, name: str, heights: np.ndarray) -> None:
    label, colour = TERMS[name]
    width, order = (2.4, 1.5) if name == "total" else (1.2, 2.0)
    axes.plot(stage.steps, heights, color=colour, linewidth=width, zorder=order, label=label)
    if name in stage.converged:
        step = stage.converged[name]
        height = np.interp(step, stage.steps, heights)
        axes.plot(step, height, "o", color=colour, ms=7.0, mec="white", zorder=3.0)


def _last(results: Results, variant: Variant) -> Finding:
    fit = main(BPINN, variant)
    shares = {name: results.values(fit, f"convergence.{name}") for name in TIMED}
    others = np.max([share for name, share in shares.items() if name != "interior"], axis=0)
    means = (f"{TIMED[name]} {number(float(share.mean()))}" for name, share in shares.items())
    margins = Margins(shares["interior"] - others)
    return Finding.judged(variant, margins, f"{', '.join(means)} of the steps")

"""What a fit costs, beside a numerical solution."""

import numpy as np

from agewise.transformer.oil.solver import VARIANCE_DRAWS
from reproduction.configuration import Configuration
from reproduction.experiment import Section
from reproduction.families import BPINN, FAMILIES, VARIANT_TEXT, Variant, main
from reproduction.five_configurations import YARDSTICKS
from reproduction.paired import Paired
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import number, over_repeats, table
from reproduction.verdict import Finding, Verdict

SOLVER = next(each for each in YARDSTICKS if each.settings.method == "solver")
"""The numerical solution that a network is held against."""


def configurations(scope: Scope) -> list[Configuration]:
    """All families and the solver."""
    networks = [main(family, variant) for variant in scope.variants for family in FAMILIES]
    return [*networks, SOLVER]


def section(results: Results) -> Section:
    """Seconds of a fit, and how many times the solver's."""
    solver = _seconds(results, SOLVER)
    rows = [["`solver`", number(solver), "1", _rmse(results, SOLVER)]]
    for variant in results.scope.variants:
        for family in FAMILIES:
            network = main(family, variant)
            times = number(_seconds(results, network) / solver)
            cells = (number(_seconds(results, network)), times, _rmse(results, network))
            rows.append([f"{family.text}, {VARIANT_TEXT[variant]}", *cells])
    text = (
        "Seconds of one fit on one core, the median over repeats, compilation included where a "
        "process compiled. `solver` is our numerical solution: finite elements between smoothed "
        f"ends, {VARIANCE_DRAWS} times over for its uncertainty. Cells ran two at "
        "a time on a shared machine, so only ratios mean anything.\n\n"
        + table(["", "fit [s]", "times the solver's", "RMSE [K]"], rows)
    )
    verdict = Verdict(
        "A network saves effort over the numerical solver",
        "the reason given for networks; no number",
        tuple(_cheaper(results, variant, solver) for variant in results.scope.variants),
    )
    return Section(text, verdicts=(verdict,))


def _seconds(results: Results, configuration: Configuration) -> float:
    """Median duration of a fit [s]: a busy machine makes single ones far too long."""
    return float(np.median(results.values(configuration, "seconds.fit")))


def _rmse(results: Results, configuration: Configuration) -> str:
    return over_repeats(results, configuration, "scores.truth.rmse")


def _cheaper(results: Results, variant: Variant, solver: float) -> Finding:
    network = main(BPINN, variant)
    text = f"{number(_seconds(results, network))} s against {number(solver)} s"
    pair = Paired(*(results.values(fit, "seconds.fit") for fit in (network, SOLVER)))
    return Finding.judged(variant, pair.margins, f"{text} with {VARIANCE_DRAWS} solutions")

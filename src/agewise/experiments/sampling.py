"""(j) How many points of each kind."""

from dataclasses import replace
from itertools import product

from agewise.experiments.configuration import Configuration
from agewise.experiments.families import BPINN, Variant, changed, network
from agewise.experiments.scope import Scope

STARTS, POINTS = (5, 100, 200), (5000, 10_000, 20_000)
READINGS = (2880, 5760, 8640, 11_520)
"""A quarter, half, three quarters and all of the readings of both ends."""
USUAL = (200, 10_000, 5760)

Counts = tuple[int, int, int]
"""N_i, N_r and N_b."""


def configurations(scope: Scope) -> list[Configuration]:
    """The whole grid under the paper's preset; under ours one factor at a time, since the number
    of points is no weight there."""
    found = []
    if "weighted" in scope.variants:
        found += [at_point(counts) for counts in grid(scope)]
    if "default" in scope.variants:
        found += [at_counts("default", counts) for counts in lines(scope)]
    return found


def grid(scope: Scope) -> list[Counts]:
    """Every combination."""
    return list(product(*(scope.few(counts) for counts in (STARTS, POINTS, READINGS))))


def lines(scope: Scope) -> list[Counts]:
    """The usual numbers, and one of them changed."""
    found = [USUAL]
    for place, values in enumerate((STARTS, POINTS, READINGS)):
        for value in scope.few(values):
            found.append((*USUAL[:place], value, *USUAL[place + 1 :]))
    return sorted(set(found))


def at_point(counts: Counts) -> Configuration:
    """A point of the whole grid, fitted once: there are 36."""
    one = at_counts("weighted", counts)
    return replace(one, repeats=1 if one.repeats else None)


def at_counts(variant: Variant, counts: Counts) -> Configuration:
    """The heteroscedastic B-PINN with so many points of each kind."""
    settings, (starts, points, readings) = network(BPINN, variant), counts
    likelihood = replace(settings.likelihood, starts=starts, points=points, readings=readings)
    name = f"sampling/{variant}/{starts}-{points}-{readings}"
    return changed(BPINN, variant, name, replace(settings, likelihood=likelihood))

"""Which numbers of points are run."""

from dataclasses import replace
from itertools import product

from agewise.experiments.configuration import Configuration
from agewise.experiments.families import BPINN, Variant, changed, network
from agewise.experiments.scope import Scope

STARTS, POINTS = (5, 100, 200), (5000, 10_000, 20_000)
READINGS = (2880, 5760, 8640, 11_520)
"""A quarter, half, three quarters and all of the readings of both ends."""
Counts = tuple[int, int, int]
"""N_i, N_r and N_b."""
USUAL: Counts = (200, 10_000, 5760)
FACTORS = {"N_i": STARTS, "N_r": POINTS, "N_b": READINGS}


def grid(scope: Scope) -> list[Counts]:
    """Every combination."""
    return list(product(scope.few(STARTS), scope.few(POINTS), scope.few(READINGS)))


def lines(scope: Scope) -> list[Counts]:
    """The usual numbers, and one of them changed."""
    found = [USUAL]
    for place, values in enumerate((STARTS, POINTS, READINGS)):
        for value in scope.few(values):
            found.append(one_changed(place, value))
    return sorted(set(found))


def one_changed(place: int, value: int) -> Counts:
    """The usual numbers but for one."""
    starts, points, readings = (
        value if here == place else usual for here, usual in enumerate(USUAL)
    )
    return starts, points, readings


def at_point(counts: Counts) -> Configuration:
    """A point of the whole grid, fitted once: there are 36."""
    one = at_counts("weighted", counts)
    return replace(one, repeats=1 if one.repeats else None)


def fitted(variant: Variant, counts: Counts) -> Configuration:
    """What was run with these numbers."""
    return at_point(counts) if variant == "weighted" else at_counts(variant, counts)


def at_counts(variant: Variant, counts: Counts) -> Configuration:
    """The heteroscedastic B-PINN with so many points of each kind."""
    settings, (starts, points, readings) = network(BPINN, variant), counts
    likelihood = replace(settings.likelihood, starts=starts, points=points, readings=readings)
    name = f"sampling/{variant}/{starts}-{points}-{readings}"
    return changed(BPINN, variant, name, replace(settings, likelihood=likelihood))

"""The paper's recipe on data without noise, since its main run may have had none."""

from reproduction.configuration import Configuration
from reproduction.experiment import Section
from reproduction.families import BPINN, VARIANT_TEXT, Family, Variant, main
from reproduction.lines import TOTALS, compared
from reproduction.noise import EXACT, Z, at_level
from reproduction.published import ALEATORIC, EPISTEMIC, TABLE
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import NONE, number, over_repeats, table

COMPARED: dict[Variant, tuple[Family, ...]] = {
    "paper": (BPINN,),
    "default": (BPINN,),
}
"""Families that are fitted to data without noise, by preset."""
PARTS = {"epistemic": EPISTEMIC, "aleatoric": ALEATORIC}
"""Parts of the variance, with the ranges that the paper prints [K²]."""


def configurations(scope: Scope) -> list[Configuration]:
    """The B-PINN of the paper, our own, and the closed form."""
    return [*(without(*each) for each in _rows(scope)), EXACT.at(0.0)]


def without(family: Family, variant: Variant) -> Configuration:
    """A family on twins without noise; the B-PINN's are cells of the levels of noise."""
    name = variant if family is BPINN else f"{variant}-{family.name}"
    return at_level(main(family, variant), name, 0.0)


def _rows(scope: Scope) -> list[tuple[Family, Variant]]:
    variants = compared(tuple(COMPARED), scope)
    return [(family, variant) for variant in variants for family in COMPARED[variant]]


def section(results: Results) -> Section:
    """The scores of the main table, both variances and z, without noise."""
    rows = [
        [f"{family.text}, {VARIANT_TEXT[variant]}", *_cells(results, without(family, variant))]
        for family, variant in _rows(results.scope)
    ]
    rows.append([EXACT.text, *_cells(results, EXACT.at(0.0))])
    for family in (BPINN,):
        scores = [TABLE[family.name][path.split(".")[-1]][-1] for path in TOTALS]
        printed = [NONE if value is None else f"{value:.2f}" for value in scores]
        ranges = ["{:g} to {:g}".format(*ranges[family.name]) for ranges in PARTS.values()]
        rows.append([f"{family.text}, *published*", *printed, *ranges, ""])
    parts = [f"{part} variance, 5 to 95 % [K²]" for part in PARTS]
    head = ["", *TOTALS.values(), *parts, "epistemic z (1 is right)"]
    text = (
        "The paper does not say what noise its main run has. Here thermometers have 1 mK, which "
        "is none, and the load is exact. What a network then claims as noise is what it cannot "
        "represent. Mean ± standard deviation over repeats.\n\n" + table(head, rows)
    )
    return Section(text)


def _cells(results: Results, fit: Configuration) -> list[str]:
    scores = [over_repeats(results, fit, path) for path in TOTALS]
    ranges = [
        " to ".join(number(results.mean(fit, f"variances.{part}.{end}")) for end in ("p05", "p95"))
        for part in PARTS
    ]
    return [*scores, *ranges, over_repeats(results, fit, Z)]

"""The chosen reading on twins that the choice never saw."""

from dataclasses import replace

from reproduction.configuration import Configuration
from reproduction.experiment import Section
from reproduction.families import BPINN, FAMILIES, VARIANT_TEXT, Family, Variant, main
from reproduction.lines import TOTALS
from reproduction.misfit import VARIANCES
from reproduction.noise import Z
from reproduction.published import TABLE
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import NONE, number, over_repeats, table

CONFIRMED: dict[Family, int] = {BPINN: 3}
"""Families that have been fitted under the chosen reading, and on how many of the first twins; the
others wait for machine time.

To confirm more, name them here and run `agewise reproduce confirmation`.
"""


def configurations(scope: Scope) -> list[Configuration]:
    """The families under the chosen reading and under the literal one."""
    if "literal" not in scope.variants:
        return []
    return [confirmed(family, variant) for variant in READ for family in CONFIRMED]


MEANT = 5
"""Number of twins that were meant for every family."""
READ: tuple[Variant, ...] = ("paper", "literal")
"""Both readings, the chosen one first."""


def confirmed(family: Family, variant: Variant) -> Configuration:
    """A family under a reading, on the twins on which both were fitted."""
    return replace(main(family, variant), repeats=CONFIRMED[family])


def section(results: Results) -> Section:
    """Errors, both variances and z beside the published numbers and ranges."""
    if "literal" not in results.scope.variants:
        return Section("The paper's preset was left out of this run.")
    text = (
        "The reading was chosen on tuning twins. Here it meets the twins of all other tables, "
        "beside the literal one and what is published (of other data, so of the same order at "
        f"best). Mean ± standard deviation over the first twins.{_missing()}"
    )
    rows = [
        [f"{family.text}, {VARIANT_TEXT[variant]}", *_cells(results, confirmed(family, variant))]
        for family in CONFIRMED
        for variant in READ
    ]
    rows += [[f"{family.text}, *published*", *_printed(family), ""] for family in CONFIRMED]
    parts = [f"{part} variance, 5 to 95 % [K²]" for part in VARIANCES]
    head = ["", *TOTALS.values(), *parts, "epistemic z (1 is right)"]
    return Section(f"{text}\n\n{table(head, rows)}")


def _missing() -> str:
    """Which of the fits that were meant, five twins of every family, are not there yet."""
    counts = {family.text: MEANT - CONFIRMED.get(family, 0) for family in FAMILIES}
    lacking = ", ".join(f"{name} {count} of {MEANT}" for name, count in counts.items() if count)
    return f" **Not fitted under it yet**: {lacking} twins." if lacking else ""


def _cells(results: Results, fit: Configuration) -> list[str]:
    scores = [over_repeats(results, fit, path) for path in TOTALS]
    ranges = [
        " to ".join(number(results.mean(fit, f"variances.{part}.{end}")) for end in ("p05", "p95"))
        for part in VARIANCES
    ]
    return [*scores, *ranges, over_repeats(results, fit, Z)]


def _printed(family: Family) -> list[str]:
    scores = [TABLE[family.name][path.split(".")[-1]][-1] for path in TOTALS]
    printed = [NONE if value is None else f"{value:.2f}" for value in scores]
    ranges = [values.get(family.name) for values in VARIANCES.values()]
    return [*printed, *("{:g} to {:g}".format(*ends) if ends else NONE for ends in ranges)]

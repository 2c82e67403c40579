"""The chosen reading on twins that the choice never saw."""

from reproduction.configuration import Configuration
from reproduction.experiment import Section
from reproduction.families import FAMILIES, VARIANT_TEXT, Family, Variant, main
from reproduction.lines import TOTALS
from reproduction.misfit import VARIANCES
from reproduction.noise import Z
from reproduction.published import TABLE
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import NONE, number, over_repeats, table

READ: tuple[Variant, ...] = ("paper", "literal")
"""Both readings, the chosen one first."""


def configurations(scope: Scope) -> list[Configuration]:
    """The families under the chosen reading and under the literal one."""
    if "literal" not in scope.variants:
        return []
    return [main(family, variant) for variant in READ for family in FAMILIES]


def section(results: Results) -> Section:
    """Errors, both variances and z beside the published numbers and ranges."""
    if "literal" not in results.scope.variants:
        return Section("The paper's preset was left out of this run.")
    text = (
        "The reading was chosen on tuning twins. Here it meets the twins of all other tables, "
        "beside the literal one and what is published (of other data, so of the same order at "
        "best). Mean ± standard deviation over repeats."
    )
    rows = [
        [f"{family.text}, {VARIANT_TEXT[variant]}", *_cells(results, main(family, variant))]
        for family in FAMILIES
        for variant in READ
    ]
    rows += [[f"{family.text}, *published*", *_printed(family), ""] for family in FAMILIES]
    parts = [f"{part} variance, 5 to 95 % [K²]" for part in VARIANCES]
    head = ["", *TOTALS.values(), *parts, "epistemic z (1 is right)"]
    return Section(f"{text}\n\n{table(head, rows)}")


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

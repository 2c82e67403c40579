"""Ten repeats where five cannot tell: the networks that most claims compare, and the closed form.

A fit of the preset paper takes seconds, so that claims which rest on these fits alone are judged on
twice as many twins as the tables show.
"""

from dataclasses import dataclass, replace
from typing import Any

from agewise.assessment.oil.settings import Settings
from reproduction.configuration import Configuration
from reproduction.families import BPINN, DPINN, main
from reproduction.results import Results
from reproduction.scope import Scope

FIRST = 5
"""Seed of the first of the further twins: tables show those before it."""
EXACT = Configuration("main/yardstick/exact", Settings(method="exact"), keeps_fields=True)
"""The closed form, which some claims are held against."""
MORE = {
    fit.name: replace(fit, name=f"repeats/{fit.name}", first=FIRST, keeps_fields=False)
    for fit in (main(BPINN, "paper"), main(DPINN, "paper"), EXACT)
}
"""The same fits on further twins, by the names of those that tables show."""


def configurations(scope: Scope) -> list[Configuration]:
    """All of them, where the paper's preset is run."""
    return list(MORE.values()) if "paper" in scope.variants else []


@dataclass(frozen=True)
class MoreResults(Results):
    """Results that go on where fits were repeated further."""

    def numbers(self, configuration: Configuration) -> list[dict[str, Any]]:
        """Everything that was measured, the further repeats last."""
        first, more = super().numbers(configuration), MORE.get(configuration.name)
        if more is None or not self.complete(list(MORE.values())):
            return first
        return [*first, *super().numbers(more)]


def with_more(results: Results, variant: str) -> Results:
    """Results with further repeats under the paper's preset, and as they are under any other."""
    return MoreResults(results.folder, results.scope) if variant == "paper" else results

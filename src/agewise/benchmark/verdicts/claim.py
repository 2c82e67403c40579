"""What a claim of another system is."""

from collections.abc import Callable
from dataclasses import dataclass

from agewise.benchmark.results import Results
from agewise.benchmark.verdicts.rules import Ruling

TINY = 1e-9
"""Size below which a value counts as zero [1]."""


@dataclass(frozen=True)
class Claim:
    """What a system is said to do, and how that is judged."""

    system: str
    """The system, with the name of our method."""
    problem: str
    """Problem on which it was published, as the benchmark names it."""
    published: str
    """The claim and its figure."""
    source: str
    """Who published the claim."""
    rule: Callable[[Results], Ruling]
    """Makes of all cells what they say of the claim."""

"""Whether a claim of the paper holds here, worked out from the numbers."""

from dataclasses import dataclass

from reproduction.families import VARIANT_TEXT, Variant
from reproduction.paired import Margins

OPEN = "cannot be told"
"""Words for a claim that the numbers leave open."""
OUTCOMES = {True: "holds", False: "does not hold", None: OPEN}
"""Words for what one preset says of a claim."""


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds under one preset."""

    variant: Variant
    """The preset."""
    holds: bool | None
    """Whether it holds; None where the numbers cannot decide."""
    number: str
    """The numbers behind that, in words."""

    @classmethod
    def judged(cls, variant: Variant, margins: Margins, number: str) -> "Finding":
        """By the one rule, with what it says of the repeats behind the numbers."""
        return cls(variant, margins.holds, f"{number}, {margins.text}")


@dataclass(frozen=True)
class Verdict:
    """A claim, the paper's number, and ours."""

    claim: str
    """The claim in a sentence; it may go on from the claim before it."""
    published: str
    """What the paper says, in numbers where it has any."""
    findings: tuple[Finding, ...]
    """One for each preset under which it was tried."""

    @property
    def status(self) -> str:
        """Holds; holds under some presets only; does not hold; cannot be told."""
        outcomes = {finding.variant: finding.holds for finding in self.findings}
        decided = {variant: holds for variant, holds in outcomes.items() if holds is not None}
        holding = [VARIANT_TEXT[variant] for variant, holds in decided.items() if holds]
        where = " where it can be told" if len(decided) < len(outcomes) else ""
        if not decided:
            return OPEN
        if 0 < len(holding) < len(decided):
            return f"holds under {_listed(holding)} only{',' if where else ''}{where}"
        alone = f" ({VARIANT_TEXT[self.findings[0].variant]} alone was tried)"
        return OUTCOMES[bool(holding)] + (alone if len(outcomes) == 1 else where)

    @property
    def numbers(self) -> str:
        """The numbers of every preset, in words."""
        return "; ".join(f"{VARIANT_TEXT[f.variant]}: {f.number}" for f in self.findings)


def _listed(names: list[str]) -> str:
    """Names as a sentence has them; those with a comma of their own in quotes."""
    quoted = [f"“{name}”" if "," in name else name for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if quoted[1:] else quoted)

"""Whether a claim of the paper holds here, worked out from the numbers."""

from dataclasses import dataclass

from agewise.experiments.families import VARIANT_TEXT, Variant


@dataclass(frozen=True)
class Finding:
    """What one preset says to a claim."""

    variant: Variant
    holds: bool
    number: str


@dataclass(frozen=True)
class Verdict:
    """A claim, the paper's number, and ours."""

    claim: str
    published: str
    findings: tuple[Finding, ...]

    @property
    def status(self) -> str:
        """Holds; holds under one preset only; does not hold."""
        holds = {finding.variant for finding in self.findings if finding.holds}
        if len(holds) == len(self.findings):
            return "holds"
        if not holds:
            return "does not hold"
        if "default" not in holds:
            return "holds under the paper's preset only"
        if holds == {"default"}:
            return "holds under the default preset only"
        return "holds, but not at the printed weight"

    @property
    def numbers(self) -> str:
        """Every preset's, in words."""
        return "; ".join(f"{VARIANT_TEXT[one.variant]}: {one.number}" for one in self.findings)

"""Whether a claim of the paper holds here, worked out from the numbers."""

from dataclasses import dataclass

import numpy as np

from reproduction.families import VARIANT_TEXT, Variant

PARTLY: dict[tuple[Variant, ...], str] = {
    ("default",): "holds under the default preset only",
    ("paper",): "holds under the paper's preset only, at the printed weight",
    ("weighted",): "holds under the paper's preset only, at the best weight",
    ("paper", "weighted"): "holds under the paper's preset only",
    ("weighted", "default"): "holds, but not at the printed weight",
    ("paper", "default"): "holds, but not at the best weight",
}
"""Words for a claim that holds under some presets only, by those presets."""


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
    def judged(cls, variant: Variant, holds: bool, number: str, *needed: float) -> "Finding":
        """A finding that stays undecided unless all the numbers it needs are finite."""
        return cls(variant, bool(holds) if np.isfinite(needed).all() else None, number)


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
        """Holds; holds under one preset only; does not hold; cannot be told."""
        decided: dict[Variant, bool] = {
            finding.variant: finding.holds for finding in self.findings if finding.holds is not None
        }
        # In the order of the presets, by which `PARTLY` is looked up.
        holding: tuple[Variant, ...] = tuple(variant for variant, holds in decided.items() if holds)
        if not decided:
            return "cannot be told"
        if not holding:
            return "does not hold"
        if len(holding) == len(decided):
            if len(decided) < len(self.findings):
                return "holds where it can be told"
            alone = f"holds ({VARIANT_TEXT[holding[0]]} alone was tried)"
            return "holds" if len(decided) > 1 else alone
        return PARTLY[holding]

    @property
    def numbers(self) -> str:
        """The numbers of every preset, in words."""
        return "; ".join(f"{VARIANT_TEXT[f.variant]}: {f.number}" for f in self.findings)

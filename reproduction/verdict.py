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
"""What is said where some presets hold and others do not."""


@dataclass(frozen=True)
class Finding:
    """What one preset says to a claim."""

    variant: Variant
    holds: bool | None
    """None where the numbers cannot tell"""
    number: str

    @classmethod
    def judged(cls, variant: Variant, holds: bool, number: str, *needed: float) -> "Finding":
        """One that cannot tell unless all the numbers that it needs are there."""
        return cls(variant, bool(holds) if np.isfinite(needed).all() else None, number)


@dataclass(frozen=True)
class Verdict:
    """A claim, the paper's number, and ours."""

    claim: str
    published: str
    findings: tuple[Finding, ...]

    @property
    def status(self) -> str:
        """Holds; holds under one preset only; does not hold; cannot be told."""
        told: dict[Variant, bool] = {
            one.variant: one.holds for one in self.findings if one.holds is not None
        }
        holding: tuple[Variant, ...] = tuple(variant for variant, holds in told.items() if holds)
        if not told:
            return "cannot be told"
        if not holding:
            return "does not hold"
        if len(holding) == len(told):
            if len(told) < len(self.findings):
                return "holds where it can be told"
            alone = f"holds ({VARIANT_TEXT[holding[0]]} alone was tried)"
            return "holds" if len(told) > 1 else alone
        return PARTLY[holding]

    @property
    def numbers(self) -> str:
        """Every preset's, in words."""
        return "; ".join(f"{VARIANT_TEXT[one.variant]}: {one.number}" for one in self.findings)

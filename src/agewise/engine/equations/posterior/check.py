"""Whether a fit can be trusted: what it leaves of readings and equations, and whether it ended."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from jaxtyping import Float

LOOSE = 3.0
"""Residual over its declared scale [1] from which an equation counts as not solved."""
FEWEST = 2.0
"""Numbers that a fit must determine for each function [1]."""
FOLLOWED = 0.5
"""Numbers that a fit learns from each reading [1] from which it follows them one by one."""
MANY_READINGS = 50
"""Readings from which that is worth a word: every fit follows a few."""
OPEN, OPEN_SHARE = 0.03, 0.9
"""Doubt of a function over its size [1] from which equations leave it open, and the share of the
box that is surer: right statements have 2e-4 and less, one with a condition too few 0.3 to 0.7."""
OUTDONE = 5.0
"""Evidence of another fit over that of the one at hand [nats] from which that is worth a word: very
strong, as Kass and Raftery (1995) call it."""
UNEVEN = (0.5, 2.0)
"""Ratio of two standard deviations, over nine tenths of the domain, that still count as alike."""


@dataclass(frozen=True)
class Check:
    """What was found of a fit; `sound` sums it up and `findings` says what is wrong."""

    readings: dict[str, float]
    """Mean squared error of every sensor over the variance of its noise [1]; about 1."""
    residuals: dict[str, float]
    """Every residual at points that the fit has not seen, over its declared scale [1]."""
    unseen: dict[str, float]
    """Every residual at unseen points over that at the points of the fit [1]; about 1."""
    converged: bool
    """Whether the optimiser came to rest before it ran out of steps."""
    attempts: int
    """Which of the fits that were tried this is, each with a richer network than the one before."""
    findings: tuple[str, ...] = field(default=())
    """What is wrong, in sentences; empty where nothing is."""
    remarks: tuple[str, ...] = field(default=())
    """What a reader should know of a sound answer, in sentences."""

    @property
    def sound(self) -> bool:
        """Whether nothing was found that undermines the answer."""
        return not self.findings

    @property
    def discrepancy_factor(self) -> float:
        """The largest factor [1] by which a residual exceeds its declared scale; at least 1."""
        return max(1.0, *self.residuals.values()) if self.residuals else 1.0

    def with_findings(self, *more: str | None) -> "Check":
        """The same with further findings; None is nothing."""
        return replace(self, findings=(*self.findings, *(finding for finding in more if finding)))

    def with_remarks(self, *more: str | None) -> "Check":
        """The same with further remarks; None is nothing."""
        return replace(self, remarks=(*self.remarks, *(remark for remark in more if remark)))

    def as_json(self) -> dict[str, Any]:
        """Plain numbers and words, for a file."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> "Check":
        """The check whose `as_json` this is."""
        fields: dict[str, Any] = dict(content)
        fields |= {name: tuple(content[name]) for name in ("findings", "remarks")}
        return cls(**fields)

    def __str__(self) -> str:
        """One line a finding, or a word that there is none."""
        return (
            "\n".join((*self.findings, *self.remarks))
            or "The fit explains its readings and its equations."
        )


def residual_finding(name: str, size: float, *, read: bool) -> str | None:
    """What is wrong with a residual that is so many times its declared scale; None if nothing.

    Args:
        name: Name of the equation.
        size: Root mean square residual over its declared scale [1].
        read: Whether the problem has readings.
    """
    if size <= LOOSE:
        return None
    other = "it contradicts the readings" if read else "other equations contradict it"
    return (
        f"The equation {name!r} is left {size:.2g} times further from zero than declared: it is "
        f"not solved, or {other}."
    )


def unsized_remark(sizes: Mapping[str, float]) -> str | None:
    """What a reader should know of a failed fit of functions of which nothing tells the size, by
    their names with the sizes that were taken."""
    if not sizes:
        return None
    taken = " and ".join(f"{size:.2g}" for size in sizes.values())
    return (
        f"Nothing tells how large {' and '.join(map(repr, sizes))} may be, and about {taken} was "
        "taken: state `sizes` where that is far off."
    )


def unsettled_finding(name: str) -> str:
    """What is wrong with a function that comes out far from every size that it was taken for."""
    return (
        f"Nothing tells how large {name!r} may be, and it comes out far larger or smaller than "
        "whatever is assumed: state `sizes`."
    )


def drawn_finding(what: str, size: float) -> str | None:
    """What is wrong where drawn functions leave so many times what was declared; None if nothing.

    Args:
        what: The equation or readings.
        size: Root mean square residual or error over its scale or noise [1].
    """
    if size <= LOOSE:
        return None
    return (
        f"Drawn functions miss {what} by {size:.2g} times what was declared: they are no "
        "solutions, and their spread cannot be trusted."
    )


def prior_finding(determined: float, functions: int, *, exact: bool = False) -> str | None:
    """What is wrong where equations and readings determine so many numbers; None if nothing is.

    A function that is one constant takes one number: with no more than that nothing was learned of
    its shape, and the doubt about so flat a function is far too small.

    Args:
        determined: How many numbers.
        functions: How many functions.
        exact: Whether nothing is read and every equation is exact.
    """
    if determined >= FEWEST * functions:
        return None
    # Readings and tighter scales are no advice where there are none.
    if exact:
        return (
            f"The fit took {determined:.1f} numbers in all from these equations: it is next to "
            "flat. They may change functions faster than it can follow, as stiff ones do at "
            "first: solve a shorter box. Or a condition is missing."
        )
    return (
        f"Equations and readings determine {determined:.1f} numbers in all: the answer is what was "
        "assumed beforehand. Give tighter scales, or more readings."
    )


def open_finding(
    name: str, points: Float[np.ndarray, "point axis"], doubt: Float[np.ndarray, " point"]
) -> str | None:
    """What is wrong with a function that equations without readings leave open; None if none do.

    Args:
        name: Name of the function.
        points: Points all over the box.
        doubt: Standard deviation of the function there over its size [1].
    """
    if float(np.quantile(doubt, OPEN_SHARE)) < OPEN:
        return None
    place = ", ".join(f"{c:.3g}" for c in points[int(np.argmax(doubt))])
    return (
        f"The equations leave {name!r} open, most of all at ({place}): {doubt.max():.0%} of its "
        "size more or less would do as well there. A condition may be missing: a wall, the first "
        "instant, or the slope there where an equation has two derivatives in time."
    )


def followed_remark(determined: float, readings: int) -> str | None:
    """What a reader should know of a fit that determines about as many numbers as it has readings;
    None where it does not."""
    if readings < MANY_READINGS or determined <= FOLLOWED * readings:
        return None
    return (
        f"The fit learns {determined:.0f} numbers from {readings} readings, so it follows them one "
        "by one. An equation that is not linear may have a smoother solution that explains them as "
        "well: read the function itself at a few places."
    )


def solutions_remark(size: float, other: float, *, stated: bool) -> str:
    """What a reader should know of an equation with two solutions of these root mean squares, of
    which the first is given; whether an expected size has decided between them."""
    why = "nearer to the stated size" if stated else "found first; state `sizes` to choose"
    return (
        f"The equation has more than one solution: this one has a root mean square of {size:.3g} "
        f"({why}), another of {other:.3g}. `ensemble` shows several."
    )


def spread_remark(ratios: Float[np.ndarray, " point"]) -> str | None:
    """What a reader should know of the doubt of independent numbers, over that of dependent ones at
    points of the box; None where the two are alike."""
    # Nine tenths of the points: a few places where either is next to nothing do not count.
    low, high = np.quantile(ratios, [0.05, 0.95])
    if low >= UNEVEN[0] and high <= UNEVEN[1]:
        return None
    return (
        f"Independent weights state {low:.2g} to {high:.2g} times the doubt that weights with all "
        "their dependencies do: read the bands of `laplace` instead where that matters."
    )


def narrow_finding(ratios: Float[np.ndarray, " place"]) -> str | None:
    """What is wrong with members that differ by so many times the doubt of one of them, at places
    of the box; None where that is about as much."""
    middle = float(np.median(ratios))
    if middle >= UNEVEN[0]:
        return None
    return (
        f"Members differ by {middle:.2g} of the doubt that noise and equations leave to one of "
        "them: bands and intervals are too narrow by as much. Take those of `laplace`."
    )


def outdone_remark(nats: float) -> str | None:
    """What a reader should know of a process that the network on whose units it stands outdoes by
    so many nats of evidence; None where it does not."""
    if nats <= OUTDONE:
        return None
    return (
        "The network beneath makes readings and equations likelier than the process (by "
        f"{nats:.0f} nats of evidence): bands may be too narrow. Take those of `laplace`."
    )

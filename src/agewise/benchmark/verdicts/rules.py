"""Rules by which a published figure is judged: what lies within the scatter cannot be told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest, t

OUTCOMES = {True: "holds", False: "does not hold", None: "cannot be told"}
"""Words of a verdict by whether a claim holds; None where that is open."""
SURE = 0.95
"""Level of the intervals by which verdicts are reached [1]."""
FEWEST = 5
"""Draws that must stand beside a figure which came from one draw that nobody published."""
MANY = 10
"""Draws by which a share may be judged."""
ALIKE = 2.0
"""Factor between two stated standard deviations that still counts as alike [1]."""
NOT_RUN = "not run"
APART = "; "
"""Between the numbers of a claim of several parts."""


@dataclass(frozen=True)
class Ruling:
    """What the cells say of a claim."""

    holds: bool | None
    """Whether it holds; None where it cannot be told."""
    ours: str
    """Our numbers beside the claim, in words."""

    @property
    def verdict(self) -> str:
        """In the words of the page."""
        return OUTCOMES[self.holds]

    @property
    def ran(self) -> bool:
        """Whether there are any cells that the claim is about."""
        # Of several parts, as `both` puts them, one that ran is enough.
        return set(self.ours.split(APART)) != {NOT_RUN}


def mean_within(values: Sequence[float], low: float, high: float) -> Ruling:
    """Whether the mean over draws lies between two bounds, its own doubt included (Student's t)."""
    if len(values) < 2:
        return _too_few(values)
    if not np.isfinite(values).all():
        # Infinite stands for a solution that was not found: no mean can make up for that.
        missing = int(np.sum(~np.isfinite(values)))
        return Ruling(False, f"not found in {missing} of {len(values)} draws")
    middle = float(np.mean(values))
    # Student's t, since the scatter is learned from the same few draws.
    reach = float(t.ppf((1 + SURE) / 2, len(values) - 1) * np.std(values, ddof=1))
    reach /= np.sqrt(len(values))
    ours = f"{middle:.3g} ± {reach:.1g} over {len(values)} draws"
    return Ruling(_placed(middle - reach, middle + reach, low, high), ours)


def as_often(held: Sequence[bool], level: float) -> Ruling:
    """Whether intervals hold the truth as often as they say, but for chance (Wilson's interval)."""
    ours = f"{sum(held)} of {len(held)}"
    if len(held) < MANY:
        return Ruling(None, f"{ours}, too few draws" if len(held) else NOT_RUN)
    # Wilson's, since a plain interval has no width where all or none hold.
    ends = binomtest(sum(held), len(held)).proportion_ci(SURE, method="wilson")
    return Ruling(bool(ends.low <= level <= ends.high), ours)


def typical(
    values: Sequence[float], stds: Sequence[float], published: float, published_std: float | None
) -> Ruling:
    """Whether a figure from one unknown draw is such as our draws give, its deviation too."""
    if len(values) < FEWEST:
        return _too_few(values)
    middle, spread = float(np.mean(values)), float(np.std(values, ddof=1))
    stated = float(np.median(stds)) if len(stds) else 0.0
    ours = f"{middle:.3f}, from draw to draw ± {spread:.3f}"
    ours += f", stated ± {stated:.3f}" if stated else ", none stated"
    # Of one more draw, not of the mean: hence the one under the root.
    reach = t.ppf((1 + SURE) / 2, len(values) - 1) * spread * np.sqrt(1 + 1 / len(values))
    near = abs(published - middle) <= reach
    if published_std is not None:
        near = near and 1 / ALIKE <= stated / published_std <= ALIKE
    return Ruling(bool(near), f"{ours} ({len(values)} draws)")


def smaller(first: Mapping[int, float], second: Mapping[int, float]) -> Ruling:
    """Whether the first of two errors is the smaller one, draw by draw, on a logarithmic scale.

    Args:
        first: Errors by the seeds of their draws.
        second: Those of the other, which must be of the same draws.
    """
    if not first or not second:
        return Ruling(None, NOT_RUN)
    ours = f"{np.median(list(first.values())):.2g} against {np.median(list(second.values())):.2g}"
    if set(first) != set(second) or len(first) < 2:
        return Ruling(None, f"{ours}, one draw or not the same ones")
    # Differences of logarithms pair the draws: what makes one hard for both cancels.
    ruled = mean_within([np.log(second[s]) - np.log(first[s]) for s in first], 0.0, np.inf)
    return Ruling(ruled.holds, f"{ours} over {len(first)} draws")


def both(*rulings: Ruling) -> Ruling:
    """All of several: not if one does not hold, and open where one is open."""
    outcomes = [ruling.holds for ruling in rulings]
    # One that fails settles it, whatever is open beside it.
    holds = False if False in outcomes else None if None in outcomes else True
    return Ruling(holds, APART.join(ruling.ours for ruling in rulings))


def _placed(from_: float, to: float, low: float, high: float) -> bool | None:
    """Whether an interval lies within two bounds, beyond them, or across one of them."""
    if low <= from_ and to <= high:
        return True
    return False if to < low or from_ > high else None


def _too_few(values: Sequence[float]) -> Ruling:
    if not len(values):
        return Ruling(None, NOT_RUN)
    numbers = ", ".join(f"{float(v):.3g}" if np.isfinite(v) else "not found" for v in values)
    return Ruling(None, f"{numbers} ({len(values)} draw{'s' if len(values) > 1 else ''}, too few)")

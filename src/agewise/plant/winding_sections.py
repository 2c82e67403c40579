"""Sections of a nameplate about units with several windings, each with a load of its own."""

from collections.abc import Sequence
from typing import Annotated

from agewise.plant.measures import WindingRating
from agewise.plant.quantity import Quantity, Section, within

LOSSES_TOGETHER = 3.0
"""Factor between the losses of all windings together and the load losses of the nameplate above
which one of them is a slip: not all windings can be full at once, so that the sum may be more."""


class RatedWinding(Section):
    """One winding of a unit whose windings are loaded differently."""

    rated_power_kva: Annotated[Quantity, within(at_most=5e6)]
    """Rated power of this winding [kVA]."""
    rated_current_a: Annotated[Quantity, within(at_most=1e6)] | None = None
    """Rated current of this winding [A]; for files that give its load in A."""
    load_losses_w: Annotated[Quantity, within(at_most=1e8)] | None = None
    """Its own load losses at its rated current [W], from the losses of pairs of windings."""


def refuse_windings(windings: Sequence[RatedWinding], load_losses_w: float) -> None:
    """Refuse windings of which no equivalent current can be made.

    `load_losses_w` are those of the unit [W].
    """
    if len(windings) == 1:
        raise ValueError("rated_windings has one entry only; a unit with one load has none")
    for field in ("load_losses_w", "rated_current_a"):
        known = [getattr(winding, field) is not None for winding in windings]
        if any(known) and not all(known):
            raise ValueError(f"{field} is given for every one of rated_windings, or for none")
    together = sum(winding.load_losses_w.mean for winding in windings if winding.load_losses_w)
    if together and not 1 / LOSSES_TOGETHER < together / load_losses_w < LOSSES_TOGETHER:
        raise ValueError(
            f"load_losses_w of rated_windings are {together:g} together, but that of the unit is "
            f"{load_losses_w:g}, as if one of them were in kW"
        )


def winding_ratings(
    windings: Sequence[RatedWinding], load_losses_w: float
) -> tuple[WindingRating, ...]:
    r"""Ratings, and weights of the equivalent current $K_{eq}^2 = \sum_i w_i K_i^2$.

    Losses of the windings add up, so that $w_i$ is what winding i has at its rated current over the
    load losses of the nameplate. Where losses by winding are not given they go with rated power,
    and the nameplate's are those of the loads that the windings can have together.
    """
    powers = [winding.rated_power_kva.mean for winding in windings]
    losses = [winding.load_losses_w.mean for winding in windings if winding.load_losses_w]
    weights = [each / load_losses_w for each in losses] or [
        power / _heaviest(powers) for power in powers
    ]
    currents = [winding.rated_current_a for winding in windings]
    return tuple(
        WindingRating(weight, None if current is None else current.mean, power)
        for weight, current, power in zip(weights, currents, powers, strict=True)
    )


def _heaviest(powers: Sequence[float]) -> float:
    """Sum of power times squared load where the largest winding is full and feeds the others.

    Rated powers need not balance: of 100, 100 and 33 MVA only two windings can be full at once.
    """
    largest, *others = sorted(powers, reverse=True)
    total, left = largest, largest
    for power in others:
        load = min(1.0, left / power)
        total, left = total + power * load**2, left - power * load
    return total

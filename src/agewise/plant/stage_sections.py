"""Sections of a nameplate about what changes in service: stages of the cooling, and taps."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from agewise.plant.cooling_names import printed_cooling
from agewise.plant.quantity import Quantity, Section, within
from agewise.transformer.cooling_defaults import Cooling

SAME_POWER = 0.001
"""Relative difference up to which two rated powers are the same."""
AS_GOOD = 0.1
"""Share by which a lower stage may seem to cool better: two heat runs differ by so much."""
TAP_LOSSES = 3.0
"""Factor between the load losses of a tap and those of the nameplate above which one of them is a
slip: over the range of a tap changer they differ by a third or so."""


def _known_cooling(name: str) -> str:
    if printed_cooling(name) is None:
        raise ValueError("it is not known; give it as it is printed, as ONAN or ONAF")
    return name


class CoolingStage(Section):
    """One stage of the cooling, and when it is on.

    The last stage, with all fans and pumps on, is the one that the nameplate's own numbers
    describe. Of the others, rise and gradient are those at their own rated power.
    """

    cooling: Annotated[str, AfterValidator(_known_cooling)]
    """Kind of cooling, as it is printed."""
    rated_power_kva: Annotated[Quantity, within(at_most=5e6)]
    """Rated power in this stage [kVA]."""
    top_oil_rise_k: Annotated[Quantity, within(at_most=150)] | None = None
    """Rise of the top oil over the ambient at this stage's rated power [K]; the nameplate's
    `oil.top_oil_rise_k` unless given, since every stage is rated to the same limit."""
    gradient_k: Annotated[Quantity, within(at_most=150)] | None = None
    """Hot spot over top oil at this stage's rated power [K]; unless given the winding is the same
    as in the last stage, and the load alone decides."""
    time_constant_min: Annotated[Quantity, within(at_most=10_000)] | None = None
    """Time constant of the oil in this stage [min]; unless given the nameplate's, times the ratio
    of the guide's values for both kinds of cooling."""
    on_above_c: float | None = Field(default=None, strict=True, ge=-60, le=200)
    """Top oil above which this stage is switched on [°C]."""
    off_below_c: float | None = Field(default=None, strict=True, ge=-60, le=200)
    """Top oil below which it is switched off again [°C]."""

    @model_validator(mode="after")
    def _hysteresis(self) -> "CoolingStage":
        if (self.on_above_c is None) != (self.off_below_c is None):
            raise ValueError("on_above_c and off_below_c are given together")
        on, off = self.on_above_c, self.off_below_c
        if on is not None and off is not None and off >= on:
            raise ValueError(f"off_below_c ({off:g}) is not below on_above_c ({on:g})")
        return self


class TapLosses(Section):
    """Load losses at one position of the tap changer."""

    position: int = Field(strict=True, ge=-100, le=100)
    """Position, as the column `tap` numbers it."""
    load_losses_w: Annotated[Quantity, within(at_most=1e8)]
    """Load losses at rated power in this position [W]."""


def refuse_stages(stages: Sequence[CoolingStage], cooling: Cooling, rated_power_kva: float) -> None:
    """Refuse stages that do not lead up to the nameplate's cooling and rated power [kVA]."""
    if not stages:
        return
    powers = [stage.rated_power_kva.mean for stage in stages]
    if len(stages) < 2:
        raise ValueError("cooling_stages has one stage only; a unit without stages has none")
    if any(later < earlier for earlier, later in pairwise(powers)):
        raise ValueError("cooling_stages must stand in the order of their rated power")
    if abs(powers[-1] / rated_power_kva - 1) > SAME_POWER:
        raise ValueError(
            f"the last of cooling_stages has {powers[-1]:g} kVA, but rated_power_kva is "
            f"{rated_power_kva:g}: the nameplate's own numbers are those of its last stage"
        )
    last = stages[-1]
    known = printed_cooling(last.cooling)
    if known is None or known.cooling != cooling:
        raise ValueError(f"the last of cooling_stages is {last.cooling}, but cooling is {cooling}")
    if any((last.top_oil_rise_k, last.gradient_k, last.time_constant_min)):
        raise ValueError("the numbers of the last of cooling_stages stand in [oil] and [winding]")
    ruled = [stage.on_above_c is not None for stage in stages[1:]]
    # The first stage is on whenever no other is, and has nothing to switch it.
    if stages[0].on_above_c is not None or (any(ruled) and not all(ruled)):
        raise ValueError("on_above_c is given for every stage but the first, or for none")
    for name in ("on_above_c", "off_below_c"):
        limits = [getattr(stage, name) for stage in stages[1:]]
        # Else a later stage would run while one before it stands still.
        if all(ruled) and any(later < earlier for earlier, later in pairwise(limits)):
            raise ValueError(f"{name} of cooling_stages must not fall from one stage to the next")


def refuse_better_cooling(
    stages: Sequence[CoolingStage], rise: float, loss_ratio: float, exponent: float
) -> None:
    """Refuse a stage that would cool better than the last one, which has all fans and pumps on.

    Args:
        stages: The stages; none for a unit without.
        rise: Rise of the top oil at rated load with everything on [K].
        loss_ratio: Load losses at rated load over no-load losses [1].
        exponent: Exponent of the losses in the rise [1].
    """
    for stage in stages[:-1]:
        share = stage.rated_power_kva.mean / stages[-1].rated_power_kva.mean
        losses = (1 + loss_ratio * share**2) / (1 + loss_ratio)
        own, cooled = stage.top_oil_rise_k, rise * losses**exponent
        if own is not None and own.mean < (1 - AS_GOOD) * cooled:
            raise ValueError(
                f"top_oil_rise_k of the stage {stage.cooling} is {own.mean:g} at "
                f"{stage.rated_power_kva.mean:g} kVA, but with everything on the oil would rise by "
                f"{cooled:.3g} there: a stage cannot cool better than the last one"
            )


def refuse_taps(taps: Sequence[TapLosses], load_losses_w: float) -> None:
    """Refuse positions that stand twice, and losses that are not of this unit's size."""
    for earlier, later in pairwise(sorted(taps, key=lambda tap: tap.position)):
        if earlier.position == later.position:
            raise ValueError(f"taps has the position {later.position} twice")
    for tap in taps:
        watts = tap.load_losses_w.mean
        if not 1 / TAP_LOSSES < watts / load_losses_w < TAP_LOSSES:
            raise ValueError(
                f"load_losses_w of the tap at position {tap.position} is {watts:g}, but that of "
                f"the unit is {load_losses_w:g}, as if one of them were in kW"
            )

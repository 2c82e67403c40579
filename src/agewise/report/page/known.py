"""What is known of the unit: constants given, assumed and learned, and how sure the oil is."""

from dataclasses import dataclass

import numpy as np

from agewise.assessment.answer.summary import Constant
from agewise.report.constants import constant_name, spread_of
from agewise.report.inputs import ReportInputs
from agewise.report.wording import MISSING, number
from agewise.transformer.oil.doubt.profile_doubt import SIZE

ORIGINS = {"given": "nameplate", "assumed": "table of the guide"}
"""Where a number comes from, in words."""
AS_GIVEN = (
    "Nothing was learned about this unit: nameplate and heat equation were used as if both were "
    "exact."
)
LEARNED = (
    "What was learned comes from load, air and top oil, through the model of IEC 60076-7; the "
    "answer is based on it."
)
TOO_SHORT = (
    "Nothing was learned about this unit: the record is too short, so the answer is based on "
    "the nameplate and the guide."
)


@dataclass(frozen=True)
class KnownConstant:
    """A row of the table of constants."""

    name: str
    """What people call it."""
    before: str
    """What the nameplate or the guide says, and how far that is trusted."""
    origin: str
    """Where that is from."""
    learned: str
    """What was learned from the measurements."""


@dataclass(frozen=True)
class KnownUnit:
    """What is known of the unit, and how well."""

    constants: tuple[KnownConstant, ...]
    """Every constant; none for a run that was made before they were told."""
    sentence: str
    """Where the learned ones come from, or why there are none."""
    oil: str
    """How sure the oil between its ends is, and from what."""


def known_unit(inputs: ReportInputs) -> KnownUnit:
    """Given, assumed and learned constants, as the page shows them."""
    constants = inputs.summary.constants
    learned = any(constant.learned is not None for constant in constants)
    if inputs.summary.settings.as_given and not learned:
        sentence = AS_GIVEN
    else:
        sentence = LEARNED if learned else TOO_SHORT
    return KnownUnit(tuple(map(_row, constants)), sentence, _oil(inputs))


def _row(constant: Constant) -> KnownConstant:
    name, learned = constant.name, MISSING
    if constant.learned is not None:
        learned = spread_of(name, constant.learned, constant.learned_std or 0.0)
    before = spread_of(name, constant.before, constant.before_std)
    return KnownConstant(constant_name(name), before, ORIGINS[constant.origin], learned)


def _oil(inputs: ReportInputs) -> str:
    """How sure the oil is where it is least so, and what that rests on."""
    variance = inputs.field["oil_epistemic"].mean("time")
    std, at = float(np.sqrt(variance.max())), float(variance.idxmax("height"))
    sure = (
        f"On average over the window the oil is known to ± {number(std, 2)} K or "
        f"better at every height (least at {at:.2f} m)."
    )
    return f"{bottom_of(inputs)} {_equation(inputs)} {sure}"


def bottom_of(inputs: ReportInputs) -> str:
    """Where the lower end of the oil comes from."""
    measured, oil = inputs.profile.bottom_oil, inputs.nameplate.oil
    if measured is not None and np.isfinite(measured).any():
        return "The oil at the bottom was measured."
    if oil.bottom == "ambient":
        return "The oil at the bottom has the temperature of the air, as the nameplate says."
    share = inputs.nameplate.bottom_share()
    origin = "as usual for its cooling" if oil.bottom_rise_k is None else "by the nameplate"
    return (
        f"The oil at the bottom was not measured: {origin}, it is assumed to be warmer than the "
        f"air by {100 * share.mean:.0f} ± {100 * (share.std or 0.0):.0f} % of the rise of the "
        "top oil."
    )


def _equation(inputs: ReportInputs) -> str:
    """How far the heat equation is trusted between the ends."""
    settings, inside = inputs.summary.settings, inputs.profile.interior
    if settings.as_given:
        return "Between bottom and top, the heat equation was taken to be right."
    if inside and not settings.ignore_interior:
        count = "a sensor" if len(inside) == 1 else f"{len(inside)} sensors"
        return (
            f"Between bottom and top, {count} inside the oil showed how far the heat equation is "
            "off."
        )
    return (
        "Between bottom and top nothing was measured, and the heat equation may be off there by "
        f"about {100 * SIZE:.0f} % of the difference between top and bottom, which is part of "
        "the uncertainty."
    )

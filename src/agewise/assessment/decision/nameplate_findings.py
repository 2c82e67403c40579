"""What a person should know of a nameplate by itself: unusual numbers, and what was assumed."""

import numpy as np

from agewise.assessment.decision.finding import Finding
from agewise.errors import InputError
from agewise.plant.cooling_names import printed_cooling
from agewise.plant.nameplate import Nameplate
from agewise.plant.standards import FROM_IEEE, average_winding_rise
from agewise.transformer.ageing.registry import LAWS

FLOWING = 1.0
"""Conductivity below which oil stands still [W/(m K)]: mineral oil at rest has 0.13."""

LEAST_GRADIENT_K = 10.0
"""Rise of the hot spot over the top oil below which IEEE's rated rises do not fit together [K]."""
HOT_C = 110.0
"""Temperature at which two papers are compared [°C]: the reference of upgraded paper."""
USUAL = {
    "oil.time_constant_min": (45.0, 600.0),
    "oil.top_oil_rise_k": (15.0, 80.0),
    "oil.exponent": (0.5, 1.2),
    "oil.k11": (0.3, 1.2),
    "winding.time_constant_min": (2.0, 20.0),
    "winding.gradient_k": (5.0, 50.0),
    "winding.exponent": (1.0, 2.2),
    "winding.k21": (1.0, 4.0),
    "winding.k22": (0.5, 4.0),
}
"""Usual ranges of a nameplate's numbers, in the units that their names end with: the values of IEC
60076-7 for all ways of cooling, with room about them. Beyond, a wrong unit or decimal point is more
likely than such a transformer."""


def nameplate_findings(nameplate: Nameplate) -> list[Finding]:
    """Findings about numbers that are unusual, and about what was assumed in their place."""
    # What was learned is no number of a nameplate, and may be unusual.
    unusual = _unusual(nameplate.as_given()) + _still_oil(nameplate)
    papers = _paper(nameplate) + _close_hot_spot(nameplate)
    return unusual + papers + _printed(nameplate) + _assumed(nameplate)


def _unusual(nameplate: Nameplate) -> list[Finding]:
    """Numbers that are possible, but seem to be in another unit."""
    quantities = nameplate.thermal_quantities()
    odd = [
        f"{name} = {quantities[name].mean:g} (usually {low:g} to {high:g})"
        for name, (low, high) in USUAL.items()
        if not low <= quantities[name].mean <= high
    ]
    if not odd:
        return []
    text = f"The nameplate says {', '.join(odd)}: check the unit and the decimal point."
    return [Finding("nameplate", text)]


def _still_oil(nameplate: Nameplate) -> list[Finding]:
    """A conductivity of oil at rest, where oil that flows carries heat far better."""
    conductivity = nameplate.oil_tank().conductivity
    if conductivity >= FLOWING:
        return []
    text = (
        f"The nameplate says tank.conductivity_w_per_mk = {conductivity:g}: oil at rest conducts "
        "0.13, but oil in a tank flows and carries heat as if it conducted 10 or more. With "
        "this number the oil temperature between bottom and top cannot be relied on."
    )
    return [Finding("nameplate", text)]


def _paper(nameplate: Nameplate) -> list[Finding]:
    """A paper that nobody named: no other assumption moves the life as much."""
    # IEEE's clause has the paper that goes with its average winding rise.
    if nameplate.standard == "ieee" or "paper" in nameplate.insulation.model_fields_set:
        return []
    normal, upgraded = (LAWS[name].rate(np.array([HOT_C]))[0] for name in ("normal", "upgraded"))
    text = (
        "The nameplate does not say which paper insulates the winding (insulation.paper): normal "
        f"paper is assumed. Thermally upgraded paper would age {upgraded / normal:.2f} times as "
        f"fast at {HOT_C:g} °C. {_by_ieee(nameplate)}"
    )
    return [Finding("assumed", text)]


def _by_ieee(nameplate: Nameplate) -> str:
    """Which paper IEEE assumes beside IEC's, where nobody named one."""
    rise = average_winding_rise(nameplate)
    paper = {65: "thermally upgraded paper", 55: "paper that is not upgraded"}[rise]
    return f"The answer of IEEE C57.91 beside it assumes {rise} °C rise, {paper}."


def _close_hot_spot(nameplate: Nameplate) -> list[Finding]:
    """A hot spot hardly above the oil by IEEE, where its rated rise and the oil's do not fit."""
    try:
        unit = nameplate.as_given().by_standard("ieee")
    except InputError:  # the two exclude each other, and there is no answer by IEEE
        return []
    gradient, oil = unit.winding.gradient_k.mean, unit.oil.top_oil_rise_k.mean
    given = unit.iec is None or "winding.gradient_k" not in unit.iec.from_table
    if given or gradient >= LEAST_GRADIENT_K:
        return []
    text = (
        f"By IEEE C57.91 the hot spot of insulation of {average_winding_rise(unit)} °C rise is "
        f"{oil + gradient:g} K above the air at rated load. With oil.top_oil_rise_k = {oil:g} that "
        f"leaves {gradient:g} K between hot spot and top oil, where {LEAST_GRADIENT_K:g} to 30 K "
        "are usual: check that rise, or give winding.gradient_k or ieee.hot_spot_rise_k."
    )
    return [Finding("assumed", text)]


def _printed(nameplate: Nameplate) -> list[Finding]:
    """What was assumed of a cooling that is printed otherwise than the guide names it."""
    if not nameplate.cooling_printed:
        return []
    known = printed_cooling(nameplate.cooling_printed)
    if known is None or not known.assumed:
        return []
    text = (
        f"The cooling {nameplate.cooling_printed} is treated as the guide's {nameplate.cooling}: "
        f"{'; '.join(known.assumed)}."
    )
    return [Finding("assumed", text)]


def _assumed(nameplate: Nameplate) -> list[Finding]:
    """Numbers that the nameplate does not give and the measurements do not teach."""
    learned = {} if nameplate.learned is None else nameplate.learned.given
    # What IEEE's clause prescribes is left out by nobody.
    prescribed = FROM_IEEE if nameplate.standard == "ieee" else ()
    names = [n for n in nameplate.assumed if n not in learned and n not in prescribed]
    if not names:
        return []
    quantities = nameplate.thermal_quantities()
    values = ", ".join(f"{name} = {quantities[name].mean:g}" for name in names)
    # By IEEE the gradient is what its rated rises leave; the rest is IEC's table all the same.
    guides = "IEC 60076-7 and IEEE C57.91" if nameplate.standard == "ieee" else "IEC 60076-7"
    text = (
        f"The nameplate does not give all numbers of oil and winding; those of {guides} for "
        f"{nameplate.cooling} are used: {values}. The test report of the unit has better ones."
    )
    return [Finding("assumed", text)]

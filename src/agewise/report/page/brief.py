"""What the answer rests on, in short sentences: what was assumed, and what was learned."""

from dataclasses import dataclass

from agewise.assessment.answer.summary import Constant
from agewise.report.constants import constant_name, spread_of
from agewise.report.inputs import ReportInputs
from agewise.report.page.answer import BASES
from agewise.report.page.headlines import ORIGINS
from agewise.report.page.known import bottom_of, known_unit
from agewise.report.wording import life, number

USUAL_LIFE_SHARE = 15
"""Doubt about the life of insulation where its nameplate gives none [%], as `Doubts` has it."""
MATTERS = ("oil.top_oil_rise_k", "winding.gradient_k", "oil.time_constant_min", "oil.exponent")
"""Constants that move an answer most; the others are named together."""


@dataclass(frozen=True)
class Brief:
    """What the answer rests on."""

    assumed: tuple[str, ...]
    """What nobody measured, a sentence each."""
    learned: tuple[str, ...]
    """What the record taught of the unit, a sentence each."""


def brief(inputs: ReportInputs) -> Brief:
    """What was assumed and what was learned, the weightiest first."""
    return Brief(_assumed(inputs), _learned(inputs))


def _assumed(inputs: ReportInputs) -> tuple[str, ...]:
    return (
        BASES[inputs.summary.life.basis],
        _used_before(inputs),
        _whole_life(inputs),
        *_from_tables(inputs),
        bottom_of(inputs),
    )


def _used_before(inputs: ReportInputs) -> str:
    before = inputs.summary.life.used_before
    amount = life(before.mean, before.std)
    return f"Life used before the record: {amount}, {ORIGINS[before.source]}."


def _whole_life(inputs: ReportInputs) -> str:
    insulation, law = inputs.nameplate.insulation, inputs.nameplate.ageing_law
    hours = insulation.life_hours
    share = USUAL_LIFE_SHARE if hours.std is None else 100 * hours.std / hours.mean
    return (
        f"Insulation of {insulation.paper} paper lasts {number(hours.mean)} h at "
        f"{law.reference_hot_spot:g} °C, give or take {share:.0f} %."
    )


def _from_tables(inputs: ReportInputs) -> list[str]:
    """The constants that stand in for what the nameplate lacks and the record did not teach."""
    table = [constant for constant in inputs.summary.constants if _from_table(constant)]
    if not table:
        return []
    named = [constant for constant in table if constant.name in MATTERS]
    values = [
        f"{constant_name(constant.name).lower()} "
        f"{spread_of(constant.name, constant.before, constant.before_std)}"
        for constant in named
    ]
    rest = len(table) - len(named)
    others = [f"{rest} more" if named else f"{rest} constants"] if rest else []
    listed = ", ".join([*values, *others])
    return [f"Not on the nameplate, so taken from the guide's table for its cooling: {listed}."]


def _from_table(constant: Constant) -> bool:
    return constant.origin == "assumed" and constant.learned is None


def _learned(inputs: ReportInputs) -> tuple[str, ...]:
    learned_constants = [
        constant for constant in inputs.summary.constants if constant.learned is not None
    ]
    if not learned_constants:
        return (known_unit(inputs).sentence,)
    return tuple(map(_learned_sentence, learned_constants))


def _learned_sentence(constant: Constant) -> str:
    name, learned = constant.name, constant.learned or 0.0
    before = spread_of(name, constant.before, constant.before_std)
    origin = "nameplate" if constant.origin == "given" else "table"
    after = spread_of(name, learned, constant.learned_std or 0.0)
    return f"{constant_name(name)}: {after} ({origin}: {before})."

"""The section `scenario` of the answer, made from the draws of a prognosis."""

import numpy as np

from agewise.assessment.answer.scenario import ScenarioHotSpot
from agewise.assessment.answer.spread import spread
from agewise.assessment.decision.scenario_heat import (
    chance_above,
    scenario_hottest,
    scenario_hours_above,
)
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.plain_answers import iec_answer
from agewise.transformer.cooling_defaults import LIMITS


def scenario(prognosis: Prognosis) -> ScenarioHotSpot | None:
    """How hot the scenario gets, and how likely it passes each limit; None without one."""
    ahead, hottest = prognosis.scenario, scenario_hottest(prognosis)
    if ahead is None or hottest is None:
        return None
    assessment = prognosis.assessment
    unit = assessment.nameplate.as_given()
    # By IEC whatever guide the unit follows, since that is what the field is called.
    plain = iec_answer(ahead, unit.by_standard("iec"), hold=assessment.settings.hold)
    hours = scenario_hours_above(prognosis)
    limits = [
        {
            "name": name,
            "limit": limit.hot_spot,
            "probability": chance_above(hottest, limit.hot_spot),
            "hours": float(above.mean()),
        }
        for (name, limit), above in zip(LIMITS.items(), hours, strict=True)
    ]
    return ScenarioHotSpot.model_validate(
        {
            **dict(spread(hottest)),
            "iec": float(plain.hot_spot.max()),
            # A load that is missing is no peak.
            "highest_load": float(np.nanmax(ahead.load)),
            "limits": limits,
        }
    )

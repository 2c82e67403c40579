"""Limits of the guide: what the plain answer beside ours stands on."""

import calibrated

from agewise.assessment.decision.temperature_limits import exceedances
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.assessment.plain_answers import iec_answer
from agewise.plant.quantity import Quantity


def test_the_plain_answer_to_a_limit_is_that_of_the_nameplate_as_given():
    """60 K of gradient were given and 15 K learned: the plain hot spot passes what ours keeps."""
    unit, profile = calibrated.learned(), calibrated.profile(1.0)
    assert unit.learned is not None
    given = unit.learned.given | {"winding.gradient_k": Quantity(mean=60.0)}
    winding = unit.winding.model_copy(update={"gradient_k": Quantity(mean=15.0)})
    learned = unit.learned.model_copy(update={"given": given})
    unit = unit.model_copy(update={"winding": winding, "learned": learned})
    plain = [float(iec_answer(profile, one).hot_spot.max()) for one in (unit, unit.as_given())]
    assert plain[0] < 120.0 < plain[1]
    fitted = assess(profile, unit, Settings(method="line"))
    passed = exceedances(Prognosis(fitted, 1.0, effort=Effort(draws=50, split_draws=20)))[0]
    assert (passed.quantity, passed.limit, passed.probability) == ("hot spot", 120.0, 0.0)
    assert passed.iec

"""Oil that lost cooling explains is an answer with a doubt, and none that cannot be told."""

from dataclasses import replace

import pytest

from agewise.assessment.decision.finding import AboutData, Finding, oil_doubt
from agewise.assessment.decision.findings import MOST_DOUBT_K, noted_of
from agewise.assessment.decision.lost_cooling import DATA_ERROR, explained_by_cooling
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.plant.record import DataFinding
from agewise.twin.twin import TwinSettings, make_twin

STEP = DataFinding("bias", "top_oil", 10, "", "", "kept", "a step", doubt_k=6.0)


def test_one_cause_counts_once_and_other_findings_are_left_alone():
    steps = AboutData("bias", "a step", STEP, doubt_k=6.0)
    of_air = replace(steps, about=replace(STEP, column="ambient"))
    missed = Finding("nameplate", "misses", mend="Check it.", doubt_k=14.0)
    rare = Finding("rare", "rows far apart", doubt_k=2.0)
    found = explained_by_cooling([steps, of_air, missed, rare])
    assert not any(finding.undermines for finding in found)
    assert found[1:2] == [of_air] and found[3] == rare
    # The variance of an error that is there one time in ten, beside those of other causes.
    assert oil_doubt(found) ** 2 == pytest.approx(DATA_ERROR * 14.0**2 + 6.0**2 + 2.0**2)


def test_a_unit_that_lost_much_of_its_cooling_has_an_answer_that_holds():
    settings = TwinSettings(seed=105, case="aged-substation", days=6.0, cooling_loss=0.4)
    twin = make_twin(settings)
    assessment = assess(twin.profile, twin.nameplate, Settings(method="solver"))
    noted = noted_of(assessment)
    assert noted.check.alarm and noted.check.explains
    assert not any(finding.undermines for finding in noted.findings)
    assert 0 < noted.doubt_k < MOST_DOUBT_K

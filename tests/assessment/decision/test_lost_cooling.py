"""Oil that lost cooling explains is an answer with a doubt; readings that are wrong are none."""

from dataclasses import replace

import numpy as np
import pytest

from agewise.assessment.decision.cooling_verdict import (
    LOOKS_ALIKE,
    MOST_FACTOR,
    READS_HIGH,
    wrong_readings,
)
from agewise.assessment.decision.finding import Finding, oil_doubt
from agewise.assessment.decision.findings import MOST_DOUBT_K, Noted, noted_of
from agewise.assessment.decision.lost_cooling import explained_by_cooling
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.plant.profile import Profile
from agewise.transformer.prognostics.cooling_check import RiseCheck
from agewise.twin.twin import TwinSettings, make_twin
from agewise.units import SECONDS_PER_DAY

HOTTER = RiseCheck(1.6, 0.1, True, 0.0, None)
SOUND = TwinSettings(seed=105, case="aged-substation", days=6.0)


def noted(profile: Profile, settings: TwinSettings = SOUND) -> Noted:
    return noted_of(assess(profile, make_twin(settings).nameplate, Settings(method="line")))


def test_the_chance_of_wrong_readings_is_that_of_bayes():
    undecided = wrong_readings(HOTTER)
    assert undecided == pytest.approx(READS_HIGH + LOOKS_ALIKE)
    sure = wrong_readings(replace(HOTTER, evidence=50.0))
    assert sure == pytest.approx(LOOKS_ALIKE / (1 - READS_HIGH))
    assert wrong_readings(replace(HOTTER, evidence=-50.0)) == pytest.approx(1.0)
    assert wrong_readings(replace(HOTTER, factor=1.01 * MOST_FACTOR)) == 1.0


def test_one_cause_counts_once_and_other_findings_are_left_alone():
    missed = Finding("nameplate", "misses", mend="Check it.", doubt_k=14.0)
    rare = Finding("rare", "rows far apart", doubt_k=2.0)
    promised = Finding("promise", "hotter", doubt_k=3.0)
    found = explained_by_cooling([missed, rare], 0.1, 3.0)
    assert not found[0].undermines and found[1] == rare
    # The variance of an error that is there one time in ten, beside that of another cause.
    assert oil_doubt([*found, promised]) ** 2 == pytest.approx(0.1 * 14.0**2 + 2.0**2)


def test_a_unit_that_lost_much_of_its_cooling_has_an_answer():
    settings = replace(SOUND, cooling_loss=0.4)
    found = noted(make_twin(settings).profile)
    assert found.check.alarm and found.check.loss_likely
    assert not any(finding.undermines for finding in found.findings)
    assert 0 < found.doubt_k < MOST_DOUBT_K


def test_a_thermometer_that_reads_high_from_one_day_on_still_undermines_the_answer():
    sound = make_twin(SOUND).profile
    assert sound.top_oil is not None
    later = sound.seconds > 3 * SECONDS_PER_DAY
    found = noted(replace(sound, top_oil=sound.top_oil + np.where(later, 22.0, 0.0)))
    assert not found.check.loss_likely
    assert any(finding.undermines for finding in found.findings)


def test_a_load_in_another_unit_from_one_day_on_still_undermines_the_answer():
    sound = make_twin(SOUND).profile
    later = sound.seconds > 3 * SECONDS_PER_DAY
    found = noted(replace(sound, load=sound.load * np.where(later, 0.1, 1.0)))
    # It looks like a loss, but the oil is then further off than a loss makes likely.
    assert any(finding.undermines for finding in found.findings)

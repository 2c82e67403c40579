"""Constants of the tank from sensors inside: known ones are found, and other physics is told."""

from dataclasses import replace

import inside_twin
import numpy as np
import pytest
from scipy.optimize import least_squares, minimize

from agewise.assessment.calibration import tank as calibration
from agewise.assessment.calibration.tank import calibrate_tank
from agewise.assessment.calibration.tank_words import tank_not_told, tank_rows
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import read_nameplate, write_nameplate
from agewise.plant.quantity import Quantity
from agewise.transformer.oil.inverse.closed_form import closed_form
from agewise.transformer.oil.inverse.evidence import TankEvidence
from agewise.transformer.oil.reference import oil_temperature

TRUE_TRANSFER, TRUE_VOLUME = 103.26, 2.290
"""Heat transfer [W/m³K] and volume [m³] of every twin of this case."""


def slower(unit: Nameplate) -> Nameplate:
    """A unit said to be slower and hotter than it is: heat transfer and volume are wrong."""
    oil = {"time_constant_min": Quantity(mean=300.0), "top_oil_rise_k": Quantity(mean=50.0)}
    return unit.model_copy(update={"oil": unit.oil.model_copy(update=oil)})


def test_known_constants_are_found_without_noise():
    twin = inside_twin.twin(noise=0.01, factor=1.5)
    learned = calibrate_tank(twin.profile, slower(twin.nameplate), volume=True)
    found = [constant.learned for constant in learned.constants]
    assert found == pytest.approx([15.0, TRUE_TRANSFER, TRUE_VOLUME], rel=2e-3)
    assert learned.sound
    # Every one of them was believed to be something else.
    assert all(
        abs(constant.before / (constant.learned or 1) - 1) > 0.01 for constant in learned.constants
    )


def test_the_highest_evidence_is_where_other_methods_find_it():
    twin = inside_twin.twin()
    learned = calibrate_tank(twin.profile, twin.nameplate)
    evidence = TankEvidence(learned.record, learned.prior)
    gaussian = closed_form(evidence)
    std = np.sqrt(np.diag(gaussian.covariance))
    searched = minimize(
        lambda at: -evidence.log_density(at), [0.02, -0.02], method="Nelder-Mead",
        options={"xatol": 1e-5, "fatol": 1e-4},
    )  # fmt: skip
    np.testing.assert_allclose(gaussian.mean, searched.x, atol=0.05 * std.min())


def test_a_network_finds_what_the_closed_form_finds(monkeypatch: pytest.MonkeyPatch):
    small = replace(calibration.NETWORK, hidden=(6, 6), steps=40, lead_steps=20)
    monkeypatch.setattr(calibration, "NETWORK", small)
    # A little off what is believed: one network will do, and it may not stay there.
    twin = inside_twin.twin(factor=1.015)
    learned, exact = (
        calibrate_tank(twin.profile, twin.nameplate, method=method)
        for method in ("laplace", "exact")
    )
    assert learned.sound
    for own, other in zip(learned.constants, exact.constants, strict=True):
        assert own.learned and own.learned_std and other.learned and other.learned_std
        # It reads two thirds of the day.
        assert 0.7 < own.learned_std / other.learned_std < 1.7
        assert abs(own.learned - other.learned) < 1.5 * own.learned_std


def test_networks_that_do_not_settle_say_so(monkeypatch: pytest.MonkeyPatch):
    twin = inside_twin.twin()

    def further(evidence, at, method, seed):
        return np.tile(at + 0.05, (5, 1)), ()

    monkeypatch.setattr(calibration, "_fitted_rest", further)
    learned = calibrate_tank(twin.profile, twin.nameplate, method="laplace")
    assert calibration.UNSETTLED in learned.findings and not learned.sound


def test_least_squares_on_the_reference_solution_agrees():
    twin = inside_twin.twin(noise=0.01)
    profile, tank = twin.profile, twin.nameplate.oil_tank()
    assert profile.top_oil is not None
    rows = slice(0, None, 10)
    top = profile.top_oil
    read = np.stack([values[rows] for values in profile.interior.values()], axis=1)

    def errors(constants):
        own = replace(tank, conductivity=constants[0], heat_transfer=constants[1])
        solved = oil_temperature(
            own, profile.seconds, profile.load, profile.ambient, top,
            heights=np.array(list(profile.interior)), elements=40,
        )  # fmt: skip
        return (solved.temperature[rows] - read).ravel()

    found = least_squares(errors, [12.0, 95.0], x_scale=[1.0, 10.0]).x
    learned = calibrate_tank(twin.profile, twin.nameplate)
    assert [c.learned for c in learned.constants] == pytest.approx(found.tolist(), rel=2e-3)


def test_other_physics_is_told_and_changes_no_nameplate():
    twin = inside_twin.twin(mismatch=1.0)
    learned = calibrate_tank(twin.profile, twin.nameplate)
    (finding,) = learned.findings
    assert "does not explain the sensors inside" in finding
    assert learned.taught(twin.nameplate) is twin.nameplate
    assert tank_rows(learned)["tank 1"] == finding and not tank_not_told(learned)


def test_a_learned_tank_survives_its_file_and_is_set_aside_by_the_next_learning(tmp_path):
    twin = inside_twin.twin(factor=1.5)
    learned = calibrate_tank(twin.profile, twin.nameplate)
    taught = learned.taught(twin.nameplate)
    write_nameplate(taught, tmp_path / "learned.toml")
    again = read_nameplate(tmp_path / "learned.toml").tank
    assert again.conductivity_w_per_mk.mean == pytest.approx(15.0, rel=0.03)
    assert again.conductivity_w_per_mk.std and again.heat_transfer_w_per_m3k
    # The volume stays, so that a learned rise does not move what the losses heat.
    assert again.volume_m3 == Quantity(mean=twin.nameplate.oil_tank().volume)


def test_what_cannot_be_told_is_said():
    twin = inside_twin.twin()
    kept, free = (calibrate_tank(twin.profile, twin.nameplate, volume=v) for v in (False, True))
    assert any("stays 2.29 m3" in sentence for sentence in tank_not_told(kept))
    assert any("heat transfer and the effective volume make up" in s for s in tank_not_told(free))
    # A volume that is sought as well leaves less to know of the heat transfer.
    before, after = (c.constants[1].learned_std for c in (kept, free))
    assert before is not None and after is not None and after > 1.2 * before


def test_profiles_that_teach_nothing_are_refused():
    twin = inside_twin.twin()
    outside = replace(twin.profile, interior={})
    with pytest.raises(InputError, match="0 readings between bottom and top"):
        calibrate_tank(outside, twin.nameplate)

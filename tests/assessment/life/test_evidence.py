"""Samples of paper and oil against Bayes's rule on a grid, which is worked out apart."""

import datetime

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from agewise.assessment.life.conditioning import Before, Believed
from agewise.assessment.life.doubts import LIFE, USED
from agewise.assessment.life.evidence import Samples
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from, read_nameplate, write_nameplate
from agewise.plant.timeline import timeline
from agewise.transformer.ageing.kinetics import MOISTURE, OXYGEN
from agewise.transformer.prognostics.paper_samples import degree_of_polymerisation
from agewise.transformer.prognostics.unknowns import Unknown, drawn

UNIT = "rated_power_kva = 1100.0\nno_load_losses_w = 842.0\nload_losses_w = 9800.0\n[evidence]\n"
LIVES, PAST = (262_980.0, 0.15 * 262_980.0), (195_000.0, 40_000.0)
COUNT = 4000


def posterior(text: str) -> tuple[Before, Believed]:
    unknowns = [
        Unknown(LIFE, "ageing law", *LIVES, 1.0),
        Unknown(USED, "nameplate", *PAST, 1.0),
        Unknown(MOISTURE, "ageing law", 2.0, 1.0, 0.2),
        Unknown(OXYGEN, "ageing law", 0.5, 0.3, 0.0),
    ]
    draws, nothing = drawn(unknowns, COUNT, seed=1), np.zeros(COUNT)
    before = Before(unknowns, draws, nothing, draws[USED])
    times = timeline(pd.Series(["2025-06-01T00:00:00Z", "2025-06-08T00:00:00Z"]), where="x")
    samples = Samples(nameplate_from(UNIT + text), times, draws, nothing, np.full(COUNT, 6000.0))
    return before, before.given(samples.log_likelihood, seed=2)


def grid(likelihood) -> tuple[float, float]:
    """Mean and spread of the share used, of lives and pasts in which the unit lives."""
    life = np.linspace(LIVES[0] - 5 * LIVES[1], LIVES[0] + 5 * LIVES[1], 801)[:, None]
    used = np.linspace(1.0, PAST[0] + 5 * PAST[1], 801)[None]
    share = used / life
    weight = norm.pdf(life, *LIVES) * norm.pdf(used, *PAST) * (life > used) * (life > 1)
    weight = weight * likelihood(share, used, life)
    mean = float(np.sum(weight * share) / np.sum(weight))
    return mean, float(np.sqrt(np.sum(weight * (share - mean) ** 2) / np.sum(weight)))


def new_papers() -> list[tuple[float, float]]:
    degrees = 1100.0 + 58.0 * np.linspace(-4, 4, 41)
    weights = norm.pdf(degrees, 1100.0, 58.0)
    return list(zip(degrees, weights / weights.sum(), strict=True))


def by_degree(measured: float, std: float):
    """The likelihood of a measured degree, summed over what new paper may have had."""

    def likelihood(share, used, life):
        expected = [(1 / (1 / new + share * (1 / 200 - 1 / new)), w) for new, w in new_papers()]
        return sum(w * norm.pdf(measured, degree, std) for degree, w in expected)

    return likelihood


def share_of(believed) -> np.ndarray:
    return believed.used_before / believed.draws[LIFE]


def agrees(believed, expected: tuple[float, float]) -> None:
    share = share_of(believed)
    assert share.mean() == pytest.approx(expected[0], abs=0.012)
    assert share.std() == pytest.approx(expected[1], rel=0.08)


def test_a_degree_of_polymerisation_narrows_as_bayes_says():
    _, believed = posterior("degree_of_polymerisation = { mean = 400.0, std = 40.0 }")
    agrees(believed, grid(by_degree(400.0, 40.0)))
    nothing = grid(lambda share, used, life: np.ones_like(share))
    assert share_of(believed).std() < 0.6 * nothing[1]


@pytest.mark.parametrize("furans", [0.5, 3.0])
def test_furans_narrow_as_bayes_says(furans: float):
    _, believed = posterior(f"furans_mg_per_kg = {{ mean = {furans}, std = 0.1 }}")

    def likelihood(share, used, life):
        chendong = (1.51 - np.log10(furans)) / 0.0035
        pablo = 7100 / (8.88 + furans)
        per_mg = (1 / (0.0035 * furans * np.log(10)), 7100 / (8.88 + furans) ** 2)
        total = 0.0
        for new, w in new_papers():
            degree = 1 / (1 / new + share * (1 / 200 - 1 / new))
            for told, slope in zip((chendong, pablo), per_mg, strict=True):
                total = total + w * norm.pdf(told, degree, np.hypot(125.0, 0.1 * slope))
        return total

    agrees(believed, grid(likelihood))


def test_water_is_known_as_well_as_two_normals_say():
    """A prior of 2 +- 1 and a sample of 3 +- 0.5: the precision adds up."""
    before, believed = posterior("moisture_percent = { mean = 3.0, std = 0.5 }")
    precision = 1 / 1.0**2 + 1 / 0.5**2
    mean = (2.0 / 1.0**2 + 3.0 / 0.5**2) / precision
    water = believed.draws[MOISTURE]
    assert water.mean() == pytest.approx(mean, abs=0.05)
    assert water.std() == pytest.approx(precision**-0.5, rel=0.1)
    _, aired = posterior("oxygen_ppm = 25000.0")
    assert aired.draws[OXYGEN].mean() > before.draws[OXYGEN].mean() + 0.2


def test_a_sample_without_any_doubt_is_refused():
    """No draw has exactly so much water: all would be excluded, and the past blamed for it."""
    with pytest.raises(InputError, match="never exact"):
        nameplate_from(UNIT + "moisture_percent = { mean = 2.0, std = 0.0 }")


def test_an_older_sample_tells_of_what_was_used_by_then():
    dated = "degree_of_polymerisation = { mean = 400.0, std = 40.0, date = 2015-06-08 }"
    _, believed = posterior(dated)
    shift = 10.0 * 6000.0

    def likelihood(share, used, life):
        return by_degree(400.0, 40.0)(np.maximum(used - shift, 0.0) / life, used, life)

    agrees(believed, grid(likelihood))


def test_samples_survive_a_file(tmp_path):
    text = "degree_of_polymerisation = { mean = 400.0, std = 40.0, date = 2015-06-08 }\n"
    text += "[site]\nlatitude = 40.0\n"
    unit = nameplate_from(UNIT + text)
    write_nameplate(unit, tmp_path / "unit.toml")
    again = read_nameplate(tmp_path / "unit.toml")
    assert isinstance(again, Nameplate)
    sample = again.evidence.degree_of_polymerisation
    assert sample is not None and sample.date == datetime.date(2015, 6, 8)
    assert (sample.mean, sample.std, again.site.latitude) == (400.0, 40.0, 40.0)


def test_the_degree_of_polymerisation_at_both_ends_of_a_life():
    ends = degree_of_polymerisation(np.array([0.0, 1.0]))
    np.testing.assert_allclose(ends, [1100.0, 200.0])

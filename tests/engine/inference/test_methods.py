"""How right the yardsticks are where the truth is known, and whether they know how right."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import jax
import numpy as np
import pytest

from agewise.assessment.oil.methods import YARDSTICKS
from agewise.engine.inference.exact import Exact, ExactPosterior
from agewise.engine.inference.line import LinePosterior
from agewise.engine.problems import Observations
from agewise.engine.uncertainty.decomposition import Prediction, Split, split
from agewise.errors import InputError
from agewise.library import PROBLEMS
from agewise.library.heat_rod import HeatRod
from agewise.transformer.oil.heat import TransformerHeat, transformer_heat
from agewise.transformer.oil.reference import oil_temperature
from agewise.transformer.oil.solver import SolverPosterior
from agewise.transformer.oil.tank import Tank
from agewise.twin.twin import Twin, TwinSettings, make_twin

CLOSED_FORMS = ("line", "solver", "exact")
"""Methods that smooth both measured ends and learn their noise; others need not."""
every_closed_form = pytest.mark.parametrize("method", CLOSED_FORMS)
KEY = jax.random.key(0)
EVERY = 10
"""Minutes between the instants at which methods are held against the truth."""
HOUR = 60 // EVERY

seeds = pytest.mark.parametrize("seed", [100, 107])
good_methods = pytest.mark.parametrize("method", ["solver", "exact"])


@dataclass(frozen=True)
class Case:
    """A twin and its problem; predictions come back in °C and K², ordered (time, height)."""

    twin: Twin
    problem: TransformerHeat

    @cached_property
    def truth(self) -> np.ndarray:
        return self.twin.truth["oil_true"].to_numpy().astype(float)[::EVERY]

    @cached_property
    def noise_std(self) -> np.ndarray:
        return self.twin.truth["noise_std"].to_numpy().astype(float)[::EVERY]

    @cached_property
    def points(self) -> np.ndarray:
        seconds = self.twin.profile.seconds
        x, t = np.meshgrid(np.linspace(0.0, 1.0, 51), seconds[::EVERY] / seconds[-1])
        return np.stack([x.ravel(), t.ravel()], axis=1)

    def kelvin(self, scaled: Prediction) -> Prediction:
        units, shape = self.problem.units, self.truth.shape
        square = units.spread**2
        return Prediction(
            units.celsius(scaled.mean).reshape(shape),
            square * scaled.epistemic.reshape(shape),
            square * scaled.aleatoric.reshape(shape),
        )

    def rmse(self, prediction: Prediction) -> float:
        return float(np.sqrt(np.mean((prediction.mean - self.truth) ** 2)))

    def split(self, prediction: Prediction) -> Split:
        return split(prediction, self.truth, self.noise_std)


CaseOf = Callable[[TwinSettings], Case]
Predicted = Callable[[TwinSettings, str], Prediction]


def two_days(seed: int, **options) -> TwinSettings:
    return TwinSettings(seed=seed, days=2.0, **options)


@pytest.fixture(scope="module")
def case_of(problem_of: Callable[..., TransformerHeat]) -> CaseOf:
    def made(settings: TwinSettings) -> Case:
        twin = make_twin(settings)
        return Case(twin, problem_of(twin))

    return cache(made)


@pytest.fixture(scope="module")
def predicted(case_of: CaseOf) -> Predicted:
    def made(settings: TwinSettings, method: str) -> Prediction:
        case = case_of(settings)
        return case.kelvin(YARDSTICKS[method]().fit(case.problem, key=KEY).predict(case.points))

    return cache(made)


# --- how right ------------------------------------------------------------------------------------


@seeds
@good_methods
def test_known_physics_between_measured_ends_is_solved(
    method: str, seed: int, case_of: CaseOf, predicted: Predicted
):
    settings = two_days(seed)
    assert case_of(settings).rmse(predicted(settings, method)) < 0.05


@seeds
def test_a_straight_line_is_not_enough(seed: int, case_of: CaseOf, predicted: Predicted):
    settings = two_days(seed)
    assert case_of(settings).rmse(predicted(settings, "line")) > 1.0


@seeds
@good_methods
@pytest.mark.parametrize("law", ["temperature", "daily"])
def test_doubt_is_as_large_as_the_error(
    method: str, law: str, seed: int, case_of: CaseOf, predicted: Predicted
):
    settings = two_days(seed, noise_law=law)
    assert 0.6 < case_of(settings).split(predicted(settings, method)).epistemic_z < 1.6


@seeds
@every_closed_form
@pytest.mark.parametrize("law", ["temperature", "daily"])
def test_noise_is_found_where_it_is_measured(
    method: str, law: str, seed: int, case_of: CaseOf, predicted: Predicted
):
    settings = two_days(seed, noise_law=law)
    scores = case_of(settings).split(predicted(settings, method))
    assert 0.9 < scores.aleatoric_ratio_boundary.median < 1.1
    assert scores.aleatoric_ratio_boundary.p05 > 0.75
    assert scores.aleatoric_ratio_boundary.p95 < 1.3
    assert scores.aleatoric_rank_correlation > 0.9


@good_methods
def test_more_noise_is_more_of_both(method: str, predicted: Predicted):
    calm, loud = (predicted(two_days(100, noise=noise), method) for noise in (1.0, 3.0))
    assert np.median(loud.aleatoric / calm.aleatoric) == pytest.approx(9.0, rel=0.2)
    assert 2.0 < np.median(loud.epistemic / calm.epistemic) < 9.0
    assert (loud.aleatoric > calm.aleatoric).all()


@good_methods
def test_a_gap_in_the_top_oil_is_bridged_with_more_doubt(
    method: str, case_of: CaseOf, problem_of: Callable[..., TransformerHeat]
):
    whole = case_of(two_days(100))
    frame = whole.twin.frame.copy()
    seconds = whole.twin.profile.seconds
    load, tank = whole.twin.profile.load, whole.twin.nameplate.oil_tank()
    top = frame["top_oil"].to_numpy().copy()
    top[1200:1560] = np.nan
    known = whole.problem.known
    assert known is not None
    # The same part is taken out, so that only the readings differ.
    driven = known(np.stack([np.ones_like(seconds), seconds / seconds[-1]], axis=1))
    sensors = {0.0: frame["ambient"].to_numpy(), 1.0: top}
    case = Case(
        whole.twin, transformer_heat(tank, seconds, load, sensors, driven=(0 * driven, driven))
    )
    prediction = case.kelvin(YARDSTICKS[method]().fit(case.problem, key=KEY).predict(case.points))
    upper, within, outside = slice(41, 51), slice(123, 153), slice(60, 90)
    std = np.sqrt(prediction.epistemic[:, upper])
    assert std[within].mean() > 5 * std[outside].mean()
    z = (prediction.mean - case.truth)[within, upper] / std[within]
    assert np.sqrt(np.mean(z**2)) < 2.0


# --- what sensors inside teach --------------------------------------------------------------------


@seeds
@pytest.mark.parametrize("mismatch", [0.0, 1.0])
def test_sensors_inside_tell_whether_the_equation_fits(mismatch: float, seed: int, case_of: CaseOf):
    case = case_of(two_days(seed, interior=True, mismatch=mismatch))
    posterior = Exact().fit(case.problem, key=KEY)
    prediction = case.kelvin(posterior.predict(case.points))
    scores = case.split(prediction)
    if mismatch:
        assert posterior.discrepancy_factor > 3
        assert case.rmse(prediction) < 0.3
    else:
        assert posterior.discrepancy_factor < 1
        assert case.rmse(prediction) < 0.05
    assert 0.5 < scores.epistemic_z < 2.0
    assert 0.9 < scores.aleatoric_ratio_inside.median < 1.1


def test_without_sensors_inside_the_declared_discrepancy_stands(
    case_of: CaseOf, problem_of: Callable[..., TransformerHeat]
):
    # The twin of above, whose oil takes a second to work out, without what it measures inside.
    twin = case_of(two_days(100, interior=True, mismatch=1.0)).twin
    inside = [name for name in twin.frame if str(name).startswith("oil@")]
    assert inside
    twin = replace(twin, frame=twin.frame.drop(columns=inside))
    case = Case(twin, problem_of(twin))
    posterior = Exact().fit(case.problem, key=KEY)
    assert posterior.discrepancy_factor == 1.0
    assert case.rmse(case.kelvin(posterior.predict(case.points))) > 1.0


@pytest.mark.parametrize("seed", [100, 102])
def test_sensors_inside_do_not_break_the_algebra_of_a_short_window(
    seed: int, problem_of: Callable[..., TransformerHeat]
):
    twin = make_twin(TwinSettings(seed=seed, days=0.25, interior=True))
    assert Exact().fit(problem_of(twin), key=KEY).discrepancy_factor < 1


# --- what each is ---------------------------------------------------------------------------------


def test_a_declared_discrepancy_is_doubt(
    case_of: CaseOf, problem_of: Callable[..., TransformerHeat]
):
    case = case_of(two_days(100))
    inside = case.points[(case.points[:, 0] > 0.3) & (case.points[:, 0] < 0.7)]
    doubts = [
        np.median(
            Exact()
            .fit(problem_of(case.twin, discrepancy=discrepancy), key=KEY)
            .predict(inside)
            .epistemic
        )
        for discrepancy in (0.005, 0.05)
    ]
    assert doubts[1] > 5 * doubts[0]


def test_a_tiny_discrepancy_makes_exact_the_solver(
    case_of: CaseOf, problem_of: Callable[..., TransformerHeat]
):
    case = case_of(two_days(100))
    problem = problem_of(case.twin, discrepancy=1e-3)
    # More functions of height than usual: what they cannot hold, tiny discrepancies forbid.
    soft, hard = (
        case.kelvin(method.fit(problem, key=KEY).predict(case.points))
        for method in (Exact(height_functions=12), YARDSTICKS["solver"]())
    )
    # The first profile is a line to 0.1 K for the one, and to the last digit for the other.
    started = slice(HOUR, None)
    assert np.abs(soft.mean - hard.mean)[started].max() < 0.02
    ratio = soft.epistemic[started] / hard.epistemic[started]
    assert np.median(ratio) == pytest.approx(1.0, abs=0.15)


def test_exact_and_solver_agree_once_the_start_is_forgotten(predicted: Predicted):
    soft, hard = (predicted(two_days(100), method).mean for method in ("exact", "solver"))
    assert np.abs(soft - hard)[3 * HOUR :].max() < 0.05


def test_the_solver_is_the_reference_between_its_smoothed_ends(case_of: CaseOf):
    case = case_of(two_days(107))
    profile, units = case.twin.profile, case.problem.units
    posterior = YARDSTICKS["solver"]().fit(case.problem, key=KEY)
    assert isinstance(posterior, SolverPosterior)
    share = profile.seconds / profile.seconds[-1]
    ends = [
        units.celsius(
            series.values(share)
            + case.problem.lift(np.stack([np.full_like(share, height), share], axis=1))
        )
        for height, series in ((0.0, posterior.ends.bottom), (1.0, posterior.ends.top))
    ]
    heights = np.linspace(0.0, 1.0, 51) * units.height
    solved = oil_temperature(
        case.twin.nameplate.oil_tank(), profile.seconds, profile.load, *ends, heights=heights
    )
    got = case.kelvin(posterior.predict(case.points)).mean
    assert np.abs(got - solved.temperature[::EVERY]).max() < 0.01


def test_the_line_is_straight_in_temperature(case_of: CaseOf, predicted: Predicted):
    mean = predicted(two_days(100), "line").mean
    np.testing.assert_allclose(np.diff(mean, 2, axis=1), 0.0, atol=1e-9)
    posterior = YARDSTICKS["line"]().fit(case_of(two_days(100)).problem, key=KEY)
    assert isinstance(posterior, LinePosterior)


@every_closed_form
def test_readings_without_noise_are_passed_through(method: str):
    """Nothing is taken out here, and the load itself drives the equation."""
    problem = PROBLEMS["transformer-heat"]()
    posterior = YARDSTICKS[method]().fit(problem, key=KEY)
    for sensor in problem.observations().values():
        got = posterior.predict(np.asarray(sensor.points, dtype=float)).mean
        np.testing.assert_allclose(got, np.asarray(sensor.values), atol=0.01)


def test_a_load_that_is_not_taken_out_drives_the_solution():
    """Steady ends, steady load: the oil settles on a profile that is known in closed form."""
    tank = Tank.closed(
        no_load_losses=842.0, load_losses=9800.0, oil_time_constant=9000.0, top_oil_rise=45.0
    )
    seconds = np.linspace(0.0, 3 * 86400.0, 433)
    rng, flat = np.random.default_rng(0), np.ones_like(seconds)
    sensors = {h: t + 0.1 * rng.normal(size=flat.size) for h, t in ((0.0, 20.0), (1.0, 40.0))}
    problem = transformer_heat(tank, seconds, 0.8 * flat, sensors)
    rise = 45.0 * (842 + 9800 * 0.64) / (842 + 9800)
    x, reach = np.linspace(0.0, 1.0, 21), tank.diffusion_length
    bent = (20 - rise) * np.sinh(x / reach) - rise * np.sinh((1 - x) / reach)
    expected = 20 + rise + bent / np.sinh(1 / reach)
    points = np.stack([x, np.full_like(x, 0.8)], axis=1)
    for method in ("solver", "exact"):
        mean = YARDSTICKS[method]().fit(problem, key=KEY).predict(points).mean
        np.testing.assert_allclose(problem.units.celsius(mean), expected, atol=0.1)


class MeasuredRod(HeatRod):
    """Both walls are read, with a noise that is known."""

    def observations(self):
        t, rng = np.linspace(0.0, 1.0, 40), np.random.default_rng(0)
        return {
            f"x={end:g}": Observations(
                np.stack([np.full(40, end), t], axis=1),
                0.05 * rng.standard_normal(40),
                np.full(40, 0.05),
            )
            for end in (0.0, 1.0)
        }


@pytest.mark.parametrize("method", ["line", "exact"])
def test_noise_that_is_known_everywhere_is_what_a_sensor_elsewhere_would_show(method: str):
    posterior = YARDSTICKS[method]().fit(MeasuredRod(looseness=1.0), key=KEY)
    aleatoric = posterior.predict(np.array([[0.0, 0.5], [0.5, 0.5], [0.7, 0.2]])).aleatoric
    np.testing.assert_allclose(aleatoric, 0.05**2, rtol=1e-6)


# --- what is refused ------------------------------------------------------------------------------


@every_closed_form
@pytest.mark.parametrize("height", [0.0, 1.0])
def test_an_end_without_a_sensor_is_refused(method: str, height: float, case_of: CaseOf):
    case = case_of(two_days(100))
    profile = case.twin.profile
    sensors = {height: profile.ambient, 0.5: profile.ambient}
    problem = transformer_heat(
        case.twin.nameplate.oil_tank(), profile.seconds, profile.load, sensors
    )
    with pytest.raises(InputError, match="at the bottom, x = 0, and one at the top") as refused:
        YARDSTICKS[method]().fit(problem, key=KEY)
    assert refused.value.hint


def test_the_solver_says_which_equation_it_knows():
    with pytest.raises(ValueError, match="HeatRod"):
        YARDSTICKS["solver"]().fit(PROBLEMS["heat-rod"](), key=KEY)


@pytest.mark.parametrize("method", ["line", "exact"])
def test_a_problem_without_sensors_is_refused_in_words(method: str):
    with pytest.raises(InputError):
        YARDSTICKS[method]().fit(HeatRod(looseness=1.0), key=KEY)


def test_no_points_have_no_predictions(case_of: CaseOf):
    posterior = YARDSTICKS["line"]().fit(case_of(two_days(100)).problem, key=KEY)
    assert posterior.predict(np.zeros((0, 2))).mean.shape == (0,)


def test_another_number_of_height_functions_comes_back_with_its_settings(case_of: CaseOf):
    problem = case_of(two_days(100)).problem
    method, points = Exact(height_functions=6), np.array([[0.3, 0.4]])
    posterior = method.fit(problem, key=KEY)
    back = method.restored(problem, posterior.arrays())
    assert isinstance(back, ExactPosterior)
    assert len(back.basis.heights) == 6
    np.testing.assert_array_equal(back.predict(points).mean, posterior.predict(points).mean)

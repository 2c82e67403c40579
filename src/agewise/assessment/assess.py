"""An assessment: the posterior of a profile's oil, in the units of the plant."""

from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float

from agewise.data.nameplate import Nameplate
from agewise.data.profile import Profile
from agewise.errors import InputError
from agewise.inference import method as inference_method
from agewise.inference.base import AbstractFields, AbstractInference, AbstractPosterior
from agewise.inference.presets import Preset
from agewise.inference.settings import Aleatoric
from agewise.physics.iec60076 import top_oil
from agewise.physics.sampling import Hold
from agewise.problems.heat import DISCREPANCY, TransformerHeat, transformer_heat
from agewise.training import QUIET, Monitor
from agewise.types import Key
from agewise.uncertainty.decomposition import Prediction
from agewise.units import SECONDS_PER_MINUTE

QUICK_MIN, QUICK_EVERY, QUICK_LEAST = 10.0, 5, 50
"""A quick answer leaves readings out that are less than 10 min apart, four of five at most, and
keeps fifty."""


@dataclass(frozen=True)
class Settings:
    """How to assess; all of it is part of a run's identity."""

    method: str = "exact"
    preset: Preset = "default"
    """of a network's settings"""
    aleatoric: Aleatoric = "heteroscedastic"
    """Whether a network's noise may differ from place to place."""
    seed: int = 0
    discrepancy: float = DISCREPANCY
    """K/h by which the heat equation itself may be wrong"""
    hold: Hold = "backward"
    ignore_interior: bool = False
    quick: bool = False
    """Fewer readings and draws: a rougher answer, sooner"""

    def __post_init__(self):
        self.inference()
        if not 0 < self.discrepancy < 1e3:
            raise InputError(
                f"A discrepancy of {self.discrepancy:g} K/h is impossible.",
                hint="choose one above 0, such as 0.005.",
            )

    def inference(self) -> AbstractInference:
        """The method with its settings; an error where there is none of that name."""
        return inference_method(self.method, self.preset, self.aleatoric)


DEFAULT_SETTINGS = Settings()


@dataclass(frozen=True, eq=False)
class Assessment:
    """A fitted profile."""

    profile: Profile
    nameplate: Nameplate
    settings: Settings
    problem: TransformerHeat
    posterior: AbstractPosterior

    def predict(
        self, heights: Float[np.ndarray, " height"], seconds: Float[np.ndarray, " time"]
    ) -> Prediction:
        """Oil over (time, height) [°C, K², K²]; heights are fractions, seconds from the start."""
        return self._in_kelvin(
            self.posterior.predict(self._points(heights, seconds)), (seconds.size, heights.size)
        )

    def predict_at(
        self, heights: Float[np.ndarray, " point"], seconds: Float[np.ndarray, " point"]
    ) -> Prediction:
        """The same at single points."""
        points = np.stack([heights, seconds / self.problem.units.window], axis=1)
        return self._in_kelvin(self.posterior.predict(points), (heights.size,))

    def drawn_oil(
        self,
        fields: AbstractFields,
        heights: Float[np.ndarray, " height"],
        seconds: Float[np.ndarray, " time"],
    ) -> Float[np.ndarray, "draw time height"]:
        """Drawn functions of the oil [°C]."""
        means = fields.means(self._points(heights, seconds))
        return self.problem.units.celsius(means).reshape(-1, seconds.size, heights.size)

    @property
    def key(self) -> Key:
        """Random numbers of this assessment."""
        return jax.random.key(self.settings.seed)

    def _points(self, heights: np.ndarray, seconds: np.ndarray) -> Float[np.ndarray, "point 2"]:
        x, t = np.meshgrid(heights, seconds / self.problem.units.window)
        return np.stack([x.ravel(), t.ravel()], axis=1)

    def _in_kelvin(self, scaled: Prediction, shape: tuple[int, ...]) -> Prediction:
        units = self.problem.units
        return Prediction(
            units.celsius(scaled.mean).reshape(shape),
            (units.spread**2 * scaled.epistemic).reshape(shape),
            (units.spread**2 * scaled.aleatoric).reshape(shape),
        )


def assess(
    profile: Profile,
    nameplate: Nameplate,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    monitor: Monitor = QUIET,
) -> Assessment:
    """Fit the method of the settings to a profile, watched by a monitor."""
    problem = heat_problem(profile, nameplate, settings)
    key = jax.random.key(settings.seed)
    posterior = settings.inference().fit(problem, key=key, monitor=monitor)
    return Assessment(profile, nameplate, settings, problem, posterior)


def heat_problem(profile: Profile, nameplate: Nameplate, settings: Settings) -> TransformerHeat:
    """The heat problem of a profile; what the load alone does is taken out if the method likes."""
    if profile.top_oil is None:
        raise InputError(
            "The profile has no column 'top_oil', which this method needs.",
            hint="`agewise thermal` and `agewise solve` do without.",
        )
    sensors = {0.0: profile.ambient, 1.0: profile.top_oil}
    if not settings.ignore_interior:
        sensors |= profile.interior
    if settings.quick:
        every = every_if_quick(profile)
        sensors = {height: _some(values, every) for height, values in sensors.items()}
    driven_top = None
    if settings.inference().lifted:
        still = np.zeros_like(profile.ambient)
        constants = nameplate.thermal_constants()
        driven_top = top_oil(constants, profile.seconds, profile.load, still, hold=settings.hold)
    return transformer_heat(
        nameplate.oil_tank(),
        profile.seconds,
        profile.load,
        sensors,
        hold=settings.hold,
        discrepancy=settings.discrepancy,
        driven_top=driven_top,
    )


def every_if_quick(profile: Profile) -> int:
    """Of so many readings in a row, a quick answer looks at one."""
    step = float(np.median(np.diff(profile.seconds))) / SECONDS_PER_MINUTE
    most = min(QUICK_EVERY, round(QUICK_MIN / step), profile.seconds.size // QUICK_LEAST)
    return max(1, most)


def _some(values: Float[np.ndarray, " time"], every: int) -> Float[np.ndarray, " time"]:
    """Some of the readings; the others are no observations."""
    some = np.full_like(values, np.nan)
    some[::every] = values[::every]
    return some

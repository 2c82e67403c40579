"""A made unit whose fans switch by themselves, followed second by second by the plainest means."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import nameplate_from
from agewise.plant.profile import Profile, profile_from

PLATE = """
rated_power_kva = 25000
no_load_losses_w = 12000
load_losses_w = 90000
cooling = "ONAN/ONAF"
[oil]
top_oil_rise_k = 50
time_constant_min = 150
[winding]
gradient_k = 20
[[cooling_stages]]
cooling = "ONAN"
rated_power_kva = 15000
top_oil_rise_k = 55
time_constant_min = 210
[[cooling_stages]]
cooling = "ONAF"
rated_power_kva = 25000
on_above_c = 55.0
off_below_c = 47.0
"""
R, K11, K21, K22, Y, TAU_W = 90 / 12, 0.5, 2.0, 2.0, 1.3, 7.0
"""What the nameplate above says, or the guide's table for its cooling."""


@dataclass(frozen=True)
class Truth:
    """How the made unit really is."""

    rise: float = 46.0
    """Rise of the top oil with fans, at rated load [K]."""
    minutes: float = 175.0
    """Time constant of the oil with fans [min]."""
    stage_rise: float = 1.0
    """Rise without fans over the one that the nameplate's ratio gives."""
    exponent: float = 0.8
    """Exponent of the losses."""
    lost: tuple[float, float] = (1e9, 1.0)
    """Hour from which on the oil rises more in every stage, and the factor."""
    gradient: tuple[float, float] = (20.0, 20.0)
    """Hot spot over top oil at the rated load of the last stage, without and with fans [K]."""


@dataclass(frozen=True, eq=False)
class Lived:
    """What a made unit went through."""

    profile: Profile
    """What was measured, without a word on the stages."""
    with_stages: Profile
    """The same with a column of the stage that was on at each row."""
    top_oil: np.ndarray
    """Top oil as it was [°C]."""
    hot_spot: np.ndarray
    """Hot spot as it was [°C]."""


def unit(text: str = PLATE) -> Nameplate:
    return nameplate_from(text)


AS_MADE = Truth()
STEP_S = 30.0
"""Step of the integration [s]."""


def lived(truth: Truth = AS_MADE, *, seed: int, days: float = 6.0, step_min: float = 10.0) -> Lived:
    """The unit through some days, by the trapezoidal rule; its fans always look at the oil."""
    rng = np.random.default_rng(seed)
    minutes = np.arange(0.0, days * 1440 + step_min / 2, step_min)
    load, air = _weather(minutes / 60, step_min, rng)
    state, rows = _Inside(truth, load[0]), []
    for n, held in enumerate(load):
        # A sample stands for the interval that ends with it; the air is straight in between.
        steps = int(60 * step_min / STEP_S) if n else 0
        state.more = truth.lost[1] if minutes[n] / 60 > truth.lost[0] else 1.0
        for m in range(steps):
            state.go_on(held, air[n - 1] + (air[n] - air[n - 1]) * (m + 0.5) / steps)
        rows.append((state.oil, state.oil + state.fast - state.slow, state.on))
    top, hot, stage = (np.array(each) for each in zip(*rows, strict=True))
    start = pd.Timestamp("2025-05-01", tz="UTC")
    times = [(start + pd.Timedelta(minutes=minute)).isoformat() for minute in minutes]
    shown = top + rng.normal(0, 0.2, top.size)
    frame = pd.DataFrame({"time": times, "load": load, "ambient": air, "top_oil": shown})
    plain = profile_from(frame)
    return Lived(plain, replace(plain, cooling_stage=stage.astype(float)), top, hot)


def _weather(
    hours: np.ndarray, step_min: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Load [p.u.] and air [°C] of days that differ."""
    days = np.repeat(rng.normal(0, 0.08, int(hours[-1] / 24) + 2), int(1440 / step_min))
    load = 0.68 + days[: hours.size] + 0.22 * np.sin(2 * np.pi * (hours - 8) / 24)
    load = np.clip(load + rng.normal(0, 0.03, hours.size), 0.1, 1.2)
    weather = np.cumsum(rng.normal(0, 0.1, hours.size))
    return load, 14 + 6 * np.sin(2 * np.pi * (hours - 9) / 24) + weather


class _Inside:
    """Oil and winding of the made unit."""

    def __init__(self, truth: Truth, load: float):
        self.truth, self.on, self.oil, self.more = truth, 0, 40.0, 1.0
        gradient = truth.gradient[0] * load**Y
        self.fast, self.slow = K21 * gradient, (K21 - 1) * gradient

    def go_on(self, load: float, air: float) -> None:
        truth, on = self.truth, self.on
        # Each stage by its own rating: 46 K at 25 MVA, and 55/50 of that at 15 MVA.
        rated = truth.rise if on else truth.rise * 55 / 50 * truth.stage_rise
        losses = (1 + R * load**2) / (1 + R if on else 1 + R * 0.6**2)
        lag = 60 * truth.minutes * (1.0 if on else 210 / 150)
        gradient = truth.gradient[on] * load**Y
        goal = self.more * rated * losses**truth.exponent
        self.oil += _gone(K11 * lag) * (goal + air - self.oil)
        self.fast += _gone(K22 * TAU_W * 60) * (K21 * gradient - self.fast)
        self.slow += _gone(lag / K22) * ((K21 - 1) * gradient - self.slow)
        self.on = 1 if self.oil > 55.0 else 0 if self.oil < 47.0 else on


def _gone(lag: float) -> float:
    """Share of the way to a target that the trapezoidal rule goes in a step."""
    ratio = STEP_S / lag
    return ratio / (1 + ratio / 2)

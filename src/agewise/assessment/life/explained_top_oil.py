"""Top oil of the window: as it was inferred, and as the guide's model explains it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.doubts import stage_draws, thermal_draws
from agewise.assessment.life.winding import gathered
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.lower_end import lower_end
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.calibration.names import (
    AFTERNOON,
    AIR_BIAS,
    LASTING,
    NEARBY,
    SUN,
    WANDERING,
    WANDERING_H,
)
from agewise.transformer.calibration.record import afternoon_sun, sun_height
from agewise.transformer.iec60076 import ThermalConstants, top_oil
from agewise.transformer.prognostics.forecast import ModelError, model_error
from agewise.transformer.prognostics.unknowns import Draws
from agewise.transformer.staged import StagedUnit, Stages, staged_top_oil
from agewise.units import SECONDS_PER_HOUR

Series = Float[np.ndarray, " time"]
"""A number for each instant."""


REMEMBERED = 4
"""Number of modelled oils that are kept: those of the means, mostly."""
ALL_ROWS = slice(None)
"""All rows of a record."""


@dataclass(frozen=True)
class Explanation:
    """What one draw says of the top oil: the constants, and the errors of the air's thermometer."""

    constants: ThermalConstants
    """Constants of the guide's thermal model in this draw."""
    air_bias: float = 0.0
    """What the thermometer of the air reads too much [K]."""
    sun: float = 0.0
    """What it reads too much when the sun stands highest, beside that [K]."""
    nearby: float = 0.0
    """What it reads too much at rated load, beside that [K]."""
    wandering: tuple[float, float] | None = None
    """Standard deviation [K] and duration [s] of the model's error, where they were learned."""
    lasting_std: float = 0.0
    """Standard deviation of an error of the model that lasts for days [K]."""
    afternoon: float = 0.0
    """What the thermometer of the air reads too much in the afternoon, and too little in the
    morning, beside the sun at noon [K]."""
    stages: tuple[ThermalConstants, ...] = ()
    """Constants of every stage of the cooling in this draw; none without stages."""

    @property
    def oil(self) -> tuple:
        """All that the top oil depends on: draws that agree in it have the same top oil."""
        unit = self.constants
        constants = (unit.top_oil_lag, unit.top_oil_rise, unit.loss_ratio, unit.oil_exponent)
        lower = ((each.top_oil_lag, each.top_oil_rise) for each in self.stages[:-1])
        return (*constants, self.air_bias, self.sun, self.nearby, self.afternoon, *lower)


def explanations(nameplate: Nameplate, draws: Draws) -> list[Explanation]:
    """What every draw says of the top oil; a single one where nothing of it varies."""
    constants = thermal_draws(nameplate, draws)
    stages = stage_draws(nameplate, draws) if nameplate.cooling_stages else [()]
    if WANDERING not in draws:
        return [
            Explanation(unit, stages=stages[n % len(stages)]) for n, unit in enumerate(constants)
        ]
    count = len(draws[WANDERING])
    # A nameplate may have been learned before this error was.
    afternoon = draws.get(AFTERNOON, np.zeros(count))
    return [
        Explanation(
            # A single set stands for all draws where none of the constants varies.
            constants[n % len(constants)],
            float(draws[AIR_BIAS][n]),
            float(draws[SUN][n]),
            float(draws[NEARBY][n]),
            (float(draws[WANDERING][n]), float(draws[WANDERING_H][n]) * SECONDS_PER_HOUR),
            float(draws[LASTING][n]),
            float(afternoon[n]),
            stages[n % len(stages)],
        )
        for n in range(count)
    ]


def expected(nameplate: Nameplate) -> dict[str, np.ndarray]:
    """Every number that the top oil depends on, at its mean: a single draw."""
    learned = {name: np.array([np.mean(draws)]) for name, draws in nameplate.joint_draws.items()}
    quantities = nameplate.thermal_quantities().items()
    return {name: np.array([quantity.mean]) for name, quantity in quantities} | learned


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Load and air over time, as the guide's model of the top oil takes them."""

    seconds: Series
    """Instants from the first row of the profile [s]."""
    load: Series
    """Load at these instants [p.u.]."""
    ambient: Series
    """Air as its thermometer has it, freed of noise [°C]."""
    hold: Hold
    """Interval that a sample of the load stands for."""
    hour: float | None = None
    """Local hour at the first instant; None where it is not known."""
    oil_load: Series | None = None
    """Load that heats the oil [p.u.]; None where it is the load itself."""
    stage: Stages | None = None
    """Stage of the cooling that is on in each interval, from 0; None where it is the last one."""
    _modelled: dict[tuple, Series] = field(default_factory=dict)
    """The oils that were modelled last: the split of the doubt asks for the same ones."""

    @cached_property
    def sun(self) -> Series:
        """Height of the sun, from 0 at night to 1 at noon."""
        return sun_height(self.seconds, self.hour)

    @cached_property
    def afternoon(self) -> Series:
        """What the afternoon has more of the sun than the morning, from -1 to 1."""
        return afternoon_sun(self.seconds, self.hour)

    def modelled(self, explanation: Explanation, start: float | None = None) -> Series:
        """Top oil by the guide's model [°C], from a `start` [°C] or steady."""
        asked = (*explanation.oil, start)
        if asked not in self._modelled:
            if len(self._modelled) >= REMEMBERED:
                self._modelled.clear()
            self._modelled[asked] = self._followed(explanation, self.true_air(explanation), start)
        return self._modelled[asked]

    def true_air(self, explanation: Explanation) -> Series:
        """Air that the oil follows [°C]: its thermometer shows that, and its own errors."""
        air = self.ambient - explanation.air_bias - explanation.nearby * self.load
        if explanation.sun:
            air = air - explanation.sun * self.sun
        if explanation.afternoon:
            air = air - explanation.afternoon * self.afternoon
        return air

    @property
    def heating(self) -> Series:
        """Load that heats the oil [p.u.]."""
        return self.load if self.oil_load is None else self.oil_load

    def _followed(
        self, explanation: Explanation, air: Series, start: float | None, rows: slice = ALL_ROWS
    ) -> Float[np.ndarray, " row"]:
        """Top oil over an air [°C], of all rows or of those from one to another."""
        series = (self.seconds[rows], self.heating[rows], air[rows])
        if self.stage is None:
            return top_oil(explanation.constants, *series, start=start, hold=self.hold)
        # There is one interval fewer than rows.
        unit = StagedUnit(explanation.stages, self.stage[rows][: series[0].size - 1])
        return staged_top_oil(unit, *series, start=start, hold=self.hold)


@dataclass(frozen=True, eq=False)
class Ends(Surroundings):
    """Load, air and the inferred top oil of the window."""

    top_oil: Series = field(kw_only=True)
    """Inferred temperature of the top oil [°C]."""

    def explained(self, explanation: Explanation) -> Series:
        """Top oil by the guide's model [°C], which starts from the inferred one."""
        return self.modelled(explanation, float(self.top_oil[0]))

    def departures(self, explanation: Explanation) -> tuple[Series, Series]:
        """Inferred minus modelled top oil [K], and the rise over the air after the oil's lag [K].

        Both set out from nothing at the first row, and again after each change of a stage: rows do
        not tell to the minute when that was, and ten minutes more or less are kelvins.
        """
        # Without a rise by its losses, the guide's top oil is the lagged air, here the rise.
        idle = replace(
            explanation,
            constants=replace(explanation.constants, top_oil_rise=0.0),
            stages=tuple(replace(stage, top_oil_rise=0.0) for stage in explanation.stages),
        )
        air, rise = self.true_air(explanation), self.top_oil - self.ambient
        parts = []
        for first, last in pairwise([0, *self._changes(), self.seconds.size]):
            # The row of a change ends one part and begins the next, which counts it.
            rows = slice(first, last + 1)
            modelled = self._followed(explanation, air, float(self.top_oil[first]), rows)
            parts.append((modelled, self._followed(idle, rise, 0.0, rows)))
        modelled, lagged = (
            # All but the row that the next part begins with; the last part has none.
            np.concatenate([*(part[:-1] for part in each[:-1]), each[-1]])
            for each in zip(*parts, strict=True)
        )
        return self.top_oil - modelled, lagged

    def _changes(self) -> list[int]:
        """Rows up to which a stage has changed; but for the last row, where nothing sets out."""
        if self.stage is None:
            return []
        rows = np.flatnonzero(np.diff(self.stage)) + 2
        return [int(row) for row in rows if row < self.seconds.size - 1]


def inferred_ends(assessment: Assessment) -> Ends:
    """Air and top oil of an assessed profile, as the posterior's mean has them."""
    hold, profile = assessment.settings.hold, assessment.profile
    rows = gathered(profile, assessment.nameplate, hold)

    def at(height: float) -> Series:
        return assessment.predict_at(np.full(rows.seconds.size, height), rows.seconds).mean

    # Where the bottom oil is warmer than the air, the air is what its thermometer says.
    air = lower_end(profile, assessment.nameplate, hold).air
    ambient = at(0.0) if air is None else np.interp(rows.seconds, profile.seconds, air)
    series = (rows.seconds, rows.load, ambient, rows.hold)
    return Ends(*series, first_hour(profile), rows.oil_load, rows.stage, top_oil=at(1.0))


def first_hour(profile: Profile) -> float | None:
    """Local hour of the first row; None where the profile has no dates."""
    start = profile.timeline.start
    return None if start is None else start.hour + start.minute / 60


def shown_errors(ends: Ends, draws: Sequence[Explanation]) -> list[ModelError]:
    """The error that the guide's top oil showed in the window, for each draw.

    Its size and duration are those that were learned; else the window shows them.
    """
    by_oil: dict[tuple, ModelError] = {}
    errors = []
    for draw in draws:
        asked = (draw.oil, draw.wandering, draw.lasting_std)
        if asked not in by_oil:
            by_oil[asked] = _shown(ends, draw)
        errors.append(by_oil[asked])
    return errors


def _shown(ends: Ends, draw: Explanation) -> ModelError:
    difference = ends.top_oil - ends.explained(draw)
    if draw.wandering is None:
        return model_error(ends.seconds, difference, draw.constants.oil_time_constant)
    std, duration = draw.wandering
    # What lasts for days was seen as the mean over the window, and will not be quite the same.
    return ModelError(
        float(difference.mean()), draw.lasting_std, std, duration, float(difference[-1])
    )

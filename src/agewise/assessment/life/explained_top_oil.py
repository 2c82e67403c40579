"""Top oil of the window: as it was inferred, and as the guide's model explains it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.assessment.life.winding import gathered
from agewise.assessment.oil.assessment import Assessment
from agewise.transformer.between_samples import Hold
from agewise.transformer.iec60076 import ThermalConstants, top_oil
from agewise.transformer.prognostics.forecast import ModelError, model_error


@dataclass(frozen=True, eq=False)
class Ends:
    """Both ends of the oil, freed of noise, and the load between the instants."""

    seconds: Float[np.ndarray, " time"]
    """Instants from the first row of the profile [s]."""
    load: Float[np.ndarray, " time"]
    """Load at these instants [p.u.]."""
    ambient: Float[np.ndarray, " time"]
    """Inferred temperature of the lower end, which is the air's [°C]."""
    top_oil: Float[np.ndarray, " time"]
    """Inferred temperature of the top oil [°C]."""
    hold: Hold
    """Interval that a sample of the load stands for."""

    def modelled(self, constants: ThermalConstants) -> Float[np.ndarray, " time"]:
        """Top oil by the guide's model [°C], which starts from the inferred one."""
        start = float(self.top_oil[0])
        series = (self.seconds, self.load, self.ambient)
        return top_oil(constants, *series, start=start, hold=self.hold)


def inferred_ends(assessment: Assessment) -> Ends:
    """Both ends of an assessed profile, as the posterior's mean has them."""
    hold = assessment.settings.hold
    exponent = assessment.nameplate.winding.exponent.mean
    rows = gathered(assessment.profile, exponent, hold)
    bottom, top = (
        assessment.predict_at(np.full(rows.seconds.size, height), rows.seconds).mean
        for height in (0.0, 1.0)
    )
    return Ends(rows.seconds, rows.load, bottom, top, rows.hold)


def shown_errors(ends: Ends, constants: Sequence[ThermalConstants]) -> list[ModelError]:
    """The error that the guide's top oil showed in the window, for each set of constants."""
    # Unless a nameplate doubts its oil, draws differ in the winding only: the same oil is
    # followed once.
    by_oil: dict[tuple[float, ...], ModelError] = {}
    errors = []
    for unit in constants:
        oil = (unit.top_oil_lag, unit.top_oil_rise, unit.loss_ratio, unit.oil_exponent)
        if oil not in by_oil:
            difference = ends.top_oil - ends.modelled(unit)
            by_oil[oil] = model_error(ends.seconds, difference, unit.oil_time_constant)
        errors.append(by_oil[oil])
    return errors

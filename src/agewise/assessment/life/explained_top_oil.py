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
    load: Float[np.ndarray, " time"]
    ambient: Float[np.ndarray, " time"]
    """°C"""
    top_oil: Float[np.ndarray, " time"]
    """°C"""
    hold: Hold

    def modelled(self, constants: ThermalConstants) -> Float[np.ndarray, " time"]:
        """°C: the guide's top oil, which sets out from the inferred one."""
        start = float(self.top_oil[0])
        series = (self.seconds, self.load, self.ambient)
        return top_oil(constants, *series, start=start, hold=self.hold)


def inferred_ends(assessment: Assessment) -> Ends:
    """The ends of the window."""
    hold = assessment.settings.hold
    exponent = assessment.nameplate.winding.exponent.mean
    rows = gathered(assessment.profile, exponent, hold)
    bottom, top = (
        assessment.predict_at(np.full(rows.seconds.size, height), rows.seconds).mean
        for height in (0.0, 1.0)
    )
    return Ends(rows.seconds, rows.load, bottom, top, rows.hold)


def shown_errors(ends: Ends, constants: Sequence[ThermalConstants]) -> list[ModelError]:
    """The error that the model showed with each constants: worked out once for the same oil."""
    known: dict[tuple[float, ...], ModelError] = {}
    errors = []
    for one in constants:
        oil = (one.top_oil_lag, one.top_oil_rise, one.loss_ratio, one.oil_exponent)
        if oil not in known:
            difference = ends.top_oil - ends.modelled(one)
            known[oil] = model_error(ends.seconds, difference, one.oil_time_constant)
        errors.append(known[oil])
    return errors

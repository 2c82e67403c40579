"""Whether a network has so little to go by that it is surer of the oil than it should be."""

import numpy as np

from agewise.assessment.decision.finding import Finding
from agewise.assessment.oil.assessment import Assessment
from agewise.engine.objective.settings import NetworkSettings
from agewise.units import SECONDS_PER_HOUR

JUDGED = ("vi", "default")
"""Method and preset whose doubt was measured: independent weights, as they are by default."""
QUIET_K = 0.03
"""Noise of a thermometer below which there is hardly any [K]: what rounding to a tenth of a degree
leaves by itself. On tuning twins without noise the errors were 1.7 and 1.9 times the doubt."""
FEWEST = 1.0
"""Readings of an end in an hour below which they are few. On tuning twins with 0.6 of them the
errors were 1.1 to 1.6 times the doubt."""
LOOKS = 200
"""Number of instants at which the noise is looked at."""
ENDS = np.array([0.0, 1.0])
"""Heights of the two ends, as fractions."""


def sureness(assessment: Assessment) -> list[Finding]:
    """What makes the doubt of a network too small: readings without noise, or too few of them."""
    if (assessment.settings.method, assessment.settings.preset) != JUDGED:
        return []
    return _quiet(noise_k(assessment)) + _few(readings_an_hour(assessment))


def noise_k(assessment: Assessment) -> float:
    """The noise that the fit finds in the readings of the ends, typically [K]."""
    first, last = assessment.profile.seconds[[0, -1]]
    prediction = assessment.predict(ENDS, np.linspace(first, last, LOOKS))
    # The median: a few noisy hours do not make a network honest in all the others.
    return float(np.sqrt(np.median(prediction.aleatoric)))


def readings_an_hour(assessment: Assessment) -> float:
    """Readings of an end in an hour that the fit uses, where they are fewest [1/h]."""
    network = assessment.settings.network
    used = network.likelihood.readings if isinstance(network, NetworkSettings) else 0
    rates = []
    for window in assessment.windows:
        sizes = [len(sensor.values) for sensor in window.problem.observations().values()]
        # Fewer than there are may be asked for, of all sensors together; 0 stands for all.
        share = min(1.0, used / sum(sizes)) if used else 1.0
        rates.append(share * min(sizes) * SECONDS_PER_HOUR / window.problem.units.window)
    return float(min(rates))


def _quiet(noise: float) -> list[Finding]:
    if noise >= QUIET_K:
        return []
    text = (
        f"The thermometers show hardly any noise ({1e3 * noise:.2g} mK), as if their readings "
        "had been computed or smoothed. The uncertainty of a network does not include what the "
        "network cannot follow, and is too small then: on simulated data without noise its errors "
        "were up to twice as large as it said. The method `exact` does not have this problem."
    )
    return [Finding("sureness", text)]


def _few(rate: float) -> list[Finding]:
    if rate >= FEWEST:
        return []
    text = (
        f"The oil at one end was read {rate:.2g} times an hour. Between so few readings a "
        "network cannot tell noise from oil that changes; its uncertainty is widened for that, "
        "and was still up to 1.6 times too small on simulated data. Export more rows."
    )
    return [Finding("sureness", text)]

"""Whether a network has so little to go by that it is surer of the oil than it should be."""

from agewise.assessment.decision.finding import Finding
from agewise.assessment.oil.assessment import Assessment
from agewise.engine.objective.settings import NetworkSettings
from agewise.units import SECONDS_PER_HOUR

JUDGED = ("vi", "default")
"""Method and preset whose doubt was measured: independent weights, as they are by default."""
FEWEST = 1.0
"""Readings of an end in an hour below which they are few. On tuning twins with 0.6 of them the
errors were 1.1 to 1.6 times the doubt."""


def sureness(assessment: Assessment) -> list[Finding]:
    """What makes the doubt of a network too small: too few readings."""
    if (assessment.settings.method, assessment.settings.preset) != JUDGED:
        return []
    rate = readings_an_hour(assessment)
    if rate >= FEWEST:
        return []
    text = (
        f"The oil at one end was read {rate:.2g} times an hour. Between so few readings a "
        "network cannot tell noise from oil that changes; its uncertainty is widened for that, "
        "and was still up to 1.6 times too small on simulated data. Export more rows."
    )
    return [Finding("sureness", text)]


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

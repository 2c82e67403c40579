"""Methods that are there for comparison say so, beside whatever they answer."""

from agewise.assessment.decision.finding import Finding
from agewise.assessment.oil.assessment import Assessment

WEAKNESSES = {
    "line": "a straight line between the ends was off by 2.6 K inside (13 K in a hot unit), 70 "
    "times what it states",
    "plain": "a network without the heat equation was off by 2.2 K inside, 13 times what it states",
    "dropout": "dropout was off by 0.8 K, and passed its own errors off as noise of the sensors, "
    "whose variance it stated four times too large",
    "map": "one network was off by 0.04 K, and says nothing about how far off it may be",
}
"""What methods for comparison did on made data with a known truth, by their names: means over the
twins of seeds 0 to 4 (docs/methods.md, `agewise compare`)."""


def yardstick(assessment: Assessment) -> list[Finding]:
    """That a method is no more than a yardstick; nothing of a method to be relied on."""
    method = assessment.settings.method
    if method not in WEAKNESSES:
        return []
    text = (
        f"The method `{method}` is meant for comparison only: on simulated data "
        f"{WEAKNESSES[method]}. The method `exact` was off by 0.03 K there, as it states."
    )
    return [Finding("method", text)]

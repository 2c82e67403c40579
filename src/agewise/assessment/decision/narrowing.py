"""What would narrow the answer: the measurement against the largest share of its variance."""

import numpy as np

from agewise.assessment.decision.thresholds import DecisionThresholds
from agewise.assessment.decision.unknown_names import unknown_name
from agewise.assessment.life.doubts import BIAS, GROWTH, LIFE, OIL_READING, PAST, USED
from agewise.assessment.life.prognosis import Prognosis

MEASUREMENTS = {
    "epistemic": "A sensor inside the oil",
    "future": "A longer record, best a whole year, or a scenario of the years to come",
    BIAS: "A calibration of the thermometers",
    OIL_READING: "Settling what the findings question, or a calibration of the oil's thermometer,",
    "ageing law": "A sample of the paper (degree of polymerisation)",
    LIFE: "A sample of the paper (degree of polymerisation) or furans in the oil",
    USED: "Furans in the oil, or the load records of earlier years,",
    PAST: "Furans in the oil, or the load records of earlier years,",
    GROWTH: "A plan of the load in the years to come",
    "winding.gradient_k": "The hot-spot gradient, from the heat-run report or a fibre-optic probe,",
    "winding.exponent": "A heat run at two loads, for the winding's exponent,",
    "winding.time_constant_min": "The winding's time constant, from a cooling curve,",
}
"""What to measure, by the name of an unknown or by its source; a heat run shows the rest."""


SAMPLED = {LIFE, USED, PAST, "ageing law"}
"""Unknowns, and a source of them, about which a sample of paper or oil says something."""


def narrow_by(prognosis: Prognosis) -> str:
    """The measurement against the largest share of the doubt about the years left."""
    shares = prognosis.split.by_unknown(1)
    # Noise is not part of a life. In the order of the shares, so that a tie has one answer.
    name = max((name for name in shares if name != "aleatoric"), key=lambda name: shares[name])
    source = prognosis.split.source.get(name, name)
    what = MEASUREMENTS.get(name) or MEASUREMENTS.get(source, "A heat-run report")
    # With a scenario the days are known; what is open is only how the top oil follows them.
    if name == "future" and prognosis.scenario is not None:
        what = "A longer record, to test the model of the top oil on,"
    if {name, source} & SAMPLED and _sampled(prognosis):
        what = "Another sample of paper or oil, a year or more after the one that was given,"
    share = f"{100 * shares[name]:.0f} % of the variance ({unknown_name(name)})"
    return f"{what} would narrow this most: {share}."


def _sampled(prognosis: Prognosis) -> bool:
    """Whether a sample has shown already how worn the paper is."""
    evidence = prognosis.assessment.nameplate.evidence
    return evidence.degree_of_polymerisation is not None or evidence.furans_mg_per_kg is not None


def wide(prognosis: Prognosis, thresholds: DecisionThresholds) -> str:
    """What to do about an interval from nearly nothing to many years; empty where it is not so."""
    # A quantile that is one of the draws: between a number and infinity there is none.
    low, high = np.quantile(prognosis.years, [0.05, 0.95], method="inverted_cdf")
    if low > thresholds.soon_years or high < thresholds.later_years:
        return ""
    end = f"{high:.0f}" if np.isfinite(high) else f"over {prognosis.effort.horizon:g}"
    return f"A remaining life of {low:.1f} to {end} years is wide: plan by its lower end. "

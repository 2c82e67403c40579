"""What people call the unknowns behind a life, in sentences and in figures."""

from agewise.assessment.calibration.names import NAMES
from agewise.assessment.life.doubts import GROWTH, LIFE, USED
from agewise.transformer.ageing.kinetics import MOISTURE, OXYGEN
from agewise.transformer.ageing.normal import DOUBLING

WORDS = {
    "future": "load and weather to come",
    "epistemic": "oil temperature",
    LIFE: "life of the paper",
    USED: "life used before",
    GROWTH: "growth of the load",
    DOUBLING: "kelvins that double the ageing",
    MOISTURE: "moisture of the paper",
    OXYGEN: "oxygen in the oil",
    "winding.exponent": "winding exponent",
    "winding.k21": "winding constant k21",
    "winding.k22": "winding constant k22",
    "oil.k11": "oil constant k11",
    "no_load_losses_w": "no-load losses",
    "load_losses_w": "load losses",
    **{field: name.long for field, name in NAMES.items()},
}
"""Unknowns in words; those that are not here are words themselves."""


def unknown_name(name: str) -> str:
    """An unknown in words."""
    # An unknown without words of its own goes by the last part of its name.
    return WORDS.get(name, name.rpartition(".")[2].replace("_", " "))

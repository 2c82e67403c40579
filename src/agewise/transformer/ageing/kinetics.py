"""Paper in water and air: the rate constants of IEC 60076-7, annex A."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.transformer.ageing.law import NORMAL_LIFE, AbstractAgeingLaw, Parameters
from agewise.transformer.ageing.normal import DOUBLING, DOUBLING_K, doubling
from agewise.transformer.prognostics.unknowns import Unknown

GAS_CONSTANT = 8.314e-3
"""Molar gas constant [kJ/(mol K)]."""
ZERO_CELSIUS = 273.15
"""Absolute temperature at 0 °C [K]."""
MOISTURES = np.array([0.5, 1.5, 3.5])
"""Water in the paper for which the guide gives rate constants [% by mass]."""
MOISTURE, OXYGEN = "insulation.moisture_percent", "insulation.oxygen_share"
"""Names of the unknowns: water in the paper [%], and how much of the air's oxygen is in the oil,
from 0 for a sealed unit to 1 for one that breathes freely."""
LEAST_MOISTURE = 0.2
"""Driest paper that is considered [%]: it is dried to about that before it goes into oil."""
USUAL_MOISTURE = (2.0, 1.0)
"""Water in the paper of units in service [%], and its standard deviation, where nobody measured
it; a choice of ours within the 0.5 to 3.5 % of the guide."""
USUAL_OXYGEN = (0.5, 0.3)
"""Share of oxygen and its standard deviation where nobody says how the unit breathes."""
BREATHING = {"sealed": (0.05, 0.05), "free-breathing": (0.9, 0.1)}
"""Share of oxygen and its standard deviation by the way a unit breathes."""


@dataclass(frozen=True)
class Kinetics:
    """Rate constants A exp(-E/RT) of one kind of paper."""

    airless: tuple[float, float, float]
    """A without air, at each of `MOISTURES` [1/h]."""
    airless_energy: float
    """Activation energy E without air [kJ/mol]."""
    aired: float
    """A with air, at 0.5 % of water [1/h]."""
    aired_energy: float
    """Activation energy E with air [kJ/mol]."""


KINETICS = {
    "normal": Kinetics((4.1e10, 1.5e11, 4.5e11), 128.0, 4.6e5, 89.0),
    "upgraded": Kinetics((1.6e4, 3.0e4, 6.1e4), 86.0, 3.2e4, 82.0),
}
"""Rate constants by kind of paper (IEC 60076-7:2018, annex A)."""
# IEEE C57.91 has no law of water and air, so that IEC's constants serve about IEEE's references.
KINETICS |= {"ieee-65": KINETICS["upgraded"], "ieee-55": KINETICS["normal"]}
REFERENCES = {"normal": 98.0, "upgraded": 110.0, "ieee-65": 110.0, "ieee-55": 95.0}
"""Temperature at which an hour uses an hour of life, dry and without air [°C]."""


@dataclass(frozen=True)
class KineticPaper(AbstractAgeingLaw):
    r"""Hydrolysis and oxidation side by side, $V = (f_w - o) e_h + o\, r\, e_o$.

    $e_h, e_o$ are Arrhenius's factors about the reference temperature, $f_w$ is how much faster wet
    paper ages than dry one, $r$ how much faster aired paper does, and $o$ the share of oxygen. So a
    rate is relative to dry paper without air, and the guide's four rate constants are met.
    """

    name: str
    source: str
    reference_hot_spot: float
    normal_life: float
    kinetics: Kinetics
    """Rate constants of the paper."""
    moisture: Unknown
    """Water in the paper as it is drawn [%]."""
    oxygen: Unknown
    """Share of the air's oxygen that is in the oil, as it is drawn [1]."""

    def unknowns(self) -> tuple[Unknown, ...]:
        """How steep the law is, by the kelvin that double the rate of normal paper; water; air."""
        return doubling(), self.moisture, self.oxygen

    def _rate(
        self, hot_spot: Float[np.ndarray, "..."], parameters: Parameters
    ) -> Float[np.ndarray, "..."]:
        table, reference = self.kinetics, self.reference_hot_spot + ZERO_CELSIUS
        # The printed energies hold at 6 K; a steeper law has larger ones, as for other papers.
        steep = DOUBLING_K / np.asarray(parameters[DOUBLING]) / GAS_CONSTANT
        # Positive above the reference temperature, where a reaction goes faster [1/K].
        hotter = 1 / reference - 1 / (np.asarray(hot_spot) + ZERO_CELSIUS)
        # Draws are bounded below alone; more than all of the air's oxygen there cannot be.
        share = np.clip(parameters[OXYGEN], 0.0, 1.0)
        wet = wetness_factor(table, np.asarray(parameters[MOISTURE]))
        # The constants' ratio at the reference is the printed one, however steep the law is drawn.
        gap = (table.airless_energy - table.aired_energy) / (GAS_CONSTANT * reference)
        aired = table.aired / table.airless[0] * np.exp(gap)
        # Less the share, so that dry paper in air ages by the guide's aired constant alone.
        hydrolysis = (wet - share) * np.exp(table.airless_energy * steep * hotter)
        return hydrolysis + share * aired * np.exp(table.aired_energy * steep * hotter)


def wetness_factor(table: Kinetics, moisture: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """How much faster paper ages than with 0.5 % of water; powers of it between table values."""
    logs, water = np.log(np.array(table.airless) / table.airless[0]), np.log(MOISTURES)
    at = np.log(np.maximum(moisture, LEAST_MOISTURE))
    slopes = np.diff(logs) / np.diff(water)
    # Outside the table the nearest power goes on.
    below = logs[1] + slopes[0] * (at - water[1])
    above = logs[1] + slopes[1] * (at - water[1])
    # Drier paper than 0.5 % is not taken to last longer: the guide has no constant for it.
    return np.asarray(np.exp(np.maximum(np.where(at < water[1], below, above), 0.0)))


def kinetic_paper(
    paper: str,
    moisture: tuple[float, float | None] | None,
    breathing: str | None,
) -> KineticPaper:
    """The law of a paper in its surroundings; what is not given is in doubt.

    Args:
        paper: Kind of paper, `normal`, `upgraded`, `ieee-65` or `ieee-55`.
        moisture: Water in the paper and its standard deviation [%]; None where it is not known.
        breathing: `sealed` or `free-breathing`; None where it is not known.
    """
    mean, std = USUAL_MOISTURE if moisture is None else moisture
    # A third of the mean at most, so that hardly a draw of dry paper falls below zero.
    std = min(USUAL_MOISTURE[1] / 2, mean / 3) if std is None else std
    share, share_std = USUAL_OXYGEN if breathing is None else BREATHING[breathing]
    return KineticPaper(
        name=paper,
        source="IEC 60076-7:2018, annex A",
        reference_hot_spot=REFERENCES[paper],
        normal_life=NORMAL_LIFE,
        kinetics=KINETICS[paper],
        moisture=Unknown(MOISTURE, "ageing law", mean, std, LEAST_MOISTURE),
        oxygen=Unknown(OXYGEN, "ageing law", share, share_std, 0.0),
    )

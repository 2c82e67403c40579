"""Insulation of units built to an average winding rise of 65 or 55 °C, by IEEE C57.91.

IEEE's ageing acceleration factor for 65 °C rise is to the letter IEC's law of thermally upgraded
paper, and so is the one for 55 °C about another reference. What differs from IEC is the life: IEEE
names hours where IEC leaves them to the owner.
"""

from typing import Literal

from agewise.transformer.ageing.upgraded import UpgradedPaper

AverageWindingRise = Literal[55, 65]
"""Average winding rise over the air at rated load for which a unit was built [K]."""

END_OF_LIFE_HOURS = {
    "tensile strength 50 %": 65_000.0,
    "tensile strength 25 %": 135_000.0,
    "polymerisation 200": 150_000.0,
    "functional life": 180_000.0,
}
"""Hours at the reference temperature until an end-of-life criterion is met, of well-dried paper
without oxygen (IEEE C57.91-2011, clause 5)."""
IEEE_NORMAL_LIFE = END_OF_LIFE_HOURS["functional life"]
"""Life at the reference temperature that IEEE C57.91 counts with where none is given [h]."""

IEEE_65 = UpgradedPaper(
    name="ieee-65",
    source="IEEE C57.91-2011, 5.2",
    reference_hot_spot=110.0,
    normal_life=IEEE_NORMAL_LIFE,
)
r"""65 °C rise, thermally upgraded: $F_{AA} = \exp(15000/383 - 15000/(\Theta_H + 273))$."""
# IEEE keeps the 15 000 K of upgraded paper for its older units and moves the reference alone.
IEEE_55 = UpgradedPaper(
    name="ieee-55",
    source="IEEE C57.91-2011, annex D",
    reference_hot_spot=95.0,
    normal_life=IEEE_NORMAL_LIFE,
)
r"""55 °C rise, not upgraded: $F_{AA} = \exp(15000/368 - 15000/(\Theta_H + 273))$."""

IEEE_LAWS: dict[AverageWindingRise, UpgradedPaper] = {65: IEEE_65, 55: IEEE_55}
"""Ageing laws by the average winding rise [K]."""

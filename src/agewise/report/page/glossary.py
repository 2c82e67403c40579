"""Words of the report that not every engineer uses, each with its meaning."""

GLOSSARY = {
    "ageing rate": "Hours of insulation life that one hour at a temperature uses; 1 at the paper's "
    "reference temperature (98 °C for normal paper, 110 °C for thermally upgraded paper).",
    "aleatoric": "The part of an uncertainty that comes from the noise of the sensors: more of the "
    "same readings would average it out.",
    "epistemic": "The part of an uncertainty that comes from what is not known: better knowledge "
    "or another measurement would remove it.",
    "gradient": "How much hotter the hot spot is than the top oil at rated load [K].",
    "hot spot": "The hottest place of the winding, where the paper ages fastest.",
    "life used": "Insulation life that was used up, in hours at the reference temperature.",
    "p.u.": "Per unit: a load as a multiple of the rated one; 1 p.u. is the rated current.",
    "plain IEC 60076-7": "The loading guide applied to nameplate and measurements as if both were "
    "exact.",
    "remaining life": "Time until the paper has lost its mechanical strength, if the coming years "
    "are as stated; the transformer itself may fail earlier or last longer.",
    "scenario": "Load and air temperature of the coming year, given in a file.",
    "simulated course": "One possible way through the coming years, with one set of values for "
    "everything that is not known for sure.",
    "top-oil rise": "How much hotter the oil at the top of the tank is than the air at rated load, "
    "after many hours [K].",
    "90 % interval": "A range that holds the true value nine times in ten.",
}
"""Meanings by word, in the order of the alphabet; `docs/glossary.md` has these and more."""

"""How many draws an answer rests on."""

from dataclasses import dataclass

from agewise.assessment.oil.assessment import Assessment

LONG_FUNCTIONS = 100
"""Drawn functions of the oil behind a record in several windows, at the most."""


@dataclass(frozen=True)
class Effort:
    """How many draws; the relative error of a spread is one over the root of twice their number."""

    draws: int = 1000
    """Draws of a life, each with its own numbers of nameplate, thermometers and ageing law."""
    split_draws: int = 250
    """Draws behind the share of each unknown, for each of which all lives are worked out again."""
    horizon: int = 60
    """Years beyond which insulation is not what limits an asset."""

    def functions(self, windows: int) -> int:
        """Number of drawn functions of the oil, for a record in so many windows.

        A long record has fewer functions than draws, and each is used several times: they matter
        least to a life and need most of the memory.
        """
        return self.draws if windows == 1 else min(self.draws, LONG_FUNCTIONS)


FULL, LONG, QUICK = Effort(), Effort(400, 200), Effort(100, 50)
"""Efforts of an answer in full, of a record in several windows, where each draw takes as much
longer, and of a quick answer."""


def usual_effort(assessment: Assessment) -> Effort:
    """The effort that an answer is given unless somebody asks for another."""
    if assessment.settings.quick:
        return QUICK
    return FULL if len(assessment.windows) == 1 else LONG

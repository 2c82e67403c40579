"""How many draws an answer rests on."""

from dataclasses import dataclass

from agewise.assessment.oil.assessment import Assessment

LONG_FUNCTIONS = 100
"""Drawn functions of the oil behind a record in several windows, at the most."""


@dataclass(frozen=True)
class Effort:
    """How many draws; spreads are good to one over the root of twice their number."""

    draws: int = 1000
    """Draws of a life, each with its own numbers of nameplate, thermometers and ageing law."""
    split_draws: int = 250
    """Draws behind the share of each source of doubt, which is worked out alone."""
    horizon: int = 60
    """Years beyond which insulation is not what limits an asset."""

    def functions(self, windows: int) -> int:
        """Drawn functions of the oil behind those draws, for a record in so many windows.

        Of a long record there are fewer, and each is used several times: they matter least to a
        life and need most of the memory.
        """
        return self.draws if windows == 1 else min(self.draws, LONG_FUNCTIONS)


FULL, LONG, QUICK = Effort(), Effort(400, 200), Effort(100, 50)
"""Of a record in several windows fewer draws, for each takes as much longer."""


def usual_effort(assessment: Assessment) -> Effort:
    """The effort that an answer is given unless somebody asks for another."""
    if assessment.settings.quick:
        return QUICK
    return FULL if len(assessment.windows) == 1 else LONG

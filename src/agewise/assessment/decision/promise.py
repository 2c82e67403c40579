"""How far the hottest hours are from what a nameplate promises, and what doubt that is."""

from dataclasses import dataclass

import numpy as np

from agewise.assessment.decision.finding import Finding
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.calibration.model import RISE
from agewise.transformer.iec60076 import top_oil

HOTTEST = 0.8
"""Quantile of the top oil from which on hours are the hottest: they age the paper."""
USUAL_K = 1.0
"""Error of the guide's top oil or of the air's thermometer that nobody wonders about [K]."""
REACHED = 1.28
"""Standard deviations from the middle of a normal distribution to the end of its 80 % interval."""
BROKEN_Z, BROKEN_K = 2.0, 2.0
"""Difference that is worth a finding: in standard deviations, and in kelvin."""


@dataclass(frozen=True)
class Promise:
    """What was measured in the hottest hours, beside what the nameplate as given promises."""

    off: float
    """Measured less promised top oil [K]."""
    usual: float
    """Standard deviation of that difference by what is not known of the nameplate's rise, and by
    errors that nobody wonders about [K]."""
    source: str = "nameplate"
    """Who promises, in a word or two."""

    @property
    def doubt_k(self) -> float:
        r"""Standard deviation of an error of the readings [K].

        Of a difference $d$, a share $\sigma^2/(d^2 + \sigma^2)$ is what is usual; the rest may be
        the readings', and the 80 % interval reaches that far.
        """
        return abs(self.off) ** 3 / (self.off**2 + self.usual**2) / REACHED

    def findings(self) -> list[Finding]:
        """A finding where the promise is broken by more than the nameplate may be wrong."""
        if abs(self.off) < max(BROKEN_K, BROKEN_Z * self.usual):
            return []
        text = (
            f"In the hottest hours the top oil reads {abs(self.off):.1f} K "
            f"{'less' if self.off < 0 else 'more'} than {self.source}, load and air promise, where "
            f"{self.usual:.1f} K are usual: the {self.source}, the load or the thermometer is "
            f"wrong. The answer stands on what was measured, and is in doubt by that much."
        )
        return [Finding("promise", text, doubt_k=self.doubt_k)]


def promise(profile: Profile, nameplate: Nameplate, hold: Hold) -> Promise:
    """The hottest hours of a profile beside what its nameplate promises.

    Learned constants explain the readings, whatever is wrong with them: a thermometer that reads
    low and the load of another unit look like another rise. What was given does not bend.
    """
    learned, measured = nameplate.learned, profile.top_oil
    if learned is None or measured is None or RISE not in learned.given:
        return Promise(0.0, USUAL_K)
    given = nameplate.as_given()
    filled = filled_profile(profile, given, hold).profile
    constants, rise = given.thermal_constants(), learned.given[RISE]
    modelled = top_oil(constants, filled.seconds, filled.load, filled.ambient, hold=hold)
    # Hot by both together, so that neither of them chooses the hours that suit it.
    both = np.where(np.isnan(measured), -np.inf, measured + modelled)
    hot = both >= np.quantile(both[np.isfinite(both)], HOTTEST)
    share = (rise.std or 0.0) / rise.mean
    usual = float(np.hypot(share * np.mean((modelled - filled.ambient)[hot]), USUAL_K))
    source = "guide's table" if RISE in nameplate.assumed else "nameplate"
    return Promise(float(np.mean((measured - modelled)[hot])), usual, source)

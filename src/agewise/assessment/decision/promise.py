"""How far the hottest hours are from what a nameplate promises, and what doubt that is."""

from dataclasses import dataclass

import numpy as np

from agewise.assessment.decision.finding import Finding
from agewise.assessment.oil.lower_stages import stages_guessed
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.plant.staged_unit import guide_top_oil
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.calibration.names import RISE

HOTTEST = 0.8
"""Quantile of the top oil from which on hours are the hottest: they age the paper."""
USUAL_K = 1.0
"""Error of the guide's top oil or of the air's thermometer that nobody wonders about [K]."""
UNIT_SHARE = 0.15
"""Standard deviation of a unit's rise about the one that its nameplate prints, as a share: printed
ones are guaranteed, rounded or a sister's, and units run up to a quarter away from them."""
WRONG, WRONG_SHARE = 0.05, 0.30
"""Chance that thermometer or load are wrong, before anything is seen, and how far they are wrong
then, as a share of the rise: a probe that sits lower, or the load of another unit."""
TOLD_Z, TOLD_K = 1.5, 2.0
"""Difference that is worth a finding: in standard deviations, and in kelvin. Chosen on a sceptic's
files of seed 110: 5 K change the life used by three quarters, and were not told at 2.0. Of
nameplates that are as right as they say, one in eight is told to be off."""
BROKEN_Z = 2.0
"""Difference from which on readings may be wrong and not the unit another, in standard deviations
of units about what is printed."""


@dataclass(frozen=True)
class Promise:
    """What was measured in the hottest hours, beside what the nameplate as given promises."""

    off: float
    """Measured less promised top oil [K]."""
    rise: float
    """Promised rise over the air in these hours [K]."""
    share: float
    """Standard deviation with which the nameplate's rise is believed, as a share of it."""
    source: str = "nameplate"
    """Who promises, in a word or two."""
    wrong: float | None = None
    """Chance that the readings are wrong, where more than this difference tells of it."""

    @property
    def usual(self) -> float:
        """Standard deviation of the difference by what is believed of the nameplate, and by errors
        that nobody wonders about [K]."""
        return float(np.hypot(self.share * self.rise, USUAL_K))

    @property
    def doubt_k(self) -> float:
        r"""Standard deviation of an error of the readings [K], $\sqrt{p}\,|d|$; 0 as long as units
        usually differ so much from what is printed.

        $p$ is the chance that the readings are wrong and not the nameplate: the difference $d$ is
        normal either way, only wider where they are.
        """
        # What is declared may be tighter than units are: then units count.
        unit = float(np.hypot(max(self.share, UNIT_SHARE) * self.rise, USUAL_K))
        if abs(self.off) <= BROKEN_Z * unit:
            return 0.0
        if self.wrong is not None:
            return self.wrong**0.5 * abs(self.off)
        # Wrong readings come on top of what units differ by.
        wrong = np.hypot(unit, WRONG_SHARE * self.rise)
        spreads, chances = np.array([wrong, unit]), np.array([WRONG, 1 - WRONG])
        # Normal densities but for a factor that both share.
        weights = chances * np.exp(-((self.off / spreads) ** 2) / 2) / spreads
        # Far beyond both, the wider one is left.
        total = float(weights.sum())
        chance = float(weights[0]) / total if total > 0 else 1.0
        return chance**0.5 * abs(self.off)

    def findings(self) -> list[Finding]:
        """A finding where the promise is broken by more than the nameplate is believed to be."""
        if abs(self.off) < max(TOLD_K, TOLD_Z * self.usual):
            return []
        text = (
            f"In the hottest hours the top oil reads {abs(self.off):.1f} K "
            f"{'less' if self.off < 0 else 'more'} than computed from the {self.source}, load "
            f"and air, where a difference of {self.usual:.1f} K is usual: the {self.source}, the "
            "load or the thermometer is wrong. The answer uses the measured "
            f"oil{self._widened()}."
        )
        return [Finding("promise", text, doubt_k=self.doubt_k)]

    def _widened(self) -> str:
        if self.doubt_k == 0:
            return ""
        return f"; that its readings may be wrong adds an uncertainty of {self.doubt_k:.1f} K"


def promise(profile: Profile, nameplate: Nameplate, hold: Hold) -> Promise:
    """The hottest hours of a profile beside what its nameplate promises.

    Learned constants explain the readings, whatever is wrong with them: a thermometer that reads
    low and the load of another unit look like another rise. What was given does not bend.
    """
    learned, measured = nameplate.learned, profile.top_oil
    if learned is None or measured is None or RISE not in learned.given:
        return Promise(0.0, 0.0, 0.0)
    # Over air from elsewhere, or with fans off at times that nobody knows, there is no promise.
    if profile.ambient_std is not None or stages_guessed(profile, nameplate, hold):
        return Promise(0.0, 0.0, 0.0)
    given = nameplate.as_given()
    filled = filled_profile(profile, given, hold).profile
    rise = learned.given[RISE]
    modelled = guide_top_oil(filled, given, hold=hold)
    # Hot by both together, so that neither of them chooses the hours that suit it.
    both = np.where(np.isnan(measured), -np.inf, measured + modelled)
    # At least, so that a top oil that stands still leaves some hours.
    hot = both >= np.quantile(both[np.isfinite(both)], HOTTEST)
    source = "guide's table" if RISE in nameplate.assumed else "nameplate"
    return Promise(
        off=float(np.mean((measured - modelled)[hot])),
        rise=float(np.mean((modelled - filled.ambient)[hot])),
        share=(rise.std or 0.0) / rise.mean,
        source=source,
    )

"""An asset in one line, as the list of the fleet shows it."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from agewise.assessment.life.effort import FULL, QUICK
from agewise.report.page.answer import TONES
from agewise.report.wording import (
    MISSING,
    moment,
    number,
    percent,
    temperature,
    years,
    years_interval,
)

State = Literal["act", "watch", "load on", "cannot tell", "refused", "failed", "not assessed"]
"""What is advised of an asset, or why nothing is."""
STATES: tuple[State, ...] = (
    "act",
    "watch",
    "cannot tell",
    "failed",
    "refused",
    "not assessed",
    "load on",
)
"""All states, those that want a person first."""
STATE_TONES = TONES | {"refused": "none", "failed": "none", "not assessed": "none"}
"""Look of each state, as a class of the style sheet; no answer does not look like one."""
FEWEST_DRAWS = QUICK.draws
"""Draws behind a chance at the least; the list does not know how many there were, and so does not
claim to tell a chance from none any closer."""
MEANINGS = {
    "act": "something must be done",
    "watch": "look again soon",
    "load on": "nothing to do",
    "cannot tell": "the data undermine every answer",
    "refused": "the files cannot be used",
    "failed": "the assessment failed",
    "not assessed": "not assessed yet",
}
"""What each state means, in a few words."""


class Spread(BaseModel):
    """A number with its 90 % interval."""

    mean: float
    """The number itself: a mean, or a median where it says so."""
    low: float | None
    """Lower end of its 90 % interval; null where nobody worked it out."""
    high: float | None
    """Upper end of its 90 % interval; null where nobody worked it out."""


class YearsLeft(BaseModel):
    """Years until the end of the insulation's life; null beyond 60, where nobody looks."""

    median: float | None
    """Median number of years left."""
    low: float | None
    """Lower end of the 90 % interval of the years left."""
    high: float | None
    """Upper end of the 90 % interval of the years left."""


class AssetLine(BaseModel):
    """An asset and the headline of its latest assessment.

    Where nothing can be told, no number stands, whatever the run has worked out.
    """

    id: str
    """Name by which everything else refers to the asset."""
    name: str
    """Name for people."""
    site: str
    """Where it stands; empty where nobody said."""
    criticality: float
    """What its end would cost, in the fleet's own unit."""
    state: State
    """What is advised, or why nothing is."""
    reason: str
    """Why, in a sentence."""
    hint: str
    """What to do where the files were refused; empty elsewhere."""
    rated_power_kva: float | None
    """Rated power of the unit [kVA]."""
    hot_spot: Spread | None
    """Highest hot spot of the record [°C]."""
    years_left: YearsLeft | None
    """Years left; null where nothing can be told."""
    horizon_years: float | None
    """Years ahead for which the chance of an end is given."""
    chance: Spread | None
    """Chance that the life ends within the horizon."""
    risk: float | None
    """That chance times the criticality."""
    load_peak: float | None
    """Highest load of the record [p.u.]."""
    cooling_alarm: bool
    """Whether the oil is hotter than load and air explain."""
    findings: int
    """Number of things to know before believing the answer."""
    alerts: int
    """Number of alerts that stand."""
    window_end: str | None
    """Last time stamp of the record."""
    assessed: datetime | None
    """When the latest assessment began (UTC)."""

    @property
    def tone(self) -> str:
        """Its look, as a class of the style sheet."""
        return STATE_TONES[self.state]

    @property
    def hot_spot_text(self) -> str:
        """The hottest spot in words."""
        return MISSING if self.hot_spot is None else temperature(self.hot_spot.mean)

    @property
    def years_text(self) -> str:
        """The years left in words."""
        if self.years_left is None:
            return MISSING
        return years(self.years_left.median, FULL.horizon)

    @property
    def years_interval_text(self) -> str:
        """The 90 % interval of the years left in words."""
        if self.years_left is None:
            return ""
        ends = self.years_left.low, self.years_left.high
        return years_interval(ends, FULL.horizon)

    @property
    def chance_text(self) -> str:
        """The chance of an end within the horizon in words."""
        return MISSING if self.chance is None else percent(self.chance.mean, FEWEST_DRAWS)

    @property
    def risk_text(self) -> str:
        """The risk to two digits."""
        return MISSING if self.risk is None else number(self.risk, 2)

    @property
    def load_text(self) -> str:
        """The highest load in words."""
        return MISSING if self.load_peak is None else f"{self.load_peak:.2f} p.u."

    @property
    def window_text(self) -> str:
        """The end of the record in words."""
        return MISSING if self.window_end is None else moment(self.window_end)

    @property
    def power_text(self) -> str:
        """The rated power in words."""
        if self.rated_power_kva is None:
            return MISSING
        return f"{number(self.rated_power_kva / 1000)} MVA"

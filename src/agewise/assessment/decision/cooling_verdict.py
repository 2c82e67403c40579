"""Whether the cooling still does what the nameplate promises, in a sentence for people."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from agewise.assessment.calibration.words import thermometer_doubt
from agewise.assessment.life.explained_top_oil import (
    Ends,
    expected,
    explanations,
    inferred_ends,
)
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.lower_stages import stages_guessed
from agewise.plant.nameplate import Nameplate
from agewise.plant.spread import spread_text
from agewise.plant.timeline import Timeline
from agewise.transformer.calibration.names import RISE
from agewise.transformer.prognostics.cooling_check import (
    RELEVANT,
    SIGNIFICANT,
    RiseCheck,
    rise_check,
)
from agewise.units import SECONDS_PER_MINUTE

COOLER = 1 / RELEVANT
"""Factor on the promised rise below which the oil runs cooler than it should."""
MOST_FACTOR = 3.0
"""Factor on the rise up to which lost cooling is believed: where all fans and pumps stand still, a
tank cools itself, at a third to a half of its rating. Beyond, a load in another unit is likely."""
READS_HIGH, LOOKS_ALIKE = 0.1, 0.1
"""Chances, before the course of the oil is looked at, that an alarm comes from a thermometer which
reads high by as much at all times, and from an error that looks like a loss: a gain of the
thermometer, or a load that is too small from one day on. Choices, not measurements."""
LIKELY = 0.5
"""Chance of wrong readings below which lost cooling is the likelier cause."""
CAUSES = "check fans, pumps and radiators, and oil.top_oil_rise_k"
"""What to do about an alarm, as the end of a sentence."""


EXPLAINED, SINCE_BEFORE = (
    "the rise that load and air explain",
    "the rise of the days before at the same load and air",
)
"""What a rise is compared with: the nameplate's model, or one that was learned from the record."""


NO_AIR = "The cooling cannot be checked: the air at the unit was not measured."
"""What is said where nobody knows how far the oil is above the air."""
FANS_OFF = (
    "The cooling cannot be checked: not all of its stages were on, and no column cooling_stage "
    "says when."
)
"""What is said where the oil is hotter because fans or pumps were off at times nobody knows."""
NOT_OIL = (
    "The cooling cannot be checked: the thermometer of the top oil follows the air faster than a "
    "tank of oil can, so its changes may be those of the air."
)
"""What is said where the oil's thermometer may not be in the oil."""
COOL_TEXT = (
    "The top oil rises {:.2f} ± {:.2f} times as much as nameplate, load and air explain: "
    "its thermometer may read low or not be in the oil, or this is not the load of this unit. "
    "If neither is so, the nameplate's rise is too high."
)
"""What is said of oil that is cooler than it should be, with the factor and its deviation."""


@dataclass(frozen=True)
class CoolingCheck:
    """The top oil's rise beside what load and air explain; None where there was too little data."""

    factor: float | None
    """Rise of the top oil over the one that load and air explain."""
    std: float | None
    """Standard deviation of that factor."""
    alarm: bool
    """Whether the oil was hotter than load and air explain."""
    since: str | float | None
    """When the alarm began: local time, or minutes if the profile counts them."""
    text: str
    """The verdict in a sentence."""
    cooler: bool = False
    """Whether the oil was cooler than nameplate, load and air explain: its thermometer may read
    low, and a hot spot that is too low ages nothing on paper."""
    wrong_readings: float | None = None
    """Chance that oil which is hotter is an error of the data, and no lost cooling; None where
    there is no alarm."""

    @property
    def loss_likely(self) -> bool:
        """Whether cooling was lost, rather than that readings are wrong."""
        return self.wrong_readings is not None and self.wrong_readings < LIKELY

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def cooling_check(assessment: Assessment) -> CoolingCheck:
    """The inferred top oil against the guide's model, with a verdict in a sentence."""
    if assessment.profile.ambient_std is not None:
        return CoolingCheck(None, None, False, None, NO_AIR)
    hold = assessment.settings.hold
    if stages_guessed(assessment.profile, assessment.nameplate, hold):
        return CoolingCheck(None, None, False, None, FANS_OFF)
    if thermometer_doubt(assessment.nameplate) is not None:
        return CoolingCheck(None, None, False, None, NOT_OIL)
    rise = checked(inferred_ends(assessment), assessment.nameplate)
    timeline = assessment.profile.timeline
    since = None if rise.since is None else _instant(timeline, rise.since)
    learned = assessment.nameplate.learned is not None
    text = _text(rise, timeline, SINCE_BEFORE if learned else EXPLAINED)
    # Constants that were learned explain the oil whatever it does: then the learned rise is judged.
    promised = promised_rise(assessment.nameplate) if learned else (rise.factor, rise.std)
    # An alarm wins: oil cannot be hotter and cooler than it should at once.
    cooler = not rise.alarm and _is_cooler(*promised)
    if cooler:
        text = COOL_TEXT.format(*promised)
    wrong = wrong_readings(rise) if rise.alarm else None
    return CoolingCheck(rise.factor, rise.std, rise.alarm, since, text, cooler, wrong)


def wrong_readings(rise: RiseCheck) -> float:
    """The chance that an alarm is an error of the data, by what looks alike and what does not."""
    if rise.factor is None or rise.factor > MOST_FACTOR:
        return 1.0
    # A thermometer that reads high is unlikelier the more the oil looks like a loss.
    high = READS_HIGH * float(np.exp(-rise.evidence))
    return (high + LOOKS_ALIKE) / (high + 1 - READS_HIGH)


def promised_rise(nameplate: Nameplate) -> tuple[float | None, float | None]:
    """The learned rise of the top oil over the one that the nameplate gives, and its std.

    None where the nameplate gives none: a table promises nothing of this unit.
    """
    if nameplate.learned is None or RISE not in nameplate.learned.given:
        return None, None
    before, now = nameplate.learned.given[RISE], nameplate.oil.top_oil_rise_k
    if RISE in nameplate.assumed:
        return None, None
    # Taken as independent: a week of readings outweighs a prior with heavy tails.
    doubt = float(np.hypot(now.std or 0.0, before.std or 0.0))
    return now.mean / before.mean, doubt / before.mean


def _is_cooler(factor: float | None, std: float | None) -> bool:
    """Whether a rise is below the promised one by more than matters and than chance gives."""
    if factor is None or std is None:
        return False
    # By as many standard deviations as an alarm of the cooling needs in a record of a few days.
    return factor < COOLER and 1 - factor > SIGNIFICANT * std


def checked(ends: Ends, nameplate: Nameplate) -> RiseCheck:
    """The check itself, with instants in seconds from the first row of the profile."""
    if nameplate.learned is not None:
        return _changed(ends, nameplate)
    rated = nameplate.oil.top_oil_rise_k
    (given,) = explanations(nameplate, expected(nameplate))
    return rise_check(
        ends.seconds,
        *ends.departures(given),
        given.constants.oil_time_constant,  # an error of the model lasts about as long as the oil's
        rise_share=(rated.std or 0.0) / rated.mean,
    )


def _changed(ends: Ends, nameplate: Nameplate) -> RiseCheck:
    """The check where constants were learned from the same record: has the cooling changed?"""
    # One explanation at the means: what they leave open is in the doubt of the check itself.
    (draw,) = explanations(nameplate, expected(nameplate))
    return rise_check(
        ends.seconds,
        *ends.departures(draw),
        # How long an error wanders was learned where it could be; else it lasts as the oil does.
        draw.wandering[1] if draw.wandering else draw.constants.oil_time_constant,
        against_before=True,
    )


def _text(rise: RiseCheck, timeline: Timeline, measure: str) -> str:
    # The figures of the sentence are those of `LEAST_S` and `LEAST_RISE` in the check itself.
    if rise.factor is None:
        return (
            "The cooling cannot be checked: this needs 12 hours with the oil at least 3 K above "
            "the air."
        )
    times = f"{spread_text(rise.factor, rise.std or 0.0, least=0.0)} times"
    # A factor that may as well be nothing says nothing of the cooling.
    if rise.since is None and (rise.std or 0.0) > abs(rise.factor):
        return (
            f"The cooling cannot be checked: load and air explain too small a rise to compare the "
            f"measured one with ({times} as much)."
        )
    if rise.since is not None:
        more = f"{times} {measure}: {CAUSES}."
        since = _readable(timeline, rise.since)
        if rise.until is None:
            return f"Since {since} the rise of the top oil is {more}"
        return (
            f"From {since} to {_readable(timeline, rise.until)} the rise of the top oil was {more}"
        )
    if rise.factor < COOLER:
        return f"The top oil may be cooler than the model explains: {times} its rise."
    return f"The top oil is as warm as the model explains: {times} its rise."


def _instant(timeline: Timeline, seconds: float) -> str | float:
    """ISO 8601 in the profile's zone, or its minutes."""
    if timeline.start is None:
        # A profile that counts minutes need not begin at 0.
        return float(timeline.labels.iloc[0]) + seconds / SECONDS_PER_MINUTE
    return (timeline.start + pd.Timedelta(seconds=seconds)).isoformat()


def _readable(timeline: Timeline, seconds: float) -> str:
    """The instant as people write it: to the minute, without a zone."""
    instant = _instant(timeline, seconds)
    return instant[:16].replace("T", " ") if isinstance(instant, str) else f"minute {instant:g}"

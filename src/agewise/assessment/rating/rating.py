"""A rating: the constant load that the hours after the profile permit at a stated risk."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agewise.assessment.decision.action import cannot_tell
from agewise.assessment.decision.cooling_verdict import CoolingCheck
from agewise.assessment.decision.finding import Finding
from agewise.assessment.decision.findings import Noted, impossible_hot_spot, noted_of
from agewise.assessment.decision.thresholds import THRESHOLDS
from agewise.assessment.life.explained_top_oil import inferred_ends
from agewise.assessment.life.scenario import refuse_unforeseen
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.plain_answers import iec_answer
from agewise.assessment.rating.hours_ahead import DRAWS, highest_ambient, hours_ahead, steps_of
from agewise.assessment.rating.request import (
    SHORT_EMERGENCY,
    SHORT_EMERGENCY_S,
    RatingRequest,
    ceiling,
)
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.transformer.prognostics.rating import Ceiling, Permit, permit, permitted_loads
from agewise.units import SECONDS_PER_MINUTE

IMPAIRED = 1.3
"""Factor on the rise of the oil above which lost cooling permits no load: below, the caution of an
alarm is enough."""

AMBIENTS, DURATIONS_H = (0.0, 10.0, 20.0, 30.0, 40.0), (1.0, 2.0, 4.0, 8.0, 24.0)
"""Air temperatures [°C] and durations [h] of the table."""


@dataclass(frozen=True)
class Rating:
    """The load that a request permits, and a table of permitted loads by ambient and duration.

    Examples:
        >>> import agewise
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> permitted = agewise.rating(fitted, agewise.RatingRequest(hours=4.0), draws=50)
        >>> len(permitted.table) == len(permitted.ambients)
        True
    """

    request: RatingRequest
    """Hours, risk, ambient and limits that were asked for."""
    ambient: float
    """Air temperature that was taken [°C]."""
    ceiling: Ceiling
    """Limits of the temperatures [°C] and of the load [p.u.]."""
    permit: Permit
    """The permitted load [p.u.], what keeps it from being more, and its risk."""
    ambients: tuple[float, ...]
    """Air temperatures of the rows of the table [°C]."""
    hours: tuple[float, ...]
    """Durations of the columns of the table [h]."""
    table: list[list[Permit]]
    """A permit for every ambient and duration."""
    findings: tuple[Finding, ...] = ()
    """What to know before relying on it: findings about data, nameplate and fit."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON: loads in p.u., temperatures in °C, durations in h."""
        return {
            "load": self.permit.load,
            "binding": self.permit.binding,
            "risk": self.permit.risk,
            "asked": asdict(self.request),
            "ambient": self.ambient,
            "ambient_source": self.ambient_source,
            "limits": asdict(self.ceiling),
            "table": {
                "ambient": self.ambients,
                "hours": self.hours,
                "load": [[cell.load for cell in row] for row in self.table],
                "binding": [[cell.binding for cell in row] for row in self.table],
            },
            "findings": [finding.as_dict() for finding in self.findings],
        }

    @property
    def ambient_source(self) -> str:
        """Where the ambient comes from, in words."""
        given = self.request.ambient is not None
        return "as asked" if given else "the highest of the profile's last 24 h"


def rating(assessment: Assessment, request: RatingRequest, *, draws: int = DRAWS) -> Rating:
    """The constant load that the hours after the end of the profile permit at a stated risk.

    Args:
        assessment: The fitted profile; the unit stands at its last row when the hours begin.
        request: Hours, risk, ambient [°C] and kind of loading.
        draws: How many draws of oil, constants and model error the risk is counted in.

    Returns:
        The permitted load [p.u.], what keeps it from being more, and a table by ambient and
        duration.

    Raises:
        InputError: Nothing can be told from this assessment, so nothing can be permitted.

    Examples:
        >>> import agewise
        >>> fitted = agewise.assess("demo/profile.csv", "demo/nameplate.toml", method="line")
        >>> cold, hot = (
        ...     agewise.rating(fitted, agewise.RatingRequest(ambient=celsius), draws=50)
        ...     for celsius in (0.0, 40.0)
        ... )
        >>> cold.permit.load >= hot.permit.load
        True
    """
    noted = noted_of(assessment)
    refuse_unsafe(assessment, noted)
    ends, top = inferred_ends(assessment), ceiling(assessment.nameplate, request.limit)
    ambient = highest_ambient(ends) if request.ambient is None else request.ambient
    # One future serves the request and the table, which take its first hours.
    longest = max(request.hours, *DURATIONS_H)
    future = hours_ahead(assessment, ends, longest, draws=draws, doubts=noted.doubts())
    asked = permit(future, ambient, top, request.risk, steps=steps_of(request.hours))
    columns = [steps_of(hours) for hours in DURATIONS_H]
    table = permitted_loads(future, AMBIENTS, columns, top, request.risk)
    findings = (
        *noted.findings,
        *beyond_the_guide(request.limit),
        *all_stages(assessment.nameplate),
    )
    return Rating(request, ambient, top, asked, AMBIENTS, DURATIONS_H, table, findings)


def beyond_the_guide(limit: str) -> list[Finding]:
    """What to know of loads that are held for hours up to the limits of a short emergency."""
    if limit != SHORT_EMERGENCY:
        return []
    minutes = SHORT_EMERGENCY_S / SECONDS_PER_MINUTE
    text = (
        f"The limits of a short emergency are for less than {minutes:g} min (IEC 60076-7): above "
        "140 °C gas bubbles may form in the insulation. Loads that are permitted here for longer "
        "than that are beyond the guide; for hours ask for a long emergency."
    )
    return [Finding("beyond the guide", text)]


def all_stages(nameplate: Nameplate) -> list[Finding]:
    """What to know of a permitted load where the cooling has stages."""
    if not nameplate.cooling_stages:
        return []
    text = "Loads are permitted with all stages of the cooling on, from now on: see that they are."
    return [Finding("stages", text)]


def refuse_unsafe(assessment: Assessment, noted: Noted) -> None:
    """Refuse to permit a load where what was noted of an assessment leaves nothing to tell, and
    where the rise of the oil over its own air was not seen."""
    own = assessment.profile, assessment.nameplate, assessment.settings.hold
    refuse_unforeseen(*own, "A rating")
    refuse_undermined([f for f in (*noted.findings, *_unsurvived(assessment)) if f.undermines])
    _refuse_impaired(noted.check)


def _refuse_impaired(check: CoolingCheck) -> None:
    """Refuse to permit a load to a unit whose cooling was lost: its constants are those of before
    and of after together, and promise a cooling that is not there."""
    if check.loss_likely and (check.factor or 0.0) > IMPAIRED:
        raise InputError(
            f"No load can be permitted while the cooling is impaired. {check.text}",
            hint="mend the cooling, or assess a record that begins after the loss.",
        )


def _unsurvived(assessment: Assessment) -> list[Finding]:
    """A finding where the plain hot spot of the window is beyond what a transformer survives."""
    hold = assessment.settings.hold
    # The plain answer, which is quick, shows well enough that data are impossible.
    plain = iec_answer(assessment.profile, assessment.nameplate, hold=hold)
    hottest = float(plain.hot_spot.max())
    return [impossible_hot_spot(hottest)] if hottest > THRESHOLDS.survivable_c else []


def refuse_undermined(undermining: Sequence[Finding]) -> None:
    """Refuse to permit a load where findings leave nothing to tell."""
    if undermining:
        verdict = cannot_tell(undermining)
        raise InputError(
            f"No load can be permitted, because the run has no answer: {verdict.reason}",
            hint=f"{verdict.mend} Then assess it again.",
        )

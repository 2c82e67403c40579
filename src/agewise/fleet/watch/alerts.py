"""Alerts that are raised once and cleared once: hysteresis over looks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agewise.fleet.watch.symptoms import AGEING, COOLING, LIMIT, SENSOR, Symptom
from agewise.fleet.watch.unit_state import Standing
from agewise.units import SECONDS_PER_DAY

CALM_DAYS = {COOLING: 2.0, LIMIT: 7.0, AGEING: 7.0, SENSOR: 1.0}
"""Days without anything that speaks for an alert after which it is cleared, by kind: loads come
again with the week, a fan that runs again shows in a day or two."""


@dataclass(frozen=True)
class Change:
    """An alert that begins or ends."""

    kind: str
    """Kind of the alert."""
    raised: bool
    """Whether it begins; else it ends."""
    at: float
    """Instant of the look that told [s]."""
    reason: str
    """Why, in a sentence."""
    value: float | None
    """The number behind it, in the unit that the reason names."""


def changed(
    standing: dict[str, Standing], symptoms: Sequence[Symptom], at: float
) -> tuple[dict[str, Standing], list[Change]]:
    """The alerts that stand after a look, and which of them begin or end with it.

    Args:
        standing: Those that stood before, by kind.
        symptoms: What speaks for them, and against.
        at: Instant of the look [s].
    """
    after, changes = dict(standing), []
    for symptom in symptoms:
        before = standing.get(symptom.kind)
        if before is None and symptom.raises:
            after[symptom.kind] = Standing(at)
            changes.append(_change(symptom, raised=True, at=at))
        elif before is not None and not symptom.calm:
            after[symptom.kind] = replace(before, calm_since=None)
        elif before is not None:
            calm = at if before.calm_since is None else before.calm_since
            after[symptom.kind] = replace(before, calm_since=calm)
            if at - calm >= (CALM_DAYS[symptom.kind] - 0.1) * SECONDS_PER_DAY:
                del after[symptom.kind]
                changes.append(_change(symptom, raised=False, at=at))
    return after, changes


def _change(symptom: Symptom, *, raised: bool, at: float) -> Change:
    return Change(symptom.kind, raised, at, symptom.reason, symptom.value)

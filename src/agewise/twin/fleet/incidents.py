"""What happens to a unit within its window: a fan fails, a feeder is moved to it, a sensor dies."""

from dataclasses import dataclass, replace

import numpy as np

from agewise.twin.fleet.settings import FleetSettings

KINDS = ("cooling lost", "overload", "sensor gone")
"""Kinds of incidents."""
COOLING_LOSS, OVERLOAD = (0.3, 0.6), (1.3, 1.7)
"""Share of the cooling that is lost, and factor on the load: chosen, from plain to gross."""
ONSET = (0.4, 0.8)
"""Shares of the window between which an incident begins, so that there is a before and an after."""


@dataclass(frozen=True)
class Incident:
    """Something that begins within the window and lasts to its end."""

    kind: str = ""
    """One of `KINDS`; empty where nothing happens."""
    size: float = 0.0
    """Share of the cooling that is lost, or factor on the load [1]; 0 for a sensor."""
    day: float = 0.0
    """Days from the first row of the window to the incident."""
    column: str = ""
    """The sensor that is gone, by its column in a profile."""

    def lasts(self, kind: str) -> bool:
        """Whether it is of that kind."""
        return self.kind == kind


def drawn_incident(settings: FleetSettings, rng: np.random.Generator) -> Incident:
    """What happens to a unit; nothing to most of them."""
    happens, kind = rng.random() < settings.incidents, str(rng.choice(KINDS))
    # Drawn whether or not anything happens, so that a larger share shifts no number.
    day = float(np.round(settings.days * rng.uniform(*ONSET), 2))
    sizes = {"cooling lost": rng.uniform(*COOLING_LOSS), "overload": rng.uniform(*OVERLOAD)}
    if not happens:
        return Incident()
    incident = Incident(kind, float(np.round(sizes.get(kind, 0.0), 3)), day)
    return replace(incident, column="top_oil") if kind == "sensor gone" else incident

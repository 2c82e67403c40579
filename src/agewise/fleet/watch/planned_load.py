"""The load that a unit was planned for: that of its scenario where there is one, else the usual."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from agewise.fleet.watch.new_readings import NewReadings, instant_of
from agewise.plant.profile import Profile

USUAL, PLANNED = "its usual load", "the load of its scenario"
"""What people call the two plans."""


@dataclass(frozen=True, eq=False)
class PlannedLoad:
    """The load of a scenario, by instants."""

    instants: Float[np.ndarray, " row"]
    """Seconds since 1970; a row stands for the time since the row before."""
    heating: Float[np.ndarray, " row"]
    """Square of the load [p.u.²]."""

    def covers(self, new: NewReadings) -> bool:
        """Whether the scenario tells of all of these readings."""
        begin = 2 * self.instants[0] - self.instants[1]  # of the time that the first row stands for
        return bool(begin <= new.instants[0] and new.instants[-1] <= self.instants[-1])

    def over(self, new: NewReadings) -> Float[np.ndarray, " cell"]:
        """Square of the planned load at each reading [p.u.²]."""
        return self.heating[np.searchsorted(self.instants, new.instants)]


def planned_load(scenario: Profile) -> PlannedLoad | None:
    """The plan of a scenario; None of one without dates, which tells not when it begins."""
    if scenario.timeline.start is None:
        return None
    zero = instant_of(scenario, 0.0)
    return PlannedLoad(zero + scenario.seconds, np.asarray(scenario.load) ** 2)


def usual_heating(new: NewReadings) -> Float[np.ndarray, "2 24"]:
    """Mean square of the load by hour of the day, on working days and at weekends [p.u.²]."""
    hour = new.hour.astype(int) % 24
    table = np.full((2, 24), float(new.winding_heating.mean()))
    for kind in (0, 1):
        for each in range(24):
            rows = (hour == each) & (new.weekend == bool(kind))
            rows = rows if rows.any() else hour == each
            if rows.any():
                table[kind, each] = new.winding_heating[rows].mean()
    return table


def heating_of_plan(
    usual: Float[np.ndarray, "2 24"], plan: PlannedLoad | None, new: NewReadings
) -> Float[np.ndarray, " cell"]:
    """Square of the load that was planned for these readings [p.u.²]."""
    if plan is not None and plan.covers(new):
        return plan.over(new)
    return usual[new.weekend.astype(int), new.hour.astype(int) % 24]


def name_of_plan(plan: PlannedLoad | None, new: NewReadings) -> str:
    """What a plan is called in a sentence."""
    return PLANNED if plan is not None and plan.covers(new) else USUAL

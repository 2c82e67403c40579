"""From a record to a profile: readings are checked and repaired, states held, air joined."""

from agewise.plant.profile import Profile
from agewise.plant.record import Record
from agewise.quality.quality import Thresholds, checked
from agewise.reading.air import with_air
from agewise.reading.options import Reading
from agewise.reading.states import with_states, without_states


def checked_record(record: Record, reading: Reading, where: str) -> tuple[Record, Profile]:
    """The record's readings, and the profile that is left of it after the repair.

    Args:
        record: What a file or a table holds.
        reading: What the user says about it: thresholds of the checks, and the air.
        where: What it is called in errors.
    """
    # Where the user says what the air was, a column of it is not asked for.
    air, (readings, states) = reading.ambient is None, without_states(record)
    profile = checked(readings, Thresholds.of(reading.thresholds), where=where, air=air)
    profile = with_states(profile, readings, states)
    return readings, profile if air else with_air(profile, reading)

"""Stages of the cooling in an assessment: its models know the last one alone."""

import numpy as np

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.plant.staged_unit import staged_unit
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.between_samples import Hold


def lower_stage_share(profile: Profile, nameplate: Nameplate, hold: Hold) -> float:
    """Share of the time in which not everything that cools was on; 0 without stages.

    Raises `InputError` where nothing says which stage is on, and where a lower stage has a gradient
    of its own: the hot spot of an assessment knows one.
    """
    if not nameplate.cooling_stages:
        return 0.0
    filled = filled_profile(profile, nameplate, hold).profile
    unit = staged_unit(
        profile, nameplate, ambient=filled.ambient, top_oil=filled.top_oil, hold=hold
    )
    last = len(unit.constants) - 1
    on = {int(number) for number in np.unique(unit.stage)} - {last}
    if any(nameplate.cooling_stages[number].gradient_k is not None for number in on):
        raise InputError(
            "A stage of the cooling has a gradient_k of its own, but an assessment uses a "
            "single one.",
            hint="leave it out of cooling_stages, or use `agewise thermal`.",
        )
    # Weighed by time, since rows need not be evenly spaced.
    steps = np.diff(profile.seconds)
    return float(steps[unit.stage < last].sum() / steps.sum())


def refuse_lower_stages(profile: Profile, nameplate: Nameplate, hold: Hold, what: str) -> None:
    """Refuse what needs the guide's top oil where lower stages were on; `what` begins the sentence.

    With one set of constants, fans that are off look like a unit that runs hot.
    """
    share = lower_stage_share(profile, nameplate, hold)
    if share > 0:
        raise InputError(
            f"{what} uses only the last of cooling_stages, but others were on for "
            f"{100 * share:.0f} % of the time.",
            hint="give days on which all of the cooling was on, or use `agewise thermal`.",
        )

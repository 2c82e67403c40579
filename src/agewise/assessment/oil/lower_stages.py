"""Stages of the cooling in an assessment: which of them were on, and whether all always were."""

import numpy as np

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.plant.staged_unit import staged_unit
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.between_samples import Hold
from agewise.transformer.staged import Stages


def stages_on(profile: Profile, nameplate: Nameplate, hold: Hold) -> Stages | None:
    """The stage that was on in each interval, from 0; None where it was the last one throughout.

    Raises `InputError` where nothing says which stage is on.
    """
    if not nameplate.cooling_stages:
        return None
    filled = filled_profile(profile, nameplate, hold).profile
    stage = staged_unit(
        profile, nameplate, ambient=filled.ambient, measured=filled.top_oil, hold=hold
    ).stage
    return None if (stage == len(nameplate.cooling_stages) - 1).all() else stage


def lower_stage_share(profile: Profile, nameplate: Nameplate, hold: Hold) -> float:
    """Share of the time in which not everything that cools was on; 0 without stages."""
    stage = stages_on(profile, nameplate, hold)
    if stage is None:
        return 0.0
    # Weighed by time, since rows need not be evenly spaced.
    steps, last = np.diff(profile.seconds), len(nameplate.cooling_stages) - 1
    return float(steps[stage < last].sum() / steps.sum())


def stages_guessed(profile: Profile, nameplate: Nameplate, hold: Hold) -> bool:
    """Whether lower stages were on, and a rule alone says when.

    Fans that hold the oil below the limit that switches them leave no reading beyond it: of twelve
    made records with a reading every ten minutes, a rule told the stages well enough to learn from
    in none. A column does.
    """
    return profile.cooling_stage is None and stages_on(profile, nameplate, hold) is not None


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

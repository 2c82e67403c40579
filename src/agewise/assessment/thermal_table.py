"""The plain answer of either loading guide, and as a table of pandas."""

import pandas as pd

from agewise.assessment.inputs import NameplateInput, ProfileInput, given_nameplate, given_profile
from agewise.assessment.plain_answers import iec_answer, ieee_answer
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.plant.standards import Standard
from agewise.transformer.between_samples import Hold
from agewise.transformer.iec60076 import ThermalHistory
from agewise.transformer.lag import Scheme


def thermal_table(
    profile: ProfileInput,
    nameplate: NameplateInput,
    *,
    standard: Standard | None = None,
    hold: Hold = "backward",
) -> pd.DataFrame:
    """Top oil, hot spot, ageing rate and loss of life by a loading guide, as a table of pandas.

    Args:
        profile: Load [p.u.] and temperatures [°C] over time, as a profile, a table or a path.
        nameplate: The unit, or the path of its TOML file.
        standard: `"iec"` (60076-7) or `"ieee"` (C57.91, clause 7); the nameplate's unless given.
        hold: Which interval a sample of the load stands for, as in `iec_answer`.

    Returns:
        Columns `load` [p.u.], `ambient`, `top_oil`, `hot_spot` [°C], `ageing_rate` [1] and
        `loss_of_life` [h] over `time`: instants in the profile's zone, or minutes.

    Raises:
        InputError: Something given cannot be used; the sentence says what to do.

    Examples:
        >>> import agewise
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> table = agewise.thermal_table(*files, standard="ieee")
        >>> table["hot_spot"].resample("6h").max().size
        2
    """
    unit = given_nameplate(nameplate)
    given = given_profile(profile, unit)
    history = thermal_answer(given, unit, standard=standard or unit.standard, hold=hold)
    columns = {
        "load": given.load,
        "ambient": given.ambient,
        "top_oil": history.top_oil,
        "hot_spot": history.hot_spot,
        "ageing_rate": history.ageing_rate,
        "loss_of_life": history.loss_of_life,
    }
    return pd.DataFrame(columns, index=_times(given))


def thermal_answer(
    profile: Profile,
    nameplate: Nameplate,
    *,
    standard: Standard,
    paper: str | None = None,
    hold: Hold = "backward",
    scheme: Scheme = "exact",
    start_top_oil: float | None = None,
    start_hot_spot_rise: float | None = None,
) -> ThermalHistory:
    """The plain answer of a standard; what IEEE's has not, as another paper, is refused."""
    start = {"start_top_oil": start_top_oil, "start_hot_spot_rise": start_hot_spot_rise}
    if standard == "iec":
        return iec_answer(profile, nameplate, paper=paper, hold=hold, scheme=scheme, **start)
    if paper is not None:
        raise InputError(
            f"By IEEE C57.91 no paper is chosen, so {paper!r} has no effect.",
            hint="give ieee.average_winding_rise_k = 65 or 55 in the nameplate.",
        )
    if scheme != "exact":
        raise InputError(
            "The difference scheme is IEC's own, and IEEE C57.91 has none.",
            hint="use the exact scheme.",
        )
    return ieee_answer(profile, nameplate, hold=hold, **start)


def _times(profile: Profile) -> pd.Index:
    """Instants of a profile with their zone, or its minutes."""
    timeline = profile.timeline
    if timeline.start is None:
        return pd.Index(timeline.labels, name="time")
    # By UTC, in which seconds are even; a local clock may have changed.
    utc = pd.DatetimeIndex(timeline.utc(timeline.seconds), name="time").tz_localize("UTC")
    return utc.tz_convert(timeline.start.tzinfo)

"""Long silences of a thermometer at an end of the oil: where they are, and what stands in there.

Nothing is fitted in a silence. Typical days of load and air, and the guide's top oil over them,
give both ends with their doubt; the heat equation carries them inside.
"""

import numpy as np

from agewise.assessment.oil.lower_end import Series, lower_end, stood_in_bottom
from agewise.assessment.oil.settings import Settings
from agewise.assessment.oil.spans import Silence
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.quality.stand_ins import FilledProfile
from agewise.transformer.oil.heat import TransformerHeat, transformer_heat
from agewise.transformer.oil.stood_in import StoodInPosterior, stood_in
from agewise.units import SECONDS_PER_HOUR

SILENT_H = 24.0
"""Time without a reading from which on a silence is a span of its own [h]: behind it, what was read
before says nothing of the weather any more. Shorter ones are spanned by the fit."""
LEAST_PART_H = 6.0
"""Length of a part between two silences below which it is not worth a fit [h]."""
WHITE = 1.645 * 6.0**0.5
"""Nine in ten second differences of a white noise are smaller than so many standard deviations."""


def silences(profile: Profile) -> list[Silence]:
    """Stretches in which air or top oil were silent for more than a day, in order [s].

    Raises `InputError` where no part between them is long enough to be fitted.
    """
    assert profile.top_oil is not None
    _refuse_never_read(profile)
    begin, end = float(profile.seconds[0]), float(profile.seconds[-1])
    sensor_silences = [
        silence
        for values in (profile.ambient, profile.top_oil)
        for silence in _silent(profile.seconds, values)
    ]
    if not sensor_silences:
        return []
    # Silences of no length at both ends of the record swallow what is too short there.
    joined = [
        each
        for each in _joined([(begin, begin), *sorted(sensor_silences), (end, end)])
        if each[1] > each[0]
    ]
    if joined == [(begin, end)]:
        labels = profile.timeline.labels
        raise InputError(
            f"From {labels.iloc[0]} to {labels.iloc[-1]} there are no {LEAST_PART_H:g} h in which "
            f"both ambient and top_oil were read.",
            hint="give a longer record, or one in which both thermometers work.",
        )
    return joined


def _refuse_never_read(profile: Profile) -> None:
    """Refuse a record of which an end of the oil was never read."""
    for name, values in (("ambient", profile.ambient), ("top_oil", profile.top_oil)):
        if values is None or np.isfinite(values).any():
            continue
        labels = profile.timeline.labels
        raise InputError(
            f"There is no reading of {name} from {labels.iloc[0]} to {labels.iloc[-1]}.",
            hint="give a record in which both thermometers work.",
        )


def _silent(seconds: Series, values: Series) -> list[Silence]:
    """Long stretches without a reading, also before the first and behind the last."""
    read = np.concatenate([seconds[:1], seconds[np.isfinite(values)], seconds[-1:]])
    before = np.flatnonzero(np.diff(read) > SILENT_H * SECONDS_PER_HOUR)
    return [(float(read[row]), float(read[row + 1])) for row in before]


def _short(begin: float, end: float) -> bool:
    return end - begin < LEAST_PART_H * SECONDS_PER_HOUR


def _joined(silences: list[Silence]) -> list[Silence]:
    """Silences that overlap, or have too short a part between them, as one; they come in order."""
    joined: list[Silence] = []
    for begin, end in silences:
        # Silences that overlap have less than no time between them.
        if joined and _short(joined[-1][1], begin):
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return joined


def silent_window(
    filled: FilledProfile,
    *,
    begins: bool,
    noise: float,
    nameplate: Nameplate,
    settings: Settings,
) -> tuple[TransformerHeat, StoodInPosterior]:
    """The heat problem of a silent span, and the posterior that typical days give.

    Args:
        filled: The span without holes, filled from the whole record, which knows typical days best.
        begins: Whether the record begins with it.
        noise: Standard deviation of the top oil's thermometer [K].
        nameplate: The unit.
        settings: Which interval a sample of the load stands for.
    """
    stretch = filled.profile
    assert stretch.top_oil is not None
    end = lower_end(stretch, nameplate, settings.hold)
    values, doubt = stood_in_bottom(end, filled, nameplate)
    # Only a thermometer at the bottom has read it; a bottom made of air and top oil stands in too.
    read = end.measured & np.isfinite(end.readings)
    bottom, bottom_std = np.where(read, end.readings, values), np.where(read, 0.0, doubt)
    problem = transformer_heat(
        nameplate.oil_tank(),
        stretch.seconds,
        oil_load(stretch, nameplate),
        {0.0: bottom, 1.0: stretch.top_oil},
        hold=settings.hold,
        discrepancy=settings.discrepancy,
        continued=not begins,
        air=end.air,
    )
    ends = ((bottom, bottom_std), (stretch.top_oil, filled.top_oil_std))
    return problem, stood_in(problem, stretch.seconds, *ends, noise=noise)


def sensor_noise(filled: FilledProfile) -> float:
    """Standard deviation of the noise of the top oil's thermometer [K], from its roughness."""
    assert filled.profile.top_oil is not None
    # What stands in is smooth, and would make the thermometer seem quieter than it is.
    # Left out, not NaN: oil that is read more rarely than the load has no two readings in a row.
    readings = filled.profile.top_oil[filled.top_oil_std == 0]
    # Second differences, so that a steady rise is no noise; a quantile, so that jumps are none.
    return float(np.quantile(np.abs(np.diff(readings, 2)), 0.9)) / WHITE

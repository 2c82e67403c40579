"""Clean files, the answer that they give, and the law that every corruption of them obeys."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from frames import record_from

from agewise.assessment.decision.plausibility import plausibility
from agewise.assessment.plain_answers import iec_answer
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import read_nameplate
from agewise.plant.profile import Profile
from agewise.plant.tables import iso_text
from agewise.quality.quality import checked
from agewise.reading.options import DEFAULT_READING, Reading
from agewise.reading.profile_file import read_profile
from agewise.transformer.iec60076 import ThermalHistory
from agewise.twin.twin import TwinSettings, make_twin

LIFE_SHARE, HOT_SPOT_K = 0.15, 3.0
"""What an answer may be off by without a word. The doubts of docs/life.md (5 % of the gradient,
0.1 of the exponent, 0.3 K of the thermometers and of the ageing law) make the standard deviation
of the loss of life of these files 29 and 15 %, and that of the highest hot spot 0.8 and 1.5 K."""
CASES = {"sunny": ("floating-pv", "2025-06-12"), "loaded": ("aged-substation", "2025-01-15")}
"""A day of a light load with clouds, and a winter's day of a heavy one."""
EVERY_MIN = 5


Table = list[list[str]]
"""Cells as they stand in the file, the header first."""


@dataclass(frozen=True)
class Answer:
    """What is compared."""

    loss_of_life: float
    hot_spot: float

    def near(self, other: "Answer") -> bool:
        """Whether both are the same for what is known."""
        life = abs(self.loss_of_life / other.loss_of_life - 1) <= LIFE_SHARE
        return life and abs(self.hot_spot - other.hot_spot) <= HOT_SPOT_K


@dataclass(frozen=True, eq=False)
class Clean:
    """A clean file, its nameplate, and their answer."""

    table: Table
    fields: dict[str, Any]
    """of the nameplate"""
    profile: Profile
    nameplate: Nameplate
    history: ThermalHistory

    def during(self, profile: Profile) -> "Answer":
        """What the clean file says of the time of a profile that is a part of it, else of all."""
        seconds, start, own = self.profile.seconds, profile.timeline.start, self.profile.timeline
        first = 0.0 if start is None or own.start is None else (start - own.start).total_seconds()
        ends = np.array([first, first + profile.seconds[-1]])
        if ends[0] < 0 or ends[1] > seconds[-1]:
            ends = seconds[[0, -1]]
        before, behind = np.interp(ends, seconds, self.history.loss_of_life)
        inside = (seconds >= ends[0]) & (seconds <= ends[1])
        return Answer(behind - before, self.history.hot_spot[inside].max())


@cache
def clean(name: str) -> Clean:
    """One of the cases."""
    case, start = CASES[name]
    twin = make_twin(TwinSettings(seed=3, case=case, days=1.0, start=start))
    frame = twin.frame.iloc[::EVERY_MIN].reset_index(drop=True)
    frame = frame.assign(time=iso_text(pd.DatetimeIndex(frame["time"])))
    table = [line.split(",") for line in frame.to_csv(index=False).splitlines()]
    profile = checked(record_from(frame))
    history = iec_answer(profile, twin.nameplate)
    assert not profile.findings and not plausibility(profile, twin.nameplate)
    fields = twin.nameplate.model_dump(exclude_none=True)
    return Clean(table, fields, profile, twin.nameplate, history)


def text_of(table: Table, delimiter: str = ",") -> str:
    """The file."""
    return "".join(f"{delimiter.join(row)}\n" for row in table)


def verdict(
    name: str,
    profile: bytes | str | None = None,
    nameplate: str | bytes | None = None,
    *,
    folder: Path,
    reading: Reading = DEFAULT_READING,
) -> str:
    """`refused`, `told` or `equal`; anything else breaks the law."""
    untouched = clean(name)
    try:
        unit, measured = untouched.nameplate, untouched.profile  # read once, where not corrupted
        if nameplate is not None:
            (folder / "nameplate.toml").write_bytes(_bytes(nameplate))
            unit = read_nameplate(folder / "nameplate.toml")
        if profile is not None:
            (folder / "profile.csv").write_bytes(_bytes(profile))
            measured = read_profile(folder / "profile.csv", reading, rated=unit.rated())
        history = iec_answer(measured, unit)
    except InputError as error:
        assert "\n" not in error.sentence and error.sentence.endswith(".") and error.hint, error
        return "refused"
    told = [*measured.findings, *measured.ignored, *plausibility(measured, unit)]
    if told or measured.top_oil is None:  # `assess` refuses a profile without
        return "told"
    answer = Answer(history.loss_of_life[-1], history.hot_spot.max())
    expected = untouched.during(measured)
    assert np.isfinite([answer.loss_of_life, answer.hot_spot]).all()
    assert answer.near(expected), (answer, expected)
    return "equal"


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()

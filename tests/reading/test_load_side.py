"""A load that is divided by the rating of the other side gives itself away."""

import numpy as np
import pandas as pd
import pytest

from agewise.plant.measures import Rated
from agewise.plant.record import Record
from agewise.reading.load_side import load_side
from agewise.reading.options import DEFAULT_READING, Reading

HOURS = 24 * 7
SIDES = {"20 kV": 20_000.0, "400 V": 400.0}


def record(amperes: np.ndarray, base: float) -> Record:
    seconds = 3600.0 * np.arange(amperes.size)
    labels = pd.Series(pd.Timestamp("2025-06-12", tz="UTC") + pd.to_timedelta(seconds, unit="s"))
    columns = {"load": amperes / base}
    return Record(labels, seconds, labels[0], columns, sources={"load": ("I", "A")})


def rated(side: str) -> Rated:
    return Rated.of_unit(1100.0, voltage_v=SIDES[side])


@pytest.mark.parametrize(("measured", "said"), [("20 kV", "400 V"), ("400 V", "20 kV")])
def test_the_other_side_is_asked_about_and_the_right_one_is_not(measured: str, said: str):
    """A day of a unit at work, up to its rated load, in amperes of the measured side."""
    of_side = rated(measured).current_a
    wrong = rated(said).current_a
    assert of_side is not None and wrong is not None
    amperes = of_side * np.abs(np.sin(np.pi * np.arange(HOURS) / 24))
    assert load_side(record(amperes, of_side), DEFAULT_READING, rated(measured)) == []
    (doubt,) = load_side(record(amperes, wrong), DEFAULT_READING, rated(said))
    assert f"is {said}, " in doubt.text
    assert load_side(record(amperes[:48], wrong), DEFAULT_READING, rated(said)) == []


def test_a_rating_that_was_said_is_asked_about_as_it_was_said():
    amperes = np.full(HOURS, 20.0)
    (doubt,) = load_side(record(amperes, 1588.0), Reading(rated_load=1588.0), Rated())
    assert "never passes 0.013 p.u." in doubt.text and "1588 A" in doubt.text

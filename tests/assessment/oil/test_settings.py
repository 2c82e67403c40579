"""Settings that cannot be are refused in a sentence, before anything is fitted."""

from typing import Any

import numpy as np
import pytest

from agewise.assessment.comparison import chosen, compared
from agewise.assessment.oil.settings import Settings
from agewise.errors import InputError
from agewise.twin.twin import TwinSettings


def unchecked(given: dict[str, Any]) -> Settings:
    """Settings as another program makes them, whose types nobody checks before we do."""
    settings = object.__new__(Settings)
    vars(settings).update(vars(Settings()) | given)
    settings.__post_init__()
    return settings


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"seed": -1}, "The seed -1 is out of range"),
        ({"seed": 2**31 + 1}, "The seed 2147483649 is out of range"),
        ({"seed": 1.5}, "The seed 1.5 is"),
        ({"seed": True}, "The seed True is"),
        ({"discrepancy": 0.0}, "A discrepancy of 0 K/h"),
        ({"discrepancy": float("nan")}, "A discrepancy of nan K/h"),
        ({"discrepancy": float("inf")}, "A discrepancy of inf K/h"),
        ({"discrepancy": "small"}, "A discrepancy of 'small' K/h"),
        ({"window_days": float("nan")}, "Windows of nan days"),
        ({"window_days": 1.9}, "Windows of 1.9 days"),
        ({"window_days": "four"}, "Windows of 'four' days"),
        ({"hold": "sideways"}, "`hold` cannot be 'sideways'"),
        ({"method": "vi", "aleatoric": "grey"}, "`aleatoric` cannot be 'grey'"),
        ({"method": "none"}, "no method 'none'"),
    ],
)
def test_absurd_settings_are_refused(given: dict[str, Any], sentence: str):
    with pytest.raises(InputError, match=sentence):
        unchecked(given)


def test_numbers_of_numpy_are_numbers():
    assert unchecked({"seed": np.int64(3), "window_days": np.float64(4.0)}).window == 4.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("vi/best", "'best' is neither a preset nor a kind of noise"),
        ("vi/", "'' is neither"),
        ("vi/paper/default", "names two presets"),
        ("", "no method ''"),
        ("exact/paper", "neither presets nor a choice of noise"),
    ],
)
def test_words_that_are_no_method_are_refused(text: str, sentence: str):
    with pytest.raises(InputError, match=sentence):
        chosen(text)


def test_nothing_to_compare_is_said():
    for methods, seeds in (([], [0]), (["line"], [])):
        with pytest.raises(InputError, match="nothing to compare"):
            compared(TwinSettings(seed=0), methods, seeds)

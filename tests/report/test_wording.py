"""Numbers are told with the digits that they deserve."""

import numpy as np
import pytest

from agewise.report.wording import (
    integer,
    life,
    life_interval,
    life_nearly,
    moment,
    number,
    percent,
    years,
    years_interval,
)

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (195_432.0, 3, f"195{SPACE}000"),
        (0.01234, 2, "0.012"),
        (-4.56, 2, "−4.6"),
        (0.0, 3, "0"),
    ],
)
def test_numbers(value: float, digits: int, text: str):
    assert number(value, digits) == text


def test_counts_are_whole():
    assert integer(10080) == f"10{SPACE}080"


def test_the_last_digit_of_a_life_is_where_its_doubt_begins():
    assert life(460.18, 62.0) == "460 ± 62 h"
    assert life(195_432.0, 15_300.0) == f"195{SPACE}000 ± 15{SPACE}000 h"
    assert life(0.51, 0.0016) == "30.600 ± 0.096 min"
    assert life(0.0, 0.0) == "0 h"
    assert life(None) == "–"


def test_an_interval_has_one_unit():
    assert life_interval([0.5, 3.0]) == "0.500 to 3.00 h"
    assert life_interval([0.4, 0.6]) == "24.0 to 36.0 min"


def test_what_lies_beyond_the_horizon_is_told_as_such():
    assert years(None, 60) == years(np.inf, 60) == "more than 60 years"
    assert years(7.14, 60) == "7.1 years"
    assert years(0.1, 60) == "37 days"
    assert years_interval([4.2, 11.8], 60) == "4.2 to 11.8 years"
    assert years_interval([4.2, None], 60) == "4.2 years to more than 60 years"
    assert years_interval([None, None], 60) == "more than 60 years"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "below 0.2 %"), (1.0, "above 99.75 %"), (0.034, "3.4 %"), (0.5, "50 %")],
)
def test_a_probability_is_no_surer_than_its_draws(share: float, text: str):
    assert percent(share, 400) == text


def test_moments_are_local_or_minutes():
    assert moment("2025-07-10T17:10:00+02:00") == "10 July 2025, 17:10"
    assert moment("720") == moment(720.0) == "minute 720"
    # A file may count minutes to an instant, as -199 to 0.
    assert moment("-199.0") == moment(-199.0) == "minute -199"


def test_a_row_has_one_unit():
    """Hours where its largest amount is hours, and as many digits for the oil as for the rest."""
    high = 2.68
    row = (
        life(113 / 60, 26 / 60, beside=high),
        life_interval([1.23, high]),
        life_nearly(111.59 / 60, 0.16 / 60, beside=high),
        life(1.9, beside=high),
    )
    assert row == ("1.88 ± 0.43 h", "1.23 to 2.68 h", "1.86 ± 0.003 h", "1.90 h")

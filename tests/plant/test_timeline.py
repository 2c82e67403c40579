"""The zone of a time column: the one that all its times share, else UTC."""

from datetime import UTC, timedelta, timezone
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from agewise.plant.timeline import common_zone, zoned_instants

PLUS_ONE, MADRID = timezone(timedelta(hours=1)), ZoneInfo("Europe/Madrid")


@pytest.mark.parametrize(
    ("zones", "common"),
    [
        ([PLUS_ONE, PLUS_ONE], PLUS_ONE),
        ([MADRID, ZoneInfo("Europe/Madrid")], MADRID),
        ([PLUS_ONE, timezone(timedelta(hours=2))], UTC),
        ([PLUS_ONE, MADRID], UTC),
        ([timezone(timedelta(0)), UTC], UTC),
    ],
)
def test_several_zones_have_only_utc_in_common(zones: list, common: timezone):
    assert common_zone(zones) == common


@pytest.mark.parametrize(
    ("first", "last", "common"),
    [
        ("+01:00", "+01:00", PLUS_ONE),
        ("+01:00", "+0100", PLUS_ONE),  # one offset, written in two ways
        ("+02:00", "+01:00", UTC),  # a clock change
        ("Z", "+00:00", UTC),
    ],
)
def test_text_is_in_the_zone_of_its_offsets(first: str, last: str, common: timezone):
    text = pd.Series([f"2025-10-26T00:00{first}", f"2025-10-26T04:00{last}"])
    assert zoned_instants(text, "the table").tz == common

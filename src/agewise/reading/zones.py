"""Time zones by their names, and what to say of names that are none or have several meanings."""

import datetime
import difflib
import re
import zoneinfo

from agewise.errors import InputError

ZONE_EXAMPLE = "name a zone, as Europe/Madrid, or a fixed offset, as +01:00."
FIXED = re.compile(r"(?:UTC|GMT)?(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d{2}))?")
"""A fixed offset from UTC, as +01:00, UTC+1 or GMT-0330."""
ABBREVIATIONS = {
    "IST": "Asia/Kolkata (India), Europe/Dublin or Asia/Jerusalem",
    "CST": "America/Chicago, Asia/Shanghai or America/Havana",
    "CDT": "America/Chicago",
    "EDT": "America/New_York",
    "MDT": "America/Denver",
    "PST": "America/Los_Angeles or Asia/Manila",
    "PDT": "America/Los_Angeles",
    "AST": "America/Halifax or Asia/Riyadh",
    "BST": "Europe/London or Asia/Dhaka",
    "CEST": "Europe/Madrid, Europe/Berlin or another city; +02:00 if the clock is never changed",
    "MEZ": "Europe/Berlin; +01:00 if the clock is never changed",
    "MESZ": "Europe/Berlin; +02:00 if the clock is never changed",
    "EEST": "Europe/Athens, Europe/Helsinki or another city",
    "WEST": "Europe/Lisbon",
    "MSK": "Europe/Moscow",
    "GST": "Asia/Dubai",
    "PKT": "Asia/Karachi",
    "SGT": "Asia/Singapore",
    "HKT": "Asia/Hong_Kong",
    "JST": "Asia/Tokyo",
    "KST": "Asia/Seoul",
    "AEST": "Australia/Sydney or Australia/Brisbane",
    "AEDT": "Australia/Sydney",
    "ACST": "Australia/Adelaide or Australia/Darwin",
    "AWST": "Australia/Perth",
    "NZST": "Pacific/Auckland",
    "NZDT": "Pacific/Auckland",
    "SAST": "Africa/Johannesburg",
    "WIB": "Asia/Jakarta",
    "BRT": "America/Sao_Paulo",
    "ART": "America/Argentina/Buenos_Aires",
    "CLT": "America/Santiago",
}
"""Zones that an abbreviation may mean; many have several meanings, so none is taken unasked."""


def zone(name: str) -> datetime.tzinfo:
    """The zone of an IANA name or a fixed offset."""
    if name.upper() in ("Z", "UTC", "GMT"):
        return datetime.UTC
    fixed = FIXED.fullmatch(name.strip())
    if fixed:
        # `datetime.timezone` knows no offset of a day or more; such a name is refused below.
        minutes = int(fixed["hours"]) * 60 + int(fixed["minutes"] or 0)
        if minutes < 24 * 60:
            return datetime.timezone(
                datetime.timedelta(minutes=-minutes if fixed["sign"] == "-" else minutes)
            )
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(f"There is no time zone {name!r}.", hint=_suggestion(name)) from None


def _suggestion(name: str) -> str:
    """What may be meant: by an abbreviation, by a name that is spelt alike, or by a city."""
    if name.strip().upper() in ABBREVIATIONS:
        return abbreviated(name)
    # Names of few capitals (MST, EET) are like any other abbreviation, and would mislead.
    places = sorted(place for place in zoneinfo.available_timezones() if "/" in place)
    city = name.strip().replace(" ", "_").casefold()
    cities = [place for place in places if place.rpartition("/")[2].casefold() == city]
    close = cities[:1] or difflib.get_close_matches(name, places, n=1, cutoff=0.7)
    return f"did you mean {close[0]}?" if close else ZONE_EXAMPLE


def abbreviated(name: str) -> str:
    """What an abbreviation may mean, in a sentence."""
    return f"name the zone that {name} is short for: {ABBREVIATIONS[name.strip().upper()]}."


def place_of(name: str) -> str:
    """The likeliest zone that an abbreviation means, as an example."""
    return ABBREVIATIONS[name.strip().upper()].split()[0].rstrip(",;")

"""Factors between the units of time that people write."""

SECONDS_PER_MINUTE = 60.0
SECONDS_PER_HOUR = 3600.0
SECONDS_PER_DAY = 86400.0
DAYS_PER_YEAR = 365.25
"""Mean length of a year of the Julian calendar [days]."""

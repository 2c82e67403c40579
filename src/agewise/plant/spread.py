"""A value with its doubt, in words that a reader cannot take for more than they say."""

from math import floor, log10

WITHIN_90 = 1.645
"""Standard deviations on either side of the mean that hold nine values in ten."""


def spread_text(mean: float, std: float, places: int = 2, *, least: float | None = None) -> str:
    """`a ± b`; where the doubt is larger than the value itself, `between a and b`.

    A value of 10 with a standard deviation of 31 says nothing as `10 ± 31`, and half of what it
    seems to say is impossible. Its central 90 % interval says how open it is.

    Args:
        mean: The value.
        std: Its standard deviation.
        places: Decimal places of all numbers.
        least: The smallest value that is possible, such as 0 for a length; none if left out.
    """
    if std <= abs(mean):
        return f"{mean:.{places}f} ± {std:.{places}f}"
    low, high = mean - WITHIN_90 * std, mean + WITHIN_90 * std
    low = low if least is None else max(low, least)
    return f"between {low:.{places}f} and {high:.{places}f}"


def percent_text(share: float) -> str:
    """A share in percent to two digits, never as a power of ten."""
    percent = 100 * share
    if percent <= 0:
        return "0 %"
    places = max(0, 1 - floor(log10(percent)))
    return f"{percent:.{places}f} %"

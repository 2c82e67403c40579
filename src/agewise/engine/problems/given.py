"""What users hand over, of whatever type, as the engine has it; or refused in a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np

from agewise.errors import InputError


def plain_array(given: Any) -> Any:
    """Numbers as an array of NumPy's or JAX's: also of a list, a table of pandas or of xarray.

    What is no array of numbers is left as it is, for the statement's check to name its sensor.
    """
    # An array of JAX's may have no values while it is traced, and None is no array.
    if given is None or isinstance(given, jax.Array):
        return given
    if isinstance(given, np.ma.MaskedArray):
        # What is masked is no reading; the number beneath must not pass for one.
        return np.ma.filled(given.astype(float), np.nan)
    array = np.asarray(given)
    if array.dtype.kind == "f":
        return array
    # Dates would become nanoseconds, and complex numbers lose a part, without a word.
    if array.dtype.kind in "mMc":
        return array
    try:
        return array.astype(float)
    except (TypeError, ValueError):
        return array


def box_given(given: Any) -> dict[str, tuple[float, float]]:
    """Least and largest value of every coordinate; refused in a sentence where they are none."""
    refuse_no_mapping("coordinates", given, '{"t": (0.0, 10.0)}')
    box = {}
    for name, ends in given.items():
        try:
            low, high = ends
            box[name] = (float(low), float(high))
        except (TypeError, ValueError):
            raise InputError(
                f"The coordinate {name!r} is {ends!r}, which is no pair of numbers.",
                hint="give its least and its largest value, as `(0.0, 10.0)`; instants as seconds "
                "or days since the first.",
            ) from None
    return box


def names_given(given: str | Sequence[str]) -> tuple[str, ...]:
    """Names of coordinates; one name alone, without brackets, is one name and not its letters."""
    return (given,) if isinstance(given, str) else tuple(given)


def refuse_no_mapping(argument: str, given: Any, example: str) -> None:
    """Raise an `InputError` where an argument of `agewise.Problem` does not go by names."""
    # Any, since what was promised is what is looked at.
    if given is not None and not isinstance(given, Mapping):
        raise InputError(
            f"`{argument}` is of the type {type(given).__name__}, and no dictionary.",
            hint=f"give what it holds by name, as `{example}`.",
        )


def refuse_no_list(name: str, spots: Any) -> None:
    """Raise an `InputError` where the places of an equation are no list of pinned coordinates."""
    # Any, since what was promised is what is looked at; a mapping would be read key by key.
    listed = isinstance(spots, Sequence) and all(isinstance(spot, Mapping) for spot in spots)
    if not listed or not spots:
        raise InputError(
            f"The places of {name!r} are {spots!r}.",
            hint='give a list of pinned coordinates, such as `[{"t": 0.0}]`.',
        )

"""Nameplates in TOML files, and what to say when one cannot be used."""

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin

import tomli_w
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from agewise.errors import InputError
from agewise.files import write_text
from agewise.plant.cooling_names import HINT as COOLING_HINT
from agewise.plant.nameplate import Nameplate
from agewise.plant.quantity import Quantity
from agewise.plant.toml_file import parsed_toml, read_toml

EXAMPLE = "docs/formats.md shows a nameplate."
"""Hint for a file that is not TOML at all."""
MOST_SHOWN = 60
"""Most characters of a value that a message repeats."""


def read_nameplate(path: str | Path) -> Nameplate:
    """Read a nameplate; unknown, missing and impossible fields are refused by name.

    Args:
        path: A TOML file; `docs/formats.md` lists its fields, whose names carry their units.

    Returns:
        The nameplate, with the defaults of IEC 60076-7 for its cooling where the file is silent.

    Raises:
        InputError: The file is missing, is not TOML, or a field cannot be used.

    Examples:
        >>> import agewise
        >>> nameplate = agewise.read_nameplate("demo/nameplate.toml")
        >>> nameplate.oil.time_constant_min.mean  # the unit is in the name
        266.8
    """
    return _validated(read_toml(path, example=EXAMPLE), where=str(path))


def write_nameplate(
    nameplate: Nameplate, path: str | Path, *, leave_out: Sequence[str] = ()
) -> None:
    """Write a nameplate as TOML, with every field that it holds, and which of them were assumed.

    A paper that nobody named is left out: IEEE C57.91 takes one that is said to be normal for
    another than one that is not said.

    Args:
        nameplate: The nameplate, completed by the guide's defaults.
        path: The file.
        leave_out: Dotted names of fields that are not written, as `oil.top_oil_rise_k`.
    """
    # TOML has no word for nothing.
    given = without_fields(nameplate.model_dump(exclude_none=True), leave_out)
    for fields, unit in ((given, nameplate), (given.get("iec"), nameplate.iec)):
        if fields and unit and "paper" not in unit.insulation.model_fields_set:
            fields["insulation"].pop("paper", None)
    given["from_table"] = [name for name in nameplate.assumed if name not in leave_out]
    # An empty list says no more than none, and puzzles who reads the file.
    for name in ("from_table", "cooling_stages", "taps", "rated_windings"):
        if not given.get(name):
            given.pop(name, None)
    write_text(Path(path), tomli_w.dumps(given))


def without_fields(given: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The fields of a nameplate but for those of these dotted names."""
    return {
        name: {field: cell for field, cell in value.items() if f"{name}.{field}" not in names}
        if isinstance(value, Mapping)
        else value
        for name, value in given.items()
        if name not in names
    }


def nameplate_from(text: str, *, where: str = "the nameplate") -> Nameplate:
    """A nameplate from the text of its TOML; `where` names it in errors."""
    return _validated(parsed_toml(text, where=where, example=EXAMPLE), where=where)


def _validated(given: dict[str, Any], *, where: str) -> Nameplate:
    try:
        return Nameplate.model_validate(given)
    except ValidationError as error:
        raise input_error(error, where) from None


def input_error(error: ValidationError, where: str) -> InputError:
    """The first complaint as a sentence with the field's name, and how many more there are."""
    # An unknown field first: what is missing is often the one that was misspelt.
    complaints = sorted(
        error.errors(), key=lambda complaint: complaint["type"] != "extra_forbidden"
    )
    first, more = complaints[0], len(complaints) - 1
    others = f" (and {more} more)" if more else ""
    field = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        return InputError(
            f"{where} lacks the field {field!r}{others}.",
            hint="required are rated_power_kva, no_load_losses_w and load_losses_w.",
        )
    if first["type"] == "extra_forbidden":
        return InputError(f"{where}: unknown field {field!r}{others}.", hint=_suggestion(first))
    return InputError(
        f"{where}: {_complaint(first)}{others}.",
        hint=COOLING_HINT
        if field == "cooling"
        else "docs/formats.md lists the fields and their ranges.",
    )


def _complaint(error: ErrorDetails) -> str:
    """What is wrong, with the name and the value of the field where it is about one.

    A complaint without a location is about how several fields fit together.
    """
    problem = error["msg"].removeprefix("Value error, ").replace("Input should", "it must")
    if not error["loc"]:
        return problem
    # A plain number became `{ mean }` on the way; the user never wrote that part of the name.
    field = ".".join(str(part) for part in error["loc"]).removesuffix(".mean")
    given = error["input"]
    if isinstance(given, dict) and "mean" not in given:
        return f"in {field!r}, {problem}"  # about how fields of one section fit together
    shown = given.get("mean") if isinstance(given, dict) else given
    shown = repr(shown.mean if isinstance(shown, Quantity) else shown)
    shown = shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}..."
    return f"field {field!r} is {shown}, but {problem}"


def _suggestion(complaint: ErrorDetails) -> str:
    """The known field that is nearest to an unknown one, or all that are known beside it."""
    section: type[BaseModel] = Nameplate
    for part in complaint["loc"][:-1]:
        if isinstance(part, int):  # the number of a table in a list of them
            continue
        annotation = section.model_fields[str(part)].annotation
        if get_origin(annotation) is tuple:
            annotation = get_args(annotation)[0]
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            # An optional quantity is a union and no class: there the unknown key is beside `mean`.
            return "a number is given as 15.1 or as { mean = 15.1, std = 1.5 }."
        section = annotation
    known = list(section.model_fields)
    close = difflib.get_close_matches(str(complaint["loc"][-1]), known, n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else f"known here: {', '.join(known)}."

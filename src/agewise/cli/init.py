"""`agewise init`: a few questions, and a commented nameplate."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from agewise.cli.console import answer
from agewise.cli.outputs import writes
from agewise.errors import InputError

REQUIRED = ("rated_power_kva", "no_load_losses_w", "load_losses_w")
"""Fields without which there is no nameplate."""
AMOUNT = re.compile(r"(?P<number>\d+(?:[.,]\d+)?(?:e\d+)?)\s*(?P<unit>[a-z°]*)", re.IGNORECASE)
"""A number, perhaps with its unit."""
POWER = {"": 1.0, "kva": 1.0, "mva": 1000.0, "va": 0.001}
LOSSES = {"": 1.0, "w": 1.0, "kw": 1000.0}
CURRENT = {"": 1.0, "a": 1.0, "ka": 1000.0}
KELVIN = {"": 1.0, "k": 1.0, "°c": 1.0}
"""Units that an answer may have, as factors on the field's own; no unit is the field's."""


def amount(units: Mapping[str, float]) -> Callable[[str], float]:
    """A reader of positive numbers with one of these units."""

    def read(text: str) -> float:
        match = AMOUNT.fullmatch(text.strip())
        if match is None or match["unit"].lower() not in units:
            known = ", ".join(unit for unit in units if unit)
            raise ValueError(f"a number is needed, as 12.5, perhaps with a unit ({known})")
        return float(match["number"].replace(",", ".")) * units[match["unit"].lower()]

    return read


def latitude(text: str) -> float:
    """Degrees north; south is negative."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise ValueError("a number is needed, as 40.4, negative in the south") from None


def date(text: str) -> Any:
    """A day; a year alone is its first of July."""
    import datetime

    text = text.strip()
    try:
        return datetime.date.fromisoformat(
            f"{text}-07-01" if re.fullmatch(r"\d{4}", text) else text
        )
    except ValueError:
        raise ValueError("a date is needed, as 1998-05-01, or a year") from None


@dataclass(frozen=True)
class Question:
    """What is asked about one field."""

    field: str
    """Its dotted name."""
    text: str
    """The question."""
    read: Callable[[str], Any] = str.strip
    """Makes a value of the answer; raises `ValueError` with what is needed."""


QUESTIONS = {
    "name": Question("name", "Name of the unit"),
    "rated_power": Question("rated_power_kva", "Rated power [kVA, or as 25 MVA]", amount(POWER)),
    "no_load_losses": Question(
        "no_load_losses_w", "No-load losses [W, or as 12 kW]", amount(LOSSES)
    ),
    "load_losses": Question(
        "load_losses_w", "Load losses at rated power [W, or as 90 kW]", amount(LOSSES)
    ),
    "cooling": Question("cooling", "Cooling as printed, such as ONAN or ONAN/ONAF"),
    "rated_current": Question(
        "rated_current_a", "Rated current of the measured winding [A]", amount(CURRENT)
    ),
    "top_oil_rise": Question(
        "oil.top_oil_rise_k", "Top-oil rise of the test report [K]", amount(KELVIN)
    ),
    "gradient": Question(
        "winding.gradient_k", "Hot spot over top oil at rated load [K]", amount(KELVIN)
    ),
    "paper": Question("insulation.paper", "Paper, normal or upgraded"),
    "commissioned": Question("history.commissioned", "Commissioned, a date or a year", date),
    "latitude": Question("site.latitude", "Latitude of the site [degrees north]", latitude),
}
"""Questions by the name of their flag, in the order in which they are asked."""


@writes("out")
def init(
    *,
    out: Annotated[Path, Option(help="TOML file to write.")] = (Path("nameplate.toml")),
    name: Annotated[str | None, Option(help="Name of the unit.")] = None,
    rated_power: Annotated[str | None, Option(help="Rated power [kVA], or as '25 MVA'.")] = None,
    no_load_losses: Annotated[str | None, Option(help="No-load losses [W], or as '12 kW'.")] = None,
    load_losses: Annotated[
        str | None, Option(help="Load losses at rated power [W], or as '90 kW'.")
    ] = None,
    cooling: Annotated[
        str | None, Option(help="Cooling as printed: ONAN, OFAF, ONAN/ONAF, ...")
    ] = None,
    rated_current: Annotated[
        str | None, Option(help="Rated current of the measured winding [A].")
    ] = None,
    top_oil_rise: Annotated[str | None, Option(help="Top-oil rise of the test report [K].")] = None,
    gradient: Annotated[str | None, Option(help="Hot spot over top oil at rated load [K].")] = None,
    paper: Annotated[str | None, Option(help="Paper: normal or upgraded.")] = None,
    commissioned: Annotated[str | None, Option(help="Date of commissioning, or its year.")] = None,
    latitude: Annotated[str | None, Option(help="Latitude of the site [degrees north].")] = None,
    yes: Annotated[
        bool, Option("--yes", help="Ask nothing: what no flag gives is left out.")
    ] = False,
) -> None:
    """Ask for what a nameplate says, and write it as a TOML file with a comment on every field."""
    flags = {
        "name": name,
        "rated_power": rated_power,
        "no_load_losses": no_load_losses,
        "load_losses": load_losses,
        "cooling": cooling,
        "rated_current": rated_current,
        "top_oil_rise": top_oil_rise,
        "gradient": gradient,
        "paper": paper,
        "commissioned": commissioned,
        "latitude": latitude,
    }
    given = _answers(flags, ask=not yes)
    _write(given, out)
    left = [question.field for question in QUESTIONS.values() if question.field not in given]
    answer(
        {
            "written": str(out),
            "left out": ", ".join(left) or "none of what was asked",
            "next": f"agewise check PROFILE --nameplate {out}",
        }
    )


def _answers(flags: Mapping[str, str | None], *, ask: bool) -> dict[str, Any]:
    """Values by field, from the flags and from what is asked."""
    given = {}
    for flag, question in QUESTIONS.items():
        text = flags[flag]
        if text is not None:
            try:
                given[question.field] = question.read(text)
            except ValueError as error:
                raise InputError(f"`{flag}` cannot be {text!r}.", hint=f"{error}.") from None
        elif ask:
            value = _asked(question)
            if value is not None:
                given[question.field] = value
    lacking = [
        flag for flag, q in QUESTIONS.items() if q.field in REQUIRED and q.field not in given
    ]
    if lacking:
        flags_text = ", ".join(f"`{flag}`" for flag in lacking)
        raise InputError(
            "A nameplate needs rated power, no-load losses and load losses.",
            hint=f"add {flags_text}; the test report has them.",
        )
    return given


def _asked(question: Question) -> Any:
    """The answer to a question, asked again until it can be used; None where it is left out."""
    needed = question.field in REQUIRED
    end = "" if needed else " (Enter to leave it out)"
    while True:
        text = typer.prompt(f"{question.text}{end}", default="", show_default=False)
        if not text.strip():
            if not needed:
                return None
            typer.echo("This is needed: everything follows from it.", err=True)
            continue
        try:
            return question.read(text)
        except ValueError as error:
            typer.echo(f"That cannot be read: {error}.", err=True)


def _write(given: Mapping[str, Any], out: Path) -> None:
    from pydantic import ValidationError

    from agewise.files import write_text
    from agewise.plant.nameplate_file import input_error, nameplate_from
    from agewise.plant.nameplate_text import commented_nameplate

    try:
        text = commented_nameplate(given)
    except ValidationError as error:
        raise input_error(error, "What was given") from None
    nameplate_from(text, where=str(out))  # what is written is what the other commands read
    write_text(out, text)

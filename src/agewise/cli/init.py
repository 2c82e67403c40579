"""`agewise init`: a few questions, and a commented nameplate."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from agewise.cli.console import answer
from agewise.cli.overwrite import writes
from agewise.cli.plate_answers import (
    KELVIN,
    LOSSES,
    POWER,
    Voltages,
    amount,
    current,
    date,
    latitude,
    volts_text,
)
from agewise.errors import InputError

REQUIRED = ("rated_power_kva", "no_load_losses_w", "load_losses_w")
"""Fields without which there is no nameplate."""
VOLTAGE = "rated_voltage_v"
"""Field that a voltage fills where a current is asked for; the current follows from it."""


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
        "rated_current_a",
        "Rated current of the measured winding [A], or the voltage there, as 20 kV or 20/0.4 kV",
        current,
    ),
    "top_oil_rise": Question(
        "oil.top_oil_rise_k", "Top-oil rise of the test report [K]", amount(KELVIN)
    ),
    "gradient": Question(
        "winding.gradient_k", "Hot spot over top oil at rated load [K]", amount(KELVIN)
    ),
    "paper": Question("insulation.paper", "Paper, normal or upgraded"),
    "commissioned": Question("history.commissioned", "Commissioned, a date or a year", date),
    "latitude": Question(
        "site.latitude", "Latitude of the site [degrees north, or as 33.9 S]", latitude
    ),
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
        str | None,
        Option(help="Rated current of the measured winding [A], or its voltage, as '20 kV'."),
    ] = None,
    top_oil_rise: Annotated[str | None, Option(help="Top-oil rise of the test report [K].")] = None,
    gradient: Annotated[str | None, Option(help="Hot spot over top oil at rated load [K].")] = None,
    paper: Annotated[str | None, Option(help="Paper: normal or upgraded.")] = None,
    commissioned: Annotated[str | None, Option(help="Date of commissioning, or its year.")] = None,
    latitude: Annotated[
        str | None, Option(help="Latitude of the site [degrees north], or as '33.9 S'.")
    ] = None,
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
    if VOLTAGE in given:
        left.remove("rated_current_a")
    day = given.get("history.commissioned")
    answer(
        {
            "written": str(out),
            **({} if day is None else {"commissioned": str(day)}),
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
                given |= _fields(question, question.read(text), ask=ask)
            except ValueError as error:
                raise InputError(f"`{flag}` cannot be {text!r}.", hint=f"{error}.") from None
        elif ask:
            try:
                given |= _fields(question, _asked(question), ask=True)
            except typer.Abort as error:
                # At the end of the input what was answered is kept; Ctrl-C throws it away.
                if not isinstance(error.__context__, EOFError):
                    raise
                typer.echo("")
                ask = False
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


def _fields(question: Question, value: Any, *, ask: bool) -> dict[str, Any]:
    """What an answer says of which field: none, its own, or the voltage in place of a current."""
    if value is None:
        return {}
    if not isinstance(value, Voltages):
        return {question.field: value}
    return {VOLTAGE: value[0] if len(value) == 1 else _side(value, ask=ask)}


def _side(voltages: Voltages, *, ask: bool) -> float:
    """The voltage of the side on which the current is measured."""
    names = [volts_text(volts) for volts in voltages]
    if not ask:
        raise ValueError(f"name the side where the current is measured alone, as '{names[0]}'")
    which = Question("", f"Is the current measured at {names[0]} or at {names[1]}?", current)
    while True:
        value = _asked(which)
        if value is not None and (value in voltages or value in [(each,) for each in voltages]):
            return value[0] if isinstance(value, Voltages) else value
        typer.echo(f"Answer {names[0]} or {names[1]}: 1 p.u. follows from it.", err=True)


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

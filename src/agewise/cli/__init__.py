"""The command line: one file a command, which parses, calls and prints.

Nothing heavy is imported here or at the top of a command's file, so that help is instant.
"""

import io
import os
import sys
from contextlib import nullcontext
from itertools import pairwise
from typing import Annotated, Any, cast

import typer

from agewise.cli import (
    assess,
    benchmark,
    calibrate,
    check,
    compare,
    fleet,
    init,
    methods,
    predict,
    problems,
    rating,
    report,
    reproduce,
    score,
    serve,
    solve,
    thermal,
    twin,
    watch,
)
from agewise.cli.console import fail
from agewise.cli.flags import Parameter, with_flags
from agewise.errors import InputError
from agewise.without_dask import without_dask

# Plain help and plain errors: no boxes in a log file, and tracebacks as Python writes them.
app = typer.Typer(
    help="How fast a transformer's insulation ages, how long it will live, and how sure that is.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("init", short_help="Ask for what a nameplate says, and write it as a TOML file.")(
    init.init
)
app.command("twin", short_help="Simulate a plant's measurements with a known truth.")(twin.twin)
app.command("check", short_help="Read a file, and say what was found in it and done about it.")(
    check.check
)
app.command("thermal", short_help="Hot spot, ageing and life used by IEC 60076-7 or IEEE C57.91.")(
    thermal.thermal
)
app.command("solve", short_help="Solve the heat equation of the oil, without uncertainty.")(
    solve.solve
)
app.command("calibrate", short_help="Learn constants of the oil from load, air and top oil.")(
    calibrate.calibrate
)
app.command("assess", short_help="How fast the insulation ages, how long it lives, what to do.")(
    assess.assess
)
app.command("predict", short_help="Oil temperature with both uncertainties at given points.")(
    predict.predict
)
app.command("rating", short_help="The load that the coming hours permit at a stated risk.")(
    rating.rating
)
app.command("report", short_help="Write the report of a finished run again, also as PDF.")(
    report.report
)
app.command("score", short_help="Every score of a run, as JSON.")(score.score)
app.command("compare", short_help="Score methods side by side on twins.")(compare.compare)
app.command("problems", short_help="List the known problems, or show one of them.")(
    problems.problems
)
app.command("methods", short_help="List the methods for the oil and for any equation.")(
    methods.methods
)
app.command("benchmark", short_help="Error, calibration and cost of methods on known problems.")(
    benchmark.benchmark
)
app.command("serve", short_help="Show a fleet in a browser, and as JSON.")(serve.serve)
app.command("reproduce", short_help="Make the tables and figures of the paper.")(
    reproduce.reproduce
)
app.add_typer(fleet.app, name="fleet")
app.command("watch", short_help="Look at a fleet's new readings; raise and clear alerts.")(
    watch.watch
)
OF_FLEETS = ("fleet", "watch", "serve")
"""Commands that spread their work by Dask, or show what was."""


def _print_version(wanted: bool) -> bool:
    if wanted:
        from agewise import __version__

        print(__version__)
        raise typer.Exit
    return wanted


@app.callback()
def _options_before_a_command(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """All is done by the option's own callback, which needs no command after it."""


def commands_by_name() -> dict[str, Any]:
    """Every command as it is parsed, by its name; one of a group by both names, `fleet rank`."""
    # `Any`, since the type of what typer returns does not tell that it is a group of commands.
    named = cast(Any, typer.main.get_command(app)).commands
    groups = {name: getattr(command, "commands", None) for name, command in named.items()}
    inside = {
        f"{group} {name}": command
        for group, commands in groups.items()
        for name, command in (commands or {}).items()
    }
    return {name: command for name, command in named.items() if not groups[name]} | inside


def main() -> None:
    """Run a command; whatever a user can mend ends with a sentence, a hint and exit code 2."""
    _write_any_character()
    # Not in typer's standalone mode, which would print errors in its own way and exit by itself.
    try:
        words = sys.argv[1:] or ["--help"]
        with nullcontext() if words[0] in OF_FLEETS else without_dask():
            code = app(words, standalone_mode=False)
        sys.stdout.flush()  # here, where a full disk still ends in a sentence
        sys.exit(code)
    except InputError as error:
        # Errors name Python's arguments; which flags those are depends on the command.
        parameters = _parameters(sys.argv[1:])
        fail(*(with_flags(text, parameters) for text in (error.sentence, error.hint)))
    except typer.TyperException as error:
        command = _command(sys.argv[1:])
        advice = (
            f"agewise {command} --help lists its options"
            if command
            else "agewise --help lists the commands"
        )
        fail(error.format_message(), f"{advice}.")
    except MemoryError:
        fail("There is not enough memory.", "give a shorter profile, or a coarser --grid.")
    except BrokenPipeError:  # before OSError, of which it is a kind
        _stop_writing()
        sys.exit(1)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        fail(f"{place}{error.strerror or error}.", "check the path, its permissions and the disk.")
    except (KeyboardInterrupt, typer.Abort):
        print("Interrupted; nothing half-written is left behind.", file=sys.stderr)
        sys.exit(130)  # as shells report an end by Ctrl-C: 128 and the number of the signal


def _write_any_character() -> None:
    """A terminal that cannot show °C gets an escape, where the default is a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # Whoever calls from Python may have put another kind of stream in its place.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _stop_writing() -> None:
    """Send what is left to nowhere: whoever read our output has had enough, as `head` does."""
    # Python flushes stdout once more when it exits, and would complain of the broken pipe then.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parameters(words: list[str]) -> list[Parameter]:
    """The parameters of the command that these words run."""
    name = _command(words)
    return [] if name is None else list(commands_by_name()[name].params)


def _command(words: list[str]) -> str | None:
    """The command that these words run; None where they name none."""
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    return next((word for word in (*words, *pairs) if word in commands_by_name()), None)

"""`agewise calibrate`: constants of a unit, learned from its own load, air and oil."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import BadParameter, Option

from agewise.cli.compiled import compiled_code_kept
from agewise.cli.console import answer, profile_rows, stage
from agewise.cli.overwrite import writes
from agewise.cli.reading import LoadHold, Profiles, reads_a_file

if TYPE_CHECKING:
    from agewise.assessment.calibration.check import CalibrationCheck
    from agewise.reading.options import Reading


@writes("out", "report")
@reads_a_file
def calibrate(
    *,
    profile: Profiles,
    nameplate: Annotated[Path, Option(help="TOML file of the nameplate.")],
    out: Annotated[Path, Option(help="TOML file for the nameplate with what was learned.")],
    report: Annotated[Path | None, Option(help="HTML file for a page that shows it.")] = None,
    tank: Annotated[
        bool, Option("--tank", help="Learn conductivity and heat transfer from sensors inside too.")
    ] = False,
    volume: Annotated[
        bool, Option("--volume", help="With --tank, learn the effective volume as well.")
    ] = False,
    method: Annotated[
        str, Option(help="How --tank learns: exact; laplace or vi (networks) for comparison.")
    ] = "exact",
    hold: LoadHold = "backward",
    reading: "Reading",
) -> None:
    """Learn rise, time constant and exponent of the oil from load, air and top oil."""
    if (volume or method != "exact") and not tank:
        raise BadParameter("--volume and --method say how --tank learns, which is not given.")
    if report is not None and report.suffix != ".html":
        raise BadParameter(f"--report {report} does not end in .html.")
    with stage("Learning"), compiled_code_kept():
        from agewise.assessment.calibration.calibrate import calibrate as learn
        from agewise.assessment.calibration.check import calibration_check
        from agewise.plant.nameplate_file import read_nameplate, write_nameplate
        from agewise.reading.profile_file import read_profile

        unit = read_nameplate(nameplate)
        measured = read_profile(profile, reading, rated=unit.rated())
        learned = learn(measured, unit, hold=hold)
        check = calibration_check(measured, learned, hold=hold)
        inside: dict[str, str] = {}
        if tank:
            from agewise.assessment.calibration.tank import calibrate_tank
            from agewise.assessment.calibration.tank_words import tank_rows

            own = calibrate_tank(measured, unit, method=method, volume=volume, hold=hold)
            learned, inside = own.taught(learned), tank_rows(own)
        write_nameplate(learned, out)
    if report is not None:
        with stage("Drawing"):
            from agewise.report.calibration.page import write_calibration

            write_calibration(check, report)
    written = ", ".join(str(path) for path in (out, report) if path is not None)
    told = profile_rows(learned, measured, hold)
    if measured.interior:
        told["not used"] += ": --tank learns conductivity and heat transfer from them"
    if inside:
        told.pop("not used", None)
    answer(told | rows(check) | inside | {"written": written})


def rows(check: "CalibrationCheck") -> dict[str, str]:
    """What was learned, in lines for people."""
    from agewise.assessment.calibration.names import NAMES
    from agewise.assessment.calibration.words import (
        air_text,
        constant_text,
        error_text,
        learned_from,
        not_told,
        unexplained_text,
    )

    lines = {"learned from": learned_from(check)}
    lines |= {NAMES[constant.name].short: constant_text(constant) for constant in check.constants}
    lines |= {
        "air": air_text(check),
        "unexplained": unexplained_text(check),
        "error": error_text(check),
    }
    unknown = not_told(check) or ["nothing: every constant is known better than before."]
    return lines | {
        f"unknown {number}" if len(unknown) > 1 else "unknown": sentence
        for number, sentence in enumerate(unknown, start=1)
    }

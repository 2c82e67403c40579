"""`agewise rating`: the load that the next hours permit."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from agewise.cli.asked_load import asked_pu, asked_rows
from agewise.cli.console import stage
from agewise.cli.constant_load import constant_lines, constant_rows
from agewise.cli.day_ahead import day_lines, day_rows, write_day
from agewise.cli.moment import hours_after
from agewise.cli.overwrite import Overwrite, refuse_taken
from agewise.cli.rated_run import RatedRun
from agewise.errors import InputError

if TYPE_CHECKING:
    from agewise.assessment.rating.asked_load import AskedLoad
    from agewise.assessment.rating.coming_course import Course
    from agewise.assessment.rating.day_table import DayAhead
    from agewise.assessment.rating.request import DayAheadRequest, RatingRequest


def rating(
    run: Annotated[Path, Argument(help="Folder of a finished run.")],
    hours: Annotated[float, Option(help="How many hours a constant load is held.")] = 4.0,
    risk: Annotated[
        float, Option(help="Probability, at most 0.5, that a temperature passes its limit.")
    ] = 0.05,
    ambient: Annotated[
        float | None,
        Option(
            help="Air temperature [°C], held; if left out the highest of the last 24 h, and for a "
            "load that is named as a week before."
        ),
    ] = None,
    limit: Annotated[
        str, Option(help="normal cyclic, long emergency or short emergency.")
    ] = "normal cyclic",
    mva: Annotated[float | None, Option(help="May it carry so many MVA? Yes or no.")] = None,
    amperes: Annotated[float | None, Option(help="The same in A.")] = None,
    pu: Annotated[float | None, Option(help="The same in p.u.")] = None,
    start: Annotated[
        str,
        Option(
            "--from",
            help="When that load begins: 'Thu 14:00', '14:00', a date with a time, or hours after "
            "the record's end.",
        ),
    ] = "0",
    load: Annotated[
        Path | None, Option(help="Forecast of the load: time, load. Rates hour by hour.")
    ] = None,
    weather: Annotated[
        Path | None, Option(help="Forecast of the air: time, ambient; may be the same file.")
    ] = None,
    load_error: Annotated[
        float,
        Option(
            help="Error of the forecast load a day ahead, as a share of it; without a forecast "
            "the least that counts."
        ),
    ] = 0.05,
    weather_error: Annotated[
        float,
        Option(
            help="Error of the forecast air a day ahead [K]; without a forecast the least that "
            "counts."
        ),
    ] = 1.5,
    after_trip: Annotated[
        float, Option(help="Factor on the load when a parallel unit trips.")
    ] = 2.0,
    table: Annotated[
        bool, Option("--table", help="Print the table too: by air and hours, or by hours to come.")
    ] = False,
    out: Annotated[
        Path | None, Option(help="CSV or Parquet file of the hours, with forecasts only.")
    ] = None,
    figure: Annotated[
        Path | None, Option(help="PNG file of the hours, with forecasts only.")
    ] = None,
    overwrite: Overwrite = False,
    format: Annotated[Literal["text", "json"], Option(help="For people or programs.")] = "text",
) -> None:
    """The load that the next hours permit at a stated risk of passing a limit.

    The largest constant load of some hours; yes or no to a load that you name (--mva 30 --from 'Thu
    14:00' --hours 6); or hour by hour where load and weather are forecast.
    """
    forecasts = _both(load, weather)
    asked = any(amount is not None for amount in (mva, amperes, pu))
    files = [path for path in (out, figure) if path is not None]
    if start != "0" and not asked:
        raise InputError(
            "`start` is the beginning of a load, but none is named.",
            hint="name it by `mva`, `amperes` or `pu`; it says what these hours permit too.",
        )
    if asked or forecasts is None:
        refuse_lone(out=out, figure=figure)
    refuse_taken(files, inputs=list(forecasts or ()), overwrite=overwrite)
    with stage("Rating"):
        from agewise.assessment.rating.asked_load import AskedLoad
        from agewise.assessment.rating.request import (
            DayAheadRequest,
            ForecastErrors,
            RatingRequest,
        )

        errors = ForecastErrors(weather_k=weather_error, load_share=load_error)
        constant = RatingRequest(hours=hours, risk=risk, ambient=ambient, limit=limit)
        ahead = DayAheadRequest(risk=risk, limit=limit, errors=errors, after_trip=after_trip)
        stored = RatedRun.of(run)
        if asked:
            load_pu = asked_pu(stored.rated, mva=mva, amperes=amperes, pu=pu) or 0.0
            course = None if forecasts is None else _course(stored, forecasts, ahead)
            load_asked = AskedLoad(load_pu, hours_after(stored.end, start), constant, errors)
            rated = _asked(stored, load_asked, course)
        elif forecasts is None:
            rated = _constant(stored, constant)
        else:
            rated = _day(stored, forecasts, ahead, out, figure)
    rated.show(stored, format, table=table, files=files)


@dataclass(frozen=True)
class _Answer:
    """What is printed of a rating."""

    numbers: dict[str, Any]
    """For programs."""
    rows: dict[str, str]
    """For people."""
    table: list[str]
    """What is printed on demand, empty where there is none."""

    def show(self, stored: RatedRun, format: str, *, table: bool, files: Sequence[Path]) -> None:
        """Print it."""
        if format == "json":
            stored.print_json(self.numbers)
            return
        hidden = self.table and not table
        beside = {"written": ", ".join(map(str, files))} if files else {}
        beside |= {"table": "printed with --table"} if hidden else {}
        stored.print_rows(self.rows, beside, self.numbers["findings"])
        if table and self.table:
            print("\n" + "\n".join(self.table))


def _both(load: Path | None, weather: Path | None) -> tuple[Path, Path] | None:
    """Both forecasts, or none."""
    if load is None and weather is None:
        return None
    if load is None or weather is None:
        raise InputError(
            "One of the forecasts is missing.",
            hint="give `load` and `weather`; they may be the same file.",
        )
    return load, weather


def refuse_lone(**files: Path | None) -> None:
    """Refuse files of a rating by hours where there are no such hours."""
    for name, path in files.items():
        if path is not None:
            raise InputError(
                f"There is nothing to write to {path}: hours are rated by forecasts alone.",
                hint=f"give `load` and `weather` and ask for no load, or leave `{name}` out.",
            )


def _constant(stored: RatedRun, request: "RatingRequest") -> _Answer:
    """The largest constant load of some hours."""
    from agewise.assessment.rating.rating import rating as permitted_load

    result = permitted_load(stored.assessment, request)
    return _Answer(result.as_dict(), constant_rows(result, stored.rated), constant_lines(result))


def _asked(stored: RatedRun, asked: "AskedLoad", course: "Course | None") -> _Answer:
    """Yes or no to a load that somebody names."""
    from agewise.assessment.rating.carried_load import carried_load

    carried = carried_load(stored.assessment, asked, course)
    return _Answer(carried.as_dict(), asked_rows(carried, stored.rated, stored.end), [])


def _course(stored: RatedRun, forecasts: tuple[Path, Path], request: "DayAheadRequest") -> "Course":
    """Load and air of the coming hours, by forecasts."""
    from agewise.assessment.rating.coming_course import forecast_course
    from agewise.assessment.rating.day_ahead import read_forecast
    from agewise.assessment.rating.hours_ahead import DRAWS

    own, seed = stored.assessment, stored.assessment.settings.seed
    forecast = read_forecast(own, *forecasts)
    return forecast_course(forecast, request.errors, own.profile, DRAWS, seed=seed)


def _day(
    stored: RatedRun,
    forecasts: tuple[Path, Path],
    request: "DayAheadRequest",
    out: Path | None,
    figure: Path | None,
) -> _Answer:
    """The coming hours one by one."""
    from agewise.assessment.rating.day_ahead import day_ahead

    day = day_ahead(stored.assessment, *forecasts, request)
    _write_day(day, stored.assessment.nameplate.name, out, figure)
    return _Answer(day.as_dict(), day_rows(day), day_lines(day))


def _write_day(day: "DayAhead", unit: str, out: Path | None, figure: Path | None) -> None:
    if out is not None:
        write_day(day, out)
    if figure is not None:
        from agewise.report.figures.day_ahead import write_day_ahead

        write_day_ahead(day, unit, figure)

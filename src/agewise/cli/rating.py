"""`agewise rating`: the load that the next hours permit."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from agewise.cli.console import answer, stage
from agewise.cli.day_ahead import day_lines, day_rows, write_day
from agewise.cli.overwrite import Overwrite, refuse_taken
from agewise.errors import InputError

if TYPE_CHECKING:
    from agewise.assessment.answer.summary import Summary
    from agewise.assessment.decision.cooling_verdict import CoolingCheck
    from agewise.assessment.oil.assessment import Assessment
    from agewise.assessment.rating.day_table import DayAhead
    from agewise.assessment.rating.rating import Rating

CAUTION = "the rating assumes the cooling of the nameplate: with less cooling, permit less load."
"""What is said beside a rating where the cooling check raises an alarm."""


def rating(
    run: Annotated[Path, Argument(help="Folder of a finished run.")],
    hours: Annotated[float, Option(help="Hours ahead, from the end of the profile.")] = 4.0,
    risk: Annotated[
        float, Option(help="Probability, at most 0.5, that a temperature passes its limit.")
    ] = 0.05,
    ambient: Annotated[
        float | None,
        Option(help="Air temperature [°C], held; the highest of the last 24 h if left out."),
    ] = None,
    limit: Annotated[
        str, Option(help="normal cyclic, long emergency or short emergency.")
    ] = "normal cyclic",
    load: Annotated[
        Path | None, Option(help="Forecast of the load: time, load. Rates hour by hour.")
    ] = None,
    weather: Annotated[
        Path | None, Option(help="Forecast of the air: time, ambient; may be the same file.")
    ] = None,
    load_error: Annotated[
        float, Option(help="Error of the forecast load a day ahead, as a share of it.")
    ] = 0.05,
    weather_error: Annotated[
        float, Option(help="Error of the forecast air a day ahead [K].")
    ] = 1.5,
    after_trip: Annotated[
        float, Option(help="Factor on the load when a parallel unit trips.")
    ] = 2.0,
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

    Constant for some hours, or hour by hour where load and weather are forecast.
    """
    if load is None and weather is None:
        refuse_lone(out=out, figure=figure)
        _print_constant(run, hours, risk, ambient, limit, format)
        return
    if load is None or weather is None:
        raise InputError(
            "One of the forecasts is missing.",
            hint="give `load` and `weather`; they may be the same file.",
        )
    files = [path for path in (out, figure) if path is not None]
    refuse_taken(files, inputs=[load, weather], overwrite=overwrite)
    with stage("Rating"):
        from agewise.assessment.rating.day_ahead import day_ahead
        from agewise.assessment.rating.request import DayAheadRequest, ForecastErrors

        errors = ForecastErrors(weather_k=weather_error, load_share=load_error)
        request = DayAheadRequest(risk=risk, limit=limit, errors=errors, after_trip=after_trip)
        stored = _Stored.of(run)
        day = day_ahead(stored.assessment, load, weather, request)
        _write_day(day, stored.assessment.nameplate.name, out, figure)
    if format == "json":
        stored.print_json(day.as_dict())
        return
    written = {"written": ", ".join(map(str, files))} if files else {}
    stored.print_rows(day_rows(day) | written)
    print("\n" + "\n".join(day_lines(day)))


def refuse_lone(**files: Path | None) -> None:
    """Refuse files of a rating by hours where no forecast is given."""
    for name, path in files.items():
        if path is not None:
            raise InputError(
                f"There is nothing to write to {path}: no forecast is given.",
                hint=f"give `load` and `weather`, or leave `{name}` out.",
            )


def _print_constant(
    run: Path,
    hours: float,
    risk: float,
    ambient: float | None,
    limit: str,
    format: Literal["text", "json"],
) -> None:
    """Print the largest constant load of some hours."""
    with stage("Rating"):
        from agewise.assessment.rating.rating import rating as permitted_load
        from agewise.assessment.rating.request import RatingRequest

        request = RatingRequest(hours=hours, risk=risk, ambient=ambient, limit=limit)
        stored = _Stored.of(run)
        result = permitted_load(stored.assessment, request)
    if format == "json":
        stored.print_json(result.as_dict())
        return
    stored.print_rows(_rows(result))
    print("\n" + "\n".join(_table(result)))


@dataclass(frozen=True)
class _Stored:
    """A finished run, and what is said of it beside any rating."""

    assessment: "Assessment"
    """The fitted profile."""
    summary: "Summary"
    """The answer, which knows more than the profile: a run keeps what was repaired."""
    cooling: "CoolingCheck"
    """The verdict on the cooling."""

    @classmethod
    def of(cls, run: Path) -> "_Stored":
        """The run in a folder; refused where it cannot tell."""
        from agewise.assessment.decision.cooling_verdict import cooling_check
        from agewise.assessment.decision.finding import Finding
        from agewise.assessment.rating.rating import refuse_undermined
        from agewise.assessment.stored import assessment_of, summary_of
        from agewise.store.run import load_run

        stored = load_run(run)
        summary = summary_of(stored)
        if summary.decision.action == "cannot tell":
            reason, mend = summary.decision.reason, summary.decision.mend
            refuse_undermined([Finding("run", reason, mend=mend)])
        assessment = assessment_of(stored)
        return cls(assessment, summary, cooling_check(assessment))

    def print_json(self, result: dict[str, Any]) -> None:
        """A rating for programs."""
        import json

        findings = [finding.model_dump(mode="json") for finding in self.summary.findings]
        beside = {"cooling": self.cooling.as_dict(), "findings": findings}
        print(json.dumps(result | beside, indent=2))

    def print_rows(self, rows: dict[str, str]) -> None:
        """A rating for people: findings before it, the cooling behind it."""
        # A rating by the nameplate's cooling would permit too much where the cooling is impaired.
        caution = {"caution": CAUTION} if self.cooling.alarm else {}
        numbered = enumerate(self.summary.findings, start=1)
        findings = {f"finding {number}": finding.text for number, finding in numbered}
        answer(findings | rows | {"cooling": self.cooling.text} | caution)


def _write_day(day: "DayAhead", unit: str, out: Path | None, figure: Path | None) -> None:
    if out is not None:
        write_day(day, out)
    if figure is not None:
        from agewise.report.figures.day_ahead import write_day_ahead

        write_day_ahead(day, unit, figure)


def _rows(result: "Rating") -> dict[str, str]:
    """The permitted load and what it rests on, in lines for people."""
    from agewise.transformer.prognostics.rating import BINDING

    request, permit, ceiling = result.request, result.permit, result.ceiling
    load = f"{permit.load:.2f} p.u. for {request.hours:g} h: {BINDING[permit.binding]}"
    if permit.load == 0:
        load = f"none for {request.hours:g} h: even without load, {BINDING[permit.binding]}"
    return {
        "permitted": load,
        "risk": f"{permit.risk:.3f} that a temperature passes its limit, {request.risk:g} asked",
        "ambient": f"{result.ambient:.1f} °C held, {result.ambient_source}",
        "limits": f"{request.limit}: hot spot {ceiling.hot_spot:g} °C, top oil "
        f"{ceiling.top_oil:g} °C, load {ceiling.load:g} p.u.",
    }


def _table(result: "Rating") -> list[str]:
    """Permitted loads by air temperature and hours; a star where the current's limit binds."""
    lines = ["p.u. at °C" + "".join(f"{f'{hours:g} h':>9}" for hours in result.hours)]
    for ambient, row in zip(result.ambients, result.table, strict=True):
        cells = (
            f"{permit.load:.2f}{'*' if permit.binding == 'current' else ' '}" for permit in row
        )
        lines.append(f"{ambient:>10g}" + "".join(f"{cell:>9}" for cell in cells))
    starred = any("*" in line for line in lines)
    return [*lines, *(["* the guide's limit of the current"] if starred else [])]

"""`agewise rating`: the load that the next hours permit."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Argument, Option

from agewise.cli.console import answer, stage

if TYPE_CHECKING:
    from agewise.assessment.rating.rating import Rating

BINDING = {
    "hot spot": "the hot spot's limit binds",
    "top oil": "the top oil's limit binds",
    "current": "the guide's limit of the current binds",
}
"""Which limit keeps the permitted load from being higher, in words."""

CAUTION = "the rating rests on the nameplate's cooling: with less of it, permit less."
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
    format: Annotated[Literal["text", "json"], Option(help="For people or programs.")] = "text",
) -> None:
    """The largest constant load for the next hours at a stated risk of passing a limit."""
    with stage("Rating"):
        import json

        from agewise.assessment.decision.cooling_verdict import cooling_check
        from agewise.assessment.decision.finding import Finding
        from agewise.assessment.rating.rating import rating as permitted_load
        from agewise.assessment.rating.rating import refuse_undermined
        from agewise.assessment.rating.request import RatingRequest
        from agewise.assessment.stored import assessment_of, summary_of
        from agewise.store.run import load_run

        request = RatingRequest(hours=hours, risk=risk, ambient=ambient, limit=limit)
        stored = load_run(run)
        # The run knows more than its profile, of which it keeps what was repaired.
        summary = summary_of(stored)
        if summary.decision.action == "cannot tell":
            reason, mend = summary.decision.reason, summary.decision.mend
            refuse_undermined([Finding("run", reason, mend=mend)])
        assessment = assessment_of(stored)
        result, cooling = permitted_load(assessment, request), cooling_check(assessment)
    if format == "json":
        told = {"findings": [finding.model_dump(mode="json") for finding in summary.findings]}
        print(json.dumps(result.as_dict() | {"cooling": cooling.as_dict()} | told, indent=2))
        return
    # A rating by the nameplate's cooling would permit too much where the cooling is impaired.
    caution = {"caution": CAUTION} if cooling.alarm else {}
    numbered = enumerate(summary.findings, start=1)
    findings = {f"finding {number}": finding.text for number, finding in numbered}
    answer(findings | _rows(result) | {"cooling": cooling.text} | caution)
    print("\n" + "\n".join(_table(result)))


def _rows(result: "Rating") -> dict[str, str]:
    """The permitted load and what it rests on, in lines for people."""
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

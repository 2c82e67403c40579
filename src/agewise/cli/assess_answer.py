"""The answer of `agewise assess`, in lines for people."""

from typing import TYPE_CHECKING

from agewise.cli.console import duration
from agewise.cli.standards import by_standards

if TYPE_CHECKING:
    from agewise.assessment.answer.life import Life
    from agewise.assessment.answer.scenario import ScenarioLimit
    from agewise.assessment.answer.summary import Decision, Summary

MOSTLY = 0.995
"""Share of measured rows from which on nothing is said of it."""


def rows(unit: str, summary: "Summary") -> dict[str, str]:
    """The answer in lines for people.

    Args:
        unit: Name of the transformer.
        summary: The answer in numbers.
    """
    window, scores = summary.window, summary.scores
    pieces = f", in {window.pieces} windows" if window.pieces > 1 else ""
    share = window.measured_share
    partly = f", {100 * share:.0f} % of it measured" if share < MOSTLY else ""
    lines = {
        "unit": f"{unit}, {window.samples} samples over {duration(window.hours)}{partly}",
        "method": f"{summary.method}, {summary.seconds or 0.0:.1f} s{pieces}",
    }
    if summary.standard == "ieee":
        lines["standard"] = "winding, ageing and life by IEEE C57.91"
    for number, finding in enumerate(summary.findings, start=1):
        lines[f"finding {number}"] = finding.text
    if scores is not None:
        lines["to truth"] = (
            f"{_score(scores.truth.rmse, 3)} K rms, epistemic z "
            f"{_score(scores.split.epistemic_z)}, aleatoric ratio "
            f"{_score(scores.split.aleatoric_ratio_boundary.median)} at the ends"
        )
    if summary.decision.action == "cannot tell":
        return lines | _nothing(summary.decision)
    return lines | _headline(summary)


def _nothing(decision: "Decision") -> dict[str, str]:
    """Two lines instead of a headline where the data undermine it."""
    return {"decision": f"cannot tell. {decision.reason}", "to mend": decision.mend}


def _headline(summary: "Summary") -> dict[str, str]:
    """Six lines: temperature, life used, life left, what to do, from where on to do something
    else, what to measure; and one on how hot a scenario gets."""
    hot, used, decision = summary.hot_spot, summary.loss_of_life, summary.decision
    worst = used.worst
    return {
        "hot spot": f"{hot.mean:.1f} ± {hot.std:.1f} °C at {hot.height:.2f} m, "
        f"{_instant(hot.time)} (± {hot.epistemic_std:.2f} from the oil temperature; "
        f"{by_standards(hot.iec, hot.ieee, lambda value: f'{value:.1f} °C')})",
        **_scenario(summary),
        "life used": f"{duration(worst.mean)} ± {_percent(worst.std, worst.mean)} at "
        f"{worst.height:.2f} m in {duration(summary.window.hours)} "
        f"(± {_percent(worst.field_std, worst.mean)} from the oil temperature; "
        f"{by_standards(used.iec, used.ieee, duration)})",
        "life left": _life_left(summary.life),
        "decision": f"{decision.action}. {decision.reason}",
        **({"to change": decision.changes} if decision.changes else {}),
        "to narrow": decision.narrow_by,
    }


def _scenario(summary: "Summary") -> dict[str, str]:
    """A line on how hot the scenario gets, if there is one."""
    ahead = summary.scenario
    if ahead is None:
        return {}
    low, high = ahead.interval_90
    chances = ", ".join(map(_passed, ahead.limits))
    return {
        "scenario": f"hot spot up to {ahead.mean:.1f} °C, 90 % {low:.1f} to {high:.1f}, at up to "
        f"{ahead.highest_load:.2f} p.u. (chance to pass {chances}; IEC {ahead.iec:.1f} °C)"
    }


def _passed(limit: "ScenarioLimit") -> str:
    """How likely a limit is passed and, where that may well be, for how long."""
    chance = f"{limit.limit:g} °C {100 * limit.probability:.0f} %"
    return f"{chance} for {limit.hours:.0f} h" if limit.hours and limit.hours >= 1 else chance


def _instant(time: str | float) -> str:
    return time if isinstance(time, str) else f"minute {time:g}"


def _percent(part: float, total: float) -> str:
    from agewise.plant.spread import percent_text

    return percent_text(part / total) if total > 0 else "0 %"


def _score(value: float | None, digits: int = 2) -> str:
    """A score; JSON has no infinity, so None stands for it."""
    return "infinite" if value is None else f"{value:.{digits}f}"


def _life_left(life: "Life") -> str:
    years, horizon = life.remaining_years, life.horizon_years

    def words(value: float | None) -> str:
        return f"over {horizon:g}" if value is None else f"{value:.1f}"

    low, high = (words(end) for end in years.interval_90)
    # Null may also mean that IEEE's answer lacks something; years beyond the horizon are said once.
    plain = by_standards(
        years.iec, years.ieee, lambda value: "0.0, all used up" if value == 0 else words(value)
    )
    # Equal words: the interval lies beyond the horizon, or is narrower than a tenth of a year.
    if low == high:
        return f"{low} years ({plain})"
    return f"{words(years.median)} years, 90 % {low} to {high} ({plain})"

"""The answer as a small table for a notebook: what to do, why, three numbers, what was found."""

from html import escape

from agewise.assessment.answer.life import Life
from agewise.assessment.answer.summary import Summary

TONES = {
    "load on": ("#e2f3ee", "#00543d"),
    "watch": ("#fdf2d8", "#6b4900"),
    "act": ("#fbe5d9", "#8a3300"),
    "cannot tell": ("#e8e4f0", "#3b2a63"),
}
"""Ground and letters of an action's badge, as in the report."""
MOST_FINDINGS = 5
"""Findings that are shown; the gravest come first, and the report has them all."""


def card(summary: Summary, unit: str) -> str:
    """The answer in HTML, without scripts or styles that would reach beyond it.

    Args:
        summary: The answer in numbers and words.
        unit: Name of the transformer.
    """
    decision = summary.decision
    ground, letters = TONES[decision.action]
    badge = (
        f'<span style="background:{ground};color:{letters};border:1px solid;border-radius:.3em;'
        f'padding:.1em .6em;font-weight:600">{escape(decision.action.capitalize())}</span>'
    )
    parts = [
        f"<p><b>{escape(unit)}</b>, {escape(summary.window.start)} to "
        f"{escape(summary.window.end)}</p>",
        f"<p>{badge} {escape(decision.reason)}</p>",
        # Where the data undermine every answer, no number stands.
        "" if decision.action == "cannot tell" else _table(_numbers(summary)),
        _finding_list(summary),
        _sentence("To mend", decision.mend),
        _sentence("What would change it", decision.changes),
        _sentence("To know more", decision.narrow_by),
    ]
    return f'<div style="max-width:60em">{"".join(parts)}</div>'


def _numbers(summary: Summary) -> dict[str, tuple[str, str]]:
    """Value and 90 % interval by the name of the quantity."""
    hot, used = summary.hot_spot, summary.loss_of_life.worst
    low, high = hot.interval_90
    least, most = used.interval_90
    return {
        "Remaining life [years]": _remaining(summary.life),
        "Highest hot spot [°C]": (f"{hot.mean:.1f}", f"{low:.1f} to {high:.1f}"),
        f"Life used in {summary.window.hours:.4g} h [h]": (
            f"{used.mean:.3g}",
            f"{least:.3g} to {most:.3g}",
        ),
    }


def _remaining(life: Life) -> tuple[str, str]:
    years, horizon = life.remaining_years, life.horizon_years

    def words(value: float | None) -> str:
        return f"over {horizon:g}" if value is None else f"{value:.1f}"

    low, high = map(words, years.interval_90)
    # Where both ends lie beyond the horizon, they are one and the same.
    return words(years.median), low if low == high else f"{low} to {high}"


def _table(rows: dict[str, tuple[str, str]]) -> str:
    head = "<tr><th></th><th>most likely</th><th>90 % between</th></tr>"
    cells = (
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row)
        + "</tr>"
        for name, row in rows.items()
    )
    return f"<table>{head}{''.join(cells)}</table>"


def _finding_list(summary: Summary) -> str:
    shown = summary.findings[:MOST_FINDINGS]
    more = len(summary.findings) - len(shown)
    lines = "".join(f"<li>{escape(finding.text)}</li>" for finding in shown)
    rest = f"<li>and {more} more</li>" if more else ""
    return f"<ul>{lines}{rest}</ul>" if lines else ""


def _sentence(name: str, text: str) -> str:
    return f"<p><b>{name}:</b> {escape(text)}</p>" if text else ""

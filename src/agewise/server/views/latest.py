"""The latest run of every asset, asked of the catalogue in one question."""

from typing import Any

from sqlalchemy import Case, ColumnElement, Select, case, func, null, select
from sqlalchemy.orm import aliased

from agewise.fleet.catalogue.tables import AlertRow, AssetRow, RunRow
from agewise.server.views.asset_line import STATES, AssetLine, Spread, YearsLeft

Question = Select[*tuple[Any, ...]]
"""A question to the catalogue whose columns are known by their names."""
BEYOND = 1e6
"""Years that stand for a life beyond the horizon where assets are put in order."""
_run, _any = aliased(RunRow), aliased(RunRow)
# Looked up by the index of runs, asset by asset: faster than grouping all runs there ever were.
_newest = (
    select(func.max(_any.id)).where(_any.asset_id == AssetRow.id).correlate(AssetRow)
).scalar_subquery()
_standing = (
    select(func.count())
    .where(AlertRow.asset_id == AssetRow.id, AlertRow.cleared.is_(None))
    .scalar_subquery()
)
STATE: Case[Any] = case(
    (_run.id.is_(None), "not assessed"),
    (_run.status == "done", func.coalesce(_run.action, "cannot tell")),
    else_=_run.status,
)
"""What is advised of an asset, or why nothing is."""


def _answer_or_null(column: Any) -> ColumnElement[Any]:
    """A number of the answer; null where nothing can be told."""
    return case((_run.action == "cannot tell", null()), else_=column)


ORDERS: dict[str, Any] = {
    "risk": _answer_or_null(_run.chance * AssetRow.criticality),
    "life": _answer_or_null(
        case((_run.status == "done", func.coalesce(_run.years_left_median, BEYOND)))
    ),
    "chance": _answer_or_null(_run.chance),
    "hot_spot": _answer_or_null(_run.hot_spot_mean),
    "load": _answer_or_null(_run.load_peak),
    "state": case({state: n for n, state in enumerate(STATES)}, value=STATE),
    "name": func.lower(AssetRow.name),
    "site": func.lower(AssetRow.site),
    "power": _run.rated_power_kva,
    "alerts": _standing,
    "assessed": _run.started,
}
"""What assets can be ordered by."""
_COLUMNS = (
    AssetRow.id, AssetRow.name, AssetRow.site, AssetRow.criticality, STATE.label("state"),
    _run.reason, _run.sentence, _run.hint, _run.rated_power_kva, _run.hot_spot_mean,
    _run.hot_spot_low, _run.hot_spot_high, _run.years_left_median, _run.years_left_low,
    _run.years_left_high, _run.horizon_years, _run.chance, _run.chance_low, _run.chance_high,
    _run.load_peak, _run.cooling_alarm, func.json_array_length(_run.findings).label("findings"),
    _standing.label("alerts"), _run.window_end, _run.started,
)  # fmt: skip


def latest() -> Question:
    """Every asset with its latest run, one row each."""
    return select(*_COLUMNS).join_from(AssetRow, _run, _run.id == _newest, isouter=True)


def matched(chosen: Question, *, search: str, state: str, site: str) -> Question:
    """The assets among these that a visitor looks for."""
    for word in search.split():
        pattern = f"%{_literal(word)}%"
        named = func.lower(AssetRow.id + " " + AssetRow.name + " " + AssetRow.site)
        chosen = chosen.where(named.like(pattern.lower(), escape="\\"))
    if state:
        chosen = chosen.where(STATE.in_([state]))
    return chosen.where(AssetRow.site == site) if site else chosen


def counts_by_state() -> Question:
    """Number of assets of each state."""
    states = select(STATE.label("state"))
    inner = states.join_from(AssetRow, _run, _run.id == _newest, isouter=True).subquery()
    return select(inner.c.state, func.count().label("number")).group_by(inner.c.state)


def line(row: Any) -> AssetLine:
    """A row of `latest` as the list shows it."""
    has_answer = row.state in ("act", "watch", "load on")
    chance = _spread(row.chance, row.chance_low, row.chance_high) if has_answer else None
    return AssetLine(
        id=row.id,
        name=row.name,
        site=row.site,
        criticality=row.criticality,
        state=row.state,
        reason=row.sentence or row.reason or "",
        hint=row.hint or "",
        rated_power_kva=row.rated_power_kva,
        hot_spot=_spread(row.hot_spot_mean, row.hot_spot_low, row.hot_spot_high)
        if has_answer
        else None,
        years_left=_years(row) if has_answer else None,
        horizon_years=row.horizon_years,
        chance=chance,
        risk=None if chance is None else chance.mean * row.criticality,
        load_peak=row.load_peak if has_answer else None,
        cooling_alarm=bool(row.cooling_alarm),
        findings=row.findings or 0,
        alerts=row.alerts,
        window_end=row.window_end,
        assessed=row.started,
    )


def _spread(mean: float | None, low: float | None, high: float | None) -> Spread | None:
    if mean is None:
        return None
    return Spread(mean=mean, low=low, high=high)


def _years(row: Any) -> YearsLeft:
    return YearsLeft(median=row.years_left_median, low=row.years_left_low, high=row.years_left_high)


def _literal(word: str) -> str:
    """A word in which the signs of a pattern stand for themselves."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")

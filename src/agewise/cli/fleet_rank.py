"""`agewise fleet rank`: which assets to look at first, and what to measure."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from agewise.cli.console import printable, stage
from agewise.cli.fleet_assess import CatalogueUrl

if TYPE_CHECKING:
    from agewise.fleet.ranking.measuring import Measurement
    from agewise.fleet.ranking.order import Order
    from agewise.fleet.ranking.place import Place

HEADS = {
    "risk": ("chance", "risk", "90 % between"),
    "life": ("chance", "years left", "90 % between"),
    "overload": ("h above", "hot spot °C", "90 % between"),
    "data": ("findings", "missing", ""),
}
"""Heads of the columns that a list has beside place, asset, site and action, by what it ranks."""
LEAST_RISK = 1e-4
"""Risk below which it is shown as none: no draw tells such a chance from none."""
LONGEST_WHY = 100
"""Most characters of why an asset is left out."""


def rank(
    *,
    directory: Annotated[Path, Argument(metavar="DIR", help="Folder of an assessed fleet.")],
    by: Annotated[
        Literal["risk", "life", "overload", "data"],
        Option(
            help="risk: chance of end of life within 10 years x criticality; life: fewest years "
            "left; overload: hottest; data: least measured."
        ),
    ] = "risk",
    budget: Annotated[
        int | None,
        Option(min=1, help="Name so many measurements that would change the list by risk most."),
    ] = None,
    top: Annotated[int, Option(min=1, help="Assets of the list that are shown.")] = 20,
    form: Annotated[
        Literal["text", "json"], Option("--format", help="text for people, json for programs.")
    ] = "text",
    catalogue: CatalogueUrl = None,
) -> None:
    """Which assets to look at first, how sure that order is, and what to measure to be surer."""
    with stage("Ranking the fleet"):
        from agewise.fleet.extra import refuse_missing_parts

        refuse_missing_parts("sqlalchemy", "alembic")
        from agewise.fleet.catalogue.catalogue import Catalogue
        from agewise.fleet.ranking.measuring import measurements
        from agewise.fleet.ranking.order import order_of

        with Catalogue(catalogue or directory, make=False) as opened:
            order = order_of(opened, directory, by)
            by_risk = order if by == "risk" or budget is None else order_of(opened, directory)
        wanted = [] if budget is None else measurements(by_risk, directory, budget)
    if form == "json":
        print(json.dumps(_json(order, wanted), indent=2))
        return
    _print_list(order, top)
    if budget is not None:
        _print_measurements(wanted)


def _print_list(order: "Order", top: int) -> None:
    for asset, why in order.look_first.items():
        print(printable(f"look first: {asset}, {why}"[:LONGEST_WHY]))
    first, value, interval = HEADS[order.by]
    rows = [("", "asset", "site", "action", first, value, interval, "before the next")]
    for number, (place, right) in enumerate(zip(order.places, order.right, strict=True), start=1):
        cells = (place.asset.id, place.asset.site, place.run.action or "", *_cells(order.by, place))
        rows.append((f"{number}", *cells, "" if right is None else f"{100 * right:.0f} %"))
    _print_table(rows[: top + 1])
    hidden = len(order.places) - top
    if hidden > 0:
        print(f"and {hidden} more")
    for asset, why in list(order.left_out.items())[:top]:
        print(printable(f"not ranked: {asset}, {why}"[:LONGEST_WHY]))


def _cells(by: str, place: "Place") -> tuple[str, str, str]:
    """The three columns of a list that depend on what it ranks."""
    run = place.run
    if by == "data":
        return f"{len(run.findings)}", f"{100 * place.value:.1f} %", ""
    if by == "overload":
        hours = f"{run.limit_hours or 0:.1f}"
        return hours, f"{place.value:.0f}", f"{place.low:.0f} to {place.high:.0f}"
    chance = f"{100 * (run.chance or 0):.0f} %"
    if by == "life":
        low, high = (math.exp(-end) for end in (place.high, place.low))
        return chance, _years(run.years_left_median), f"{low:.1f} to {_years(high)}"
    return chance, _risk(place.value), f"{_risk(place.low)} to {_risk(place.high)}"


def _risk(value: float) -> str:
    return f"{value:.3g}" if value >= LEAST_RISK else "0"


def _years(value: float | None) -> str:
    from agewise.assessment.life.effort import FULL

    beyond = value is None or value > FULL.horizon
    return f"over {FULL.horizon}" if beyond else f"{value:.1f}"


def _print_measurements(wanted: "list[Measurement]") -> None:
    if not wanted:
        print("\nno measurement would move an asset in this list")
        return
    rows = [("measure", "of asset", "places moved", "risk moved", "doubt taken away")]
    for measurement in wanted:
        numbers = (
            f"{measurement.places:.1f}",
            f"{measurement.risk:.3g}",
            f"up to {100 * measurement.share:.0f} %",
        )
        rows.append((measurement.what, measurement.asset, *numbers))
    print()
    _print_table(rows)


def _print_table(rows: list[tuple[str, ...]]) -> None:
    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in shown) for column in range(len(shown[0]))]
    for row in shown:
        print(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def _json(order: "Order", wanted: "list[Measurement]") -> dict[str, Any]:
    places = [
        {
            "asset": place.asset.id,
            "name": place.asset.name,
            "site": place.asset.site,
            "action": place.run.action,
            "value": place.value,
            "interval_90": [place.low, place.high],
            "right_before_next": right,
        }
        for place, right in zip(order.places, order.right, strict=True)
    ]
    measured = [vars(measurement) for measurement in wanted]
    return {
        "by": order.by,
        "places": places,
        "look_first": order.look_first,
        "left_out": order.left_out,
        "measurements": measured,
    }

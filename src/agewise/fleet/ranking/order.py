"""Assets in order, and the probability that each comes rightly before the next."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from agewise.errors import InputError
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow
from agewise.fleet.ranking.place import By, Place, place_of

UNTOLD = "cannot tell"
"""Action of a run whose data undermine every number."""


@dataclass(frozen=True, eq=False)
class Order:
    """A ranked fleet."""

    by: By
    """What it is ranked by."""
    places: list[Place]
    """The assets, the first to look at first."""
    right: list[float | None]
    """For each place, the probability that it comes rightly before the next one; None for the last
    one, and where there is nothing to tell it from."""
    look_first: dict[str, str]
    """Assets whose readings undermine every number, and why: lost cooling beyond what can be told,
    heat that no unit survives, a broken thermometer. Somebody must look before anything else."""
    left_out: dict[str, str]
    """Other assets without a number to be ranked by, and why."""


def order_of(catalogue: Catalogue, directory: Path, by: By = "risk") -> Order:
    """The assets of a fleet in order.

    Args:
        catalogue: The catalogue of the fleet.
        directory: Folder of the fleet.
        by: What to rank by; see `place_of`.
    """
    latest = catalogue.latest_runs()
    assets_and_runs = [(asset, latest.get(asset.id)) for asset in catalogue.assets()]
    look_first = {
        asset.id: f"{UNTOLD}: {run.reason}"
        for asset, run in assets_and_runs
        # Where the readings undermine every number, there is much to say of the data.
        if run is not None and run.status == "done" and run.action == UNTOLD and by != "data"
    }
    left_out = {asset.id: why for asset, run in assets_and_runs if (why := _why_not(run))}
    places = [
        _place(asset, run, directory, by, left_out)
        for asset, run in assets_and_runs
        if run is not None and asset.id not in look_first | left_out
    ]
    ranking = sorted((place for place in places if place is not None), key=_key)
    return Order(by, ranking, neighbours(ranking), look_first, left_out)


def _place(
    asset: AssetRow, run: RunRow, directory: Path, by: By, left_out: dict[str, str]
) -> Place | None:
    try:
        return place_of(asset, run, directory, by)
    except (InputError, KeyError) as error:  # its folder is gone or damaged
        left_out[asset.id] = getattr(error, "sentence", f"its run lacks {error}")
        return None


def _why_not(run: RunRow | None) -> str:
    """Why an asset has no run to be ranked by; empty where it has one."""
    if run is None:
        return "it was never assessed"
    return "" if run.status == "done" else f"{run.status}: {run.sentence}"


def _key(place: Place) -> tuple[float, float, float, str]:
    # Equal numbers: the one that may be worse comes first, then by id, so that there is one order.
    return -place.value, -place.tie, -place.high, place.asset.id


def neighbours(places: Sequence[Place]) -> list[float | None]:
    """For each place, the probability that it comes rightly before the next one."""
    if not places:
        return []
    return [*(before(first, second) for first, second in pairwise(places)), None]


def before(first: Place, second: Place) -> float | None:
    r"""The probability $P(A > B) + P(A = B) / 2$ that the first's own number is the larger one.

    Assets count as independent: what all share, such as the ageing law, moves both alike.
    """
    # Two numbers of 0 are in order by how unlikely they are, of which draws know nothing.
    if not first.draws.size or not second.draws.size or first.value == second.value == 0:
        return None
    theirs = np.sort(second.draws)
    below = np.searchsorted(theirs, first.draws, side="left")
    up_to = np.searchsorted(theirs, first.draws, side="right")
    return float((below + up_to).mean() / (2 * theirs.size))

"""`agewise watch`: the day's readings of a fleet, and alerts about them."""

import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from agewise.cli.console import answer, printable, stage
from agewise.errors import InputError

if TYPE_CHECKING:
    from agewise.fleet.watch.fleet_watch import Round

UNITS_S = {"m": 60.0, "h": 3600.0, "d": 86_400.0}
"""Seconds of the units in which a time between two rounds is given."""
SHORTEST_S = 60.0
"""Least time between two rounds [s]: oil changes over hours."""
MOST_NAMED = 10
"""Most units that are named one by one; the catalogue has them all."""


def watch(
    directory: Annotated[Path, Argument(help="Folder that agewise fleet assess wrote.")],
    every: Annotated[
        str | None,
        Option(help="Time between two rounds, as 30m, 6h or 1d; one round, for cron, if left out."),
    ] = None,
    post: Annotated[
        str | None, Option(help="URL to which every alert is posted as JSON, once.")
    ] = None,
    catalogue: Annotated[
        str | None,
        Option(
            envvar="AGEWISE_CATALOGUE",
            help="URL of the catalogue, as postgresql://user@host/fleet; a file in DIRECTORY if "
            "left out.",
        ),
    ] = None,
) -> None:
    """Look at a fleet's new readings: life used, and alerts, each raised and cleared once."""
    from agewise.fleet.extra import refuse_missing_parts

    refuse_missing_parts("sqlalchemy", "alembic")
    from agewise.fleet.catalogue.catalogue import Catalogue
    from agewise.fleet.watch.fleet_watch import watch_round
    from agewise.fleet.watch.outbox import checked_url

    seconds = None if every is None else parsed_time(every)
    post = None if post is None else checked_url(post)
    with Catalogue(catalogue or directory, make=False) as opened:
        while True:
            begun = time.monotonic()
            with stage("Looking at new readings"):
                done = watch_round(directory, opened, post=post, notify=_notify)
            answer(_rows(done))
            if seconds is None:
                return
            sys.stdout.flush()
            time.sleep(max(0.0, seconds - (time.monotonic() - begun)))


def parsed_time(text: str) -> float:
    """Seconds between two rounds, from `30m`, `6h` or `1d`."""
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([mhd])", text.strip())
    seconds = float(match[1]) * UNITS_S[match[2]] if match else 0.0
    if seconds < SHORTEST_S:
        raise InputError(
            f"{text!r} is no time between two rounds.",
            hint="give `every` as 30m, 6h or 1d; a minute is the shortest.",
        )
    return seconds


def _notify(sentence: str) -> None:
    print(printable(sentence), file=sys.stderr)


def _rows(done: "Round") -> dict[str, str]:
    """A round in a few lines."""
    rows = {"looked at": f"{len(done.looked)} units with new readings, {len(done.still)} without"}
    for number, (name, reason) in enumerate(done.raised[:MOST_NAMED], start=1):
        rows[f"raised {number}"] = f"{name}: {reason}"
    for number, (name, kind) in enumerate(done.cleared[:MOST_NAMED], start=1):
        rows[f"cleared {number}"] = f"{name}: {kind}"
    for number, (name, why) in enumerate(list(done.left_out.items())[:MOST_NAMED], start=1):
        rows[f"left out {number}"] = f"{name}: {why}"
    if len(done.left_out) > MOST_NAMED:
        rows["left out"] = f"{len(done.left_out)} in all"
    if done.posted:
        rows["posted"] = f"{done.posted} messages"
    return rows

"""Permitted loads, worked out by one process at a time and remembered."""

import json
import tempfile
from collections import OrderedDict
from pathlib import Path
from threading import Lock, Semaphore
from typing import Any

from agewise.assessment.rating.request import RatingRequest
from agewise.server.answers import ProblemError
from agewise.server.work.bounded import Bounds, ending_of
from agewise.store.run import MANIFEST

CHILD, RESULT, LOG = "agewise.server.work.rating_child", "rating.json", "log.txt"
"""Module that works out a rating in a process of its own, and the files that it leaves."""
BOUNDS = Bounds(seconds=120.0, megabytes=3000.0)
"""What a rating may cost; a few seconds and 500 MB are usual."""
MOST_KEPT, MOST_WAITING = 500, 8
"""Ratings that are remembered, and visitors that may wait for one."""


class Ratings:
    """Works out permitted loads, one at a time."""

    def __init__(self):
        self._kept: OrderedDict[tuple[object, ...], dict[str, Any]] = OrderedDict()
        self._lock, self._turn = Lock(), Lock()
        self._seats = Semaphore(MOST_WAITING)

    def rating(self, folder: Path, request: RatingRequest) -> dict[str, Any]:
        """What `agewise rating --format json` gives for a run."""
        key = folder, (folder / MANIFEST).stat().st_mtime_ns, request
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        if not self._seats.acquire(blocking=False):
            raise ProblemError(503, "Too many ratings are being computed.", "try again soon.")
        try:
            with self._turn:
                result = _worked_out(folder, request)
        finally:
            self._seats.release()
        with self._lock:
            self._kept[key] = result
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return result


def _worked_out(folder: Path, request: RatingRequest) -> dict[str, Any]:
    order = {
        "run": str(folder),
        "hours": request.hours,
        "risk": request.risk,
        "ambient": request.ambient,
        "limit": request.limit,
        "megabytes": BOUNDS.megabytes,
    }
    with tempfile.TemporaryDirectory() as work:
        place = Path(work)
        ending = ending_of(CHILD, [json.dumps(order)], BOUNDS, folder=place, log=place / LOG)
        if ending.kind != "done":
            raise ProblemError(
                503, "This rating could not be computed.", "try fewer hours, or again later."
            )
        result = json.loads((place / RESULT).read_bytes())
    if "error" in result:
        raise ProblemError(422, result["error"], result["hint"])
    return result

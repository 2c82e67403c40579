"""Uploads one after the other: each worked on by its own process, then put into the catalogue."""

import json
import logging
import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from agewise.server.answers import ProblemError
from agewise.server.settings import UploadLimits
from agewise.server.work.bounded import Bounds, Ending, ending_of
from agewise.server.work.child import NO_MEMORY
from agewise.server.work.upload import (
    JOB,
    LOG,
    PROGRESS,
    WORDS,
    Upload,
    folder_of,
    read_upload,
    write_upload,
)

CHILD = "agewise.server.work.child"
"""Module that works on an upload in a process of its own."""
log = logging.getLogger("agewise.server")


class Desk:
    """Takes uploads and works on them in the order in which they came."""

    def __init__(
        self,
        uploads: Path,
        limits: UploadLimits,
        accepted: Callable[[Upload, Path, float], None],
    ):
        """Begin to work.

        Args:
            uploads: Folder of the uploads.
            limits: What an upload may cost.
            accepted: Called with an upload, its folder and its time [s] once its run is finished.
        """
        self.uploads = uploads
        self.limits = limits
        self._accepted = accepted
        self._waiting: dict[str, Future[None]] = {}
        self._lock = Lock()
        self._workers = ThreadPoolExecutor(1, thread_name_prefix="uploads")
        self._tell_of_the_interrupted()

    def refuse_crowd(self) -> None:
        """Refuse another upload while too many wait."""
        with self._lock:
            self._waiting = {i: f for i, f in self._waiting.items() if not f.done()}
            crowded = len(self._waiting) >= self.limits.waiting
        if crowded:
            raise ProblemError(
                503, f"{self.limits.waiting} uploads are waiting already.", "try again later."
            )

    def take(self, upload: Upload, folder: Path) -> None:
        """Take an upload whose files lie in a folder; its turn will come."""
        write_upload(folder, upload)
        with self._lock:
            self._waiting[upload.id] = self._workers.submit(self._work, upload, folder)

    def upload(self, upload_id: str) -> Upload:
        """An upload as far as it is; refused where there is none."""
        return read_upload(folder_of(self.uploads, upload_id))

    def all(self) -> list[Upload]:
        """Every upload, the latest first."""
        folders = sorted(self.uploads.glob(f"*/{JOB}"), reverse=True)
        return [read_upload(path.parent) for path in folders]

    def wait(self, upload_id: str, seconds: float) -> None:
        """Wait for the end of an upload, for instance in a test."""
        with self._lock:
            future = self._waiting.get(upload_id)
        if future is not None:
            future.result(seconds)

    def close(self) -> None:
        """Finish what is being worked on; what waits is told to be sent again at the next start."""
        self._workers.shutdown(cancel_futures=True)

    def _work(self, upload: Upload, folder: Path) -> None:
        try:
            ended = self._ended(upload, folder)
        except Exception:
            log.exception("upload %s failed", upload.id)
            ended = _broken(upload)
        write_upload(folder, ended)
        if ended.stage != "done":
            for file in upload.files:  # nobody looks at what was refused
                (folder / file).unlink(missing_ok=True)
            shutil.rmtree(folder / "run", ignore_errors=True)

    def _ended(self, upload: Upload, folder: Path) -> Upload:
        limits = self.limits
        order = {
            "file": upload.files[0],
            "method": upload.method,
            "quick": upload.quick,
            "rows": limits.rows,
            "megabytes": limits.memory_megabytes,
        }
        bounds = Bounds(limits.seconds, limits.memory_megabytes)
        ending = ending_of(CHILD, [json.dumps(order)], bounds, folder=folder, log=folder / LOG)
        log.info(
            "upload %s: %s, %.1f s, %.0f MB",
            upload.id, ending.kind, ending.seconds, ending.peak_megabytes,
        )  # fmt: skip
        ended = self._outcome(upload, folder, ending)
        if ended.stage == "done":
            self._accepted(ended, folder, ending.seconds)
        return ended

    def _outcome(self, upload: Upload, folder: Path, ending: Ending) -> Upload:
        """What the process found, or why it was ended."""
        if ending.kind == "too large":
            update = {"stage": "refused", "sentence": NO_MEMORY.sentence, "hint": NO_MEMORY.hint}
        elif ending.kind == "too long":
            sentence = f"The record takes longer than the {self.limits.seconds:g} s of an upload."
            update = {"stage": "refused", "sentence": sentence, "hint": NO_MEMORY.hint}
        elif ending.kind == "broken":
            return _broken(upload, ending.seconds)
        else:
            update = json.loads((folder / PROGRESS).read_bytes())
        update = {"sentence": WORDS[update["stage"]], "seconds": ending.seconds} | update
        return Upload.model_validate(upload.model_dump() | update)

    def _tell_of_the_interrupted(self) -> None:
        """Uploads that a server did not finish before it was stopped will never be."""
        for path in self.uploads.glob(f"*/{JOB}"):
            upload = read_upload(path.parent)
            if not upload.is_over:
                update = {
                    "stage": "failed",
                    "sentence": "The server was stopped before this was done.",
                    "hint": "send it again.",
                }
                write_upload(path.parent, Upload.model_validate(upload.model_dump() | update))


def _broken(upload: Upload, seconds: float | None = None) -> Upload:
    """An upload on which we failed; the log has what the page does not tell."""
    update = {
        "stage": "failed",
        "sentence": "The assessment failed; this is an error of agewise, not of the files.",
        "hint": "the administrator finds the reason in the log of this upload.",
        "seconds": seconds,
    }
    return Upload.model_validate(upload.model_dump() | update)

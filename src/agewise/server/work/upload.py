"""An upload: a record and a nameplate in a folder of their own, and what becomes of them."""

import json
import re
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ValidationError

from agewise.files import write_text
from agewise.reading.files import SUFFIXES
from agewise.server.answers import missing

Stage = Literal["waiting", "reading", "assessing", "done", "refused", "failed"]
"""How far an upload is."""
FINAL = ("done", "refused", "failed")
"""Stages after which nothing more happens."""
JOB, PROGRESS, LOG, RUN = "upload.json", "progress.json", "child.log", "run"
"""Names in the folder of an upload: what it is, how far it is, what was printed, its run."""
NAMEPLATE = "nameplate.toml"
"""Name of the nameplate in that folder."""
LONGEST_NAME = 80
"""Most characters of a file's name that are kept."""
WORDS: dict[str, str] = {
    "waiting": "It waits for its turn.",
    "reading": "The files are read and checked.",
    "assessing": "The record is assessed; this takes from seconds to minutes.",
    "done": "It is done.",
    "refused": "The files cannot be used.",
    "failed": "The assessment failed.",
}
"""What each stage means."""


class Upload(BaseModel):
    """A record and a nameplate that somebody sent, and how far they are."""

    id: str
    """Random name of the upload."""
    asset: str
    """The asset that it becomes, or belongs to."""
    name: str
    """Name of that asset for people."""
    site: str = ""
    """Where it stands."""
    criticality: float = 1.0
    """What its end would cost, in the fleet's own unit."""
    files: list[str]
    """Names of the files that were sent, the nameplate last."""
    method: str = "exact"
    """Name of the inference method."""
    quick: bool = True
    """Whether a rougher answer was asked for, sooner."""
    sent: datetime
    """When it was sent (UTC)."""
    sent_by: str
    """Who sent it."""
    stage: Stage = "waiting"
    """How far it is."""
    sentence: str = WORDS["waiting"]
    """The same in a sentence; why, where it was refused or failed."""
    hint: str = ""
    """What to do about a refusal."""
    seconds: float | None = None
    """Time that the work took [s]; null while it lasts."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens."""
        return self.stage in FINAL


def new_id() -> str:
    """A name that nobody guesses and no other upload has."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(8)}"


def kept_name(given: str) -> str | None:
    """A file's name without anything that a path could be made of; None for unknown kinds."""
    name = re.sub(r"[^\w. -]", "_", given.replace("\\", "/").rsplit("/", 1)[-1])
    name = name.lstrip(". ")[-LONGEST_NAME:]
    return name if name.lower().endswith(SUFFIXES) and len(name) > len(".csv") else None


def folder_of(uploads: Path, upload_id: str) -> Path:
    """The folder of an upload; refused where there is none."""
    # A strict pattern, so that no path can be written with it.
    if not re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{16}", upload_id):
        raise missing(f"upload {upload_id!r}", "check the address.")
    folder = uploads / upload_id
    if not (folder / JOB).is_file():
        raise missing(f"upload {upload_id!r}", "check the address.")
    return folder


def read_upload(folder: Path) -> Upload:
    """An upload with the stage that its work has reached."""
    upload = Upload.model_validate_json((folder / JOB).read_bytes())
    if upload.is_over:
        return upload
    try:
        stage = json.loads((folder / PROGRESS).read_bytes())["stage"]
        # The process has ended, but its asset is not in the catalogue yet.
        stage = "assessing" if stage in FINAL else stage
        return Upload.model_validate(
            upload.model_dump() | {"stage": stage, "sentence": WORDS[stage]}
        )
    except (OSError, ValueError, KeyError, ValidationError):  # not begun yet
        return upload


def write_upload(folder: Path, upload: Upload) -> None:
    """Keep what is known of an upload."""
    write_text(folder / JOB, upload.model_dump_json(indent=2))

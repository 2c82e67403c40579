"""Run as a process of its own: reads what was sent and assesses it, within its bounds.

What it finds is written to `progress.json`; whatever it prints goes to the administrator's log.
"""

import json
import sys
from pathlib import Path
from typing import Any

from agewise.errors import InputError
from agewise.files import write_text
from agewise.server.work.bounded import bound_memory
from agewise.server.work.upload import NAMEPLATE, PROGRESS, RUN

NO_MEMORY = InputError(
    "The record needs more memory than an upload may have.",
    hint="send a shorter record, or assess it with agewise assess.",
)


def main(words: list[str]) -> None:
    """Assess the upload in the current folder.

    Args:
        words: What is to be done, as JSON: file, method, quick, rows, memory.
    """
    order = json.loads(words[0])
    bound_memory(order["megabytes"])
    try:
        _tell("reading")
        _assess(order)
        _tell("done")
    except InputError as error:
        _tell("refused", sentence=error.sentence, hint=error.hint)
    except MemoryError:
        _tell("refused", sentence=NO_MEMORY.sentence, hint=NO_MEMORY.hint)


def _tell(stage: str, **more: str) -> None:
    write_text(Path(PROGRESS), json.dumps({"stage": stage} | more))


def _assess(order: dict[str, Any]) -> None:
    # Relative names, so that no sentence tells where on the disk a file is.
    profile, nameplate = Path(order["file"]), Path(NAMEPLATE)
    from agewise.plant.nameplate_file import read_nameplate
    from agewise.reading.profile_file import read_profile

    unit = read_nameplate(nameplate)
    rows = read_profile(profile, rated=unit.rated()).seconds.size
    if rows > order["rows"]:
        raise InputError(
            f"{profile} has {rows} rows, and an upload may have {order['rows']}.",
            hint="send a shorter record, or one with fewer readings an hour.",
        )
    _tell("assessing")
    from agewise.assessment.oil.settings import Settings
    from agewise.assessment.runs import assessed_run

    settings = Settings(method=order["method"], quick=order["quick"])
    # Without a report: the page of the asset says the same, and its figures would take longer to
    # draw than a quick answer takes.
    assessed_run(profile, nameplate, Path(RUN), settings)


if __name__ == "__main__":
    main(sys.argv[1:])

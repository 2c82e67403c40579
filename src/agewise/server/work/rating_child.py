"""Run as a process of its own: the permitted load of a run, written to `rating.json`."""

import json
import sys
from pathlib import Path
from typing import Any

from agewise.errors import InputError
from agewise.files import write_text
from agewise.server.work.bounded import bound_memory

RESULT = "rating.json"
"""File for what was found."""


def main(words: list[str]) -> None:
    """Work out a rating.

    Args:
        words: What is asked for, as JSON: run, hours, risk, ambient, limit.
    """
    order = json.loads(words[0])
    bound_memory(order["megabytes"])
    try:
        result = _rating_result(order)
    except InputError as error:
        result = {"error": error.sentence, "hint": error.hint}
    write_text(Path(RESULT), json.dumps(result))


def _rating_result(order: dict[str, Any]) -> dict[str, Any]:
    from agewise.assessment.decision.cooling_verdict import cooling_check
    from agewise.assessment.decision.finding import Finding
    from agewise.assessment.rating.rating import rating, refuse_undermined
    from agewise.assessment.rating.request import RatingRequest
    from agewise.assessment.stored import assessment_of, summary_of
    from agewise.store.run import load_run

    asked = RatingRequest(order["hours"], order["risk"], order["ambient"], order["limit"])
    run = load_run(Path(order["run"]))
    decision = summary_of(run).decision
    # A run keeps what was repaired, so its summary may know more than what is read back.
    if decision.action == "cannot tell":
        refuse_undermined([Finding("run", decision.reason, mend=decision.mend)])
    assessment = assessment_of(run)
    permitted = rating(assessment, asked)
    return permitted.as_dict() | {"cooling": cooling_check(assessment).as_dict()}


if __name__ == "__main__":
    main(sys.argv[1:])

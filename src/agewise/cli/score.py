"""`agewise score`: a finished run against a twin's truth."""

import json
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from agewise.cli.console import stage


def score(
    run: Annotated[Path, Argument(help="Folder of a finished run.")],
    truth: Annotated[Path, Option(help="The truth.nc of the twin that was assessed.")],
) -> None:
    """Every score of a run, as JSON."""
    with stage("Scoring"):
        from agewise.assessment.field import scored
        from agewise.assessment.stored import assessment_of
        from agewise.store.run import load_run
        from agewise.twin.truth_file import read_truth, refuse_other_truth

        assessment, known = assessment_of(load_run(run)), read_truth(truth)
        refuse_other_truth(assessment.profile, known)
        scores = scored(assessment, known).as_dict()
    print(json.dumps(scores, indent=2))

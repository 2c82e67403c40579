"""`agewise predict`: a finished run, asked at points."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from agewise.cli.console import stage
from agewise.cli.overwrite import writes


@writes("out")
def predict(
    run: Annotated[Path, Argument(help="Folder of a finished run.")],
    at: Annotated[
        Path, Option(help="CSV or Parquet file: time, height (as a fraction of the tank).")
    ],
    out: Annotated[Path | None, Option(help="CSV or Parquet file; printed if left out.")] = None,
) -> None:
    """Oil temperature and both standard deviations at points of time and height."""
    with stage("Predicting"):
        import sys

        from agewise.assessment.predictions import predictions_at
        from agewise.assessment.stored import assessment_of
        from agewise.plant.tables import read_table, write_table
        from agewise.store.run import load_run

        points = read_table(at, text_columns=("time",))
        table = predictions_at(assessment_of(load_run(run)), points, where=str(at))
        if out is not None:
            write_table(table, out)
    # After the stage, whose spinner shares the terminal with the table.
    if out is None:
        table.to_csv(sys.stdout, index=False, float_format="%.5g")
    else:
        print(f"written  {out}")

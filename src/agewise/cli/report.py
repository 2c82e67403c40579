"""`agewise report`: the page of a finished run, written anew, and one page for a manager."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from agewise.cli.console import stage


def report(
    run: Annotated[Path, Argument(help="Folder of a finished run.")],
    pdf: Annotated[
        bool, Option("--pdf", help="Write report.pdf too: the answer on one page of A4.")
    ] = False,
) -> None:
    """Write the report of a finished run again; its numbers do not change."""
    with stage("Writing the report"):
        from agewise.report.page.page import PAGE, write_page
        from agewise.report.stored import stored_inputs
        from agewise.store.run import PDF, load_run

        inputs = stored_inputs(load_run(run))
        write_page(inputs, run)
        if pdf:
            from agewise.report.one_page.one_page import write_pdf

            write_pdf(inputs, run / PDF)
    print(f"written  {run / PAGE}" + (f", {run / PDF}" if pdf else ""))

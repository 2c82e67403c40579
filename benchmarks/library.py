"""The page of the benchmark in the documentation, from the cells that are kept here."""

import argparse
from pathlib import Path

from agewise.benchmark.page.page import write_documents
from agewise.benchmark.results import Results

HERE = Path(__file__).parent
CELLS, DOCS = HERE / "cells" / "library", HERE.parent / "docs"
"""What `agewise benchmark --cells` has left, and where the pages are that are made of it."""


def main() -> None:
    """Write the page with its pictures, and the lines on that of choices."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    write_documents(Results(CELLS), DOCS)


if __name__ == "__main__":
    main()

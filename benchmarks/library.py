"""The page of the benchmark in the documentation, from the cells that are kept here."""

import argparse
from pathlib import Path

from agewise.benchmark.page import write_document
from agewise.benchmark.results import Results

HERE = Path(__file__).parent
CELLS, PAGE = HERE / "cells", HERE.parent / "docs" / "benchmark.md"
"""What `agewise benchmark --cells` has left, and what is made of it."""


def main() -> None:
    """Write the page and its pictures."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    write_document(Results(CELLS), PAGE)
    print(PAGE)


if __name__ == "__main__":
    main()

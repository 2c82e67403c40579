"""What the second process of a report is asked to do.

It finds these functions by their names, and loads this module for them: nothing of the assessment,
whose JAX takes a second to load, and matplotlib only when it draws.
"""

from collections.abc import Mapping
from pathlib import Path

from agewise.report.inputs import KnownField, ReportInputs


def field_drawn(field: KnownField) -> dict[str, bytes]:
    """The figures of a field as PNG files, by name."""
    from agewise.report.figures.catalogue import pngs_of_field

    return pngs_of_field(field)


def page_written(inputs: ReportInputs, folder: Path, drawn: Mapping[str, bytes]) -> None:
    """Write the page into a folder, with the figures that were drawn before."""
    from agewise.report.page.page import write_page

    write_page(inputs, folder, drawn)

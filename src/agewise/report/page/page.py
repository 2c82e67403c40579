"""One page that stands alone: the answer in words, then the figures behind it."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, runtime_checkable

from jinja2 import Environment, PackageLoader, StrictUndefined

from agewise.files import replacing, write_text
from agewise.report.figures.catalogue import ReportFigure, figures
from agewise.report.inputs import ReportInputs
from agewise.report.page.answer import answer
from agewise.report.page.brief import brief
from agewise.report.page.glossary import GLOSSARY
from agewise.report.page.headlines import OIL_ONLY
from agewise.report.page.known import known_unit
from agewise.report.page.sections import (
    cooling,
    findings,
    introduction,
    limits,
    provenance,
    used_by_height,
)

PAGE, FIGURES = "report.html", "figures"
"""Names of the page and of the folder of its figures."""
TEMPLATE, STYLE = "page.html", "page.css"
"""Names of the template that includes all others, and of the style sheet."""


@runtime_checkable
class FigureWords(Protocol):
    """What a page says around a figure."""

    @property
    def name(self) -> str:
        """Its place on the page."""
        ...

    @property
    def title(self) -> str:
        """Heading over it."""
        ...

    @property
    def caption(self) -> str:
        """Text under it, which says how to read it."""
        ...

    @property
    def alternative(self) -> str:
        """Text for a reader who cannot see it."""
        ...


@dataclass(frozen=True)
class Picture:
    """A drawn figure as the page shows it."""

    figure: FigureWords
    """Its title, caption and alternative text."""
    data: str
    """The PNG file in base 64, so that the page needs no other file."""

    @classmethod
    def of(cls, figure: FigureWords, content: bytes) -> "Picture":
        """A figure and its PNG file."""
        return cls(figure, base64.b64encode(content).decode())


def write_page(
    inputs: ReportInputs, folder: Path, drawn_before: Mapping[str, bytes] | None = None
) -> None:
    """Write `report.html`, which holds its figures, and the same figures as PNG files.

    Args:
        inputs: What the report is made from.
        folder: Where both go.
        drawn_before: Figures by name that were drawn already, as PNG files.
    """
    earlier_figures = drawn_before or {}
    # Before anything is written, and once for both the page and the folder.
    drawn = {
        figure: earlier_figures.get(figure.name) or figure.png(inputs) for figure in figures(inputs)
    }
    for figure, content in drawn.items():
        with replacing(folder / FIGURES / f"{figure.name}.png") as temporary:
            temporary.write_bytes(content)
    write_text(folder / PAGE, page(inputs, drawn))


def page(inputs: ReportInputs, drawn: Mapping[ReportFigure, bytes]) -> str:
    """The page as text.

    Args:
        inputs: What the report is made from.
        drawn: The figures in their order, each with its PNG file.
    """
    return (
        environment()
        .get_template(TEMPLATE)
        .render(
            unit=inputs.nameplate.name,
            introduction=introduction(inputs),
            answer=answer(inputs),
            brief=brief(inputs),
            glossary=GLOSSARY,
            findings=findings(inputs),
            limits=limits(inputs),
            cooling=cooling(inputs),
            cooling_text=inputs.summary.cooling.text,
            known=known_unit(inputs),
            heights=used_by_height(inputs),
            oil_only=OIL_ONLY,
            pictures=[Picture.of(figure, content) for figure, content in drawn.items()],
            provenance=provenance(inputs),
        )
    )


@cache
def environment() -> Environment:
    """The templates of this page. Every text is escaped, and a name that nobody gives fails."""
    return Environment(
        loader=PackageLoader("agewise.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

"""One page that stands alone: the answer in words, then the figures behind it."""

from collections.abc import Mapping
from pathlib import Path
from string import Template

from agewise.files import replacing, write_text
from agewise.report.figures.catalogue import Plate, plates
from agewise.report.inputs import ReportInputs
from agewise.report.page.answer import answer
from agewise.report.page.html import Html, element, escaped, image, joined, section
from agewise.report.page.sections import (
    cooling,
    findings,
    introduction,
    limits,
    provenance,
    used_by_height,
)

PAGE, FIGURES = "report.html", "figures"
"""What a report is called within its folder."""
TEMPLATE, STYLE = (Path(__file__).with_name(name) for name in ("page.html", "page.css"))


def write_page(inputs: ReportInputs, folder: Path) -> None:
    """Write `report.html`, which holds its figures, and the same figures as PNG files."""
    pictures = {plate: plate.png(inputs) for plate in plates(inputs)}
    for plate, content in pictures.items():
        with replacing(folder / FIGURES / f"{plate.name}.png") as temporary:
            temporary.write_bytes(content)
    write_text(folder / PAGE, page(inputs, pictures))


def page(inputs: ReportInputs, pictures: Mapping[Plate, bytes]) -> str:
    """The page as text."""
    body = joined(
        (
            introduction(inputs),
            answer(inputs),
            findings(inputs),
            limits(inputs),
            cooling(inputs),
            used_by_height(inputs),
            gallery(pictures),
            provenance(inputs),
        )
    )
    title = escaped(f"{inputs.nameplate.name}: ageing and remaining life")
    frame = Template(TEMPLATE.read_text("utf-8"))
    return frame.substitute(title=title, style=STYLE.read_text("utf-8"), body=body)


def gallery(pictures: Mapping[Plate, bytes]) -> Html:
    """The figures, each under its title and over its caption."""
    shown = (_figure(plate, content) for plate, content in pictures.items())
    return section("Figures", *shown, id="figures")


def _figure(plate: Plate, content: bytes) -> Html:
    return element(
        "figure",
        element("h3", plate.title),
        image(content, plate.alternative),
        element("figcaption", plate.caption),
        id=plate.name,
    )

"""How answers are made and which data they need: the facts behind the pages on method and data."""

from dataclasses import asdict

from pydantic import BaseModel

from agewise.assessment.decision.thresholds import THRESHOLDS
from agewise.reading.files import SUFFIXES
from agewise.report.page.glossary import GLOSSARY
from agewise.server.settings import UploadLimits
from agewise.server.views.asset_line import MEANINGS
from agewise.store.run import versions
from agewise.transformer.cooling_defaults import LIMITS

STEPS = {
    "Read and check": "Load, air and top oil are read from the file, converted to p.u. and °C, and "
    "checked by rules; what is wrong is left out or repaired, and reported.",
    "Learn the unit": "Rise, time constant and exponent of the oil are learned from the record, "
    "beginning with the nameplate or, where that gives none, the tables of IEC 60076-7.",
    "Infer the oil": "A heat equation from bottom to top gives the oil's temperature everywhere, "
    "with two separate uncertainties: what is not known, and the noise of the sensors.",
    "Age the winding": "The winding's hot spot follows from oil and load; its paper ages by the "
    "law of the loading guide.",
    "Simulate the coming years": "A thousand courses of the coming years are simulated, each with "
    "its own weather and its own values for everything that is not known for sure.",
    "Decide": "Load on, watch, act: by the chance of end of life and of passing a limit. Where "
    "the data undermine every answer, none is given: cannot tell.",
}
"""The method in six steps."""
COLUMNS = {
    "time": "ISO 8601 with a zone, or any common format; or minutes from the start.",
    "load": "Load in p.u.; %, A, kA, kVA, MVA or MW are converted by the nameplate.",
    "ambient": "Temperature of the air [°C]; K and °F are converted.",
    "top_oil": "Temperature of the oil at the top [°C]; modelled where it is missing.",
    "bottom_oil, winding, oil@0.25": "Further sensors; used if present.",
}
"""Columns of a record."""


class LimitPair(BaseModel):
    """Limits of one kind of loading."""

    hot_spot: float
    """Limit of the hot spot [°C]."""
    top_oil: float
    """Limit of the top oil [°C]."""


class MethodView(BaseModel):
    """How answers are made."""

    steps: dict[str, str]
    """What happens, step by step."""
    states: dict[str, str]
    """What each advice means."""
    limits: dict[str, LimitPair]
    """Limits of IEC 60076-7 by kind of loading."""
    thresholds: dict[str, float]
    """Numbers from which on to act, to watch, or to tell nothing."""
    glossary: dict[str, str]
    """Words and their meanings."""
    versions: dict[str, str]
    """Versions of this server's Python and packages."""


class DataView(BaseModel):
    """Which data an answer needs, and what may be sent."""

    columns: dict[str, str]
    """Columns of a record, with their meanings."""
    suffixes: list[str]
    """How the name of a file may end."""
    megabytes: float
    """Size of an upload [MB]."""
    rows: int
    """Rows of a record that is uploaded."""
    seconds: float
    """Time that its assessment may take [s]."""


def method_view() -> MethodView:
    """How answers are made."""
    limits = {
        name: LimitPair(hot_spot=pair.hot_spot, top_oil=pair.top_oil)
        for name, pair in LIMITS.items()
    }
    return MethodView(
        steps=STEPS,
        states=MEANINGS,
        limits=limits,
        thresholds=asdict(THRESHOLDS),
        glossary=GLOSSARY,
        versions=versions(),
    )


def data_view(limits: UploadLimits) -> DataView:
    """Which data an answer needs."""
    return DataView(
        columns=COLUMNS,
        suffixes=list(SUFFIXES),
        megabytes=limits.megabytes,
        rows=limits.rows,
        seconds=limits.seconds,
    )

"""How fast a transformer's insulation ages, how long it will live, and how sure that answer is."""

from importlib import import_module
from importlib.metadata import version
from typing import Any

__version__ = version("agewise")

_PUBLIC = {
    "read_profile": "agewise.reading.profile_file",
    "Reading": "agewise.reading.options",
    "read_nameplate": "agewise.plant.nameplate_file",
    "iec_answer": "agewise.assessment.plain",
    "reference_field": "agewise.assessment.plain",
    "Settings": "agewise.assessment.oil.settings",
    "assess": "agewise.assessment.oil.assess",
    "followed": "agewise.assessment.runs",
    "oil_field": "agewise.assessment.field",
    "Prognosis": "agewise.assessment.life.prognosis",
    "rating": "agewise.assessment.decision.rating",
    "RatingRequest": "agewise.assessment.decision.rating",
    "write_report": "agewise.report.run",
    "TwinSettings": "agewise.twin.twin",
    "make_twin": "agewise.twin.twin",
}
__all__ = ["__version__", *_PUBLIC]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for, so that `agewise --help` stays instant."""
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'agewise' has no attribute {name!r}")

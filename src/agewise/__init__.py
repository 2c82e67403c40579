"""How fast a transformer's insulation ages, how long it will live, and how sure that answer is."""

from importlib import import_module
from importlib.metadata import version
from typing import Any

__version__ = version("agewise")

_PUBLIC = {
    "read_profile": "agewise.data.profile_file",
    "Reading": "agewise.data.reading",
    "read_nameplate": "agewise.data.nameplate_file",
    "iec_answer": "agewise.assessment.plain",
    "reference_field": "agewise.assessment.plain",
    "Settings": "agewise.assessment.settings",
    "assess": "agewise.assessment.assess",
    "followed": "agewise.assessment.runs",
    "oil_field": "agewise.assessment.outcome",
    "Prognosis": "agewise.assessment.prognosis",
    "rating": "agewise.assessment.rating",
    "RatingRequest": "agewise.assessment.rating",
    "write_report": "agewise.report.run",
    "TwinSettings": "agewise.data.twin",
    "make_twin": "agewise.data.twin",
}
__all__ = ["__version__", *_PUBLIC]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for, so that `agewise --help` stays instant."""
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'agewise' has no attribute {name!r}")

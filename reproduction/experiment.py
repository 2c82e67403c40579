"""What an experiment is, and what it leaves on the page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from matplotlib.figure import Figure

from reproduction.configuration import Configuration
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.verdict import Verdict


@dataclass(frozen=True)
class Picture:
    """A figure with what is said about it."""

    caption: str
    alternative: str
    """What a reader who does not see it is told."""
    figure: Callable[[], Figure]
    """Draws it; text is often wanted without"""


@dataclass(frozen=True)
class Section:
    """Text and tables in Markdown, then figures; and what becomes of the paper's claims."""

    text: str
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    """Figures by the name of their file, without the suffix."""
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """A table or a figure of the paper."""

    name: str
    title: str
    source: str
    """What it is in the paper."""
    configurations: Callable[[Scope], list[Configuration]]
    section: Callable[[Results], Section]

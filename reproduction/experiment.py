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
    """Text under it, which says how to read it."""
    alternative: str
    """Text for a reader who cannot see it."""
    figure: Callable[[], Figure]
    """Function that draws it, called only where pictures are wanted."""


@dataclass(frozen=True)
class Section:
    """What an experiment leaves on the page."""

    text: str
    """Text and tables in Markdown."""
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    """Figures by the name of their file, without the suffix."""
    verdicts: tuple[Verdict, ...] = ()
    """Whether claims of the paper hold, in the order of the page."""


@dataclass(frozen=True)
class Experiment:
    """A table or a figure of the paper."""

    name: str
    """Name on the command line."""
    title: str
    """Heading of its section."""
    source: str
    """Where it is found in the paper; `ours` where it is not."""
    configurations: Callable[[Scope], list[Configuration]]
    """Function that lists what has to be fitted for it."""
    section: Callable[[Results], Section]
    """Function that makes its section from the finished fits."""

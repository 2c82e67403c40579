"""A sheet of A4 that is written from top to bottom: text that wraps, tables, and axes."""

import textwrap
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

WIDTH, HEIGHT, MARGIN = 8.27, 11.69, 0.62
"""Size of an A4 page and its margin [inches]."""
LINE = 1.32
"""Distance of two lines, as a multiple of the size of the letters."""
LETTER = 0.535
"""Mean width of a letter, as a multiple of its size, of DejaVu Sans in English text (measured)."""
POINTS = 72.0
"""Points of an inch."""
INK, PALE_INK = "#1c1c1c", "#555555"
"""Colours of text and of small print."""


class Sheet:
    """A page and how far down it has been written."""

    def __init__(self):
        self.figure = Figure(figsize=(WIDTH, HEIGHT))
        """The page."""
        self.below = MARGIN
        """Where the next thing begins, from the top of the page [inches]."""

    def text(
        self, words: str, size: float = 9.0, *, indent: float = 0.0, gap: float = 0.06, **style: Any
    ) -> None:
        """A paragraph; `size` in points, `indent` and the `gap` below it in inches."""
        for line in self._lines(words, size, indent):
            self._put(MARGIN + indent, line, size, style)
        self.below += gap

    def heading(self, words: str) -> None:
        """A small heading."""
        self.below += 0.07
        self.text(words, 10.5, weight="bold", gap=0.03)

    def items(self, sentences: Sequence[str], size: float = 8.4) -> None:
        """Sentences with a dot before each; those that find no room are left to the report."""
        for number, sentence in enumerate(sentences):
            lines = len(self._lines(sentence, size, 0.16))
            # One line is kept for the words that say how many are left out.
            if self.below + (lines + 1) * LINE * size / POINTS > HEIGHT - MARGIN:
                self.text(f"{len(sentences) - number} more in the report.", size, indent=0.16)
                return
            first = self.below
            self.text(sentence, size, indent=0.16, gap=0.015)
            self._at(MARGIN + 0.03, first, "•", size, {})
        self.below += 0.03

    def badge(self, word: str, ground: str, ink: str) -> float:
        """A word on a coloured ground; gives its width [inches] and moves nothing down."""
        size = 15.0
        width = 0.28 + len(word) * 0.66 * size / POINTS
        left, bottom = MARGIN / WIDTH, 1 - (self.below + 0.36) / HEIGHT
        box = FancyBboxPatch(
            (left, bottom), width / WIDTH, 0.36 / HEIGHT, facecolor=ground, edgecolor=ink,
            boxstyle="round,pad=0,rounding_size=0.006", transform=self.figure.transFigure,
        )  # fmt: skip
        self.figure.add_artist(box)
        self.figure.text(
            left + width / WIDTH / 2, bottom + 0.18 / HEIGHT, word, size=size, color=ink,
            weight="bold", ha="center", va="center",
        )  # fmt: skip
        return width

    def table(self, rows: Sequence[Sequence[str]], columns: Sequence[float]) -> None:
        """Rows of cells, the first of which are titles; columns begin at so many inches."""
        for number, row in enumerate(rows):
            style = {"color": PALE_INK} if number == 0 else {}
            for place, cell in zip(columns, row, strict=True):
                bold = {"weight": "bold"} if number and place == columns[1] else {}
                self._at(MARGIN + place, self.below, cell, 8.6, style | bold)
            self.below += LINE * 8.6 / POINTS + 0.025
        self.below += 0.04

    def axes(self, left: float, width: float, height: float) -> Axes:
        """Axes that begin here, so many inches from the margin; moves nothing down."""
        bottom = HEIGHT - self.below - height
        place = ((MARGIN + left) / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT)
        return self.figure.add_axes(place)

    def footer(self, words: str) -> None:
        """Small print at the bottom of the page."""
        self._at(MARGIN, HEIGHT - MARGIN + 0.16, words, 7.0, {"color": PALE_INK})

    def _lines(self, words: str, size: float, indent: float) -> list[str]:
        room = WIDTH - 2 * MARGIN - indent
        return textwrap.wrap(words, int(room / (LETTER * size / POINTS))) or [""]

    def _put(self, left: float, line: str, size: float, style: dict[str, Any]) -> None:
        self._at(left, self.below, line, size, style)
        self.below += LINE * size / POINTS

    def _at(self, left: float, top: float, words: str, size: float, style: dict[str, Any]) -> None:
        # A dollar sign would begin a formula.
        plain = words.replace("$", r"\$")
        shown: dict[str, Any] = {"size": size, "va": "top", "color": INK} | style
        self.figure.text(left / WIDTH, 1 - top / HEIGHT, plain, **shown)

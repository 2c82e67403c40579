"""Kept cells, asked by problem and method, and what they say together."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

LEVELS = ("0.5", "0.9", "0.95")
"""Levels of bands and intervals, as cells name them."""

FAR_OFF = 3.0
"""Error over stated doubt [1] from which a function is far off."""


@dataclass(frozen=True)
class Row:
    """The cells of one method on one problem, one for each draw of the readings."""

    problem: str
    """Name of the problem, with its noise where that is not its own."""
    method: str
    """Name of the method."""
    cells: Sequence[dict[str, Any]]
    """All of them, in the order of their seeds."""

    @property
    def done(self) -> list[dict[str, Any]]:
        """Those with numbers."""
        return [cell for cell in self.cells if cell["outcome"] == "done"]

    @property
    def sentences(self) -> dict[str, int]:
        """Why the others have none, and in how many draws."""
        others = [cell["sentence"] for cell in self.cells if cell["outcome"] != "done"]
        return {sentence: others.count(sentence) for sentence in dict.fromkeys(others)}

    def values(self, *names: str) -> list[Any]:
        """One number of every draw by the names that lead to it; draws without it are left out."""
        numbers = []
        for cell in self.done:
            value: Any = cell
            for name in names:
                value = value.get(name) if isinstance(value, dict) else None
            if value is not None:
                numbers.append(value)
        return numbers

    def of_functions(self, score: str) -> Iterator[list[float]]:
        """A score of every function, draw by draw."""
        yield from (scores for _, scores in self._by_seed(score))

    def _by_seed(self, score: str) -> Iterator[tuple[int, list[float]]]:
        """The same with the seed of each draw; draws without the score are left out."""
        for cell in self.done:
            # Certain functions have no coverage, and cells of other benchmarks not every score.
            scores = [of[score] for of in _functions(cell) if of.get(score) is not None]
            if scores:
                yield cell["seed"], scores

    @property
    def errors(self) -> list[float]:
        """The relative error of the worst function, draw by draw [1]."""
        return [max(scores) for scores in self.of_functions("relative_l2")]

    @property
    def errors_by_seed(self) -> dict[int, float]:
        """The same by the seed of the draw."""
        return {seed: max(scores) for seed, scores in self._by_seed("relative_l2")}

    @property
    def crps(self) -> list[float]:
        """The CRPS over the size of the function, in the mean of functions, draw by draw [1]."""
        scores = [_functions(cell) for cell in self.done]
        # All or none of a draw, since a mean over some functions would not compare.
        known = [each for each in scores if each and all("crps" in of for of in each)]
        return [float(np.mean([of["crps"] / of["size"] for of in each])) for each in known]

    def coverage(self, level: str) -> list[float]:
        """The share of the box in which bands of this level hold the truth, draw by draw [1]."""
        return [float(np.mean(shares)) for shares in self.of_functions(f"coverage_{level}")]

    @property
    def z(self) -> list[float]:
        """Error over stated epistemic standard deviation, draw by draw [1]."""
        return list(self.z_by_seed.values())

    @property
    def z_by_seed(self) -> dict[int, float]:
        """The same by the seed of the draw."""
        return {s: float(np.sqrt(np.mean(np.square(of)))) for s, of in self._by_seed("z")}

    @property
    def noise_ratios(self) -> list[float]:
        """Stated over true variance of learned noise, of every sensor and draw [1]."""
        return [of["ratio"] for cell in self.done for of in cell.get("noise", {}).values()]

    def held(self, level: str, constant: str | None = None) -> list[bool]:
        """Whether intervals of constants hold the truth, of every draw."""
        return [
            of[f"holds_{level}"]
            for cell in self.done
            for name, of in cell.get("constants", {}).items()
            if f"holds_{level}" in of and constant in (None, name)
        ]

    @property
    def unsaid(self) -> int:
        """In how many draws errors are far beyond the stated doubt, and the fit's own check finds
        nothing wrong."""
        far = {seed for seed, scores in self._by_seed("z") if max(scores) > FAR_OFF}
        return sum(cell["seed"] in far and not cell["findings"] for cell in self.done)

    @property
    def sound(self) -> int:
        """In how many draws the fit's own check finds nothing wrong."""
        return sum(not cell["findings"] for cell in self.done)


@dataclass(frozen=True)
class Results:
    """All cells of a folder."""

    folder: Path
    """Folder of the cells."""

    @cached_property
    def rows(self) -> dict[tuple[str, str], Row]:
        """Every row that has a cell, by problem and method, in the order of the registries."""
        cells_by_row: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for path in sorted(self.folder.glob("*/*/*.json")):
            if not path.stem.isdigit():  # what a killed process was about to write
                continue
            try:
                cell = json.loads(path.read_text("utf-8"))
                # By what a cell says of itself, not by its folder.
                cells_by_row.setdefault((cell["problem"], cell["method"]), []).append(cell)
            except (ValueError, KeyError, TypeError):  # cut short: it is worked out again
                continue
        # As numbers: by the names of files, 10 comes before 2.
        by_seed = {
            place: sorted(cells, key=lambda cell: cell["seed"])
            for place, cells in cells_by_row.items()
        }
        ordered = sorted(by_seed, key=lambda place: (_problem(place[0]), _method(place[1])))
        return {place: Row(*place, by_seed[place]) for place in ordered}

    def row(self, problem: str, method: str) -> Row:
        """One of them; without cells where there are none."""
        return self.rows.get((problem, method), Row(problem, method, ()))

    def beside(self, pattern: str) -> list[dict[str, Any]]:
        """What other benchmarks have kept in folders beside this one, in the order of names."""
        paths = sorted(self.folder.parent.glob(pattern))
        return [json.loads(path.read_text("utf-8")) for path in paths]

    @property
    def problems(self) -> list[str]:
        """Problems that have a cell."""
        return list(dict.fromkeys(problem for problem, _ in self.rows))

    @property
    def methods(self) -> list[str]:
        """Methods that have a cell."""
        return sorted({method for _, method in self.rows}, key=_method)


def _functions(cell: dict[str, Any]) -> list[dict[str, Any]]:
    """Scores of every function of a cell; none where intervals of constants are all there is."""
    return list(cell.get("functions", {}).values())


def _problem(name: str) -> tuple[int, str]:
    """The place of a problem in the library; those that are no longer there come last."""
    from agewise.library import KNOWN

    problem_names = list(KNOWN)
    # A problem at another noise stands beside the one at its own.
    base = name.partition("@")[0]
    return (problem_names.index(base) if base in problem_names else len(problem_names)), name


def _method(name: str) -> tuple[bool, int, str]:
    """The place of a method; what only wraps another comes last."""
    from agewise.engine.equations.methods.registry import METHODS

    method_names = list(METHODS)
    base, _, wrap = name.partition("+")
    return (
        bool(wrap),
        (method_names.index(base) if base in method_names else len(method_names)),
        name,
    )

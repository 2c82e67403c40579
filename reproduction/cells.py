"""Cells: one fit each, worked out once, kept as small files."""

import json
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from agewise.arrays import read_arrays, write_arrays
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.errors import InputError
from agewise.files import write_text
from agewise.store.run import versions
from agewise.twin.twin import Twin, TwinSettings, make_twin
from reproduction.configuration import Configuration, quickened
from reproduction.measures import measured

DIGITS = 6
"""Number of significant digits of a number in a cell."""
KNOWN_SETTINGS, KNOWN_TWIN = TypeAdapter(Settings), TypeAdapter(TwinSettings)
"""Readers of the settings by which a cell is recognised."""


@dataclass(frozen=True)
class Cell:
    """One repeat of a configuration."""

    configuration: Configuration
    """What is fitted to what."""
    seed: int
    """Seed of the twin and of the network's weights."""
    quick: bool = False
    """Whether it is hardly trained, only to show that everything runs."""

    @property
    def keeps_fields(self) -> bool:
        """Whether figures are drawn from it."""
        return self.configuration.keeps_fields and self.seed == self.configuration.first_seed

    def path(self, folder: Path) -> Path:
        """The file of its numbers; that of its arrays has the same name with another suffix."""
        return folder / self.configuration.name / f"{self.seed}.json"

    def identity(self) -> dict[str, Any]:
        """What is fitted to what, as JSON gives it back."""
        parts = {"settings": asdict(self.settings), "twin": asdict(self.twin)}
        return json.loads(json.dumps(parts))

    def stored(self, folder: Path) -> dict[str, Any] | None:
        """Its numbers in a folder; None where it was never finished.

        An `InputError` where the folder holds a cell of this name with other settings.
        """
        path = self.path(folder)
        if not path.exists() or (self.keeps_fields and not path.with_suffix(".npz").exists()):
            return None
        try:
            content = json.loads(path.read_text("utf-8"))
        except ValueError:  # cut short or damaged: it is worked out again
            return None
        if not self.agrees(content.get("identity")):
            raise InputError(
                f"The cell {path} was made with other settings, perhaps another `quick`.",
                hint="choose another `folder`, or delete that folder of cells.",
            )
        return content

    def agrees(self, identity: Any) -> bool:
        """Whether an identity in a file is that of this cell.

        Read by the types of today, so that a setting that was added since then has its default and
        old cells stay valid.
        """
        try:
            settings = KNOWN_SETTINGS.validate_python(identity["settings"])
            twin = KNOWN_TWIN.validate_python(identity["twin"])
        except (ValueError, TypeError, KeyError):
            return False
        # A preset is the name of settings that stand beside it in full, and names may change.
        if settings.network is not None:
            settings = replace(settings, preset=self.settings.preset)
        return settings == self.settings and twin == self.twin

    def arrays(self, folder: Path) -> dict[str, np.ndarray]:
        """The fields and the training of a cell that keeps them."""
        return read_arrays(self.path(folder).with_suffix(".npz"))

    def run(self, folder: Path) -> None:
        """Fit, measure and write; the numbers last, since they say that the cell is finished."""
        twin = twin_of(self.twin)
        start = perf_counter()
        # The paper's plant is known: nothing of it is learned, and its equation is not in doubt.
        assessment = assess(twin.profile, twin.nameplate, self.settings, as_given=True)
        fitted = perf_counter() - start
        if assessment.windows[0].posterior.arrays().get("interrupted"):
            raise KeyboardInterrupt  # what training stopped by hand leaves is no result
        # A network that is hardly trained may find any temperature.
        with np.errstate(all="ignore") if self.quick else nullcontext():
            measurements = measured(assessment, twin)
        seconds = {"fit": round(fitted, 2), "all": round(perf_counter() - start, 2)}
        head = {"identity": self.identity(), "versions": versions(), "seconds": seconds}
        path = self.path(folder)
        if self.keeps_fields:
            write_arrays(path.with_suffix(".npz"), measurements["arrays"])
        write_text(path, json.dumps(head | rounded(measurements["numbers"]), indent=1) + "\n")

    @property
    def settings(self) -> Settings:
        """Those of its configuration, with its seed."""
        settings = replace(self.configuration.settings, seed=self.seed)
        return quickened(settings) if self.quick else settings

    @property
    def twin(self) -> TwinSettings:
        """Whose data it is fitted to."""
        return replace(self.configuration.twin, seed=self.seed)


# Cells that follow each other in a process often share their twin, and so do figures.
@lru_cache(maxsize=8)
def twin_of(settings: TwinSettings) -> Twin:
    """The twin of these settings."""
    return make_twin(settings)


def rounded(value: Any) -> Any:
    """Numbers with as many digits as anybody reads."""
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value

"""How a fleet is assessed: one choice for all its assets, and what makes a run of it stale."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.grid import Grid
from agewise.assessment.oil.settings import Settings
from agewise.fleet.asset import Asset
from agewise.fleet.work import Work, digest
from agewise.reading.files import given_files
from agewise.store.identity import fingerprint

FLEET_METHOD = "solver"
"""Method for a fleet unless another is asked for: the heat equation solved between the measured
ends, with its doubts, the cheapest whose numbers agree with `exact` (docs/fleet.md)."""
FLEET_GRID = Grid(21, 60.0)
"""Heights and minutes of the field that a run keeps: enough for its figures, and a tenth of the
disk of a single assessment's."""
CHANCE_YEARS = 10.0
"""Years ahead for which the chance of an end is ranked, the `later_years` of a decision."""


@dataclass(frozen=True)
class Plan:
    """One choice for all assets of a fleet."""

    directory: Path
    """Folder of the fleet, absolute: runs go below it."""
    settings: Settings = field(default_factory=lambda: Settings(method=FLEET_METHOD))
    """How the oil is inferred."""
    grid: Grid = FLEET_GRID
    """Heights and minutes of the stored field."""
    thresholds: DecisionThresholds = THRESHOLDS
    """Numbers from which on to act, to watch, or to tell nothing."""
    reports: bool = False
    """Whether every run gets its report now; `agewise report` writes one later too."""

    def settings_hash(self) -> str:
        """The SHA-256 of everything that a user may choose and an answer depends on."""
        chosen = {"settings": asdict(self.settings), "grid": asdict(self.grid)}
        return digest(chosen | {"thresholds": asdict(self.thresholds)})


def work_of(asset: Asset, plan: Plan, *, version: str) -> Work:
    """What an asset is made of today, which takes a look at every byte of its files."""
    inputs = {role: _print(path) for role, path in asset.files().items()}
    chosen = plan.settings
    return Work(asset, inputs, plan.settings_hash(), version, chosen.method, chosen.seed)


def resolved(asset: Asset) -> Asset:
    """The asset with absolute paths, which mean the same to every process."""
    paths = {"data": asset.data, "nameplate": asset.nameplate}
    paths |= {"scenario": asset.scenario, "mapping": asset.mapping}
    return replace(asset, **{n: path.resolve() for n, path in paths.items() if path is not None})


def _print(path: Path) -> str:
    # Whatever is wrong with a file is said when it is assessed, by whoever reads it then.
    try:
        return fingerprint(given_files(path))
    except (OSError, ValueError):
        return ""

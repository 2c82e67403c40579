"""An asset of a fleet: one transformer, and the files that tell of it."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

LONGEST_NAME = 60
"""Most characters of an asset's id in the name of its folder."""


@dataclass(frozen=True)
class Asset:
    """One transformer of a fleet, and where its files are.

    Examples:
        >>> from pathlib import Path
        >>> from agewise.fleet.asset import Asset
        >>> Asset("T1", data=Path("T1.csv"), nameplate=Path("T1.toml")).name
        'T1'
    """

    id: str
    """Name by which everything else refers to the asset; unique in the fleet."""
    data: Path
    """File of its readings, or a folder of such files."""
    nameplate: Path
    """TOML file of its nameplate."""
    name: str = ""
    """Name for people; its id where nobody gave one."""
    site: str = ""
    """Where it stands."""
    criticality: float = 1.0
    """What its end would cost, in any unit that the whole fleet shares."""
    scenario: Path | None = None
    """File of the days to come; None where they repeat the observed ones."""
    mapping: Path | None = None
    """TOML file that says how its readings are to be read; None where they speak for themselves."""

    def __post_init__(self):
        if not self.name:
            object.__setattr__(self, "name", self.id)

    @property
    def folder_name(self) -> str:
        """Name of the folder of its runs: the id, as far as every disk can write it."""
        plain = re.sub(r"[^\w.-]+", "_", self.id, flags=re.ASCII).strip("._")[:LONGEST_NAME]
        if plain == self.id:
            return plain
        # Two ids may come out alike, so an id that was changed is told apart by its digest.
        return f"{plain}-{hashlib.sha256(self.id.encode()).hexdigest()[:8]}"

    def files(self) -> dict[str, Path]:
        """Its files by their roles, those that were given."""
        given = {
            "profile": self.data,
            "nameplate": self.nameplate,
            "scenario": self.scenario,
            "mapping": self.mapping,
        }
        return {role: path for role, path in given.items() if path is not None}

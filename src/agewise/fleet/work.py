"""One asset to be assessed, as it is sent to a worker; nothing heavy is needed to unpack it."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from agewise.fleet.asset import Asset


@dataclass(frozen=True)
class Work:
    """One asset to be assessed, and what it is made of today."""

    asset: Asset
    """The asset."""
    inputs: dict[str, str]
    """SHA-256 of each of its files by role; empty for a file that cannot be read."""
    settings_hash: str
    """SHA-256 of the plan's choices."""
    version: str
    """Version of agewise."""
    method: str
    """Name of the inference method."""
    seed: int
    """Seed of the random numbers."""

    @property
    def input_hash(self) -> str:
        """The SHA-256 over all its files."""
        return digest(self.inputs)

    @property
    def folder(self) -> str:
        """Folder of its run, relative to that of the fleet: another for other files or choices."""
        mark = digest([self.inputs, self.settings_hash, self.version])[:12]
        return f"runs/{self.asset.folder_name}/{mark}"


def digest(content: Any) -> str:
    """The SHA-256 of what JSON can hold."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

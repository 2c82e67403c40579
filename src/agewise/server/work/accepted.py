"""A finished upload becomes an asset of the fleet, or the latest run of one."""

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow
from agewise.fleet.headline import headline
from agewise.server.work.upload import RUN, Upload
from agewise.store.run import Run, load_run


@dataclass(frozen=True)
class Registrar:
    """Puts finished uploads into the catalogue."""

    catalogue: Catalogue
    """The catalogue of the fleet."""
    root: Path
    """Folder of the fleet."""

    def __call__(self, upload: Upload, folder: Path, seconds: float) -> None:
        """Register the asset of an upload and record its run."""
        place = folder.resolve().relative_to(self.root.resolve())
        ids = {asset.id for asset in self.catalogue.assets()}
        if upload.asset not in ids:
            asset = AssetRow(
                id=upload.asset,
                name=upload.name,
                site=upload.site,
                criticality=upload.criticality,
                nameplate=str(place / upload.files[-1]),
                data=str(place / upload.files[0]),
                scenario=None,
            )
            self.catalogue.register([asset])
        run = load_run(folder / RUN)
        self.catalogue.record(run_row(upload.asset, run, str(place / RUN), seconds))


def run_row(asset_id: str, run: Run, folder: str, seconds: float) -> RunRow:
    """A finished run as the catalogue keeps it.

    Args:
        asset_id: The asset that was assessed.
        run: The run.
        folder: Its folder, relative to that of the fleet.
        seconds: Time that it took [s].
    """
    identity = run.identity
    settings = {"method": identity.method, "seed": identity.seed, "settings": identity.settings}
    return RunRow(
        asset_id=asset_id,
        started=run.created - timedelta(seconds=seconds),
        seconds=seconds,
        status="done",
        folder=folder,
        input_hash=_digest(identity.inputs),
        settings_hash=_digest(settings),
        inputs=identity.inputs,
        versions=run.versions,
        method=identity.method,
        seed=identity.seed,
        **headline(run),
    )


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

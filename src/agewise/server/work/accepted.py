"""A finished upload becomes an asset of the fleet, or the latest run of one."""

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from agewise.arrays import read_arrays
from agewise.assessment.answer.summary import Summary
from agewise.assessment.decision.thresholds import THRESHOLDS
from agewise.assessment.stored import LIFE, NAMEPLATE, PROFILE, summary_of
from agewise.fleet.catalogue.catalogue import Catalogue
from agewise.fleet.catalogue.tables import AssetRow, RunRow
from agewise.plant.nameplate_file import read_nameplate
from agewise.reading.profile_file import stored_profile
from agewise.server.work.upload import RUN, Upload
from agewise.store.run import Run, load_run

CHANCE_YEARS = THRESHOLDS.later_years
"""Years ahead for which the chance of an end is given."""


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
        known = {asset.id for asset in self.catalogue.assets()}
        if upload.asset not in known:
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
    summary, identity = summary_of(run), run.identity
    settings = {"method": identity.method, "seed": identity.seed, "settings": identity.settings}
    row = RunRow(
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
        findings=[finding.model_dump(mode="json") for finding in summary.findings],
        quantities=dict(summary.life.quantities),
    )
    for name, value in (_headline(summary) | _of_record(run)).items():
        setattr(row, name, value)
    return row


def _headline(summary: Summary) -> dict[str, Any]:
    """The numbers of an answer that a list shows."""
    hot, used, left = summary.hot_spot, summary.loss_of_life, summary.life.remaining_years
    normal = next(
        (x for x in summary.limits if (x.name, x.quantity) == ("normal cyclic", "hot spot")), None
    )
    return {
        "action": summary.decision.action,
        "reason": summary.decision.reason,
        "narrow_by": summary.decision.narrow_by,
        "window_start": summary.window.start,
        "window_end": summary.window.end,
        "hours": summary.window.hours,
        "measured_share": summary.window.measured_share,
        "hot_spot_mean": hot.mean,
        "hot_spot_low": hot.interval_90[0],
        "hot_spot_high": hot.interval_90[1],
        "hot_spot_iec": hot.iec,
        "life_used_mean": used.worst.mean,
        "life_used_low": used.worst.interval_90[0],
        "life_used_high": used.worst.interval_90[1],
        "life_used_iec": used.iec,
        "yearly_loss_hours": summary.life.yearly_loss_hours.mean,
        "years_left_median": left.median,
        "years_left_low": left.interval_90[0],
        "years_left_high": left.interval_90[1],
        "years_left_iec": left.iec,
        "limit_chance": normal.probability if normal else None,
        "limit_hours": normal.hours if normal else None,
        "cooling_factor": summary.cooling.factor,
        "cooling_alarm": summary.cooling.alarm,
    }


def _of_record(run: Run) -> dict[str, Any]:
    """What the record, the nameplate and the draws say, and the answer does not repeat."""
    load = stored_profile(run.directory / PROFILE).load
    ends = read_arrays(run.directory / LIFE)["remaining_years"]
    return {
        "rated_power_kva": read_nameplate(run.directory / NAMEPLATE).rated_power_kva.mean,
        "load_mean": float(np.nanmean(np.abs(load))),
        "load_peak": float(np.nanmax(np.abs(load))),
        "horizon_years": CHANCE_YEARS,
        "chance": float(np.mean(ends <= CHANCE_YEARS)),
    }


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

"""What a run is made from: the files that were given, what they hold, and how it is known again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agewise.assessment.decision.thresholds import THRESHOLDS, DecisionThresholds
from agewise.assessment.grid import Grid
from agewise.assessment.life.scenario import days_to_come, refuse_unforeseen
from agewise.assessment.oil.settings import Settings
from agewise.engine.uncertainty.scores import Truth
from agewise.plant.nameplate import Nameplate
from agewise.plant.nameplate_file import read_nameplate
from agewise.plant.profile import Profile
from agewise.reading.air import weather_path
from agewise.reading.files import Files, given_files
from agewise.reading.options import Reading
from agewise.reading.profile_file import read_profile
from agewise.store.identity import Identity, fingerprint
from agewise.transformer.between_samples import Hold
from agewise.twin.truth_file import read_truth, refuse_other_truth


@dataclass(frozen=True)
class RunInputs:
    """What the files of a run hold, read and found usable together."""

    profile: Profile
    """The measurements."""
    nameplate: Nameplate
    """The unit."""
    truth: Truth | None
    """What a twin knows, which is of this profile; None where no answer is to be scored."""
    scenario: Profile | None
    """The days to come; None where they repeat the observed ones."""


@dataclass(frozen=True)
class RunFiles:
    """The files that a run is made from."""

    profile: Files
    """File of the profile, or several, a folder or a pattern."""
    nameplate: Path
    """TOML file of the unit."""
    truth: Path | None
    """File of a twin's truth, if the answer is to be scored."""
    scenario: Path | None
    """File of the days to come, if they do not repeat the observed ones."""

    def paths(self, reading: Reading) -> Mapping[str, Path | Sequence[Path] | None]:
        """Every file that the answer depends on, by what it holds; None where there is none."""
        return {
            "profile": given_files(self.profile),
            "nameplate": self.nameplate,
            "truth": self.truth,
            "scenario": self.scenario,
            "weather": weather_path(reading),
        }

    def read(self, reading: Reading, hold: Hold) -> RunInputs:
        """What the files hold; raises `InputError` where they cannot be used, or not together."""
        unit = read_nameplate(self.nameplate)
        measured = read_profile(self.profile, reading, rated=unit.rated())
        # Before the fit, since a forecast that nobody can make is known to be none now.
        if self.scenario:
            refuse_unforeseen(measured, unit, hold, "A scenario")
        truth = read_truth(self.truth) if self.truth else None
        if truth is not None:
            refuse_other_truth(measured, truth)
        return RunInputs(measured, unit, truth, self._days_to_come(unit))

    def _days_to_come(self, unit: Nameplate) -> Profile | None:
        if not self.scenario:
            return None
        return days_to_come(read_profile(self.scenario, rated=unit.rated()), str(self.scenario))


def run_identity(
    settings: Settings,
    reading: Reading,
    grid: Grid,
    thresholds: DecisionThresholds,
    inputs: Mapping[str, Path | Sequence[Path] | None],
) -> Identity:
    """What a run answers: settings, and the content of every file that was given."""
    chosen = asdict(settings)
    # Not among the settings of runs from before there was a choice, which are found again.
    if chosen["standard"] is None:
        del chosen["standard"]
    return Identity(
        method=chosen.pop("method"),
        seed=chosen.pop("seed"),
        settings=chosen | _about_files(reading, grid) | _about_decision(thresholds),
        inputs={name: fingerprint(path) for name, path in inputs.items() if path is not None},
    )


def _about_files(reading: Reading, grid: Grid) -> dict[str, Any]:
    reading_fields = asdict(reading)
    if reading.ambient is None:
        del reading_fields["ambient"]  # runs from before there was such a setting are found again
    return {"grid": asdict(grid), "reading": reading_fields}


def _about_decision(thresholds: DecisionThresholds) -> dict[str, Any]:
    """Thresholds that are not the usual ones: runs from before there were any are found again."""
    return {} if thresholds == THRESHOLDS else {"thresholds": asdict(thresholds)}

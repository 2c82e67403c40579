"""Every method on the same twins: those of `agewise assess` and those of `agewise.fit`.

    .venv/bin/python benchmarks/twin_methods.py --seeds 0-4     # what is missing, then the table
    .venv/bin/python benchmarks/twin_methods.py --table         # the table of kept cells alone
    .venv/bin/python benchmarks/twin_methods.py --table --docs  # the same, into docs/methods.md

All get the heat problem that `agewise assess` makes of the first of the twin's four days, constants
as given. Methods of `agewise.fit` see one reading in ten of both ends: with every minute of four
days, ensembles and chains would take hours. As for the networks of `agewise assess`, what the load
does and what changes within hours is taken out of what they have to learn, and the doubt of that is
added to theirs.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
import json
import sys
import time
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from marked import write_between_marks
from seeds import seeds_of

import agewise
from agewise.assessment.comparison import chosen
from agewise.assessment.decision.sureness import sureness
from agewise.assessment.decision.yardstick import yardstick
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.problem import heat_problem
from agewise.engine.equations.methods.registry import METHODS as FITTED
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.problems.base import Observations
from agewise.engine.uncertainty.decomposition import Prediction
from agewise.files import write_text
from agewise.plant.nameplate import Nameplate
from agewise.plant.profile import Profile
from agewise.transformer.oil.heat import TransformerHeat
from agewise.twin.twin import TwinSettings, make_twin

CELLS = Path(__file__).parent / "cells" / "twin_methods"
"""Where cells are kept."""
PAGE = Path(__file__).parents[1] / "docs" / "methods.md"
"""Where the table stands."""
ASSESSED = ("line", "solver", "exact", "vi", "laplace", "map", "plain", "dropout")
"""Methods of `agewise assess`."""
EVERY = 10
"""Readings of an end of which a method of `agewise.fit` sees one."""
STEP = 10
"""Minutes between the instants at which a method is judged."""
HIDDEN = (16, 16)
"""Hidden layers of the networks of `agewise.fit`, but for those of `abc`, which takes few weights:
the rest that they learn is smooth, and the usual three layers of twenty take four times as long."""
CHAINS = {"warm_up": 150, "chain_draws": 150}
"""Lengths of chains: fewer moves than usual, since each takes a tenth of a second here."""
SETTINGS: dict[str, dict[str, Any]] = {
    "nuts": CHAINS,
    "hmc": CHAINS,
    "abc": {"samples": 300, "levels": 25},
}
"""What differs from the defaults, by method of `agewise.fit`."""
BAND = 1.96
"""Standard deviations of a 95 % band."""


def main() -> None:
    """Fill in missing cells and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--assessed", default=",".join(ASSESSED), help="methods of assess")
    parser.add_argument("--fitted", default=",".join(FITTED), help="methods of agewise.fit")
    parser.add_argument("--seeds", default="0-4", help="of the twins, as 0-4")
    parser.add_argument("--days", type=int, default=1, help="first days of the four to be taken")
    parser.add_argument("--cells", type=Path, default=CELLS)
    parser.add_argument("--table", action="store_true", help="print kept cells alone")
    parser.add_argument("--docs", action="store_true", help="write the table into the page too")
    asked = parser.parse_args()
    wanted = [("assess", name) for name in asked.assessed.split(",") if name]
    wanted += [("fit", name) for name in asked.fitted.split(",") if name]
    for by, method in () if asked.table else wanted:
        for seed in seeds_of(asked.seeds):
            path = asked.cells / f"{asked.days}-days" / f"{by}-{method}" / f"{seed}.json"
            kept(path, by, method, seed, asked.days)
    text = table(asked.cells / f"{asked.days}-days")
    print(text)
    if asked.docs:
        write_between_marks(PAGE, "twin methods", text)


def kept(path: Path, by: str, method: str, seed: int, days: int) -> None:
    """Write a cell, unless it is there."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    cell = (assessed if by == "assess" else fitted)(method, first_days(seed, days))
    write_text(path, json.dumps(cell, indent=1) + "\n")
    print(f"{by} {method}, seed {seed}: {cell}", file=sys.stderr)


@dataclass(frozen=True, eq=False)
class Stretch:
    """What was measured of a twin in its first days, and the truth of these."""

    profile: Profile
    """Measurements."""
    nameplate: Nameplate
    """The unit that they belong to."""
    truth: xr.Dataset
    """True oil and true noise."""


def first_days(seed: int, days: int) -> Stretch:
    """The first days of a twin of four."""
    twin = make_twin(TwinSettings(seed=seed))
    last = min(days * 24 * 60, len(twin.profile.seconds) - 1)
    truth = twin.truth.isel(time=slice(0, last + 1))
    return Stretch(twin.profile.between(0, last), twin.nameplate, truth)


def assessed(method: str, twin: Stretch) -> dict[str, Any]:
    """A method of `agewise assess`, judged."""
    before = time.process_time()
    found = assess(twin.profile, twin.nameplate, chosen(method, as_given=True))
    spent = time.process_time() - before
    words = [finding.text for finding in (*yardstick(found), *sureness(found))]
    scores = judged(twin, found.predict(_shares(twin), twin.profile.seconds[::STEP]))
    return scores | {"processor_seconds": spent, "sound": not words, "words": words}


def fitted(method: str, twin: Stretch) -> dict[str, Any]:
    """A method of `agewise.fit`, judged; one that raises is a cell with its words."""
    problem = thinned(heat_problem(twin.profile, twin.nameplate, chosen("vi", as_given=True)))
    hidden = () if method == "abc" else HIDDEN
    settings = replace(agewise.EquationSettings(hidden=hidden), **SETTINGS.get(method, {}))
    before = time.process_time()
    try:
        found = agewise.fit(problem, method=method, key=0, settings=settings)
    except Exception as error:
        return {"crashed": f"{type(error).__name__}: {error}"}
    spent = time.process_time() - before
    words = [*found.check.findings, *found.check.remarks]
    scores = judged(twin, predicted(problem, found, twin))
    return scores | {"processor_seconds": spent, "sound": found.check.sound, "words": words}


def thinned(problem: TransformerHeat) -> TransformerHeat:
    """The same with one reading in `EVERY` of each sensor."""
    sensors = {
        name: Observations(
            of.points[::EVERY], of.values[::EVERY], None if of.std is None else of.std[::EVERY]
        )
        for name, of in problem.sensors.items()
    }
    return replace(problem, sensors=sensors)


def predicted(problem: TransformerHeat, found: EquationPosterior, twin: Stretch) -> Prediction:
    """Oil over time and height [°C, K², K²], with the noise of the nearer end at the ends."""
    heights, seconds = _shares(twin), twin.profile.seconds[::STEP]
    shares, times = np.meshgrid(heights, seconds / problem.units.window)
    points = np.stack([shares.ravel(), times.ravel()], axis=1)
    told = found.predict(points)
    # As for the networks of `agewise assess`: what was taken out has a doubt of its own.
    epistemic = told.epistemic
    if not found.weights.certain:
        epistemic = epistemic + problem.lift_variance(points)
    # Each end by the law of its own sensor; between them nobody reads, and none is judged.
    rest = told.mean - problem.lift(points)
    lower = points[:, 0] < 0.5
    aleatoric = np.where(
        lower,
        found.noises["x=0"].variance(points, rest),
        found.noises["x=1"].variance(points, rest),
    )
    units = problem.units
    parts = (units.celsius(told.mean), units.spread**2 * epistemic, units.spread**2 * aleatoric)
    return Prediction(*(part.reshape(shares.shape) for part in parts))


def judged(twin: Stretch, told: Prediction) -> dict[str, Any]:
    """Error, doubt and noise beside the truth, every ten minutes at all heights."""
    truth = twin.truth.isel(time=slice(None, None, STEP))
    error = told.mean - truth["oil_true"].to_numpy()
    std = np.sqrt(told.epistemic)
    ratio = np.median(told.aleatoric / truth["noise_std"].to_numpy() ** 2, axis=0)
    scores = {"rmse": _rms(error), "noise_bottom": float(ratio[0]), "noise_top": float(ratio[-1])}
    # Some state no doubt at all, which is no small one.
    if not std.any():
        return scores | {"z": None, "covers": None}
    z = error / np.maximum(std, 1e-300)
    return scores | {"z": _rms(z), "covers": float(np.mean(np.abs(z) <= BAND))}


def _shares(twin: Stretch) -> np.ndarray:
    """Heights of the truth as fractions of the tank's."""
    heights = twin.truth["height"].to_numpy()
    return heights / heights[-1]


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def table(cells: Path) -> str:
    """All cells in Markdown: means over the twins, then what each says of itself on one of them."""
    rows = [
        "| by | method | twins | RMSE [K] | z | 95 % bands hold | noise, bottom | noise, top | "
        "CPU s | sound by its own check |",
        "|" + "---|" * 10,
    ]
    order = [*(f"assess-{name}" for name in ASSESSED), *(f"fit-{name}" for name in FITTED)]
    words = ["What they say of themselves, on the first twin on which they say anything:", ""]
    for folder in (cells / name for name in order):
        own = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
        if own:
            rows.append(_row(folder.name, own))
            words += _words(folder.name, own)
    return "\n".join([*rows, "", *words])


def _words(name: str, own: list[dict[str, Any]]) -> list[str]:
    """A line with what a method said of itself; none where it said nothing."""
    by, _, method = name.partition("-")
    spoken = [" ".join(cell["words"]) for cell in own if cell.get("words")]
    spoken += [cell["crashed"] for cell in own if "crashed" in cell]
    return [f"- `{method}` ({by}): {spoken[0]}"] if spoken else []


def _row(name: str, own: list[dict[str, Any]]) -> str:
    by, _, method = name.partition("-")
    ended = [cell for cell in own if "crashed" not in cell]
    crashed = len(own) - len(ended)
    if not ended:
        return f"| {by} | `{method}` | {len(own)} | crashed |" + " |" * 6
    columns = ("rmse", "z", "covers", "noise_bottom", "noise_top", "processor_seconds")
    means = " | ".join(_mean([cell[column] for cell in ended]) for column in columns)
    quiet = f"{sum(cell['sound'] for cell in ended)} of {len(own)}"
    noted = f", {crashed} crashed" if crashed else ""
    return f"| {by} | `{method}` | {len(own)}{noted} | {means} | {quiet} |"


def _mean(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    if len(known) < 2:
        return f"{known[0]:.3g}" if known else "none stated"
    # With the least and the most of the twins: means hide the one that went wrong.
    return f"{np.mean(known):.3g} ({min(known):.3g} to {max(known):.3g})"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()

"""The IEC 60076-7 model over a year of minutes: agewise beside transformer-thermal-model.

Both get the same constants, the same rows and the same start, in one process and in turn.
"""
# The peer lives in an environment of its own, out of the type checker's sight:
# pyright: reportMissingImports=false

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from transformer_thermal_model import schemas
from transformer_thermal_model.cooler import CoolerType
from transformer_thermal_model.model import Model
from transformer_thermal_model.schemas.thermal_model.initial_state import InitialLoad
from transformer_thermal_model.transformer import PowerTransformer

from agewise.plant.profile import Profile, profile_from
from agewise.reading.profile_file import read_profile, write_profile
from agewise.transformer.iec60076 import ThermalConstants, ThermalHistory, thermal_history
from agewise.twin.cases import Case, bundled_case
from agewise.twin.twin import LOAD_DECIMALS, TEMPERATURE_DECIMALS
from agewise.twin.weather import ambient
from agewise.units import SECONDS_PER_MINUTE

SEED, ROUNDS, REPEATS = 60076, 5, 3
PEER = "transformer-thermal-model"
EXACT, DIFFERENCE, READING = "agewise, exact", "agewise, difference", "agewise, reading (< 3 s)"
PACKAGES = ("agewise", PEER, "numpy", "scipy", "pandas", "pyarrow")


def year(case: Case) -> Profile:
    """The minutes of 2025 at a bundled case, with the digits of a twin's profile."""
    times = pd.date_range("2025", freq="min", periods=365 * 1440, tz=case.site.timezone)
    rng = np.random.default_rng(SEED)
    load = case.load(case.site, times, rng).round(LOAD_DECIMALS)
    air = ambient(case.site, times, rng=rng).round(TEMPERATURE_DECIMALS)
    return profile_from(pd.DataFrame({"time": times, "load": load, "ambient": air}))


def peer_model(constants: ThermalConstants, rows: Profile) -> Model:
    """The peer, ready to run from the steady state of the first load; its ampere is our p.u."""
    specifications = schemas.UserTransformerSpecifications(
        no_load_loss=1.0,
        load_loss=constants.loss_ratio,
        nom_load_sec_side=1.0,
        time_const_oil=constants.oil_time_constant / SECONDS_PER_MINUTE,
        time_const_windings=constants.winding_time_constant / SECONDS_PER_MINUTE,
        top_oil_temp_rise=constants.top_oil_rise,
        winding_oil_gradient=constants.gradient,
        hot_spot_fac=1.0,
        oil_const_k11=constants.k11,
        winding_const_k21=constants.k21,
        winding_const_k22=constants.k22,
        oil_exp_x=constants.oil_exponent,
        winding_exp_y=constants.winding_exponent,
    )
    profile = schemas.InputProfile.create(rows.timeline.utc(rows.seconds), rows.load, rows.ambient)
    transformer = PowerTransformer(specifications, CoolerType.ONAF)
    return Model(profile, transformer, InitialLoad(initial_load=float(rows.load[0])))


def race(tasks: dict[str, Callable[[], Any]]) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Seconds and the last answer of each task; they take turns, the quick ones several times."""
    seconds, answers = {name: [] for name in tasks}, {}
    turns = [task for task in tasks for _ in range(1 if task == PEER else REPEATS)]
    for name in turns * ROUNDS:
        start = perf_counter()
        answer = tasks[name]()
        seconds[name].append(perf_counter() - start)
        answers[name] = answer
    return seconds, answers


def gap_row(name: str, ours: ThermalHistory, theirs: schemas.OutputProfile) -> str:
    """A line of the table of differences: the largest over the year."""
    oil = np.abs(ours.top_oil - theirs.top_oil_temp_profile.to_numpy()).max()
    winding = np.abs(ours.hot_spot - theirs.hot_spot_temp_profile.to_numpy()).max()
    return f"| {name} | {oil:.1e} | {winding:.1e} |"


def main() -> None:
    """Run the race and print two tables in Markdown."""
    case = bundled_case("aged-substation")
    constants = case.nameplate().thermal_constants()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "profile.csv"
        write_profile(year(case), path)
        rows = read_profile(path)
        calm = replace(rows, ambient=np.full_like(rows.ambient, rows.ambient[0]))
        calm_ours = thermal_history(constants, calm.seconds, calm.load, calm.ambient)
        calm_peer = peer_model(constants, calm).run()  # with the line above, also the warm-up
        exact = partial(thermal_history, constants, rows.seconds, rows.load, rows.ambient)
        tasks = {
            PEER: peer_model(constants, rows).run,
            EXACT: exact,
            DIFFERENCE: partial(exact, scheme="difference"),
            READING: partial(read_profile, path),
        }
        seconds, answers = race(tasks)
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES), "\n")
    print("| what | runs | median s | fastest | slowest | ratio |\n|---|---|---|---|---|---|")
    for name, times in seconds.items():
        ratio = "" if name == READING else f"{median(seconds[PEER]) / median(times):.0f}"
        spread = f"{median(times):.3f} | {min(times):.3f} | {max(times):.3f}"
        print(f"| {name} | {len(times)} | {spread} | {ratio} |")
    print("\n| largest difference from the peer, K | top oil | hot spot |\n|---|---|---|")
    print(gap_row(f"{EXACT}, ambient constant", calm_ours, calm_peer))
    print("\n".join(gap_row(name, answers[name], answers[PEER]) for name in (EXACT, DIFFERENCE)))


if __name__ == "__main__":
    main()

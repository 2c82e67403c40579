"""Real air: a plant is put under recorded weather, and methods are judged against its truth.

    .venv/bin/python benchmarks/weather.py FILE --methods vi,exact,solver --days 4 --starts 3
    .venv/bin/python benchmarks/weather.py FILE --methods vi --starts 2017-01-04,2017-01-20
    .venv/bin/python benchmarks/weather.py --seeds 100-104 --rough-ambient

FILE has a time (UTC), an air temperature [°C] and, for the solar load, an irradiance [W/m2], minute
by minute; `agewise twin --air-file` takes the same. Without a file the twin's own weather is taken.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
import time
from dataclasses import replace

import numpy as np
import pandas as pd
from seeds import seeds_of

from agewise.assessment.comparison import chosen
from agewise.assessment.oil.assess import assess
from agewise.twin.cases import bundled_case
from agewise.twin.true_plant.air_file import read_weather
from agewise.twin.twin import Twin, TwinSettings, make_twin

STEP = 10
"""min between the instants that are compared"""
COLUMNS = (
    "RMSE [K]",
    "epistemic z",
    "RMSE, bottom [K]",
    "z, bottom",
    "z, top",
    "noise ratio, bottom",
    "noise ratio, top",
    "CPU [s]",
)
"""What is printed of every method: rms errors and z over all heights or at one end, the median of
stated over true variance of the noise, and the processor's time of the fit."""


def main() -> None:
    """Read the command line, fit every method to every stretch, print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", help="recorded weather; the twin's own if left out")
    parser.add_argument("--methods", default="vi,laplace,exact,solver")
    parser.add_argument("--case", default="floating-pv")
    parser.add_argument("--days", type=float, default=4.0)
    parser.add_argument("--starts", default="3", help="how many stretches, or their dates")
    parser.add_argument(
        "--seeds", default="0", help="of the noise, as 0-4; without a file a twin each"
    )
    parser.add_argument("--rough-ambient", action="store_true")
    asked = parser.parse_args()
    twins = stretches(asked)
    print(f"| method | stretch | {' | '.join(COLUMNS)} |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for method in asked.methods.split(","):
        rows = []
        for name, settings in twins.items():
            rows.append(scores(method, make_twin(settings)))
            print(_line(method, name, rows[-1]), flush=True)
        print(_line(method, "**mean**", np.mean(rows, axis=0)), flush=True)


def stretches(asked: argparse.Namespace) -> dict[str, TwinSettings]:
    """Settings of every twin by its name: its first day, or its seed."""
    seeds = seeds_of(asked.seeds)
    plain = TwinSettings(
        seed=seeds[0], case=asked.case, days=asked.days, rough_ambient=asked.rough_ambient
    )
    if asked.file is None:
        return {f"seed {seed}": replace(plain, seed=seed) for seed in seeds}
    return {
        f"{start}, seed {seed}": replace(plain, seed=seed, start=start, air_file=asked.file)
        for start in _starts(asked)
        for seed in seeds
    }


def _starts(asked: argparse.Namespace) -> list[str]:
    """First days as given, or so many spread over the file."""
    if not asked.starts.isdigit():
        return asked.starts.split(",")
    weather = read_weather(asked.file)
    first = pd.Timestamp(weather.first_start(bundled_case(asked.case).site.timezone))
    # A day is left at the end, since a file in UTC ends at another local hour.
    last = weather.air.instants[-1].tz_localize(None) - pd.Timedelta(days=asked.days + 1)
    days = np.linspace(0.0, (last - first) / pd.Timedelta(days=1), int(asked.starts)).astype(int)
    return [f"{first + pd.Timedelta(days=int(day)):%Y-%m-%d}" for day in days]


def scores(method: str, twin: Twin) -> tuple[float, ...]:
    """The numbers of `COLUMNS` for one method and one twin."""
    before = time.process_time()
    # As given: constants and equation are right here, and the method alone is judged.
    fitted = assess(twin.profile, twin.nameplate, chosen(method, as_given=True))
    spent = time.process_time() - before
    truth = twin.truth.isel(time=slice(None, None, STEP))
    top = float(truth["height"][-1])
    told = fitted.predict(truth["height"].to_numpy() / top, twin.profile.seconds[::STEP])
    error = told.mean - truth["oil_true"].to_numpy()
    z = error / np.sqrt(told.epistemic)
    ratio = np.median(told.aleatoric / truth["noise_std"].to_numpy() ** 2, axis=0)
    ends = (error[:, 0], z[:, 0], z[:, -1])
    return (*map(_rms, (error, z, *ends)), float(ratio[0]), float(ratio[-1]), spent)


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _line(method: str, name: str, row: tuple[float, ...] | np.ndarray) -> str:
    return f"| {method} | {name} | {' | '.join(f'{value:.3g}' for value in row)} |"


if __name__ == "__main__":
    main()

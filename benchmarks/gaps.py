"""A thermometer that says nothing for a while: which method knows the oil meanwhile?

.venv/bin/python benchmarks/gaps.py --methods solver,exact,vi --seeds 0,1,2,3,4
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
from dataclasses import replace

import numpy as np

from agewise.assessment.assess import assess
from agewise.assessment.comparison import chosen
from agewise.data.profile import Profile
from agewise.data.twin import TwinSettings, make_twin
from agewise.units import SECONDS_PER_HOUR

FIRST = 32.0
"""h from the start at which the top oil falls silent: eight in the morning of the second day"""


def main() -> None:
    """Error and z within the silent stretch, for every length of it."""
    parser = argparse.ArgumentParser(description="Methods without a top oil for some hours.")
    parser.add_argument("--methods", default="solver,exact,vi")
    parser.add_argument("--seeds", default="0,1,2,3,4")
    parser.add_argument("--hours", default="6,12")
    asked = parser.parse_args()
    print("| hours | method | RMSE in the stretch [K] | at the top [K] | epistemic z |")
    print("|---|---|---|---|---|")
    for hours in map(float, asked.hours.split(",")):
        for method in asked.methods.split(","):
            found = [within(hours, method, int(seed)) for seed in asked.seeds.split(",")]
            cells = [
                f"**{np.mean(values):.3g}** ({', '.join(f'{value:.3g}' for value in values)})"
                for values in zip(*found, strict=True)
            ]
            print(f"| {hours:g} | {method} | {' | '.join(cells)} |", flush=True)


def within(hours: float, method: str, seed: int) -> tuple[float, float, float]:
    """Error over all heights and at the top, and epistemic z, while the top oil is silent."""
    twin = make_twin(TwinSettings(seed=seed))
    fitted = assess(silent(twin.profile, hours), twin.nameplate, chosen(method))
    seconds = np.arange(FIRST, FIRST + hours, 1 / 6) * SECONDS_PER_HOUR
    shares = np.linspace(0.0, 1.0, 21)
    rows = np.searchsorted(twin.profile.seconds, seconds)
    columns = np.rint(shares * (twin.truth.sizes["height"] - 1)).astype(int)
    truth = twin.truth["oil_true"].to_numpy()[np.ix_(rows, columns)]
    told = fitted.predict(shares, twin.profile.seconds[rows])
    error = told.mean - truth
    z = float(np.sqrt(np.mean(error**2 / told.epistemic)))
    return float(np.sqrt(np.mean(error**2))), float(np.sqrt(np.mean(error[:, -1] ** 2))), z


def silent(profile: Profile, hours: float) -> Profile:
    """The profile without its top oil for some hours."""
    assert profile.top_oil is not None
    since = profile.seconds / SECONDS_PER_HOUR - FIRST
    gone = (since >= 0) & (since < hours)
    return replace(profile, top_oil=np.where(gone, np.nan, profile.top_oil))


if __name__ == "__main__":
    main()

"""Does the stated interval hold the truth as often as it says? Loss of life over many twins.

Each twin has a bias of its thermometers, a gradient, an exponent and a time constant of its own,
drawn from what the nameplate leaves open; the method sees the nameplate. `four` is the interval of
these and the field; in `all` the truth's ageing law is drawn too, and the interval is the reported
one; `law` is the reported interval where the truth obeys the printed law. `field` is the interval
from the oil field alone, on the same twins without any such error.

    .venv/bin/python benchmarks/coverage.py --method exact --seeds 0-49
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
import json
from dataclasses import replace

import numpy as np
from seeds import seeds_of

from agewise.assessment.life.doubts import BIAS, thermal_draws, unknowns
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.prognosis import EVERYTHING, WORST, Prognosis
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.transformer.ageing.law import Parameters
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.iec60076 import ThermalConstants, hot_spot_rise
from agewise.transformer.prognostics.unknowns import drawn
from agewise.twin.truth_file import truth_from
from agewise.twin.twin import TwinSettings, make_twin

LEVELS = (0.5, 0.9)
TRUTH_SEED = 10_000
"""added to a twin's seed for the random numbers of its hidden errors"""


def main() -> None:
    """One line a twin, then the shares."""
    asked = _arguments()
    rows = []
    for seed in seeds_of(asked.seeds):
        rows.append(place_of_truth(seed, asked))
        print(json.dumps(rows[-1]), flush=True)
    print(f"\n{asked.method} on {asked.case}, {asked.days:g} days, seeds {asked.seeds}")
    for name in ("four", "all", "law", "field"):
        places = np.array([row[name] for row in rows])
        inside = [np.mean(np.abs(places - 0.5) < level / 2) for level in LEVELS]
        shares = ", ".join(
            f"{100 * share:.0f} % in the {100 * level:.0f} % interval"
            for share, level in zip(inside, LEVELS, strict=True)
        )
        print(f"{name:>6}: {shares}; mean place {places.mean():.2f}")
    moved = [row["doubled"] for row in rows]
    print(f"doubling the draws moves the spread by {max(moved):.1%} at most")


def place_of_truth(seed: int, asked: argparse.Namespace) -> dict[str, float]:
    """The share of the draws below the truth, with everything unknown and with the field alone."""
    twin = make_twin(TwinSettings(seed=seed, case=asked.case, days=asked.days))
    nameplate = twin.nameplate
    hidden = drawn(unknowns(nameplate), 1, seed=TRUTH_SEED + seed)
    bias = float(hidden[BIAS][0])
    profile = twin.profile
    assert profile.top_oil is not None
    profile = replace(profile, ambient=profile.ambient + bias, top_oil=profile.top_oil + bias)
    fitted = assess(profile, nameplate, Settings(method=asked.method, seed=seed))
    truth = truth_from(twin.truth)
    seconds, oil, load = truth.seconds, twin.truth["oil_true"].to_numpy(), profile.load

    law = nameplate.insulation.law
    true_law = {one.name: float(hidden[one.name][0]) for one in law.unknowns()}

    def lost(constants: ThermalConstants, parameters: Parameters | None = None) -> float:
        winding = oil + hot_spot_rise(constants, seconds, load)[:, None]
        rate = law.rate(winding, parameters)
        return float(loss_of_life(seconds, rate, axis=0)[-1].max())

    (erring,) = thermal_draws(nameplate, hidden)
    once, twice = (Prognosis(fitted, 1.0, effort=Effort(draws=draws)) for draws in (1000, 2000))
    every, more = (one.loss_at(WORST, EVERYTHING) for one in (once, twice))
    four = once.loss_at(WORST, EVERYTHING - {"ageing law"})
    field, plain = field_loss(once, bias), lost(nameplate.thermal_constants())
    return {
        "seed": seed,
        "four": float(np.mean(four < lost(erring))),
        "all": float(np.mean(every < lost(erring, true_law))),
        "law": float(np.mean(every < lost(erring))),
        "field": float(np.mean(field < plain)),
        "field_error": float(field.mean() / plain - 1),
        "field_std": float(field.std() / plain),
        "std": float(every.std() / every.mean()),
        "doubled": float(abs(more.std() / every.std() - 1)),
    }


def field_loss(prognosis: Prognosis, bias: float) -> np.ndarray:
    """Draws of the loss from the oil alone, as if the bias were known and nothing else wrong."""
    freed = {one.name: np.full(prognosis.effort.draws, one.mean) for one in prognosis.unknowns}
    freed[BIAS] = np.full(prognosis.effort.draws, bias)
    exposure = prognosis.window[WORST]
    return exposure.used(exposure.hot_spot(freed, {"epistemic"}), freed)[:, -1]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Coverage over twins.")
    parser.add_argument("--method", default="exact")
    parser.add_argument("--case", default="floating-pv")
    parser.add_argument("--days", type=float, default=4.0)
    parser.add_argument("--seeds", default="0-49")
    return parser.parse_args()


if __name__ == "__main__":
    main()

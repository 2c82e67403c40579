"""What a wrong rise of the top oil on the nameplate does to the answer, and to plain IEC's.

    .venv/bin/python benchmarks/wrong_rise.py --methods exact,vi --seeds 0-4

Weeks of the hot substation: the demo (a true rise of 60 K) with 75 and with 45 K printed, and a
unit with a true rise of 45 K whose nameplate has none, so that the guide's 60 K are assumed.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
from dataclasses import dataclass, replace

import numpy as np
from seeds import seeds_of

from agewise.assessment.decision.findings import noted_of
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.assessment.plain_answers import iec_answer
from agewise.plant.nameplate import Nameplate
from agewise.threads import side_by_side
from agewise.twin import cases
from agewise.twin.settings import TwinSettings
from agewise.twin.twin import make_twin

LEFT_OUT = "left out"
TRUE_AND_PRINTED = ((60.0, "75"), (60.0, "45"), (45.0, LEFT_OUT), (45.0, "60"))
HEIGHTS = np.linspace(0.0, 1.0, 21)


@dataclass(frozen=True)
class OtherRise(cases.Case):
    """A bundled case with another true rise."""

    rise: float = 60.0
    """True rise of the top oil at rated load [K]."""

    def nameplate(self) -> Nameplate:
        """The nameplate of the case it was made from, with that rise."""
        plate = cases.CASES["aged-substation"].nameplate()
        return _with_rise(plate, self.rise)


def _with_rise(plate: Nameplate, rise: float) -> Nameplate:
    given = plate.model_dump(exclude_none=True)
    given["oil"]["top_oil_rise_k"] = rise
    return Nameplate.model_validate(given)


def row(true: float, printed: str, method: str, seed: int) -> str:
    """One line of the table."""
    base = cases.CASES["aged-substation"]
    cases.CASES["other-rise"] = OtherRise("other-rise", base.site, base.start, base.load, rise=true)
    left_out = ("oil.top_oil_rise_k",) if printed == LEFT_OUT else ()
    twin = make_twin(TwinSettings(case="other-rise", days=7.0, seed=seed, leave_out=left_out))
    plate = twin.nameplate if left_out else _with_rise(twin.nameplate, float(printed))
    fitted = assess(twin.profile, plate, Settings(method=method))
    lives = Prognosis(fitted, 1.0, doubts=noted_of(fitted).doubts()).lives
    oil = fitted.predict(HEIGHTS, fitted.profile.seconds[::15]).mean
    plain = iec_answer(replace(twin.profile, top_oil=None), plate)
    hot_spot = np.quantile(lives.hot_spot, [0.05, 0.95])
    loss = np.quantile(lives.loss, [0.05, 0.95])
    truth = twin.truth.attrs
    top, used = float(truth["true_hot_spot_c"]), float(truth["true_loss_of_life_h"])
    return (
        f"| {true:g} | {printed} | {method} | {seed} | {top:.1f} | {lives.hot_spot.mean():.1f} "
        f"| {hot_spot[0]:.1f} to {hot_spot[1]:.1f} | {plain.hot_spot.max():.1f} | {used:.0f} "
        f"| {loss[0]:.0f} to {loss[1]:.0f} | {plain.loss_of_life[-1]:.0f} "
        f"| {(oil - oil[:, -1:]).max():.1f} |"
    )


def main() -> None:
    """Read the command line, print a line for each twin."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--methods", default="exact,vi")
    parser.add_argument("--seeds", default="0-4", help="as 0-4")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    asks = [
        (*rises, method, seed)
        for rises in TRUE_AND_PRINTED
        for method in asked.methods.split(",")
        for seed in seeds_of(asked.seeds)
    ]
    print(
        "| true rise [K] | printed | method | seed | hottest spot [°C] | predicted | 90 % "
        "| plain IEC | life used [h] | 90 % | plain IEC | hottest height over the top [K] |\n"
        + "|---" * 12
        + "|"
    )
    for line in side_by_side(row, asks, jobs=asked.jobs):
        print(line, flush=True)


if __name__ == "__main__":
    main()

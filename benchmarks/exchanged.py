"""Does a check name exchanged columns, and steps of a thermometer, only where there are some?

Sun on the air's thermometer, rough air, load by night, cold weather and hardly any load make oil
that is cooler than the air and air that changes suddenly, without an exchange and without a step.

.venv/bin/python benchmarks/exchanged.py --seeds 100-139
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd
from seeds import seeds_of
from twin_record import record

from agewise.quality.quality import checked
from agewise.transformer.iec60076 import top_oil
from agewise.twin.cases import lagged
from agewise.twin.faults import Fault, inject
from agewise.twin.twin import Twin, TwinSettings, make_twin

NOISE_K, DAYS = 0.3, 7.0
"""Noise of the thermometers [K], and length of a file [days]."""
SHARES = {1: "10 %", 2: "40 %", 3: "all"}
"""How much of a file is exchanged, by the severity of the fault."""
FORMS = {"5 min, 0.1 K": (5, 1), "15 min, 1 K": (15, 0)}
"""How often a file is written [min], and to how many digits."""
SHADOW_MIN = 10.0
"""Time constant of a thermometer that comes into the sun [min]."""


@dataclass(frozen=True)
class Plant:
    """What makes a sound file look unsound."""

    load: float = 1.0
    """Factor on the load of a city substation."""
    rise: float = 1.0
    """Factor on the rise of its oil: below 1 for a unit with much more radiator than it needs."""
    delay_h: int = 0
    """Hours by which that load comes later: 10 for one by night."""
    sun_k: float = 0.0
    """What the air's thermometer shows too much in full sun [K]."""
    window_h: tuple[float, float] = (0.0, 24.0)
    """Hours of the day between which the sun reaches the thermometer, past poles and roofs."""
    rough: bool = False
    """Whether the air varies within minutes too."""
    start: str | None = None
    """First day, if it is not in July."""
    offset_k: float = 0.0
    """Constant error of the air's thermometer [K]."""
    patches: bool = False
    """Whether sun and shade change every half an hour to hour and a half."""
    pace: float = 1.0
    """Factor on the time constant of the oil: far below 1 for a probe near the tank's wall."""


NOON = (11.5, 13.0)
PLANTS = {
    "loaded, air in the shade": Plant(),
    "loaded, air in the sun": Plant(sun_k=10.0),
    "loaded, rough air in the sun": Plant(sun_k=10.0, rough=True),
    "loaded by night, cool unit, sun": Plant(rise=0.3, delay_h=10, sun_k=10.0),
    "cool unit, sun": Plant(rise=0.3, sun_k=10.0),
    "cool unit, sun at noon": Plant(rise=0.3, sun_k=12.0, window_h=NOON),
    "cool unit, patches of sun": Plant(rise=0.2, sun_k=12.0, patches=True),
    "probe at the wall, patches of sun": Plant(rise=0.15, sun_k=12.0, patches=True, pace=0.2),
    "hardly any load": Plant(load=0.1, rise=0.3),
    "hardly any load, sun": Plant(load=0.1, rise=0.3, sun_k=10.0),
    "hardly any load, sun at noon": Plant(load=0.1, rise=0.4, sun_k=12.0, window_h=NOON),
    "hardly any load, rough air, sun": Plant(load=0.1, rise=0.3, sun_k=10.0, rough=True),
    "winter, cool unit, sun": Plant(rise=0.3, sun_k=10.0, start="2025-01-10"),
    "out of service": Plant(load=0.0, rise=0.01),
    "hardly any load, air 6 K too warm": Plant(load=0.1, rise=0.3, offset_k=6.0),
    "cool unit, air 12 K too warm": Plant(load=0.5, rise=0.3, offset_k=12.0),
}
"""Sound files that may be misread, by name."""


def main() -> None:
    """Two tables in Markdown: files with a finding that is false, and exchanges that are found."""
    parser = argparse.ArgumentParser(description="Exchanged columns and steps, true and false.")
    parser.add_argument("--seeds", default="100-139", help="as 100-139 or 100,103")
    seeds = seeds_of(parser.parse_args().seeds)
    false, found = defaultdict(Counter), defaultdict(Counter)
    for seed, (name, plant) in product(seeds, PLANTS.items()):
        minutes = frame(plant, seed)
        for form, (every, digits) in FORMS.items():
            written = minutes.iloc[::every].reset_index(drop=True)
            written = written.round({"ambient": digits, "top_oil": digits})
            false[name, form].update(_kinds(written))
            for severity in SHARES:
                rng = np.random.default_rng([seed, severity])
                spoiled = inject(written, [Fault("swapped", severity)], rng=rng).frame
                found[name, form][severity] += "swapped" in _kinds(spoiled)
    head = ["swapped", "cold top_oil", "steps of ambient", "steps of top_oil", "bias ambient"]
    print(f"\n| sound files, {len(seeds)} each | form | {' | '.join(head)} |")
    print("|---" * (2 + len(head)) + "|")
    for (name, form), count in false.items():
        print(f"| {name} | {form} | {' | '.join(str(count[kind]) for kind in head)} |")
    print(f"\n| exchanged, {len(seeds)} each | form | {' | '.join(SHARES.values())} |")
    print("|---" * (2 + len(SHARES)) + "|")
    for (name, form), count in found.items():
        print(f"| {name} | {form} | {' | '.join(str(count[severity]) for severity in SHARES)} |")


@lru_cache(maxsize=8)
def _made(seed: int, start: str | None, rough: bool) -> tuple[Twin, np.ndarray]:
    """A twin without noise, and the share of full sun on its air's thermometer."""
    settings = {"seed": seed, "case": "aged-substation", "days": DAYS, "start": start}
    true = make_twin(TwinSettings(**settings, noise=0.0, rough_ambient=rough))
    lit = make_twin(TwinSettings(**settings, noise=0.0, rough_ambient=rough, sunlit_air=1.0))
    return true, (lit.frame["ambient"] - true.frame["ambient"]).to_numpy()


def frame(plant: Plant, seed: int) -> pd.DataFrame:
    """A sound file of minutes: load, air as its thermometer shows it, top oil by the guide."""
    made, sun = _made(seed, plant.start, plant.rough)
    times, rng = made.frame["time"], np.random.default_rng(seed)
    load = plant.load * np.roll(made.frame["load"].to_numpy(), 60 * plant.delay_h)
    air, seconds = made.frame["ambient"].to_numpy(), 60.0 * np.arange(load.size)
    constants = made.true_nameplate.thermal_constants()
    constants = replace(
        constants,
        top_oil_rise=plant.rise * constants.top_oil_rise,
        oil_time_constant=plant.pace * constants.oil_time_constant,
    )
    oil = np.asarray(top_oil(constants, seconds, load, air))
    hour = (times.dt.hour + times.dt.minute / 60).to_numpy()
    inside = (hour >= plant.window_h[0]) & (hour <= plant.window_h[1])
    if plant.patches:
        ends = np.cumsum(rng.uniform(30.0, 90.0, load.size // 30))
        inside = np.searchsorted(ends, np.arange(load.size)) % 2 == 0
    lit = plant.sun_k * lagged(np.where(inside, sun, 0.0), pd.DatetimeIndex(times), SHADOW_MIN)
    noise = NOISE_K * rng.standard_normal((2, load.size))
    columns = {
        "load": load,
        "ambient": air + lit + plant.offset_k + noise[0],
        "top_oil": oil + noise[1],
    }
    return pd.DataFrame({"time": times} | columns)


def _kinds(frame: pd.DataFrame) -> set[str]:
    """What the check says, a kind each; steps apart from what shines on a thermometer."""
    kinds = set()
    for finding in checked(record(frame)).findings:
        kinds.add("swapped" if finding.kind == "swapped" else f"{finding.kind} {finding.column}")
        if finding.kind == "bias" and "of the thermometer" in finding.text:
            kinds.add(f"steps of {finding.column}")
    return kinds


if __name__ == "__main__":
    main()

"""Do stated intervals hold where the world is not the model?

Twins whose nameplate, physics or thermometers are wrong, and whose cooling fails.

    .venv/bin/python benchmarks/plants.py nameplate --method exact --seeds 0-99
    .venv/bin/python benchmarks/plants.py physics --method exact --seeds 200-209
    .venv/bin/python benchmarks/plants.py cooling --seeds 0-99
    .venv/bin/python benchmarks/plants.py rating --seeds 0-199

Each prints a table; `--out FILE.json` keeps every twin's numbers.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from seeds import seeds_of

from agewise.assessment.decision.cooling_verdict import cooling_check
from agewise.assessment.decision.findings import noted_of
from agewise.assessment.life.effort import Effort
from agewise.assessment.life.prognosis import Prognosis
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.settings import Settings
from agewise.assessment.rating.rating import rating
from agewise.assessment.rating.request import RatingRequest
from agewise.plant.profile import Profile
from agewise.threads import side_by_side
from agewise.transformer.calibration.names import GRADIENT, RISE
from agewise.transformer.iec60076 import hot_spot_rise, top_oil
from agewise.twin.settings import TwinSettings
from agewise.twin.twin import Twin, make_twin

CASES = ("floating-pv", "aged-substation")
LEVELS = (0.5, 0.9)
EFFORT = Effort(draws=500, split_draws=20)
HEIGHTS = np.array([0.2, 0.5, 0.8])
"""Heights at which the oil is judged where nobody measured it, as fractions of the tank's."""
WRONG_PHYSICS: dict[str, dict[str, Any]] = {
    "right physics": {},
    "bottom offset": {"bottom_offset": (0.2, 0.6)},
    "k halved": {"conductivity_factor": 0.5},
    "k doubled": {"conductivity_factor": 2.0},
    "stratified": {"stratification": 1.0},
    "mismatch 1": {"mismatch": 1.0},
}
"""Ways in which the truth may obey another equation; a pair is a range from which it is drawn."""


def main() -> None:
    """Read the command line, work through the twins, print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=STUDIES)
    parser.add_argument("--method", default="exact")
    parser.add_argument("--seeds", default="0-9", help="as 0-99")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    seeds = seeds_of(asked.seeds)
    study, table = STUDIES[asked.what]
    rows = list(side_by_side(study, ((seed, asked.method) for seed in seeds), jobs=asked.jobs))
    flat = [row for part in rows for row in part]
    if asked.out:
        asked.out.write_text(json.dumps(flat, indent=1) + "\n")
    print(table(flat))


def wrong_unit(seed: int) -> Twin:
    """A week of a unit whose nameplate, bottom and air thermometer are wrong in drawn ways."""
    rng = np.random.default_rng([seed, *b"wrong unit"])
    left_out = ("oil.top_oil_rise_k",) if rng.random() < 0.5 else ()
    return make_twin(
        TwinSettings(
            seed=seed,
            case=CASES[seed % 2],
            days=7.0,
            nameplate_error=1.0,
            leave_out=left_out,
            bottom_offset=float(rng.uniform(0.2, 0.6)),
            air_bias=1.0,
            sunlit_air=float(rng.choice([0.0, 3.0])),
        )
    )


def nameplate_study(seed: int, method: str) -> list[dict[str, Any]]:
    """Hot spot, life used and learned rise of one wrong unit, beside all constants known."""
    twin = wrong_unit(seed)
    truth = {
        "hot_spot": float(twin.truth.attrs["true_hot_spot_c"]),
        "life_used": float(twin.truth.attrs["true_loss_of_life_h"]),
        "life_used_drawn": float(twin.truth.attrs["true_loss_of_life_h"]),
        "rise": twin.true_nameplate.oil.top_oil_rise_k.mean,
    }
    fitted = assess(twin.profile, twin.nameplate, Settings(method=method))
    known = assess(twin.profile, twin.true_nameplate, Settings(method="solver", as_given=True))
    row: dict[str, Any] = {"seed": seed, "method": method, "case": twin.settings.case}
    row["left_out"] = bool(twin.settings.leave_out)
    draws, narrow = _answers(fitted), _answers(known)
    for name, values in draws.items():
        row[name] = _held(values, truth[name])
        if name in narrow:
            low, high = np.quantile(narrow[name], [0.05, 0.95])
            row[name]["known_width"] = float(high - low)
    excess = fitted.predict(np.linspace(0, 1, 21), fitted.profile.seconds[::60])
    row["hottest_over_top"] = float((excess.mean - excess.mean[:, -1:]).max())
    return [row]


def _answers(fitted: Assessment) -> dict[str, np.ndarray]:
    """Draws of the highest hot spot [°C], life used [h] and rise [K].

    `life_used` is the reported interval, which also doubts the ageing law and the winding's
    exponent; `life_used_drawn` has the doubts alone in which these twins differ.
    """
    prognosis = Prognosis(fitted, 1.0, effort=EFFORT, doubts=noted_of(fitted).doubts())
    drawn = {"epistemic", GRADIENT, *fitted.nameplate.joint_draws}
    answers = {
        "hot_spot": prognosis.lives.hot_spot,
        "life_used": prognosis.lives.loss,
        "life_used_drawn": prognosis.lived(drawn).loss,
    }
    if fitted.nameplate.learned is not None:
        answers["rise"] = np.array(fitted.nameplate.learned.draws[RISE])
    return answers


def _held(draws: np.ndarray, truth: float) -> dict[str, Any]:
    """Whether central intervals hold the truth, and how wide they are."""
    result: dict[str, Any] = {
        "truth": truth,
        "mean": float(draws.mean()),
        "std": float(draws.std()),
    }
    for level in LEVELS:
        low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
        result[f"held_{level:g}"] = bool(low <= truth <= high)
        result[f"width_{level:g}"] = float(high - low)
    return result


def nameplate_table(rows: list[dict[str, Any]]) -> str:
    """Shares of twins whose interval holds the truth, and median widths."""
    lines = [
        "| quantity | 50 % | 90 % | median width of 90 % | with all constants known |",
        "|---" * 5 + "|",
    ]
    for name in ("hot_spot", "life_used", "life_used_drawn", "rise"):
        parts = [row[name] for row in rows]
        half, nine = (
            100 * np.mean([part[f"held_{level:g}"] for part in parts]) for level in LEVELS
        )
        width = np.median([part["width_0.9"] for part in parts])
        known = [part["known_width"] for part in parts if "known_width" in part]
        beside = f"{np.median(known):.3g}" if known else "-"
        lines.append(f"| {name} | {half:.0f} | {nine:.0f} | {width:.3g} | {beside} |")
    hottest = max(row["hottest_over_top"] for row in rows)
    return "\n".join(
        [*lines, "", f"{len(rows)} twins; hottest height over the top: {hottest:.1f} K"]
    )


def physics_study(seed: int, method: str) -> list[dict[str, Any]]:
    """The oil inside where the truth obeys another equation, without and with a sensor inside."""
    rows = []
    for case, days in (("floating-pv", 4.0), ("aged-substation", 7.0)):
        for kind, wrong in WRONG_PHYSICS.items():
            rng = np.random.default_rng([seed, *kind.encode()])
            drawn: dict[str, Any] = {
                name: float(rng.uniform(*value)) if isinstance(value, tuple) else value
                for name, value in wrong.items()
            }
            twin = make_twin(TwinSettings(seed=seed, case=case, days=days, interior=True, **drawn))
            for sensors in ((), (0.6,)):
                inside = {h: v for h, v in twin.profile.interior.items() if h in sensors}
                profile = replace(twin.profile, interior=inside)
                rows.append(
                    {"seed": seed, "case": case, "kind": kind, "sensors": len(sensors)}
                    | _inside(profile, twin, method)
                )
    return rows


def _inside(profile: Profile, twin: Twin, method: str) -> dict[str, Any]:
    rows = slice(None, None, 30)
    truth = twin.truth["oil_true"].to_numpy()[rows]
    at = np.round(HEIGHTS * (truth.shape[1] - 1)).astype(int)
    result: dict[str, Any] = {}
    for name, settings in (
        ("doubted", Settings(method=method)),
        ("as_given", Settings(method="exact", as_given=True)),
    ):
        fitted = assess(profile, twin.nameplate, settings)
        oil = fitted.predict(HEIGHTS, profile.seconds[rows])
        error, std = oil.mean - truth[:, at], np.sqrt(oil.epistemic)
        result[name] = {
            "rmse": float(np.sqrt(np.mean(error**2))),
            "z": float(np.sqrt(np.mean((error / std) ** 2))),
            "held": float(np.mean(np.abs(error) <= 1.645 * std)),
        }
        lives = Prognosis(fitted, 1.0, effort=EFFORT).lives
        result[name]["hot_spot_width"] = float(np.ptp(np.quantile(lives.hot_spot, [0.05, 0.95])))
    return result


def physics_table(rows: list[dict[str, Any]]) -> str:
    """By kind of physics: coverage, z and RMSE of the oil inside."""
    columns = (
        "physics",
        "sensors inside",
        "90 % holds [%]",
        "z",
        "RMSE [K]",
        "RMSE as given [K]",
        "z as given",
        "hot spot's 90 % over as given",
    )
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    kinds, every = list(WRONG_PHYSICS), "all wrong ones"
    for sensors in (0, 1):
        for kind in (*kinds, every):
            wanted = kinds[1:] if kind == every else [kind]
            some = [row for row in rows if row["sensors"] == sensors and row["kind"] in wanted]
            ours, given = (_pooled([row[name] for row in some]) for name in ("doubted", "as_given"))
            wider = ours["hot_spot_width"] / given["hot_spot_width"]
            cells = (kind, sensors, f"{100 * ours['held']:.0f}", f"{ours['z']:.2f}")
            cells += (f"{ours['rmse']:.3g}", f"{given['rmse']:.3g}", f"{given['z']:.3g}")
            lines.append(f"| {' | '.join(map(str, (*cells, f'{wider:.2f}')))} |")
    return "\n".join(lines)


def _pooled(parts: list[dict[str, float]]) -> dict[str, float]:
    """Means over twins: of shares as they are, of errors and spreads by their squares."""
    pooled = {name: np.array([part[name] for part in parts]) for name in parts[0]}
    return {
        name: float(values.mean() if name == "held" else np.sqrt(np.mean(values**2)))
        for name, values in pooled.items()
    }


def cooling_study(seed: int, method: str) -> list[dict[str, Any]]:
    """Whether the cooling alarms on a healthy wrong unit, and on one that loses a fifth of it."""
    rows = []
    for loss in (0.0, 0.2):
        settings = replace(wrong_unit(seed).settings, cooling_loss=loss)
        twin = make_twin(settings)
        check = cooling_check(assess(twin.profile, twin.nameplate, Settings(method=method)))
        rows.append({"seed": seed, "loss": loss, "alarm": check.alarm, "text": check.text})
    return rows


def cooling_table(rows: list[dict[str, Any]]) -> str:
    """How often there is an alarm."""
    lines = ["| cooling lost | twins | alarms |", "|---|---|---|"]
    for loss in (0.0, 0.2):
        some = [row["alarm"] for row in rows if row["loss"] == loss]
        lines.append(f"| {loss:g} | {len(some)} | {sum(some)} |")
    return "\n".join(lines)


def rating_study(seed: int, method: str) -> list[dict[str, Any]]:
    """Whether the permitted load of a wrong unit passes its limit in the true four hours ahead."""
    twin = wrong_unit(seed)
    rows, hours = len(twin.profile.load), 4
    ahead_minutes = hours * 60
    first = rows - ahead_minutes
    fitted = assess(twin.profile.between(0, first - 1), twin.nameplate, Settings(method=method))
    air = float(twin.truth["air_true"].to_numpy()[first:].max())
    permitted = rating(
        fitted, RatingRequest(hours=float(hours), risk=0.05, ambient=air), draws=1000
    )
    hot, oil = _true_peaks(twin, first, permitted.permit.load, air)
    ceiling = permitted.ceiling
    passed = hot > ceiling.hot_spot or oil > ceiling.top_oil
    return [
        {
            "seed": seed,
            "load": permitted.permit.load,
            "binding": permitted.permit.binding,
            "passed": bool(passed),
        }
    ]


def _true_peaks(twin: Twin, first: int, load: float, air: float) -> tuple[float, float]:
    """Highest true hot spot and top oil [°C] if the load and air had been held from a row on.

    The disturbance of the true top oil goes on as it was.
    """
    constants = twin.true_nameplate.thermal_constants()
    seconds = twin.profile.seconds
    loads, airs = (twin.truth[name].to_numpy().astype(float) for name in ("load_true", "air_true"))
    top = twin.truth["oil_true"].to_numpy()[:, -1].astype(float)
    modelled = top_oil(constants, seconds, loads, airs, start=float(top[0]))
    held_load, held_air = loads.copy(), airs.copy()
    held_load[first:], held_air[first:] = load, air
    held = top_oil(constants, seconds, held_load, held_air, start=float(top[0])) + top - modelled
    hot = held + hot_spot_rise(constants, seconds, held_load)
    return float(hot[first:].max()), float(held[first:].max())


def rating_table(rows: list[dict[str, Any]]) -> str:
    """How often the limit was passed."""
    thermal = [row for row in rows if row["binding"] != "current"]
    share = 100 * np.mean([row["passed"] for row in rows])
    bound = 100 * np.mean([row["passed"] for row in thermal]) if thermal else float("nan")
    return (
        f"{len(rows)} ratings at a risk of 5 %: limit passed in {share:.1f} %; in {bound:.1f} % "
        f"of the {len(thermal)} that a temperature limits"
    )


STUDIES = {
    "nameplate": (nameplate_study, nameplate_table),
    "physics": (physics_study, physics_table),
    "cooling": (cooling_study, cooling_table),
    "rating": (rating_study, rating_table),
}

if __name__ == "__main__":
    main()

"""Are learned constants right, and as sure as they should be? Learning alone, without an answer.

    .venv/bin/python benchmarks/learning.py units --seeds 0-99
    .venv/bin/python benchmarks/learning.py nuts --seeds 100-104

`units` learns the units of `plants.py` whose nameplate is wrong, and counts how often the intervals
of rise, time constant and exponent hold the truth: together, by case, by whether the rise was left
out, and by whether the sun shines on the air's thermometer. `nuts` compares means and spreads with
those of NUTS, an independent sampler, on the same posterior.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import argparse
import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpyro.infer import MCMC, NUTS
from plants import CASES, wrong_unit
from seeds import seeds_of

from agewise.assessment.calibration.calibrate import top_oil_record
from agewise.assessment.calibration.priors import top_oil_model
from agewise.threads import side_by_side
from agewise.transformer.calibration.learning import Learned, learned
from agewise.transformer.calibration.model import AbstractThermalModel
from agewise.transformer.calibration.names import EXPONENT, OIL_MINUTES, RISE
from agewise.transformer.calibration.record import ThermalRecord
from agewise.twin.twin import Twin

CONSTANTS = (RISE, OIL_MINUTES, EXPONENT)
CHAINS, WARM_UP, SAMPLES, DEPTH = 16, 60, 60, 4
"""Chains of NUTS that are run together, steps of each that tune it and that are kept, and doublings
of a step's path: in coordinates in which the posterior is about round, short paths are enough."""
CELLS = 432
"""Cells of ten minutes that NUTS sees, three days: its gradients take a hundred times as long."""


def main() -> None:
    """Read the command line, work through the units, print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=STUDIES)
    parser.add_argument("--seeds", default="100-104", help="as 0-99")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    seeds = seeds_of(asked.seeds)
    study, table = STUDIES[asked.what]
    rows = list(side_by_side(study, ((seed,) for seed in seeds), jobs=asked.jobs))
    if asked.out:
        asked.out.write_text(json.dumps(rows, indent=1) + "\n")
    print(table(rows))


def problem(twin: Twin) -> tuple[AbstractThermalModel, ThermalRecord]:
    """The model of a twin's top oil, and its record."""
    return top_oil_model(twin.nameplate), top_oil_record(twin.profile, twin.nameplate, "backward")


def unit_study(seed: int) -> dict[str, Any]:
    """Where the truth lies among the learned draws of one wrong unit."""
    twin = wrong_unit(seed)
    draws = learned(*problem(twin), seed=0).draws
    truth = twin.true_nameplate.thermal_quantities()
    row: dict[str, Any] = {
        "seed": seed,
        "case": twin.settings.case,
        "left out": bool(twin.settings.leave_out),
        "sunlit": twin.settings.sunlit_air > 0,
    }
    for name in CONSTANTS:
        values, true = draws[name], truth[name].mean
        row[name] = {
            "place": float(np.mean(values < true)),
            "z": float((values.mean() - true) / values.std()),
            "width": float(np.ptp(np.quantile(values, [0.05, 0.95]))),
        }
    return row


def unit_table(rows: list[dict[str, Any]]) -> str:
    """By group: how many intervals hold the truth, root mean square of z, median width."""
    columns = [f"{name}: 50 % / 90 %, z, width" for name in CONSTANTS]
    lines = [f"| units | number | {' | '.join(columns)} |", "|---" * 5 + "|"]
    groups: dict[str, list[dict[str, Any]]] = {"all": rows}
    groups |= {case: [row for row in rows if row["case"] == case] for case in CASES}
    for flag, words in (("left out", ("rise printed", "rise left out")), ("sunlit", SHADE)):
        for value, word in enumerate(words):
            groups[word] = [row for row in rows if row[flag] == bool(value)]
    for word, some in groups.items():
        if some:
            cells = " | ".join(_cell([row[name] for row in some]) for name in CONSTANTS)
            lines.append(f"| {word} | {len(some)} | {cells} |")
    return "\n".join(lines)


SHADE = ("air in the shade", "air in the sun")


def _cell(parts: list[dict[str, float]]) -> str:
    places = np.array([part["place"] for part in parts])
    half, nine = (100 * np.mean(np.abs(places - 0.5) < level / 2) for level in (0.5, 0.9))
    z = np.sqrt(np.mean([part["z"] ** 2 for part in parts]))
    return f"{half:.0f} / {nine:.0f}, {z:.2f}, {np.median([part['width'] for part in parts]):.3g}"


def nuts_study(seed: int) -> dict[str, Any]:
    """Means and spreads of our draws beside those of NUTS, in the latter's spreads."""
    model, record = problem(wrong_unit(seed))
    record = jax.tree.map(lambda series: series[:CELLS], record)
    own = learned(model, record, seed=0)
    values = nuts_draws(model, record, own)
    row: dict[str, Any] = {"seed": seed, "effective": own.effective}
    for name, ours in own.draws.items():
        theirs = values[name]
        row[name] = {
            "mean": float((ours.mean() - theirs.mean()) / theirs.std()),
            "std": float(ours.std() / theirs.std()),
        }
    return row


def nuts_draws(
    model: AbstractThermalModel, record: ThermalRecord, own: Learned
) -> dict[str, np.ndarray]:
    """Draws by NUTS of every parameter, in coordinates that our draws make about round."""
    with jax.enable_x64(True):
        fast, cells = jax.tree.map(jnp.asarray, (model, record))
        centre = jnp.asarray(own.coordinates.mean(axis=0))
        factor = jnp.asarray(np.linalg.cholesky(np.cov(own.coordinates.T)))

        def potential(white):
            return -fast.log_posterior(centre + factor @ white, cells)

        kernel = NUTS(potential_fn=potential, max_tree_depth=DEPTH)
        chain = MCMC(
            kernel,
            num_warmup=WARM_UP,
            num_samples=SAMPLES,
            num_chains=CHAINS,
            chain_method="vectorized",
            progress_bar=False,
        )
        start = jax.random.normal(jax.random.key(1), (CHAINS, centre.size))
        chain.run(jax.random.key(0), init_params=start)
        values = jax.vmap(fast.values)(centre + chain.get_samples() @ factor.T)
    return {name: np.asarray(value) for name, value in values.items()}


def nuts_table(rows: list[dict[str, Any]]) -> str:
    """The farthest mean and the most different spreads over the units, by parameter."""
    lines = [
        "| number | difference of means, largest [std] | ratio of stds, least and largest |",
        "|---|---|---|",
    ]
    for name in (name for name in rows[0] if name not in ("seed", "effective")):
        means = max((row[name]["mean"] for row in rows), key=abs)
        stds = [row[name]["std"] for row in rows]
        lines.append(f"| {name} | {means:+.2f} | {min(stds):.2f}, {max(stds):.2f} |")
    return "\n".join(lines)


STUDIES = {"units": (unit_study, unit_table), "nuts": (nuts_study, nuts_table)}

if __name__ == "__main__":
    main()

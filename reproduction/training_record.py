"""How a training went, from what a posterior remembers of it."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float
from scipy.stats import norm

from agewise.assessment.oil.assessment import Assessment

SETTLED = 0.05
"""Distance from its end at which a term counts as converged, as a share of its range [1]."""
SMOOTH = 0.02
"""Share of the looks over which a term is averaged before it is judged [1]."""
WEIGHTS = np.linspace(-3.0, 3.0, 241)
"""Values of a weight at which the density of all is kept [1]."""
LONGEST = 400
"""Largest number of looks that are kept of a history."""


def stage_terms(
    arrays: Mapping[str, np.ndarray], stage: str
) -> dict[str, Float[np.ndarray, " look"]]:
    """Every term of a stage by its name, `step` and `total` among them."""
    start = f"history_{stage}_"
    return {name.removeprefix(start): a for name, a in arrays.items() if name.startswith(start)}


def first_stage(arrays: Mapping[str, np.ndarray]) -> str:
    """The stage that sets out from random weights."""
    return "start" if "history_start_step" in arrays else "own"


def convergence(arrays: Mapping[str, np.ndarray]) -> dict[str, float]:
    """For each term, the share of the first stage's steps after which it stays near its end."""
    terms = stage_terms(arrays, first_stage(arrays))
    if not terms:
        return {}
    steps = terms["step"] / terms["step"][-1]
    left_out = ("step", "total", "divergence", "prior")
    return {n: _settled(steps, values) for n, values in terms.items() if n not in left_out}


def _settled(steps: np.ndarray, values: np.ndarray) -> float:
    """Share of the steps after which a term stays within `SETTLED` of its end [1]."""
    width = max(1, round(SMOOTH * values.size))
    # Only windows that lie within the record: at its ends a shorter one would be biased.
    smooth = np.convolve(values, np.full(width, 1 / width), mode="valid")
    span = np.ptp(smooth)
    away = np.flatnonzero(np.abs(smooth - smooth[-1]) > SETTLED * span)
    # A window begins at its index, so its middle is half a width later.
    return float(steps[away[-1] + width // 2]) if away.size else 0.0


def training_arrays(assessment: Assessment) -> dict[str, np.ndarray]:
    """Histories, thinned, and the distribution of the weights at every snapshot."""
    arrays = assessment.windows[0].posterior.arrays()
    histories = {n: _thinned(a) for n, a in arrays.items() if n.startswith("history_")}
    if "snapshots_own_log_std" not in arrays:
        return histories
    means, stds = arrays["snapshots_own_mean"], np.exp(arrays["snapshots_own_log_std"])
    densities = [weight_density(mean, std) for mean, std in zip(means, stds, strict=True)]
    spreads = {"snapshot_mean_std": means.std(axis=1), "snapshot_weight_std": np.median(stds, 1)}
    return histories | {"snapshot_density": np.stack(densities)} | spreads


def _thinned(values: np.ndarray) -> Float[np.ndarray, " look"]:
    # Rounded up, so that no more than `LONGEST` are left.
    stride = -(-values.size // LONGEST)
    return values[::stride].astype(np.float32)


def weight_density(
    mean: Float[np.ndarray, " weight"], std: Float[np.ndarray, " weight"]
) -> Float[np.ndarray, " value"]:
    """Density of a weight picked at random from the posterior."""
    return norm.pdf(WEIGHTS[:, None], mean, std).mean(axis=1).astype(np.float32)

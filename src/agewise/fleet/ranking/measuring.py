r"""Which measurements would change a ranked list most.

A measurement takes a share $s$ of the variance of $\ln Y$, the logarithm of the years left, away.
Before it is made, what it will show is uncertain by just that share: the middle moves by
$\sqrt{s}\,\sigma z$ with a standard normal $z$, and $\sqrt{1 - s}\,\sigma$ of the spread remains.
Each $z$ gives a risk and with it a place in the list; the mean number of places moved is how much
the measurement would change the list. It is what a perfect measurement would do, an upper bound.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

from agewise.arrays import read_arrays
from agewise.assessment.decision.narrowing import SAMPLED
from agewise.assessment.life.doubts import BIAS, OIL_READING
from agewise.assessment.stored import LIFE
from agewise.fleet.chances import LEAST_SPREAD, log_years, years_left
from agewise.fleet.ranking.order import Order
from agewise.fleet.ranking.place import Place

PAPER, HEAT_RUN, SENSORS = "paper sample", "heat-run report", "sensor check"
"""Measurements that can be ordered for a unit."""
UNMEASURED = {"future", "aleatoric", "epistemic", "history.load_growth_percent_per_year"}
"""Quantities that none of these measurements tells: years to come, noise, the oil between sensors,
the growth of the load."""
LEAST_PLACES = 0.05
"""Places by which an asset must be expected to move for a measurement to change the list."""
LEAST_SHARE = 0.02
"""Share of the variance below which a measurement is not worth a visit."""
SHOWN = 41
"""Outcomes of a measurement that are tried, evenly spaced in probability."""
RESOLUTION = 1e-3
"""Risks that differ by less, as a share of the greatest criticality, stand on one place."""
OF_THE_LAW = ("doubling_k", "insulation.")
"""Beginnings of the names of quantities that a sample of the paper tells."""


@dataclass(frozen=True)
class Measurement:
    """A measurement of one asset, and what it would do to the list."""

    asset: str
    """Id of the asset."""
    name: str
    """Name of the asset."""
    what: str
    """The measurement."""
    share: float
    """Share of the variance of the years left that it would take away at the most."""
    places: float
    """Places in the list that the asset is expected to move by."""
    risk: float
    """Expected change of its risk, up or down."""


def kind_of(quantity: str) -> str | None:
    """The measurement that tells a quantity; None where there is none.

    >>> kind_of("insulation.life_hours")
    'paper sample'
    >>> kind_of("readings of the oil")
    'sensor check'
    """
    if quantity in UNMEASURED:
        return None
    if quantity in (BIAS, OIL_READING):
        return SENSORS
    if quantity in SAMPLED or quantity.startswith(OF_THE_LAW):
        return PAPER
    return HEAT_RUN


def shares_by_measurement(quantities: Mapping[str, float]) -> dict[str, float]:
    """Share of the variance of the years left that each measurement would take away at the most."""
    shares: dict[str, float] = {}
    for quantity, share in quantities.items():
        kind = kind_of(quantity)
        if kind is not None:
            shares[kind] = shares.get(kind, 0.0) + float(share)
    return {kind: min(share, 1.0) for kind, share in shares.items() if share >= LEAST_SHARE}


def measurements(order: Order, directory: Path, count: int) -> list[Measurement]:
    """The measurements that would change a list by risk most, the best first, one for an asset.

    Args:
        order: A fleet ranked by risk.
        directory: Folder of the fleet.
        count: How many there is a budget for.
    """
    risks = np.array([place.value for place in order.places])
    step = RESOLUTION * max((place.asset.criticality for place in order.places), default=1.0)
    best = [
        measurement
        for number, place in enumerate(order.places)
        if (measurement := _best(place, directory, np.delete(risks, number), step or 1.0))
        is not None
    ]
    best = [measurement for measurement in best if measurement.places >= LEAST_PLACES]
    return sorted(
        best, key=lambda measurement: (-measurement.places, -measurement.risk, measurement.asset)
    )[:count]


def _best(place: Place, directory: Path, others: np.ndarray, step: float) -> Measurement | None:
    """The measurement of an asset that would move it most; None where none is worth a visit."""
    arrays = read_arrays(directory / (place.run.folder or "") / LIFE)
    years = years_left(arrays, place.run.yearly_loss_hours)
    tried = [
        _expected(place, kind, share, log_years(years), others, step)
        for kind, share in shares_by_measurement(place.run.quantities).items()
    ]
    return max(tried, key=lambda measurement: (measurement.places, measurement.risk), default=None)


def _expected(
    place: Place, kind: str, share: float, logs: np.ndarray, others: np.ndarray, step: float
) -> Measurement:
    after = place.asset.criticality * chances_after(logs, place.run.horizon_years or 0.0, share)
    now = place.asset.criticality * chances_after(logs, place.run.horizon_years or 0.0, 0.0)[0]
    ranked = np.sort(np.round(others / step))
    moved = np.abs(_rank(ranked, after / step) - _rank(ranked, np.array([now / step])))
    change = float(np.abs(after - now).mean())
    return Measurement(place.asset.id, place.asset.name, kind, share, float(moved.mean()), change)


def _rank(ranked: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Number of others above each value; of those on the same place half count."""
    left = np.searchsorted(ranked, np.round(values), side="left")
    right = np.searchsorted(ranked, np.round(values), side="right")
    return ranked.size - (left + right) / 2


def chances_after(logs: np.ndarray, horizon: float, share: float) -> np.ndarray:
    """Chances of an end within a horizon after a measurement, for what it may show.

    Args:
        logs: Draws of the logarithm of the years left.
        horizon: Years ahead.
        share: Share of their variance that the measurement takes away.
    """
    middle, spread = logs.mean(), logs.std()
    shown = ndtri((np.arange(SHOWN) + 0.5) / SHOWN)
    left = max(np.sqrt(1 - share) * spread, LEAST_SPREAD)
    return ndtr((np.log(horizon) - middle - np.sqrt(share) * spread * shown) / left)

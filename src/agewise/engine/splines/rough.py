"""A noisy series that changes fast: a smooth part and a rough one, each as strong as the data say.

The smooth part has white second differences, the rough one is a random walk that is pulled back to
zero (an Ornstein-Uhlenbeck process). Where nothing is rough, the evidence switches that part off.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.linalg import cho_solve_banded, cholesky_banded, solveh_banded
from scipy.optimize import minimize

from agewise.engine.splines.blocks import BlockCholesky, BlockTridiagonal

PARTS = 2
"""Numbers at each node: the smooth part, then the rough one."""
BLOCK = 2 * PARTS
"""Numbers in a block of the algebra: two nodes, since second differences reach two nodes back."""
SMOOTH_ORDER, ROUGH_ORDER = 2, 1
"""Order of the differences that are penalised in each part."""
RIDGE = 1e-8
"""Pull of every number to zero, in units of the series: enough for a proper density."""
PENALTIES = (-12.0, 25.0)
"""Range of the natural logarithm of a penalty. The largest leaves nothing of a rough part, and of a
smooth one only what is slower than hours; larger ones would drown in rounding."""
START = np.array([12.0, 8.0])
"""Natural logarithms of the penalties from which the search sets out."""
SPREAD, TOLERANCE = 2.0, 0.3
"""Size of the first steps of the search, and of the last, in the natural logarithm."""


@dataclass(frozen=True, eq=False)
class RoughSeries:
    """A Gaussian over functions that are straight between the nodes of a fine grid in time."""

    nodes: Float[np.ndarray, " node"]
    """Times of the grid as shares of the window [1], evenly spaced."""
    mean: Float[np.ndarray, " number"]
    """Expected numbers: smooth and rough part of every node in turn."""
    factor: BlockCholesky
    """Factor of the precision of these numbers."""
    log_penalties: Float[np.ndarray, " part"]
    """Natural logarithms of the penalties of both parts, learned from the series."""

    @property
    def at_nodes(self) -> Float[np.ndarray, " node"]:
        """The expected function at the nodes."""
        return _sum(self.mean)

    def values(self, times: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """The expected function."""
        return np.interp(times, self.nodes, self.at_nodes)

    def variance(self, times: Float[np.ndarray, " time"]) -> Float[np.ndarray, " time"]:
        """The variance of the function, without the noise of a reading."""
        pairs = self.factor.covariance_pairs
        # Every pair has its first block's covariance; the last block stands in the last pair alone.
        blocks = np.concatenate([pairs[:, :BLOCK, :BLOCK], pairs[-1:, BLOCK:, BLOCK:]])
        # The function is the sum of both parts, so its variance is the sum of all four entries of a
        # node: two variances and twice a covariance.
        at_nodes = [
            blocks[:, first : first + PARTS, first : first + PARTS].sum(axis=(1, 2))
            for first in (0, PARTS)
        ]
        # A little too wide between two nodes: of (1-s) a + s b the variance is at most this line.
        return np.interp(times, self.nodes, np.stack(at_nodes, axis=1).ravel())

    def errors(self, count: int, *, rng: np.random.Generator) -> Float[np.ndarray, "node draw"]:
        """By how much drawn functions depart from the expected one at the nodes."""
        white = rng.standard_normal((self.mean.size, count))
        # Both parts are drawn together: alone each is uncertain, and readings hold only their sum.
        return _sum(self.factor.solve_transposed(white))


def faster_than(
    values: Float[np.ndarray, "node *draw"], period: float
) -> Float[np.ndarray, "node *draw"]:
    r"""What of a series on even nodes is faster than a period, as a share of the window [1].

    The series less its smoothed self, $(1 + w D^T D)^{-1}$ with second differences $D$: half of a
    wave of that period is left, 94 % of one half as long, and nothing of a straight line.
    """
    nodes = len(values)
    # Second differences of a wave are it times this squared, and the weight is their inverse.
    size = (2 * np.sin(np.pi / ((nodes - 1) * period))) ** 2
    band = _differences(nodes, SMOOTH_ORDER) / size**2
    # The unit matrix of 1 + w DᵀD, whose band has its diagonal in row 0.
    band[0] += 1.0
    return values - solveh_banded(band, values, lower=True, check_finite=False)


def smooth_and_rough(
    times: Float[np.ndarray, " time"],
    values: Float[np.ndarray, " time"],
    variance: Float[np.ndarray, " time"],
    *,
    nodes: int,
    recall: float,
    start: Float[np.ndarray, " part"] = START,
) -> RoughSeries:
    """Smooth a series, with penalties on both parts that make the data most likely.

    Args:
        times: When it was read, as shares of the window [1].
        values: What was read, scaled to order one.
        variance: Variance of the noise of each reading, in squared units of the values.
        nodes: Number of nodes over the window, even.
        recall: Time after which the rough part has forgotten what it was, as a share of the
            window [1].
        start: Natural logarithms of the penalties from which the search sets out.
    """
    data, information = _data(times, values, variance, nodes)
    smooth, rough = _penalties(nodes, recall)

    def precision(logs: np.ndarray) -> np.ndarray:
        weights = np.exp(logs)
        return data + weights[0] * smooth + weights[1] * rough

    # Straight lines cost the smooth part nothing; the pull back holds all of the rough one.
    ranks = np.array([nodes - SMOOTH_ORDER, nodes])

    def loss(logs: np.ndarray) -> float:
        # Clipped, since a step of the simplex may leave the range, where `exp` overflows.
        inside = np.clip(logs, *PENALTIES)
        factor = cholesky_banded(precision(inside), lower=True, check_finite=False)
        explained = information @ cho_solve_banded((factor, True), information, check_finite=False)
        # Minus the log evidence, less what does not depend on the penalties; and a slope back into
        # the range, since beyond it nothing changes.
        # Row 0 of the band is the diagonal of L, whose logarithms sum to half a log determinant.
        evidence = np.log(factor[0]).sum() - 0.5 * (explained + ranks @ inside)
        return float(evidence + np.sum((logs - inside) ** 2))

    # SciPy's simplex steps by 5 % of the start, too little for logarithms over decades.
    simplex = np.vstack([start, start + SPREAD * np.eye(len(start))])
    optimum = minimize(
        loss,
        start,
        method="Nelder-Mead",
        options={"initial_simplex": simplex, "xatol": TOLERANCE, "fatol": TOLERANCE},
    )
    best = np.clip(optimum.x, *PENALTIES)
    # By blocks now, since variances and draws need them; the search needed only LAPACK's band.
    factor = BlockTridiagonal.banded(precision(best), BLOCK).cholesky
    mean = factor.solve(information)
    return RoughSeries(np.linspace(0.0, 1.0, nodes), mean, factor, best)


def _data(
    times: np.ndarray, values: np.ndarray, variance: np.ndarray, nodes: int
) -> tuple[Float[np.ndarray, "band number"], Float[np.ndarray, " number"]]:
    """Precision and information of readings, each between two nodes."""
    place = times * (nodes - 1)
    # The last node has no next one, so a reading at the end belongs to the interval before.
    node = np.clip(place.astype(int), 0, nodes - 2)
    share = place - node
    # A reading sees the sum of both parts at its two nodes.
    rows = np.repeat(np.stack([1 - share, share], axis=1), PARTS, axis=1)
    first = PARTS * node
    band, information = np.zeros((BLOCK + 1, PARTS * nodes)), np.zeros(PARTS * nodes)
    for i in range(BLOCK):
        # Readings share nodes, and `+=` would count only one of them.
        np.add.at(information, first + i, rows[:, i] * values / variance)
        # The lower triangle alone: entry (i, j) of the local matrix goes to row i - j of the band.
        for j in range(i + 1):
            np.add.at(band[i - j], first + j, rows[:, i] * rows[:, j] / variance)
    # Straight lines cost the smooth part nothing: where too few readings hold one, this does.
    band[0] += RIDGE
    return band, information


def _penalties(
    nodes: int, recall: float
) -> tuple[Float[np.ndarray, "band number"], Float[np.ndarray, "band number"]]:
    """Squared differences of both parts as bands, the rough one with its pull back to zero."""
    bands = []
    for part, order in enumerate((SMOOTH_ORDER, ROUGH_ORDER)):
        band = np.zeros((BLOCK + 1, nodes, PARTS))
        # A node back is so many numbers back, since both parts take turns.
        band[: PARTS * order + 1 : PARTS, :, part] = _differences(nodes, order)
        bands.append(band.reshape(BLOCK + 1, -1))
    # Differences squared plus z² over the squared recall in nodes: an Ornstein-Uhlenbeck process.
    bands[1][0, 1::PARTS] += 1 / ((nodes - 1) * recall) ** 2
    return bands[0], bands[1]


def _differences(nodes: int, order: int) -> Float[np.ndarray, "band node"]:
    """Squared differences of neighbours, as the lower band of a symmetric matrix."""
    # Differences of the unit vectors: binomial coefficients with alternating signs.
    stencil = np.diff(np.eye(order + 1), n=order, axis=0)[0]
    band = np.zeros((order + 1, nodes))
    for i, upper in enumerate(stencil):
        for j, lower in enumerate(stencil[: i + 1]):
            # A difference that starts at node k touches k + i and k + j: row i - j of column k + j.
            band[i - j, j : nodes - order + j] += upper * lower
    return band


def _sum(numbers: Float[np.ndarray, "number *draw"]) -> Float[np.ndarray, "node *draw"]:
    """Both parts together at every node."""
    return numbers[0::PARTS] + numbers[1::PARTS]

"""What the errors of readings say of a fit: too large, or together, as noise is not."""

from itertools import combinations_with_replacement

import numpy as np
from jaxtyping import Float
from scipy.spatial import cKDTree
from scipy.stats import chi2, norm, rankdata
from scipy.stats import f as f_distribution

from agewise.engine.equations.posterior.followed import Followed

LIKELY = 1e-4
"""Chance below which readings of known noise count as not explained [1]."""
TOGETHER = 0.25
"""Correlation of the errors of neighbouring readings from which these count as not explained."""
SURE = 4.0
"""Standard errors by which a correlation of neighbours must differ from none [1]."""
UNLIKELY = 1e-3
"""Chance [1] below which errors that follow a course count as not explained; enough for eight
readings to tell, since so few cannot be much less likely."""
FOLLOWING = 0.25
"""Share of the squares of errors [1] that must follow a course for that to matter."""
NOISY = 0.8
"""Learned noise over the spread of the readings from which the fit explains nothing [1]."""
FINE = 1e-3
"""Learned noise over the spread of the readings [1] below which errors are those of a solution
that is good to so much, whether they go together or not."""
FEW = 20
"""Readings up to which neighbours cannot tell, and sizes of errors count and not their order."""
LEAST_LEFT = 0.1
"""Share of a polynomial that the fit does not follow [1] from which errors may follow it."""
HIGHEST = 4
"""Highest degree of the polynomials that errors may follow: what bends more often is told by
neighbours."""


def readings_finding(
    name: str,
    points: Float[np.ndarray, "reading axis"],
    errors: Float[np.ndarray, " reading"],
    learned_share: float | None,
    followed: Followed | None = None,
) -> str | None:
    """What is wrong with the errors of one sensor, each over its noise; None where nothing is.

    Args:
        name: Name of the sensor.
        points: Where it was read, each coordinate as a share of the box.
        errors: Errors of the readings over the standard deviation of their noise.
        learned_share: Learned noise over the spread of the readings [1]; None where it was known.
        followed: What the fit follows of their noise; None if that is not known.
    """
    count = len(errors)
    mean_square = float(np.mean(errors**2))
    # Σ (e/s)² of right readings is chi-squared: too large a sum is no chance.
    if learned_share is None and chi2.sf(count * mean_square, count) < LIKELY:
        return (
            f"Readings of {name!r} miss the fit by {np.sqrt(mean_square):.2g} times their stated "
            "noise: the fit does not explain them, or the noise is understated."
        )
    # Learned noise is always as large as the errors: only its share of the spread can tell.
    if learned_share is not None and learned_share > NOISY:
        return (
            f"The fit explains nothing of the readings of {name!r}: what is left over is "
            f"{learned_share:.0%} of their spread."
        )
    # Readings without noise: nothing but the tolerance of the equations is left, which is smooth.
    if learned_share is not None and learned_share < FINE:
        return None
    known = learned_share is None
    # Errors that are small beside their stated noise may lie on any curve: it was overstated.
    together = neighbour_correlation(points, errors) * (min(1.0, mean_square) if known else 1.0)
    # The standard error of a correlation is about 1/√n, a quarter more of nearest neighbours, many
    # of which are each other's.
    if count > FEW and together > TOGETHER and together * np.sqrt(count) > SURE:
        return (
            f"Errors of neighbouring readings of {name!r} go together (correlation "
            f"{together:.2f}): something is left that is not noise."
        )
    chance, share = course_chance(points, errors, known=known, followed=followed)
    if share > FOLLOWING and chance < UNLIKELY:
        return (
            f"Errors of the readings of {name!r} follow a course over the box, which noise does "
            f"with a chance of {chance:.1g}: the equation contradicts these readings, or they have "
            "an error in common."
        )
    return None


def neighbour_correlation(
    points: Float[np.ndarray, "reading axis"], errors: Float[np.ndarray, " reading"]
) -> float:
    """The correlation of every reading's error with that of the reading nearest to it."""
    if len(errors) < 3:
        return 0.0
    _, neighbours = cKDTree(points).query(points, k=2)
    first, second = np.asarray(neighbours).T
    # One of the two may be the point itself, and where places coincide either of them.
    nearest = np.where(second == np.arange(len(errors)), first, second)
    # About zero and not about their mean: a common offset is unexplained too.
    size = float(np.mean(errors**2)) or 1.0
    return float(np.mean(errors * errors[nearest])) / size


def course_chance(
    points: Float[np.ndarray, "reading axis"],
    errors: Float[np.ndarray, " reading"],
    *,
    known: bool = False,
    followed: Followed | None = None,
) -> tuple[float, float]:
    """The chance that white noise follows a polynomial as closely as the errors do, and their share
    that the polynomial explains, of the degree at which that is least likely.

    Fewer readings than neighbours need are enough: eight that lie on a curve are no accident. White
    noise falls below a chance of 1e-3 once in a thousand, that of a heavy-tailed law (Student's t
    of 2) up to five times, and 17 times at 20 places that crowd at one end of the box.

    Args:
        points: Where it was read, each coordinate as a share of the box.
        errors: Errors of the readings over the standard deviation of their noise.
        known: Whether that was stated, so that errors have a size as well as a course.
        followed: What the fit follows of their noise; None if nothing. A course that it follows is
            no longer there to be found, and is not looked for: of 15 readings of a decay with a
            term that was forgotten, 9 in 10 are found and not 3.
    """
    # By rank and sign: a single wild reading near a corner would bend any polynomial.
    scores = normal_scores(errors) if len(errors) > FEW and not known else errors
    least, share, tried = 1.0, 0.0, 0
    count = len(errors)
    if followed is not None:
        scores, count = followed.whitened(scores), count - followed.lost
    for degree in range(1, HIGHEST + 1):
        columns = _orthonormal(points, degree)
        if followed is not None:
            columns = _independent(followed.left(columns), LEAST_LEFT)
        numbers = columns.shape[1]
        # With more numbers than half the readings any errors lie near some polynomial.
        if numbers > count // 2:
            break
        # The fit follows all of these.
        if not numbers:
            continue
        total = float(scores @ scores)
        explained = float(np.sum((columns.T @ scores) ** 2))
        left = (total - explained) / (count - numbers)
        tried += 1
        if left > 0.0:
            # Beside what is left, or beside the noise that was stated.
            chance = (
                chi2.sf(explained, numbers)
                if known
                else f_distribution.sf(explained / numbers / left, numbers, count - numbers)
            )
            if chance < least:
                least, share = float(chance), explained / total
    # As many looks as degrees: the least of several chances is smaller than one. Readings too few
    # for a line follow none.
    return min(1.0, max(1, tried) * least), share


def normal_scores(errors: Float[np.ndarray, " reading"]) -> Float[np.ndarray, " reading"]:
    """Numbers of the same signs and the same order of size that are spread as a normal law's."""
    shares = rankdata(np.abs(errors)) / (len(errors) + 1)
    return np.sign(errors) * norm.isf((1 - shares) / 2)


def _orthonormal(
    points: Float[np.ndarray, "reading axis"], degree: int
) -> Float[np.ndarray, "reading number"]:
    """An orthonormal basis of all polynomials of the coordinates up to this degree, at readings."""
    centred = 2 * points - 1
    products = [
        np.prod(centred[:, axes], axis=1)
        for order in range(degree + 1)
        for axes in map(list, combinations_with_replacement(range(points.shape[1]), order))
    ]
    # Readings at few places or on a line cannot tell some polynomials apart.
    columns = np.stack(products, axis=1)
    return _independent(columns, 1e-10 * float(np.linalg.norm(columns, 2)))


def _independent(
    columns: Float[np.ndarray, "reading column"], least: float
) -> Float[np.ndarray, "reading number"]:
    """An orthonormal basis of these columns, without directions along which they are shorter."""
    vectors, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return vectors[:, sizes > least]

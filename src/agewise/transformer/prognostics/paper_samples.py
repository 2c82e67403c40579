"""What samples of paper and oil tell of the life used, by published relations and scatter."""

import numpy as np
from jaxtyping import Float

END_DEGREE = 200.0
"""Degree of polymerisation at which paper has no strength left (IEC 60076-7:2018, annex A)."""
NEW_DEGREE, NEW_DEGREE_STD = 1100.0, 58.0
"""Degree of polymerisation of new paper, 1000 to 1200, and the standard deviation of that range."""
CHENDONG = (1.51, 0.0035)
"""Furans by Chendong: log10(2-FAL [mg/kg]) = 1.51 - 0.0035 DP."""
DE_PABLO = (7100.0, 8.88)
"""Furans by De Pablo: DP = 7100 / (8.88 + 2-FAL [mg/kg])."""
FURAN_SCATTER = 125.0
"""Standard deviation of the degree of polymerisation of units about either relation: 100 to 150."""
UPGRADED_SCATTER = 2.0
"""Factor on that scatter for upgraded paper, which sheds fewer furans than these relations have."""
FULL_OXYGEN_PPM, OXYGEN_SCATTER = 25_000.0, 0.15
"""Oxygen dissolved in the oil of a unit that breathes freely [ppm by volume], and the standard
deviation of a share that is judged by it."""

Values = Float[np.ndarray, "..."]


def degree_of_polymerisation(share: Values, new: Values | float = NEW_DEGREE) -> Values:
    r"""Degree after a share of the life: 1/DP grows with the life used, from new paper to 200."""
    # Chains break at a constant rate by the life used: 1/DP is linear in it (annex A).
    return 1 / (1 / new + share * (1 / END_DEGREE - 1 / new))


def degree_log_likelihood(share: Values, degree: float, std: float) -> Values:
    """Log likelihood of a measured degree of polymerisation, new paper being known roughly."""
    expected = degree_of_polymerisation(share)
    # What new paper had matters less the more of its life is used.
    from_new = NEW_DEGREE_STD * (1 - share) * (expected / NEW_DEGREE) ** 2
    return _log_normal(degree - expected, np.hypot(std, from_new))


def furan_log_likelihood(share: Values, furans: float, std: float, *, upgraded: bool) -> Values:
    """Log likelihood of 2-FAL in the oil [mg/kg]; either relation may hold, with equal chance."""
    expected = degree_of_polymerisation(share)
    from_new = NEW_DEGREE_STD * (1 - share) * (expected / NEW_DEGREE) ** 2
    scatter = FURAN_SCATTER * (UPGRADED_SCATTER if upgraded else 1.0)
    logs = []
    for degree, slope in degrees_by_furans(furans):
        # Independent errors add in squares: scatter of units, new paper, and the furans' own.
        spread = np.sqrt(scatter**2 + from_new**2 + (slope * std) ** 2)
        logs.append(_log_normal(degree - expected, spread))
    # The mean of both densities, each relation being as likely.
    return np.logaddexp(*logs) - np.log(2.0)


def degrees_by_furans(furans: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Degree of polymerisation by both relations, each with its change with furans [kg/mg]."""
    level, per_degree = CHENDONG
    top, offset = DE_PABLO
    chendong = (level - np.log10(furans)) / per_degree
    de_pablo = top / (offset + furans)
    return (
        # By derivatives of both relations; signs do not matter, as they are squared.
        (float(chendong), 1 / (per_degree * furans * np.log(10))),
        (de_pablo, de_pablo / (offset + furans)),
    )


def moisture_log_likelihood(moisture: Values, measured: float, std: float) -> Values:
    """Log likelihood of water that was measured in the paper [%]."""
    return _log_normal(measured - moisture, np.asarray(std))


def oxygen_log_likelihood(share: Values, ppm: float, std: float) -> Values:
    """Log likelihood of oxygen dissolved in the oil [ppm]."""
    spread = np.asarray(np.hypot(std / FULL_OXYGEN_PPM, OXYGEN_SCATTER))
    # More oxygen than a unit that breathes freely can have tells of nothing but that.
    return _log_normal(min(ppm / FULL_OXYGEN_PPM, 1.0) - np.clip(share, 0.0, 1.0), spread)


def _log_normal(error: Values, std: Values) -> Values:
    # Without the 2 pi, which all draws share; the spread differs from draw to draw.
    return -0.5 * (error / std) ** 2 - np.log(std)

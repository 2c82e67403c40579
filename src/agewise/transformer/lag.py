"""A temperature that follows its target with a lag, from sample to sample."""

from typing import Literal

import numpy as np
from scipy.linalg import lapack

Scheme = Literal["exact", "difference"]
"""How a lag is followed from sample to sample: integrated exactly, whatever the step, or by the
difference equations of IEC 60076-7 (8.2.3), which need short steps."""


def lagged(
    seconds: np.ndarray,
    held: np.ndarray,
    time_constant: float | np.ndarray,
    start: float,
    scheme: Scheme,
    *,
    ramp: np.ndarray | None = None,
) -> np.ndarray:
    """Follow $T\\dot y = g(t) - y$, g being `held` in each interval plus `ramp` between samples.

    `exact` integrates that; `difference` steps explicitly, $y_n = y_{n-1} + (g_n - y_{n-1})dt/T$.
    The time constant T [s] is one number, or one for each interval.
    """
    ratio = np.diff(seconds) / time_constant
    # Uniform sampling: one exponential serves all steps, where there is any.
    if ratio.size and np.ptp(ratio) == 0:
        ratio = ratio[:1]
    # `gone` is the share of the way to its target that y goes in a step; expm1 keeps the digits of
    # short steps.
    gone = -np.expm1(-ratio) if scheme == "exact" else ratio
    # The difference form knows only the ramp's value at the end of the interval.
    late = 1 - gone / ratio if scheme == "exact" else ratio
    # The first row has no interval before it: there the recurrence is the start itself.
    gain = np.empty(seconds.size)
    gain[0] = start
    np.multiply(gone, held, out=gain[1:])
    if ramp is not None:  # of what is gone, `late` follows the end of the interval
        gain[1:] += late * ramp[1:]
        gain[1:] += (gone - late) * ramp[:-1]
    return _recurrence(1 - gone, gain)


def _recurrence(decay: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """Solve $y_n = decay_n y_{n-1} + gain_n$ in the place of `gain`: a bidiagonal system, in C."""
    # A lower triangle with ones on its diagonal (`diag="U"`), and -decay in the band below.
    bands = np.ones((2, gain.size), order="F")
    bands[1, :-1] = -decay
    solution, info = lapack.dtbtrs(bands, gain[:, None], uplo="L", diag="U", overwrite_b=True)
    if info != 0:
        raise RuntimeError(f"LAPACK dtbtrs refused argument {-info}.")
    return solution[:, 0]

"""Whether the cooling still does what the guide expects of it, from a measured top oil."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from scipy.special import ndtr, ndtri

from agewise.transformer.prognostics.forecast import error_std
from agewise.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

WINDOW_S, LEAST_S, LOOK_S = SECONDS_PER_DAY, SECONDS_PER_DAY / 2, SECONDS_PER_HOUR
"""Length of the stretch that one look takes in, least length of it, and time between looks [s]."""
SAMPLING_S = 600.0
"""Time between the values that are used [s]: the top oil changes over hours."""
RELEVANT = 1.10
"""Factor on the expected rise below which there is no alarm: too little to send anybody for."""
SIGNIFICANT, HEALTHY_DAYS = 2.25, 4.0
"""Standard deviations that the lost share must exceed, so that so many healthy days hardly ever
alarm; chosen on twins."""
LEAST_RISE = 3.0
"""Least mean rise of the oil over the air at which its cooling shows [K]."""
MOST_LOST = 0.9
"""Share of the cooling beyond which the loss is not resolved."""


@dataclass(frozen=True)
class RiseCheck:
    """The top oil's rise as a factor on the expected one; None where there was too little data.

    An alarm stays once it was raised: `factor` and `std` are then of the last look that alarmed.
    """

    factor: float | None
    """Rise of the top oil over the expected one."""
    std: float | None
    """Standard deviation of that factor."""
    alarm: bool
    """Whether the rise was ever both relevant and significant."""
    since: float | None
    """Instant of the first look that alarmed [s]."""
    until: float | None
    """Instant of the last look that alarmed, where later ones did not [s]."""
    evidence: float = 0.0
    """How much likelier the oil since then is by a loss of cooling, hotter the more it rises over
    the air, than by a thermometer that always reads high by as much: a logarithm [nats]."""


UNKNOWN = RiseCheck(None, None, False, None, None)


def rise_check(
    seconds: Float[np.ndarray, " time"],
    difference: Float[np.ndarray, " time"],
    sensitivity: Float[np.ndarray, " time"],
    correlation: float,
    *,
    rise_share: float = 0.0,
    against_before: bool = False,
) -> RiseCheck:
    r"""Look back over a day, hour by hour: is the top oil hotter than load and air explain?

    Without a share $s$ of the cooling, $T\,\dot\Theta = g - (1-s)(\Theta-\Theta_a)$, so that the
    measured top oil differs from the modelled one by $s$ times the rise over ambient as it passes
    through the same lag $T$. The rise of a steady unit is $1/(1-s)$ times the expected one.

    Args:
        seconds: Instants [s], increasing.
        difference: Measured minus modelled top oil [K].
        sensitivity: Measured rise over ambient, passed through the lag of the top oil [K].
        correlation: Time over which an error of the model lasts [s].
        rise_share: Standard deviation of the nameplate's rise, as a share of it.
        against_before: Whether a look is compared with the record before it, instead of with the
            model: where the model was learned from the record itself, only a change can show.
    """
    rows = _thinned(seconds)
    series = (seconds[rows], difference[rows], sensitivity[rows])
    # A look that tells nothing (too short, too cool) is None, and is left out.
    looks = [look for end in look_ends(seconds) if (look := _look(*series, end, correlation))]
    if not looks:
        return UNKNOWN
    ends, lost, unit_std, square = np.array(looks).T
    # By all days that are looked at: one that stands out of four may be chance among thirty.
    needed = significance(1 + (ends.size - 1) * LOOK_S / WINDOW_S)
    # Each look knows the model's errors up to its own end only, as one that is made then.
    independent = (ends - seconds[0]) / (2 * correlation)
    error = np.asarray(error_std(np.cumsum(square) / np.arange(1, square.size + 1), independent))
    std = unit_std * error
    lost = np.minimum(lost, MOST_LOST)  # the factor below has a pole where all is lost
    # A rise that the nameplate has wrong by a share moves 1/(1-s) by it, and s by 1-s times that.
    std = np.hypot(std, (1 - lost) * rise_share)
    if against_before:
        compared = _against_before(ends, lost, std, needed)
        if compared is None:
            return UNKNOWN
        ends, lost, std = compared
    factor = 1 / (1 - lost)
    alarms = np.asarray(alarming(lost, std, needed))
    # Derivative of 1/(1-s): the square of the factor takes the std of a share to that of a factor.
    found = _verdict(ends, factor, factor**2 * std, alarms)
    if found.since is None:
        return found
    return replace(found, evidence=_evidence(found, *series, correlation, float(error[-1])))


def significance(days: float) -> float:
    """Standard deviations that a lost share must exceed in a record of so many days.

    The worst of many days is further off by chance than that of a few. With the square of their
    number, since looks are hourly and a share's error has longer tails than the normal law: so
    made records of 4, 15, 30 and 60 healthy days alarm about equally often.
    """
    chance = ndtr(-SIGNIFICANT) * (HEALTHY_DAYS / max(days, HEALTHY_DAYS)) ** 2
    return float(-ndtri(chance))


def alarming(
    lost: float | Float[np.ndarray, " look"],
    std: float | Float[np.ndarray, " look"],
    needed: float = SIGNIFICANT,
) -> bool | Bool[np.ndarray, " look"]:
    """Whether a share of the cooling that is lost is both relevant and significant."""
    return (1 / (1 - lost) > RELEVANT) & (lost > needed * std)


def _against_before(
    ends: Float[np.ndarray, " look"],
    lost: Float[np.ndarray, " look"],
    std: Float[np.ndarray, " look"],
    needed: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """The share lost since the record before each look, and its std, for looks that have one."""
    rows, sound = [], None
    for n, end in enumerate(ends):
        # Looks that share no reading with this one. After an alarm those before it stay the
        # measure, or days without cooling would become the usual.
        before = ends <= end - WINDOW_S if sound is None else sound
        if not before.any():
            continue
        # Looks an hour apart share most of their readings: only whole days are independent.
        days = 1 + (ends[before][-1] - ends[before][0]) / WINDOW_S
        usual = float(lost[before].mean())
        doubt = float(np.hypot(std[n], std[before].mean() / np.sqrt(days))) / (1 - usual)
        # Of the cooling that was there before, not of the nameplate's.
        share = float(min((lost[n] - usual) / (1 - usual), MOST_LOST))
        rows.append((end, share, doubt))
        if sound is None and alarming(share, doubt, needed):
            sound = before
    if not rows:
        return None
    look_ends, share, doubts = np.array(rows).T
    return look_ends, share, doubts


def look_ends(seconds: Float[np.ndarray, " time"]) -> Float[np.ndarray, " look"]:
    """Instants at which one looks back [s]: hourly after a whole window, and at the end."""
    last = seconds[-1]
    return np.append(np.arange(seconds[0] + WINDOW_S, last, LOOK_S), last)


def lost_share(
    seconds: Float[np.ndarray, " time"],
    difference: Float[np.ndarray, " time"],
    sensitivity: Float[np.ndarray, " time"],
    correlation: float,
) -> tuple[float, float]:
    """The share of the cooling that is lost, and its std for each kelvin of the model's error.

    Generalised least squares with an error whose correlation fades as exp(-t / correlation); the
    arguments are those of `rise_check`.
    """
    white = _whitened(seconds, sensitivity, correlation)
    # One regressor without a constant: the information is a number.
    information = white @ white
    lost = white @ _whitened(seconds, difference, correlation) / information
    return float(lost), float(information**-0.5)


def _whitened(seconds: np.ndarray, values: np.ndarray, correlation: float) -> np.ndarray:
    """Values whose errors fade as exp(-t / correlation), made to have independent ones."""
    # What a value adds to the one before has independent errors of equal size, so that ordinary
    # least squares on these differences is the generalised one.
    decay = np.exp(-np.diff(seconds) / correlation)
    innovation = (values[1:] - decay * values[:-1]) / np.sqrt(1 - decay**2)
    return np.append(values[0], innovation)


def _evidence(
    found: RiseCheck,
    seconds: np.ndarray,
    difference: np.ndarray,
    sensitivity: np.ndarray,
    correlation: float,
    error: float,
) -> float:
    """How much better a share of the rise explains the differences than a constant one [nats].

    Args:
        found: An alarm; its looks are judged.
        seconds: As in `rise_check`, and so are the next three.
        difference: Measured minus modelled top oil [K].
        sensitivity: Lagged rise over ambient [K].
        correlation: Time over which an error of the model lasts [s].
        error: Standard deviation of that error [K].
    """
    # At least a day: within less, the rise hardly changes, and both explain the same.
    last = seconds[-1] if found.until is None else found.until
    first = min(found.since or last, last - WINDOW_S)
    rows = (seconds >= first) & (seconds <= last)
    when = seconds[rows]
    white = _whitened(when, difference[rows], correlation)

    def explained(regressor: np.ndarray) -> float:
        cause = _whitened(when, regressor, correlation)
        return float((cause @ white) ** 2 / (cause @ cause))

    by_loss, by_offset = explained(sensitivity[rows]), explained(np.ones(when.size))
    return (by_loss - by_offset) / (2 * error**2)


def _thinned(seconds: np.ndarray) -> np.ndarray:
    """Rows about SAMPLING_S apart; gaps stay gaps."""
    grid = np.arange(seconds[0], seconds[-1] + SAMPLING_S, SAMPLING_S)
    # Within a gap all instants of the grid find the row after it, which counts once.
    return np.unique(np.minimum(np.searchsorted(seconds, grid), seconds.size - 1))


def _look(
    seconds: np.ndarray,
    difference: np.ndarray,
    sensitivity: np.ndarray,
    end: float,
    correlation: float,
) -> tuple[float, float, float, float] | None:
    """One look back: its end [s], the share lost, the std of that share for each kelvin of the
    model's error, and the mean square of what is left [K²]; None where it tells nothing."""
    # Open at the beginning and closed at the end, so that neighbouring days share no row.
    first, last = np.searchsorted(seconds, (end - WINDOW_S, end), side="right")
    window = slice(first, last)
    if last - first < 2 or seconds[last - 1] - seconds[first] < LEAST_S:
        return None
    # Oil as cool as the air says nothing of how well it would be cooled.
    if float(np.mean(sensitivity[window])) < LEAST_RISE:
        return None
    lost, std = lost_share(seconds[window], difference[window], sensitivity[window], correlation)
    rest = difference[window] - lost * sensitivity[window]
    return float(end), lost, std, float(np.mean(rest**2))


def _verdict(
    ends: Float[np.ndarray, " look"],
    factor: Float[np.ndarray, " look"],
    std: Float[np.ndarray, " look"],
    alarms: Bool[np.ndarray, " look"],
) -> RiseCheck:
    if not alarms.any():
        return RiseCheck(float(factor[-1]), float(std[-1]), False, None, None)
    first, last = (int(row) for row in np.flatnonzero(alarms)[[0, -1]])
    # An alarm that still stands at the last look has no end yet.
    until = None if alarms[-1] else float(ends[last])
    return RiseCheck(float(factor[last]), float(std[last]), True, float(ends[first]), until)

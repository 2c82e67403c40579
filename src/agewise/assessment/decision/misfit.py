"""Whether the fit agrees with the readings that it was made from, inside and at the ends."""

import numpy as np

from agewise.assessment.decision.finding import Finding
from agewise.assessment.oil.assessment import Assessment
from agewise.assessment.oil.lower_end import lower_end
from agewise.engine.inference.exact import ExactPosterior
from agewise.engine.inference.laplace import LaplacePosterior
from agewise.engine.objective.trained import NetworkPosterior
from agewise.engine.posterior import AbstractPosterior
from agewise.engine.uncertainty.coverage import rms
from agewise.transformer.oil.doubt.doubted import DoubtedPosterior

MISFIT_Z = 1.15
"""Root mean square of readings in units of their predicted spread, above which the physics does not
fit. A calibrated prediction of a thousand readings stays below 1.05."""
END_K, END_BROKEN_K = 1.0, 5.0
"""Error of the fit at an end of the oil [K rms] that is worth a finding, and that leaves nothing to
tell: the ends are what was measured, and a sound fit follows them to a few tenths."""
OTHER_PROFILE = 0.05
"""Learned size of the equation's error, as a share of the difference between top and bottom oil,
above which it is worth a finding."""
MISFIT_FACTOR = 3.0
"""Learned over declared discrepancy above which it is worth a finding."""


def oil_findings(assessment: Assessment) -> list[Finding]:
    """Where physics and sensors disagree, and whether training came to its end."""
    notes, interior = _unfinished(assessment), assessment.profile.interior
    notes += _missed_ends(assessment) + _other_profile(assessment)
    for height, readings in interior.items():
        there = ~np.isnan(readings)
        values, at = readings[there], np.full(int(there.sum()), height)
        # At the sensor's own readings, so that nothing is interpolated in time.
        prediction = assessment.predict_at(at, assessment.profile.seconds[there])
        z = rms((values - prediction.mean) / np.sqrt(prediction.total))
        if z > MISFIT_Z:
            error = rms(values - prediction.mean)
            text = (
                f"The sensor at {height:g} of the tank's height reads {error:.2g} K rms away "
                f"from the answer, {z:.1f} times the expected difference: the heat equation does "
                "not fit there."
            )
            notes.append(Finding("misfit", text))
    # The worst window stands for the record.
    factor = max(map(_learned_factor, _posteriors(assessment)))
    if factor > MISFIT_FACTOR:
        learned = factor * assessment.settings.discrepancy
        text = (
            f"By the sensors inside the oil, the heat equation is wrong by {learned:.2g} K/h, "
            f"{factor:.0f} times the declared discrepancy; the answer takes that into account."
        )
        notes.append(Finding("misfit", text))
    return notes


def _missed_ends(assessment: Assessment) -> list[Finding]:
    """Ends of the oil whose own readings the fit does not meet."""
    profile, hold = assessment.profile, assessment.settings.hold
    end = lower_end(profile, assessment.nameplate, hold)
    ends = {1.0: ("top", profile.top_oil)}
    # Over air from elsewhere a bottom that nobody reads is no reading.
    if end.measured or profile.ambient_std is None:
        ends[0.0] = ("bottom", end.readings)
    notes = []
    for height, (name, readings) in ends.items():
        assert readings is not None
        there = np.isfinite(readings)
        at = np.full(int(there.sum()), height)
        prediction = assessment.predict_at(at, profile.seconds[there])
        off = readings[there] - prediction.mean
        error, z = rms(off), rms(off / np.sqrt(prediction.total))
        # A coarse or noisy thermometer is off by what the answer expects of it.
        if error > END_K and z > MISFIT_Z:
            notes.append(_missed_end(name, error))
    return notes


def _missed_end(name: str, error: float) -> Finding:
    text = (
        f"The fitted oil temperature misses the readings at the {name} of the oil by {error:.2g} "
        "K rms: the data of the tank, the load or a thermometer must be wrong."
    )
    mend = "Check the numbers of `tank`, above all tank.conductivity_w_per_mk, and of `oil`."
    return Finding("misfit", text, mend=mend if error > END_BROKEN_K else "", doubt_k=error)


def _posteriors(assessment: Assessment) -> list[AbstractPosterior]:
    """The posterior of every window as its method made it, whatever was put around it."""
    return [window.posterior.as_made for window in assessment.windows]


def profile_error(assessment: Assessment) -> float | None:
    """Size of the equation's error that sensors inside found [1], the largest of all windows; None
    without such sensors, and where the equation is not in doubt."""
    fitted = (window.posterior for window in assessment.windows)
    sizes = [p.size for p in fitted if isinstance(p, DoubtedPosterior) and p.size is not None]
    return max(sizes, default=None)


def _other_profile(assessment: Assessment) -> list[Finding]:
    """Whether sensors inside found the oil where the equation does not have it."""
    size = profile_error(assessment)
    if size is None or size < OTHER_PROFILE:
        return []
    text = (
        "By the sensors inside, the oil differs from the heat equation by about "
        f"{100 * size:.0f} % of the difference between top and bottom; the answer takes that "
        "into account."
    )
    return [Finding("misfit", text)]


def _learned_factor(posterior: AbstractPosterior) -> float:
    """Learned over declared discrepancy; 1 where the method learns none."""
    if isinstance(posterior, ExactPosterior):
        return posterior.discrepancy_factor
    if isinstance(posterior, NetworkPosterior | LaplacePosterior):
        return float(posterior.record["discrepancy_factor"])
    return 1.0


def _unfinished(assessment: Assessment) -> list[Finding]:
    """Whether somebody stopped the training by hand."""
    stopped = (
        bool(posterior.record["interrupted"])
        for posterior in _posteriors(assessment)
        if isinstance(posterior, NetworkPosterior | LaplacePosterior)
    )
    if not any(stopped):
        return []
    text = "Training was stopped by hand: this is the best answer up to then, not the final one."
    return [Finding("training", text)]

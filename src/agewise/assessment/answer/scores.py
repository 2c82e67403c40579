"""The section `scores` of the answer: how good it is, where a twin's truth is known."""

from pydantic import Field

from agewise.assessment.answer.base import Part

Score = float | None
"""A score; None (null) where it is infinite or not a number."""


class Range(Part):
    """The middle of many values and the range that holds nine in ten."""

    median: Score
    """Median of the values."""
    p05: Score
    """Value below which one in twenty lies."""
    p95: Score
    """Value above which one in twenty lies."""


class MeasuredScores(Part):
    """Scores on noisy readings that the method has not seen; the oracle knows truth and noise."""

    crps: Score
    """Continuous ranked probability score [K]; lower is better."""
    nll: Score
    """Mean negative log-likelihood of a reading [nats]."""
    oracle_crps: Score
    """Continuous ranked probability score of the oracle [K]."""
    oracle_nll: Score
    """Mean negative log-likelihood of the oracle [nats]."""
    crps_ratio: Score
    """Continuous ranked probability score over the oracle's; 1 is perfect."""
    miscalibration: Score
    """Area between the coverage of central intervals and the diagonal; 0 is perfect."""
    miscalibration_by_height: tuple[Score, ...]
    """Miscalibration of each sensor."""
    miscalibration_by_hour: tuple[Score, ...]
    """Miscalibration of each of the 24 hours of the window's days; null without readings."""
    coverage: tuple[Score, ...]
    """Share of readings inside the central intervals of 1 to 99 %."""
    sharpness: Score
    """Root mean square of the predicted standard deviation [K]."""
    interval_score_90: Score
    """Interval score of the central 90 % interval [K]; lower is better."""


class TruthScores(Part):
    """Scores against the true oil temperature, which no sensor shows."""

    rmse: Score
    """Root mean square error of the mean [K]."""
    epistemic_crps: Score
    """Continuous ranked probability score of the epistemic distribution [K]."""
    total_crps: Score
    """Continuous ranked probability score of the total distribution [K], for comparison only."""
    total_nll: Score
    """Mean negative log-likelihood of the total distribution [nats], for comparison only."""


class SplitScores(Part):
    """How the two uncertainties compare with the truth; 1 is perfect throughout."""

    aleatoric_ratio_boundary: Range
    """Estimated over injected noise variance at bottom and top, where it is inferred."""
    aleatoric_ratio_inside: Range
    """Estimated over injected noise variance between them, where it is interpolated."""
    aleatoric_rank_correlation: Score
    """Spearman's rank correlation of estimated and injected noise variance."""
    epistemic_z: Score
    """Root mean square of the error over the epistemic standard deviation."""
    rms_ratio: Score
    """Root mean square error over the root mean square epistemic standard deviation."""


class ScoresSection(Part):
    """Every score against a twin's truth."""

    measured: MeasuredScores
    """Scores on readings that were held out."""
    truth: TruthScores
    """Scores against the true oil temperature over the whole window."""
    split: SplitScores
    """Scores of the split into epistemic and aleatoric uncertainty."""
    instants: dict[str, TruthScores] = Field(min_length=1)
    """Scores against the truth at some hours of the window, and in `total`."""

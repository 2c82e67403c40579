"""Evidence is a density of residuals and readings, so that fits of other scales compare."""

import jax
import numpy as np
import pytest
from scipy.stats import norm

import agewise
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.most_probable_waves import on_waves
from agewise.engine.equations.fitting.rest import rest
from agewise.engine.training import QUIET, Stages

LEFT = 2.0
"""What an equation leaves that no function can change."""


def fitted(scale: float) -> Fitted:
    """An equation that nothing can be learned from, at a declared scale."""
    problem = agewise.Problem(
        equations={"off": lambda u, p: 0.0 * u(p) + LEFT},
        coordinates={"x": (0.0, 1.0)},
        scales={"off": scale},
    )
    stages = Stages(jax.random.key(0), QUIET)
    settings = agewise.EquationSettings(steps=4, look=2)
    stated = on_waves(problem, settings, 0.06, stages)
    return rest(stated, stages, np.zeros(stated.unknown.size), name="off")


def test_the_scale_of_the_greatest_evidence_is_what_is_left():
    """Its density is known: a normal one at every scale, as often as the region counts."""
    fits = {scale: fitted(scale) for scale in (0.5 * LEFT, LEFT, 2 * LEFT)}
    evidences = {scale: fit.log_evidence for scale, fit in fits.items()}
    assert max(evidences, key=lambda scale: evidences[scale]) == LEFT
    for scale, fit in fits.items():
        count = fit.taken.counts["off"]
        known = count * (norm.logpdf(LEFT, scale=scale) - norm.logpdf(LEFT, scale=LEFT))
        assert evidences[scale] - evidences[LEFT] == pytest.approx(known, abs=1e-6)

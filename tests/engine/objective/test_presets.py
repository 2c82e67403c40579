"""The published recipe, as published."""

from dataclasses import replace

import jax
import numpy as np
import pytest

from agewise.assessment.oil.methods import NETWORKS
from agewise.engine.inference.trained import NetworkPosterior
from agewise.engine.objective.presets import paper
from agewise.engine.training import Stage
from agewise.library import PROBLEMS

FEW = Stage("adam", 4, 1e-3, look=2)


@pytest.mark.parametrize(("method", "weighs"), [("vi", True), ("dropout", False), ("map", False)])
def test_only_the_bayesian_network_of_the_paper_has_a_prior(method: str, weighs: bool):
    # Mean squares are of the order of one: a prior on thousands of weights would drown them.
    settings = paper(method, "heteroscedastic")
    short = replace(settings, training=replace(settings.training, own=FEW, polish=None))
    problem = PROBLEMS["transformer-heat"]()
    posterior = NETWORKS[method](short).fit(problem, key=jax.random.key(0))
    assert isinstance(posterior, NetworkPosterior)
    assert bool(np.any(posterior.record["history_own_divergence"])) == weighs

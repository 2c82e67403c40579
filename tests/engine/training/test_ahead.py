"""What is compiled ahead serves the stage, and does not change what the stage comes to."""

import logging

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from agewise.engine.training import AbstractObjective, Stage, compiled_meanwhile, train

STAGE = Stage("adam", 20, 0.05, look=10)
KEY = jax.random.key(0)


class Distance(AbstractObjective):
    """Half the squared distance from a goal."""

    goal: np.ndarray
    weight: float

    def terms(self, params, aux, *, key):
        return {"distance": 0.5 * self.weight * jnp.sum((params["place"] - self.goal) ** 2)}


def test_the_stage_itself_compiles_nothing_any_more(caplog: pytest.LogCaptureFixture):
    # A length that no other test has, so that nothing was compiled for it before.
    start = {"place": np.zeros(7)}
    with compiled_meanwhile(STAGE, Distance(np.ones(7), 1.0), start, {}):
        pass
    with jax.log_compiles(), caplog.at_level(logging.WARNING):
        train(Distance(np.arange(7.0), 2.5), start, {}, STAGE, name="own", key=KEY)
    assert "_adam_scan" not in caplog.text


def test_an_error_waits_for_the_stage():
    class Broken(AbstractObjective):
        def terms(self, params, aux, *, key):
            raise ValueError("no terms")

    with compiled_meanwhile(STAGE, Broken(), {"place": np.zeros(3)}, {}):
        done = True
    assert done
    with pytest.raises(ValueError, match="no terms"):
        train(Broken(), {"place": np.zeros(3)}, {}, STAGE, name="own", key=KEY)

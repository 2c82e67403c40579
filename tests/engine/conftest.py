"""Problems with a known truth, the way that an assessment makes them."""

from collections.abc import Callable

import numpy as np
import pytest

from agewise.transformer.iec60076 import top_oil
from agewise.transformer.oil.heat import TransformerHeat, transformer_heat
from agewise.twin.twin import Twin


@pytest.fixture(scope="session")
def problem_of() -> Callable[..., TransformerHeat]:
    """The problem of a twin's measurements, what the load does taken out."""

    def made(twin: Twin, **options) -> TransformerHeat:
        profile = twin.profile
        assert profile.top_oil is not None
        still = np.zeros_like(profile.seconds)
        driven = top_oil(twin.nameplate.thermal_constants(), profile.seconds, profile.load, still)
        return transformer_heat(
            twin.nameplate.oil_tank(),
            profile.seconds,
            profile.load,
            {0.0: profile.ambient, 1.0: profile.top_oil, **profile.interior},
            driven=(still, driven),
            **options,
        )

    return made

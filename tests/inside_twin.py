"""A day of a twin with sensors inside, by its settings."""

from functools import lru_cache

from agewise.twin.settings import TwinSettings
from agewise.twin.twin import Twin, make_twin


@lru_cache
def twin(*, noise: float = 1.0, factor: float = 1.0, mismatch: float = 0.0) -> Twin:
    """A day of minutes with four sensors inside."""
    return make_twin(
        TwinSettings(
            seed=100,
            days=1.0,
            interior=True,
            noise=noise,
            conductivity_factor=factor,
            mismatch=mismatch,
        )
    )

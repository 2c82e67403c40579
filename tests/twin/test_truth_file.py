"""The truth of a twin belongs to its measurements, and to no others."""

from dataclasses import replace
from functools import lru_cache

import pytest

from agewise.errors import InputError
from agewise.twin.truth_file import refuse_other_truth, truth_from
from agewise.twin.twin import Twin, TwinSettings, make_twin

OWN = TwinSettings(seed=0, days=0.5)


@lru_cache
def made(settings: TwinSettings) -> Twin:
    return make_twin(settings)


@pytest.mark.parametrize("options", [{}, {"noise": 0.01}, {"noise": 20.0}, {"mismatch": 1.0}])
def test_its_own_truth_is_accepted(options: dict[str, float]):
    twin = made(replace(OWN, **options))
    refuse_other_truth(twin.profile, truth_from(twin.truth))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"case": "aged-substation"}, "standard deviations"),
        ({"seed": 1}, "standard deviations"),
        ({"start": "2025-12-12"}, "standard deviations"),
        ({"days": 1.0}, "24.0 h long, and they are 12.0 h"),
    ],
    ids=["unit", "seed", "time", "length"],
)
def test_that_of_others_is_refused(options: dict, why: str):
    other = made(replace(OWN, **options))
    with pytest.raises(InputError, match=f"other measurements.*{why}"):
        refuse_other_truth(made(OWN).profile, truth_from(other.truth))

"""A wrong type or shape is seen by the checks that run beside all tests."""

from dataclasses import dataclass

import jaxtyping
import numpy as np
import pytest
from beartype import beartype
from beartype.roar import BeartypeCallHintViolation
from calibrated import TRUTH
from checked_shapes import checked
from jaxtyping import Float

from agewise.transformer.iec60076 import top_oil

UNIT, HOURS = TRUTH.thermal_constants(), np.arange(5) * 3600.0


def test_one_name_of_an_axis_is_one_length_in_a_call_and_another_in_the_next():
    for count in (4, 5):
        assert top_oil(UNIT, HOURS[:count], HOURS[:count], HOURS[:count]).shape == (count,)
    with pytest.raises(BeartypeCallHintViolation):
        top_oil(UNIT, HOURS, HOURS[:4], HOURS)


def test_a_wrong_type_is_refused_unless_checks_are_off():
    with pytest.raises(BeartypeCallHintViolation):
        top_oil(UNIT, HOURS, np.ones(5), np.ones(5, int))
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        assert top_oil(UNIT, HOURS, np.ones(5), np.ones(5, int)).shape == (5,)
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)


@checked(typechecker=beartype)
@dataclass
class Course:
    times: Float[np.ndarray, " time"]
    values: Float[np.ndarray, " time"]


@checked(typechecker=beartype)
class Named(Course):
    name: str = "course"


@pytest.mark.parametrize("kind", [Course, Named])
def test_fields_of_a_dataclass_are_checked_as_arguments_are(kind: type[Course]):
    assert len(kind(np.ones(3), np.ones(3)).times) == 3
    for values in (np.ones(2), np.ones((3, 1)), np.ones(3, int), None):
        with pytest.raises(BeartypeCallHintViolation):
            kind(np.ones(3), values)  # type: ignore[arg-type]


@checked(typechecker=beartype)
def ones(count: int, *, more: int) -> Float[np.ndarray, "{count}"]:
    return np.ones(count + more)


def test_a_length_that_is_an_argument_is_checked_as_well():
    assert ones(3, more=0).shape == (3,)
    with pytest.raises(jaxtyping.TypeCheckError):
        ones(3, more=1)

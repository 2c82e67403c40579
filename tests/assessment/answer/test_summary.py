"""The answer is one typed model; its schema, its file and its reader agree."""

import json

import jsonschema
import numpy as np
import pytest
from pydantic import BaseModel, ValidationError

from agewise.assessment.answer.base import Part
from agewise.assessment.answer.spread import open_interval, spread
from agewise.assessment.answer.summary import Summary, json_schema
from agewise.assessment.answer.write_schema import SCHEMA
from agewise.assessment.conclusion import conclusion
from agewise.assessment.grid import Grid
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.twin.truth_file import truth_from
from agewise.twin.twin import TwinSettings, make_twin


@pytest.fixture(scope="module")
def summary() -> Summary:
    twin = make_twin(TwinSettings(seed=100, days=0.5))
    fitted = assess(twin.profile, twin.nameplate, Settings(method="line", quick=True))
    return conclusion(fitted, grid=Grid(5, 60.0), truth=truth_from(twin.truth)).summary


def test_the_schema_in_the_package_is_the_models():
    """`python -m agewise.assessment.answer.write_schema` writes it anew."""
    assert json.loads(SCHEMA.read_text("utf-8")) == json_schema()


def test_the_schema_takes_the_answer_and_nothing_else(summary: Summary):
    schema, content = json_schema(), summary.as_json()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(content, allow_nan=False)), schema)
    for spoiled in (content | {"more": 1}, content | {"life": None}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(spoiled, schema)


def test_what_is_written_is_read_back(summary: Summary):
    assert summary.scores is not None
    text = json.dumps(summary.as_json(), allow_nan=False)
    assert Summary.model_validate_json(text) == summary


def test_a_key_that_nobody_writes_cannot_be_read(summary: Summary):
    with pytest.raises(AttributeError):
        summary.quick  # pyright: ignore[reportAttributeAccessIssue]  # noqa: B018
    with pytest.raises(ValidationError):
        summary.seed = 1  # pyright: ignore[reportAttributeAccessIssue]


def models(kind: type[BaseModel] = Part) -> list[type[BaseModel]]:
    return [model for below in kind.__subclasses__() for model in (below, *models(below))]


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_every_field_is_described_in_a_sentence(model: type[BaseModel]):
    assert model.model_config.get("extra") == "forbid" and model.model_config.get("frozen")
    for name, field in model.model_fields.items():
        description = field.description or ""
        assert description[:1].isupper() and description.endswith("."), name


def test_losses_by_name_are_those_of_the_file(summary: Summary):
    content = summary.as_json()["loss_of_life"]
    by_name = summary.loss_of_life.by_name()
    assert set(by_name) == set(content) - {"iec", "ieee"}
    for name, loss in by_name.items():
        assert loss.model_dump(mode="json") == content[name]


def test_an_interval_may_be_open():
    values = np.array([1.0, 2.0, 3.0, np.inf])
    assert open_interval(values, 0.5) == (1.0, 3.0)
    assert open_interval(values, 0.9) == (1.0, None)


def test_a_spread_is_the_moments_and_quantiles_of_the_draws():
    values = np.random.default_rng(0).standard_normal(20_001)
    found = spread(values)
    assert (found.mean, found.std) == (pytest.approx(0, abs=0.02), pytest.approx(1, abs=0.02))
    assert found.interval_50 == pytest.approx((-0.674, 0.674), abs=0.03)
    assert found.interval_90 == pytest.approx((-1.645, 1.645), abs=0.05)

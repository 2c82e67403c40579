"""Fields of a form, in which an empty one was left out."""

from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agewise.errors import InputError

Model = TypeVar("Model", bound=BaseModel)


def filled(model: type[Model], given: Mapping[str, str]) -> Model:
    """A model from the fields of a form; the first that does not fit is refused by name."""
    try:
        return model.model_validate({name: text for name, text in given.items() if text.strip()})
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise InputError(
            f"{name!r} cannot be used: {first['msg']}.", hint="correct it and try again."
        ) from None

"""A number that a nameplate gives, and how well it is known."""

from typing import Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    model_serializer,
    model_validator,
)


class Section(BaseModel):
    """A part of a nameplate: nothing unknown is let in, and nothing changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Quantity(Section):
    """A number, given plainly or as `{ mean, std }`; without a std the field's default is drawn."""

    mean: float = Field(strict=True, allow_inf_nan=False)
    std: float | None = Field(default=None, strict=True, ge=0, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _from_number(cls, given: Any) -> Any:
        return given if isinstance(given, dict | Quantity) else {"mean": given}

    @model_serializer
    def _plain(self) -> float | dict[str, float]:
        return self.mean if self.std is None else {"mean": self.mean, "std": self.std}


def within(*, at_most: float, above: float = 0.0, at_least: float | None = None) -> AfterValidator:
    """Bounds on the mean of a quantity; `at_least` includes its end."""
    lower = f"above {above:g}" if at_least is None else f"at least {at_least:g}"

    def checked(quantity: Quantity) -> Quantity:
        low_enough = quantity.mean > above if at_least is None else quantity.mean >= at_least
        if not (low_enough and quantity.mean <= at_most):
            raise ValueError(f"it must be {lower} and at most {at_most:g}")
        if quantity.std is not None and quantity.std > quantity.mean:
            raise ValueError(f"its std ({quantity.std:g}) must not exceed it")
        return quantity

    return AfterValidator(checked)

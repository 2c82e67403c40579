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
    """A part of a nameplate: unknown fields are refused, and nothing changes afterwards."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Quantity(Section):
    """A number, given plainly or as `{ mean, std }`; without a std the field's default is drawn."""

    # Strict, since pydantic would otherwise take "842" and true for numbers.
    mean: float = Field(strict=True, allow_inf_nan=False)
    """Best estimate, in the unit that the name of the field carries."""
    std: float | None = Field(default=None, strict=True, ge=0, allow_inf_nan=False)
    """Standard deviation of the estimate, in the same unit; None where nobody gave one."""

    @model_validator(mode="before")
    @classmethod
    def _from_number(cls, given: Any) -> Any:
        return given if isinstance(given, dict | Quantity) else {"mean": given}

    @model_serializer
    def _plain(self) -> float | dict[str, float]:
        return self.mean if self.std is None else {"mean": self.mean, "std": self.std}


def within(*, at_most: float, above: float = 0.0, at_least: float | None = None) -> AfterValidator:
    """Bounds on the mean of a quantity.

    Args:
        at_most: Upper bound, allowed itself.
        above: Lower bound, not allowed itself; without effect where `at_least` is given.
        at_least: Lower bound, allowed itself.
    """
    lower = f"above {above:g}" if at_least is None else f"at least {at_least:g}"

    def checked(quantity: Quantity) -> Quantity:
        high_enough = quantity.mean > above if at_least is None else quantity.mean >= at_least
        if not (high_enough and quantity.mean <= at_most):
            raise ValueError(f"it must be {lower} and at most {at_most:g}")
        # Of a normal distribution wider than its mean, more than one draw in six is negative.
        if quantity.std is not None and quantity.std > quantity.mean:
            raise ValueError(f"its std ({quantity.std:g}) must not exceed it")
        return quantity

    return AfterValidator(checked)

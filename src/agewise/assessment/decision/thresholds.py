"""Thresholds of a decision: the numbers from which on to act, to watch, or to tell nothing."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from agewise.errors import InputError


@dataclass(frozen=True)
class DecisionThresholds:
    """Numbers behind one action; ours, not of a standard. `docs/life.md` has them in one table.

    Examples:
        >>> import agewise
        >>> agewise.DecisionThresholds(soon_years=5.0).soon
        0.2
    """

    soon_years: float = 2.0
    """Years within which an end of life asks to act."""
    soon: float = 0.20
    """Probability of an end of life within `soon_years` from which on to act."""
    later_years: float = 10.0
    """Years within which an end of life asks to watch."""
    later: float = 0.10
    """Probability of an end of life within `later_years` from which on to watch."""
    emergency: float = 0.5
    """Probability that the hot spot passed the limit of a long emergency, from which on to act."""
    normal: float = 0.5
    """Probability that it passed the limit of normal cyclic loading, from which on to watch."""
    survivable_c: float = 200.0
    """Highest hot spot that can be true [°C]; above it nothing is told, for oil boils off and paper
    chars."""
    lives: float = 10.0
    """Lives of the insulation that can be used in the window; above, nothing is told."""

    def __post_init__(self):
        for name, value in vars(self).items():
            chance = name in ("soon", "later", "emergency", "normal")
            if not (math.isfinite(value) and 0 < value <= (1.0 if chance else math.inf)):
                raise _refusal(f"The threshold {name} cannot be {value:g}.")
        if self.soon_years > self.later_years:
            raise _refusal("The threshold soon_years is above later_years.")

    @classmethod
    def parse(cls, texts: Sequence[str]) -> "DecisionThresholds":
        """The defaults with what a command line gives in their place, as `soon_years=5`."""
        return cls.of(dict(_pair(text) for text in texts))

    @classmethod
    def of(cls, given: Mapping[str, float]) -> "DecisionThresholds":
        """The defaults with those of `given` in their place; unknown names are refused."""
        for name in given:
            if name not in _names():
                raise _refusal(f"A decision has no threshold {name!r}.")
        return cls(**given)


def _pair(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise _refusal(f"The threshold {text!r} is not of the form name=number.") from None


def _names() -> tuple[str, ...]:
    return tuple(field.name for field in fields(DecisionThresholds))


def _refusal(sentence: str) -> InputError:
    return InputError(
        sentence, hint=f"chances above 0, at most 1; thresholds: {', '.join(_names())}."
    )


THRESHOLDS = DecisionThresholds()

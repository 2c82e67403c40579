"""How to assess a profile: frozen, and all of it part of a run's identity."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import TypedDict, get_args

from agewise.assessment.oil.methods import NETWORKS, network_method
from agewise.assessment.oil.methods import method as inference_method
from agewise.engine.objective.settings import Aleatoric
from agewise.engine.posterior import AbstractInference
from agewise.engine.presets import AnySettings, Preset
from agewise.errors import InputError
from agewise.plant.standards import Standard
from agewise.transformer.between_samples import Hold
from agewise.transformer.oil.heat import DISCREPANCY

CLOSED_FORM_DAYS, NETWORK_DAYS = 8.0, 4.0
"""Lengths of the windows of a long record, by kind of method [days]. A network sees four hours by
harmonics of its window, so twice the days are twice the inputs; the cost of a closed form is linear
in length, and longer windows only need memory."""

LARGEST_SEED = 2**31
"""Largest seed, for twins too; JAX would take larger ones by their last 32 bits only."""


@dataclass(frozen=True)
class Settings:
    """How the oil is inferred; the defaults are what measured best.

    `assess` takes every field as a keyword argument too.

    Examples:
        >>> import agewise
        >>> agewise.Settings(method="vi", seed=1).preset
        'default'
    """

    method: str = "exact"
    """Inference method by name, such as `"exact"`, `"solver"` or `"vi"`; `docs/methods.md` lists
    them."""
    preset: Preset = "default"
    """Which bundle of a network's settings is taken: likelihood, prior and training."""
    aleatoric: Aleatoric = "heteroscedastic"
    """Whether the noise that a network learns may differ from place to place."""
    seed: int = 0
    """Seed of every random number; the same seed gives the same answer."""
    discrepancy: float = DISCREPANCY
    """Standard deviation by which the heat equation itself may be wrong [K/h]."""
    hold: Hold = "backward"
    """Interval that a sample of the load stands for: the one before it, unless `"forward"` or
    `"linear"`."""
    ignore_interior: bool = False
    """Whether sensors inside the oil are left out, as if nobody had measured there."""
    as_given: bool = False
    """Whether the nameplate's constants and the heat equation are taken as they are: nothing is
    learned of the unit, and nothing about it is in doubt."""
    standard: Standard | None = None
    """Loading guide that winding and ageing follow, `"iec"` or `"ieee"`; as the nameplate says if
    None."""
    quick: bool = False
    """Whether fewer readings and draws are used, for a rougher answer sooner."""
    window_days: float | None = None
    """Length of the windows into which a long record is cut [days]; the method's own if None."""
    network: AnySettings | None = None
    """How a network is built, weighed and trained; as the preset says if None."""

    def __post_init__(self):
        for name, known in (("hold", Hold), ("aleatoric", Aleatoric)):
            if (given := getattr(self, name)) not in get_args(known):
                raise InputError(
                    f"`{name}` cannot be {given!r}.", hint=f"choose {' or '.join(get_args(known))}."
                )
        if self.standard not in (None, *get_args(Standard)):
            raise InputError(
                f"`standard` cannot be {self.standard!r}.",
                hint=f"choose {' or '.join(get_args(Standard))}.",
            )
        # Raises where there is no such method or preset.
        self.inference()
        if not (_is_number(self.seed, Integral) and 0 <= self.seed <= LARGEST_SEED):
            raise InputError(
                f"The seed {self.seed!r} is out of range.",
                hint=f"choose a whole number from 0 to {LARGEST_SEED}.",
            )
        if not (_is_number(self.discrepancy, Real) and 0 < self.discrepancy < 1e3):
            raise InputError(
                f"A discrepancy of {_plainly(self.discrepancy)} K/h is impossible.",
                hint="choose one above 0, such as 0.005.",
            )
        days = self.window_days
        if days is not None and not (_is_number(days, Real) and 2 <= days <= 1000):
            raise InputError(
                f"Windows of {_plainly(days)} days are impossible.",
                hint="choose 2 to 1000; neighbours share about a day.",
            )

    def inference(self) -> AbstractInference:
        """The method with its settings; an error where there is none of that name."""
        if self.network is not None and self.method in NETWORKS:
            return network_method(self.method, self.network)
        return inference_method(self.method, self.preset, self.aleatoric)

    @property
    def window(self) -> float:
        """Length of a window [days]: as asked, or what suits the method."""
        own = NETWORK_DAYS if self.method in NETWORKS else CLOSED_FORM_DAYS
        # A length of 0 was refused above, so that only None leaves it to the method.
        return self.window_days or own


def _is_number(value: object, kind: type) -> bool:
    """Whether a value is of a kind of number; Python counts booleans as integers, this does not."""
    return isinstance(value, kind) and not isinstance(value, bool)


def _plainly(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else repr(value)


DEFAULT_SETTINGS = Settings()


class Choices(TypedDict, total=False):
    """The fields of `Settings` as keyword arguments, for functions that take them directly."""

    # Written out a second time, because a type checker cannot derive them from the dataclass.
    method: str
    preset: Preset
    aleatoric: Aleatoric
    seed: int
    discrepancy: float
    hold: Hold
    ignore_interior: bool
    as_given: bool
    standard: Standard | None
    quick: bool
    window_days: float | None
    network: AnySettings | None

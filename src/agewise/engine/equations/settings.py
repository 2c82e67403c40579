"""What is chosen about a fit of any equation."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from typing import Any

from agewise.engine.equations.functions.features import STRETCH
from agewise.errors import InputError

HIDDEN = {1: (20, 20)}
"""Hidden layers to begin with for problems of few coordinates."""
HIDDEN_ELSE = (20, 20, 20)
"""Hidden layers to begin with for all others. Measured on Burgers', Allen-Cahn's, Helmholtz' and
the wave equation in a minute of one core: relative errors of 5e-3, 6e-3, 3e-4 and 4e-3."""
STARTS = {1: (1.0, 3.0, 1.0, 3.0)}
"""Factors on the stretch of the starts that are tried for a problem of few coordinates; the best
goes on. From one start alone, an oscillation may be missed."""
STARTS_ELSE = (1.0, 3.0)
"""Factors on the stretch of the starts of a problem of more coordinates without readings; the
second only where the first is lost, as its steps take longer. The wave equation is 2 to 13 % off
from the first (tuning keys 100 and 101) and 0.1 from the second; Allen-Cahn's ends at another
function from the second on four keys of six."""
LOST = 100.0
"""Loss over the number of points [nats] after the first steps of such a start from which it counts
as lost: the wave equation's is 400 to 1400, Allen-Cahn's 12, Burgers' and Helmholtz' 3 and 1. Each
region weighs 100 observations however many points it has: residuals as large as declared, 0.05."""
STARTS_READ = (0.5, 1.0)
"""Factors on the stretch of the starts of a problem of more coordinates with readings: the smoother
function first, which is the likelier one if it explains them."""
SMALL = 0.5
"""Factor on the numbers of the first of these starts [1]: what nothing drives stays small. Measured
on `poisson-plane`, which has several solutions, with readings of seeds 100 and 102: the true one
from eight keys of eight (0.6 to 0.8 % off); without it others, 21 to 32 % off and 280 to 400 nats
less likely, on three of six. With 0.2 one of six fits of `poisson-plane-inverse` is 87 % off."""
FASTER = 3.0
"""Factor on the stretch of the second attempt [1]: a function that changes faster than the first
could follow is a more common reason than too few units, and costs nothing to try."""
WIDER = 1.5
"""Factor by which the layers of every attempt after that are wider [1]."""


@dataclass(frozen=True)
class EquationSettings:
    """How the functions of a problem are represented and fitted; the defaults serve any problem.

    Examples:
        >>> import agewise
        >>> agewise.EquationSettings(hidden=(12, 12), attempts=1).steps
        200
    """

    hidden: tuple[int, ...] = ()
    """Units of each hidden layer of the first attempt; empty to go by the number of
    coordinates."""
    stretch: float = STRETCH
    """Half the width of the box as a network sees it [1]; larger suits faster changes."""
    steps: int = 200
    """Steps of Gauss-Newton, at the most, for each turn."""
    look: int = 10
    """Steps after which it is asked whether the fit still gets better."""
    tolerance: float = 2e-2
    """Share [1] by which so many steps must lower the loss for the fit to go on."""
    rate: float = 1e-3
    """One over the first damping of Gauss-Newton."""
    lead_steps: int = 100
    """First steps at the most, in which the prior hardly counts."""
    turns: int = 4
    """Turns at the most, after each of which noise is learned and points are picked anew."""
    attempts: int = 3
    """Fits that are tried before one is given back that does not pass its check."""
    first_size: float = 1.0
    """Factor on the numbers that a fit starts from [1]; members of an ensemble have several."""
    single_start: bool = False
    """Whether an attempt has one start, as a member of an ensemble has, and not the best of a
    few."""
    members: int = 10
    """Number of fits of an ensemble."""
    jobs: int = 1
    """Processes in which the members of an ensemble are fitted, or chains are drawn."""
    draws: int = 200
    """Functions behind a prediction of methods without a closed form."""
    basis: str = ""
    """What functions are made of where chains are drawn: `waves`, which mix, or a `network`. Empty
    for waves where a problem has one or two open coordinates, and for a network otherwise."""
    chains: int = 4
    """Chains of `nuts` and `hmc`; half start from the most probable numbers, half far about where
    Gauss-Newton leads from draws of the prior."""
    warm_up: int = 500
    """Moves of every chain that set the length of its steps and are thrown away."""
    chain_draws: int = 1000
    """Moves of every chain that are kept."""
    doublings: int = 8
    """How often `nuts` may double a path, at the most: with 8, to 255 steps."""
    leaps: int = 8
    """Steps of the longest path of `hmc`; every path has a random number of them."""
    waves: int = 512
    """Random waves of which the Gaussian process of `gp` is made."""
    dropout: float = 0.01
    """Chance that `dropout` strikes a hidden unit [1]."""
    dropout_steps: int = 20
    """Steps of Gauss-Newton under which units are struck."""
    loss_weights: str = "none"
    """How `map` weighs residuals against each other: "none" for Gauss-Newton on the likelihood;
    else Adam on mean squares, "equal", by residual-based "attention", self-"adaptive", or by the
    neural tangent "kernel". No likelihood, so every other method refuses it."""
    adam_steps: int = 10_000
    """Steps of Adam where `loss_weights` weighs residuals."""
    adam_rate: float = 2e-3
    """Highest rate of Adam where `loss_weights` weighs residuals [1]."""
    index: int = 24
    """Random numbers of which every function of `epinet` is made."""
    index_width: int = 16
    """Units of each of the two hidden layers of an epinet."""
    index_steps: int = 20
    """Steps of Gauss-Newton that train an epinet."""
    index_noise: bool = True
    """Whether the readings and equations of `epinet` are moved by their noise, along with its
    index; without, its spread should vanish wherever something was read, however noisily."""
    samples: int = 5000
    """Functions of every level of `abc`."""
    levels: int = 40
    """Levels of `abc` at the most; it ends before where errors are as large as declared, or where a
    level gains nothing."""
    as_published: bool = False
    """Whether `abc` moves as it was published, which forgets the prior, through all levels."""

    def __post_init__(self):
        """Refuse numbers with which nothing can be done."""
        for field in fields(self):
            refuse_strange_setting(field.name, getattr(self, field.name), field.default)
        if not self.dropout < 1:
            raise InputError(
                f"The rate of dropout is {self.dropout}.",
                hint="give a share between 0 and 1, such as 0.01 or 0.05.",
            )

    def richer(self, coordinates: int) -> Iterator["EquationSettings"]:
        """The settings of the first attempt, the second, and so on: faster, then wider networks."""
        settings = replace(self, hidden=self.hidden or HIDDEN.get(coordinates, HIDDEN_ELSE))
        yield settings
        settings = replace(settings, stretch=FASTER * settings.stretch)
        # Without end: how many attempts there are is for the caller to say.
        while True:
            yield settings
            hidden = tuple(round(WIDER * units) for units in settings.hidden)
            settings = replace(settings, hidden=hidden)

    def starts(self, coordinates: int, *, read: bool) -> Iterator["EquationSettings"]:
        """The settings of every start of an attempt at a problem with readings or without."""
        # Where coordinates are few many starts are cheap, whether anything is read or not.
        few = STARTS.get(coordinates, STARTS_READ if read else STARTS_ELSE)
        if self.single_start:
            # Members of an ensemble have sizes of their own.
            yield replace(self, stretch=few[0] * self.stretch)
            return
        for number, factor in enumerate(few):
            size = SMALL if few is STARTS_READ and number == 0 else 1.0
            yield replace(self, stretch=factor * self.stretch, first_size=size * self.first_size)

    def enough(self, coordinates: int, *, read: bool) -> float:
        """Loss over the number of points and readings [nats] that needs no other start."""
        # One: errors at the most some four times as large as declared, where regions have far more
        # points than the observations that they weigh.
        return 1.0 if read or coordinates in STARTS else LOST


def refuse_strange_setting(name: str, value: Any, default: Any) -> None:
    """Raise an `InputError` where a setting is of another kind than its default, or not above
    zero."""
    # Any, since what was promised is what is looked at.
    if not _fits(value, default):
        raise InputError(f"The setting `{name}` is {value!r}.", hint=_wanted(default))


def _fits(value: Any, default: Any) -> bool:
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(_fits(each, 1) for each in value)
    if isinstance(default, str | bool):
        return isinstance(value, type(default))
    kind = Integral if isinstance(default, int) else Real
    # Written such that what is no number fails it too.
    return isinstance(value, kind) and not isinstance(value, bool) and float(value) > 0


def _wanted(default: Any) -> str:
    """What to give in place of a setting of another kind than its default."""
    if isinstance(default, tuple):
        return "give the units of each layer, such as `(20, 20)`."
    if isinstance(default, bool):
        return "give True or False."
    if isinstance(default, str):
        return "give one of its words, in quotes."
    return f"give a {'whole ' if isinstance(default, int) else ''}number above zero."

"""What is chosen about a fit of any equation."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agewise.engine.equations.features import STRETCH

HIDDEN = (20, 20, 20)
"""Hidden layers to begin with. Measured on Burgers', Allen-Cahn's, Helmholtz' and the wave equation
in a minute of one core: relative errors of 5e-3, 6e-3, 3e-4 and 4e-3."""
RICHER = 1.5
"""Factor by which the layers of another attempt are wider [1]."""


@dataclass(frozen=True)
class EquationSettings:
    """How the functions of a problem are represented and fitted; the defaults serve any problem."""

    hidden: tuple[int, ...] = HIDDEN
    """Units of each hidden layer of the first attempt."""
    stretch: float = STRETCH
    """Half the width of the box as a network sees it [1]; larger suits faster changes."""
    steps: int = 400
    """Steps of Gauss-Newton, at the most, for each turn."""
    look: int = 10
    """Steps after which it is asked whether the fit still gets better."""
    tolerance: float = 5e-3
    """Share [1] by which so many steps must lower the loss for the fit to go on."""
    rate: float = 1e-3
    """One over the first damping of Gauss-Newton."""
    lead_steps: int = 20
    """First steps, in which the prior hardly counts."""
    turns: int = 4
    """Times that functions and noise are learned from each other, where noise is to be learned."""
    attempts: int = 3
    """Fits that are tried before one is given back that does not pass its check."""
    draws: int = 200
    """Functions behind a prediction of methods without a closed form."""

    def richer(self) -> Iterator["EquationSettings"]:
        """The settings of the first attempt, the second, and so on: wider and faster networks."""
        settings = self
        while True:
            yield settings
            hidden = tuple(round(RICHER * units) for units in settings.hidden)
            settings = replace(settings, hidden=hidden, stretch=RICHER * settings.stretch)

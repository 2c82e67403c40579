"""Unknown constants of an equation: what is known of them beforehand."""

from abc import abstractmethod

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm
from jaxtyping import Array, Float

from agewise.errors import InputError
from agewise.types import Scalar


class AbstractConstant(eqx.Module):
    """A distribution, written as a function of a standard normal number.

    So whatever the distribution, what is trained and drawn is one more number with the prior
    $N(0, 1)$, and every value that the constant can take is allowed in training.
    """

    @abstractmethod
    def value(self, standard: Scalar | Float[Array, " draw"]) -> Scalar | Float[Array, " draw"]:
        """The constant, given its standard normal number."""


class Normal(AbstractConstant):
    """A normal distribution: any value, most likely near the mean.

    Examples:
        >>> import agewise
        >>> float(agewise.Normal(0.5, 0.1).value(0.0))  # the middle of what is possible
        0.5
    """

    mean: float
    """Expected value."""
    std: float
    """Standard deviation, in the same unit."""

    def __check_init__(self):
        """Refuse what is no normal distribution."""
        _refuse_unless(
            np.isfinite(self.mean) and 0 < self.std < np.inf,
            f"A normal distribution has the mean {self.mean} and the standard deviation {self.std}",
            "give a mean, and a standard deviation above zero; what is known for sure is a number "
            "in the equation.",
        )

    def value(self, standard):
        """Mean plus standard deviations."""
        return self.mean + self.std * standard


class LogNormal(AbstractConstant):
    """A log-normal distribution: positive values, known to within a factor.

    Examples:
        >>> import agewise
        >>> float(agewise.LogNormal(350.0, 0.5).value(0.0))  # the middle of what is possible
        350.0
    """

    median: float
    """Value that the constant exceeds as likely as not."""
    log_std: float
    """Standard deviation of its natural logarithm [1]: 0.1 is about ten per cent."""

    def __check_init__(self):
        """Refuse what is no log-normal distribution."""
        _refuse_unless(
            0 < self.median < np.inf and 0 < self.log_std < np.inf,
            f"A log-normal distribution has the median {self.median} and the standard deviation "
            f"{self.log_std} of its logarithm",
            "give two numbers above zero; take `Normal` for a constant that may be negative, and "
            "what is known for sure is a number in the equation.",
        )

    def value(self, standard):
        """The median times a factor."""
        # At a standard number of zero the constant is its median, whatever the spread.
        return self.median * jnp.exp(self.log_std * standard)


class Uniform(AbstractConstant):
    """A uniform distribution: any value between two limits alike.

    Examples:
        >>> import agewise
        >>> float(agewise.Uniform(0.0, 2.0).value(0.0))  # the middle of what is possible
        1.0
    """

    low: float
    """Least value."""
    high: float
    """Largest value."""

    def __check_init__(self):
        """Refuse limits with nothing between them."""
        _refuse_unless(
            -np.inf < self.low < self.high < np.inf,
            f"A uniform distribution goes from {self.low} to {self.high}",
            "give the least and then the largest value.",
        )

    def value(self, standard):
        """The quantile of the normal number, between the limits."""
        # A normal number's distribution function is uniform on [0, 1], and gradients pass.
        return self.low + (self.high - self.low) * norm.cdf(standard)


def _refuse_unless(right: bool | np.bool, sentence: str, hint: str) -> None:
    if not right:  # a bool of Python's or of NumPy's
        raise InputError(f"{sentence}.", hint=hint)

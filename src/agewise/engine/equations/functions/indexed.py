"""Functions with an index: a frozen one, and what a few random numbers add to it. The epinet."""

from dataclasses import replace
from itertools import pairwise

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from agewise.engine.equations.functions.networks import (
    AbstractNetwork,
    Numbers,
    Perceptron,
    through_layers,
)
from agewise.engine.equations.functions.unknown import Unknown
from agewise.types import Point, Scalar

LAYERS = 2
"""Hidden layers of the learnable net and of the fixed one."""


class Indexed(AbstractNetwork):
    r"""$u(p) + s\,(l(\phi, p, z) + q(\phi, p)) \cdot z/\sqrt{d}$ with an index $z$ of $d$ numbers.

    $u$ is a trained network with its last hidden units $\phi(p)$; it and the random net $q$ stay as
    they are. The numbers are the weights of $l$, then $z$, for all of which $l$ was trained. What
    the random net adds is linear in the index: of one that is not, a net as small as $l$ cannot
    take back what readings contradict (measured on Yang's inverse problem: twice the spread). For
    the same reason $l$ starts from the hidden layers of $q$. Both see $\phi$ and $p$ again in their
    last layers: what one can take back, the other must bring in, or the spread comes out too small.
    """

    base: Perceptron
    """The trained network, with gains of one."""
    width: int = eqx.field(static=True)
    """Units of each hidden layer of the two nets."""
    index: int = eqx.field(static=True)
    """How many numbers an index has."""
    fixed: Float[Array | np.ndarray, " kept"]
    """Numbers of the trained network, those of the random net, and its scale [1]."""

    @classmethod
    def around(cls, base: Perceptron, width: int, index: int) -> "Indexed":
        """The nets about a network, none of them with its numbers yet."""
        plain = base.with_kept(np.ones(len(base.gains)))
        # How many numbers are kept follows from the widths, which need the network first.
        return (network := cls(plain, width, index, np.zeros(0))).with_kept(
            np.zeros(base.size + network.prior_size + 1)
        )

    @property
    def prior_widths(self) -> tuple[int, ...]:
        """Width of every layer of the random net; what goes in comes first."""
        inputs = self.base.widths[-2] + self.base.features.count
        return (inputs, *(self.width,) * LAYERS, self.index)

    @property
    def widths(self) -> tuple[int, ...]:
        """Width of every layer of the learnable net, which is fed the index too."""
        inputs, *others = self.prior_widths
        return (inputs + self.index, *others)

    @property
    def prior_size(self) -> int:
        """Numbers of the random net."""
        return _layers(self.prior_widths) + self.prior_widths[0] * self.index

    @property
    def net_size(self) -> int:
        """Numbers of the learnable net."""
        return _layers(self.widths) + self.prior_widths[0] * self.index

    def silent(self) -> Float[np.ndarray, " number"]:
        """A learnable net with the random one's hidden layers, of which nothing comes out yet."""
        (seen, *_), (inputs, width, *_) = self.prior_widths, self.widths
        drawn = np.asarray(self.fixed)[self.base.size : -1]
        # As large as without the index, whose numbers add inputs under the root.
        first = np.sqrt(inputs / seen) * drawn[: seen * width]
        middle = drawn[seen * width : _layers(self.prior_widths[:-1])]
        # The index comes last among the inputs, and its weights begin with zero.
        parts = [first, np.zeros(self.index * width), middle]
        filled = np.concatenate(parts)
        return np.concatenate([filled, np.zeros(self.net_size - len(filled))])

    @property
    def size(self) -> int:
        """Numbers of the learnable net, and the index."""
        return self.net_size + self.index

    def initial(self, rng: np.random.Generator) -> Float[np.ndarray, " number"]:
        """A learnable net of which nothing comes out, and no index."""
        return np.concatenate([self.silent(), np.zeros(self.index)])

    def value(self, numbers: Numbers, point: Point) -> Scalar:
        """The frozen function, and what the index adds."""
        # Trained numbers, the random net, and last its scale, as `fixed` has them.
        frozen, scale = jnp.asarray(self.fixed), self.fixed[-1]
        own, drawn = frozen[: self.base.size], frozen[self.base.size : -1]
        learned, index = numbers[: self.net_size], numbers[self.net_size :]
        place = self.base.features(point)
        units, out = through_layers(own, self.base.widths, place)
        seen = jnp.concatenate([units, place])
        # The learnable net sees the index as well, the random one does not.
        added = _net(learned, self.widths, jnp.concatenate([seen, index]), seen)
        prior = _net(drawn, self.prior_widths, seen, seen)
        # Over the root of the index, so that the spread does not grow with its length.
        return out[0] + scale * jnp.dot(added + prior, index) / np.sqrt(self.index)

    @property
    def kept(self) -> Float[Array | np.ndarray, " kept"]:
        """All that is fixed."""
        return self.fixed

    def with_kept(self, kept: Float[np.ndarray, " kept"]) -> "Indexed":
        """The same about another network, or with another random net."""
        return replace(self, fixed=kept)


def _layers(widths: tuple[int, ...]) -> int:
    """Numbers of layers of these widths."""
    return sum((ins + 1) * outs for ins, outs in pairwise(widths))


def _net(numbers, widths, inputs, seen):
    """What comes out of layers, and of what is seen straight."""
    layers, straight = numbers[: _layers(widths)], numbers[_layers(widths) :]
    _, out = through_layers(layers, widths, inputs)
    # Straight from what is seen to what comes out, over the root of the inputs.
    return out + seen @ jnp.reshape(straight, (len(seen), -1)) / np.sqrt(len(seen))


def indexed(unknown: Unknown, width: int, index: int) -> Unknown:
    """Unknowns whose functions have an index beside the networks that they have."""
    functions = {}
    for name, function in unknown.functions.items():
        base = function.network
        assert isinstance(base, Perceptron)
        functions[name] = replace(function, network=Indexed.around(base, width, index))
    return Unknown.of(functions, unknown.constants)

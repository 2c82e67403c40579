"""`nuts`: chains that turn back by themselves; nothing is approximated but by their length."""

from dataclasses import dataclass
from typing import Any, ClassVar

from agewise.engine.equations.draws.density import Density
from agewise.engine.equations.draws.kernel import AbstractKernel, stan_windows
from agewise.engine.equations.methods.sampled import AbstractSampled
from agewise.types import Key


@dataclass(frozen=True)
class Doubling(AbstractKernel):
    """Paths that double until they turn back (Hoffman and Gelman 2014)."""

    doublings: int
    """How often a path may double, at the most."""

    def warm_up(self, density: Density) -> Any:
        """Stan's windows for paths so long."""
        import blackjax

        return stan_windows(blackjax.nuts, density, max_num_doublings=self.doublings)

    def move(self, density: Density, key: Key, state: Any, step: Any, scales: Any) -> Any:
        """One path and a state on it."""
        from blackjax.mcmc import nuts

        # A traced step, which BlackJAX declares as a plain number.
        return nuts.build_kernel()(key, state, density, step, scales, self.doublings)  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True)
class NUTS(AbstractSampled):
    """The no-U-turn sampler."""

    name: ClassVar[str] = "nuts"
    summary: ClassVar[str] = (
        "Four chains that agree or say so, over waves or a network: the reference for every other "
        "method; seconds for one coordinate, minutes for two. Checked against `exact`."
    )

    def kernel(self) -> Doubling:
        """Paths of a length of their own."""
        return Doubling(self.settings.doublings)

"""`hmc`: chains whose paths have a random number of steps, as the Bayesian PINN was published."""

from dataclasses import dataclass
from typing import Any, ClassVar

import jax

from agewise.engine.equations.draws.density import Density
from agewise.engine.equations.draws.kernel import AbstractKernel, stan_windows
from agewise.engine.equations.methods.sampled import AbstractSampled
from agewise.types import Key


@dataclass(frozen=True)
class Leaping(AbstractKernel):
    """Paths of one step up to so many: of one length alone, a path may come back to its start."""

    leaps: int
    """Steps of the longest path."""

    def warm_up(self, density: Density) -> Any:
        """Stan's windows for paths so long."""
        import blackjax

        # The longest path sets the step: shorter ones are safe with it too.
        return stan_windows(blackjax.hmc, density, num_integration_steps=self.leaps)

    def move(self, density: Density, key: Key, state: Any, step: Any, scales: Any) -> Any:
        """One path, whose end is accepted or not."""
        from blackjax.mcmc import hmc

        own, of_length = jax.random.split(key)
        # Drawn apart from the state, so that detailed balance holds.
        length: Any = jax.random.randint(of_length, (), 1, self.leaps + 1)
        return hmc.build_kernel()(own, state, density, step, scales, length)


@dataclass(frozen=True)
class HMC(AbstractSampled):
    """Hamiltonian Monte Carlo."""

    name: ClassVar[str] = "hmc"
    summary: ClassVar[str] = (
        "As `nuts` with short paths of a bounded cost: cheaper where the answer is nearly normal, "
        "stuck where it is not, and then it says so."
    )

    def kernel(self) -> Leaping:
        """Paths of a bounded length."""
        return Leaping(self.settings.leaps)

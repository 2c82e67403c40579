"""Priors against SciPy's distributions, and divergences against integrals."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from agewise.engine.objective.priors import PRIORS, Gaussian, Prior, entropy, expectation

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What runs once is compiled without optimisation, in a fifth of the time."""
SCALES = (0.3, 1.0, 2.5)
MADE = {f"{name} {scale}": PRIORS[name](scale) for name in PRIORS for scale in SCALES}


class TwoNormals:
    """Half of the weights as wide as the scale, half a tenth of it."""

    def __init__(self, scale: float):
        self.parts = stats.norm(scale=scale), stats.norm(scale=scale / 10)

    def logpdf(self, x) -> np.ndarray:
        return np.logaddexp(*(part.logpdf(x) for part in self.parts)) - np.log(2)

    def var(self) -> float:
        return float(np.mean([part.var() for part in self.parts]))


TRUE = {
    "gaussian": stats.norm,
    "laplace": stats.laplace,
    "student": partial(stats.t, 3),
    "mixture": TwoNormals,
}
ERROR = {"gaussian": 1e-9, "laplace": 1e-9, "student": 2e-3, "mixture": 2e-5}
"""Nats by which a divergence may be off, for weights up to twice as wide as their prior."""
STEPS = np.linspace(-10, 10, 4001)
GRID = np.sinh(STEPS)
"""From far out on the left to far out on the right, over the scale; fine about zero."""
every_prior = pytest.mark.parametrize("name", MADE)

MEANS, STDS = (grid.ravel() for grid in np.meshgrid([0.0, -0.02, 0.7, -3.0], [0.01, 0.3, 1.0, 2.5]))
"""Of normal weights: narrow and wide, centred at zero and far from it."""


def true(name: str):
    kind, scale = name.split()
    return TRUE[kind](scale=float(scale))


def told(name: str) -> np.ndarray:
    """Which normal weights are not too wide for what is known of the divergence."""
    kind, scale = name.split()
    return (kind != "student") | (2 * float(scale) >= STDS)


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, np.ndarray]]:
    """Divergence of every normal weight alone and of all together, with slopes; penalties."""

    def of(prior, mean, log_std):
        def alone(mean, log_std):
            return prior.divergence(mean[None], log_std[None])

        slopes = jax.vmap(jax.grad(alone, argnums=(0, 1)))(mean, log_std)
        return {
            "alone": jax.vmap(alone)(mean, log_std),
            "slopes": jnp.stack(slopes),
            "together": prior.divergence(mean, log_std),
            "penalty": prior.penalty(mean),
            "density": jnp.exp(-jax.vmap(prior.penalty)(prior.scale * GRID[:, None])),
        }

    @partial(jax.jit, compiler_options=QUICKLY)
    def all_of(mean, log_std):
        return {name: of(prior, mean, log_std) for name, prior in MADE.items()}

    with jax.enable_x64(True):
        return jax.tree.map(np.asarray, all_of(MEANS, np.log(STDS)))


def integral(name: str, mean: float, std: float) -> float:
    """The divergence by its definition: Gauss's rule between the bends of the prior."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    bends = float(name.split()[1]) * np.array([-np.inf, -5.0, -0.5, 0.0, 0.5, 5.0, np.inf])
    edges = np.unique(np.clip(bends, mean - 12 * std, mean + 12 * std))
    middle, half = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    x = middle[:, None] + half[:, None] * nodes
    weight = stats.norm(mean, std)
    share = weight.pdf(x) * (weight.logpdf(x) - true(name).logpdf(x))
    return float(half @ (share @ weights))


@every_prior
def test_the_variance_and_the_penalty_are_those_of_the_distribution(name: str, found):
    assert MADE[name].variance == pytest.approx(true(name).var(), rel=1e-12)
    assert found[name]["penalty"] == pytest.approx(-true(name).logpdf(MEANS).sum(), rel=1e-12)


@every_prior
def test_the_density_holds_all_weights(name: str, found):
    stretch = MADE[name].scale * np.cosh(STEPS)
    whole = np.trapezoid(found[name]["density"] * stretch, STEPS)
    assert whole == pytest.approx(1.0, abs=1e-5 if "laplace" in name else 1e-10)


@pytest.mark.parametrize("name", [f"{kind} 0.3" for kind in PRIORS])
def test_the_integral_is_that_of_scipy(name: str):
    mean, std, weight = 0.1, 0.4, stats.norm(0.1, 0.4)

    def share(x: float) -> float:
        return weight.pdf(x) * (weight.logpdf(x) - true(name).logpdf(x))

    whole, _ = quad(share, mean - 12 * std, mean + 12 * std, points=[-0.1, 0.0, 0.1], limit=200)
    assert integral(name, mean, std) == pytest.approx(whole, rel=1e-8)


@every_prior
def test_the_divergence_is_the_integral_that_it_stands_for(name: str, found):
    truth = np.array([integral(name, mean, std) for mean, std in zip(MEANS, STDS, strict=True)])
    alone, close = found[name]["alone"], told(name)
    error = ERROR[name.split()[0]]
    np.testing.assert_allclose(alone[close], truth[close], rtol=1e-8, atol=error)
    np.testing.assert_allclose(alone[~close], truth[~close], atol=0.25)
    assert found[name]["together"] == pytest.approx(alone.sum(), rel=1e-12)


@every_prior
def test_slopes_are_those_of_the_integral(name: str, found):
    """Also at zero, where the Laplace density is bent and its expectation is not."""
    along_mean, along_log_std = found[name]["slopes"]
    np.testing.assert_allclose(along_mean[MEANS == 0], 0.0, atol=1e-12)
    error = 10 * max(ERROR[name.split()[0]], 1e-6)
    for row in [row for row in (0, 6, 9) if told(name)[row]]:
        mean, std, step = MEANS[row], STDS[row], 1e-4 * STDS[row]
        left, right = (integral(name, mean + s, std) for s in (-step, step))
        assert along_mean[row] == pytest.approx((right - left) / (2 * step), rel=1e-4, abs=error)
        low, high = (integral(name, mean, std * np.exp(s)) for s in (-1e-4, 1e-4))
        assert along_log_std[row] == pytest.approx((high - low) / 2e-4, rel=1e-4, abs=error)


@every_prior
def test_no_distribution_is_nearer_than_the_nearest(name: str, found):
    """Zero for the prior itself; a normal weight is never one of another prior."""
    assert (found[name]["alone"] > -1e-12).all()
    kind, scale = name.split()
    same = (MEANS == 0) & (float(scale) == STDS)
    assert found[name]["alone"][same] == pytest.approx(0.0, abs=1e-12) or kind != "gaussian"
    assert (found[name]["alone"][~same] > 1e-6).all()


@pytest.mark.parametrize("scale", SCALES)
def test_a_quadrature_of_squares_is_the_closed_form(scale: float):
    prior = Gaussian(scale)

    def rough(mean, log_std):
        minus_log = jax.vmap(jax.vmap(lambda weight: prior.penalty(weight[None])))
        return jnp.sum(expectation(minus_log, mean, log_std) - entropy(log_std))

    with jax.enable_x64(True):
        weights = MEANS, np.log(STDS)
        assert float(rough(*weights)) == pytest.approx(float(prior.divergence(*weights)), rel=1e-12)


@pytest.mark.parametrize("prior", [make(0.3) for make in PRIORS.values()], ids=list(PRIORS))
def test_slopes_are_numbers_in_single_precision_too(prior: Prior):
    mean = np.array([0.0, 0.0, 1e-8, -30.0], dtype=np.float32)
    log_std = np.array([-15.0, 3.0, -15.0, -15.0], dtype=np.float32)
    slope = jax.jit(jax.grad(lambda p: prior.divergence(*p)), compiler_options=QUICKLY)
    for part in slope((mean, log_std)):
        assert np.isfinite(part).all()

"""Priors against SciPy's distributions, and divergences against integrals."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from agewise.inference.priors import PRIORS, Gaussian, Laplace

QUICKLY = {"xla_backend_optimization_level": 0, "xla_cpu_use_fusion_emitters": False}
"""What runs once is compiled without optimisation, in a fifth of the time."""
SCALES = (0.3, 1.0, 2.5)
MADE = {f"{name} {scale}": PRIORS[name](scale) for name in PRIORS for scale in SCALES}
TRUE = {"gaussian": stats.norm, "laplace": stats.laplace}
every_prior = pytest.mark.parametrize("name", MADE)

MEANS, STDS = (grid.ravel() for grid in np.meshgrid([0.0, -0.02, 0.7, -3.0], [0.01, 0.3, 1.0, 2.5]))
"""Of normal weights: narrow and wide, centred at zero and far from it."""


def true(name: str):
    kind, scale = name.split()
    return TRUE[kind](scale=float(scale))


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
        }

    @partial(jax.jit, compiler_options=QUICKLY)
    def all_of(mean, log_std):
        return {name: of(prior, mean, log_std) for name, prior in MADE.items()}

    with jax.enable_x64(True):
        return jax.tree.map(np.asarray, all_of(MEANS, np.log(STDS)))


def integral(name: str, mean: float, std: float) -> float:
    """The divergence by its definition: Gauss's rule on both sides of the bend at zero."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    edges = np.unique(np.clip([-np.inf, 0.0, np.inf], mean - 12 * std, mean + 12 * std))
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
def test_the_divergence_is_the_integral_that_it_stands_for(name: str, found):
    truth = [integral(name, mean, std) for mean, std in zip(MEANS, STDS, strict=True)]
    np.testing.assert_allclose(found[name]["alone"], truth, rtol=1e-8, atol=1e-9)
    assert found[name]["together"] == pytest.approx(sum(truth), rel=1e-8)


@every_prior
def test_slopes_are_those_of_the_integral(name: str, found):
    """Also at zero, where the Laplace density is bent and its expectation is not."""
    along_mean, along_log_std = found[name]["slopes"]
    np.testing.assert_allclose(along_mean[MEANS == 0], 0.0, atol=1e-12)
    for row in (0, 6, 9):
        mean, std, step = MEANS[row], STDS[row], 1e-4 * STDS[row]
        left, right = (integral(name, mean + s, std) for s in (-step, step))
        assert along_mean[row] == pytest.approx((right - left) / (2 * step), rel=1e-4, abs=1e-5)
        low, high = (integral(name, mean, std * np.exp(s)) for s in (-1e-4, 1e-4))
        assert along_log_std[row] == pytest.approx((high - low) / 2e-4, rel=1e-4, abs=1e-5)


@every_prior
def test_no_distribution_is_nearer_than_the_nearest(name: str, found):
    """Zero for the prior itself; a normal weight is never a Laplace one."""
    assert (found[name]["alone"] > -1e-12).all()
    kind, scale = name.split()
    same = (MEANS == 0) & (float(scale) == STDS)
    assert found[name]["alone"][same] == pytest.approx(0.0, abs=1e-12) or kind == "laplace"
    assert (found[name]["alone"][~same] > 1e-6).all()


@pytest.mark.parametrize("prior", [Gaussian(0.3), Laplace(0.3)], ids=["gaussian", "laplace"])
def test_slopes_are_numbers_in_single_precision_too(prior: Gaussian | Laplace):
    mean = np.array([0.0, 0.0, 1e-8, -30.0], dtype=np.float32)
    log_std = np.array([-15.0, 3.0, -15.0, -15.0], dtype=np.float32)
    slope = jax.jit(jax.grad(lambda p: prior.divergence(*p)), compiler_options=QUICKLY)
    for part in slope((mean, log_std)):
        assert np.isfinite(part).all()

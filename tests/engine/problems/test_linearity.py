"""Linear equations are told from others by trying them, and closed forms refuse the others."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import pytest

from agewise.engine.inference.exact import Exact
from agewise.engine.problems import AbstractProblem, Observations, partial, second_partial
from agewise.engine.problems.base import Residual
from agewise.engine.problems.linearity import nonlinear_residuals
from agewise.engine.splines.basis import SplineBasis, height_functions
from agewise.engine.splines.linear import residual_rows
from agewise.errors import InputError
from agewise.library import PROBLEMS
from agewise.types import T, X


class Posed(AbstractProblem):
    """Some residuals all over the square, and an end measured at either side."""

    posed: dict[str, Residual]

    def residuals(self):
        return self.posed

    def observations(self):
        times = jnp.linspace(0.0, 1.0, 20)
        return {
            str(end): Observations(jnp.stack([jnp.full(20, end), times], axis=1), jnp.sin(times))
            for end in (0.0, 1.0)
        }


LINEAR: dict[str, Residual] = {
    "heat": lambda u, p: partial(u, T)(p) - 0.1 * second_partial(u, X)(p),
    "advection that varies": lambda u, p: partial(u, T)(p) + jnp.cos(9 * p[X]) * partial(u, X)(p),
    "a source": lambda u, p: second_partial(u, X)(p) - 1e3 * jnp.exp(p[T]),
    "its own end": lambda u, p: u(p) - u(p.at[X].set(0.0)),
    "nothing": lambda u, p: 0.0 * u(p),
    "tiny": lambda u, p: 1e-9 * partial(u, X)(p),
}
NONLINEAR: dict[str, Residual] = {
    "Burgers": lambda u, p: partial(u, T)(p) + u(p) * partial(u, X)(p) - second_partial(u, X)(p),
    "a faint square": lambda u, p: second_partial(u, X)(p) + 1e-3 * u(p) ** 2,
    "a slope squared": lambda u, p: partial(u, X)(p) ** 2 - 1.0,
    "beyond a threshold": lambda u, p: partial(u, T)(p) + jnp.maximum(u(p) - 5.0, 0.0),
    "near zero alone": lambda u, p: partial(u, T)(p) + jnp.clip(u(p), -0.05, 0.05),
    "in a corner": lambda u, p: partial(u, T)(p) + jnp.where(p[X] > 0.8, u(p) ** 3, 0.0),
    "a sign": lambda u, p: partial(u, T)(p) + jnp.abs(u(p)),
    "no number": lambda u, p: jnp.log(u(p)),
}


def test_what_is_not_linear_is_seen_and_what_is_passes():
    assert set(nonlinear_residuals(Posed(LINEAR | NONLINEAR))) == set(NONLINEAR)


@pytest.mark.parametrize(
    "closed_form",
    [
        lambda problem: Exact().fit(problem, key=jax.random.key(0)),
        lambda problem: residual_rows(problem, SplineBasis(8, height_functions(4))),
    ],
    ids=["exact", "rows"],
)
def test_closed_forms_refuse_in_a_sentence(closed_form: Callable[[AbstractProblem], object]):
    with pytest.raises(InputError, match="Posed is not linear in its unknown") as refused:
        closed_form(Posed({"wall": LINEAR["its own end"], "interior": NONLINEAR["Burgers"]}))
    assert "'interior'" in str(refused.value)
    assert "'wall'" not in str(refused.value)
    assert "laplace" in (refused.value.hint or "")


@pytest.mark.parametrize("name", ["heat-rod", "transformer-heat"])
def test_heat_is_linear(name: str):
    assert nonlinear_residuals(PROBLEMS[name]()) == []

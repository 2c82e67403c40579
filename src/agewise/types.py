"""Words that every storey shares: points, functions of a point, and the order of axes.

Axis conventions: a point of a field is ordered (x, t); arrays are ordered draw, time, height.
"""

from collections.abc import Callable

from jaxtyping import Array, Float, PRNGKeyArray

X = 0
"""Position of the height in a point."""
T = 1
"""Position of the time in a point."""

Key = PRNGKeyArray
"""A JAX random key; always passed by keyword, never defaulted."""

Point = Float[Array, " dim"]
"""One point of a problem's domain."""

Scalar = Float[Array, ""]
"""One number, possibly traced."""

ScalarField = Callable[[Point], Scalar]
"""A function of one point; batching is `jax.vmap`."""

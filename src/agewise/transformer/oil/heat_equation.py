"""A heat equation on finite elements, stepped through time by SDIRK2."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from jaxtyping import Float
from scipy.linalg import eigh

from agewise.threads import one_thread
from agewise.transformer.oil.elements import LineElements

GAMMA = 1 - 1 / np.sqrt(2)
"""Alexander's two-stage SDIRK: second order, L-stable, stages at GAMMA and 1 of a step (1977)."""
AT_ONCE = 2000
"""Steps whose modes are worked out at once."""

Conductivity = (
    float | Callable[[Float[np.ndarray, " quadrature"]], Float[np.ndarray, " quadrature"]]
)
"""Conductivity [W/mK]: a number, or a function of the temperature [°C]."""


@dataclass(frozen=True)
class HeatEquation:
    r"""$c\,(u_t + v\,u_x) = (k\,u_x)_x + q - h\,u$ between given ends.

    Units are those of a tank; scaled equations use it as well, with consistent units of their own.
    """

    elements: LineElements
    """Elements over the height."""
    heat_capacity: float
    """Heat capacity by volume, c [J/m³K]."""
    conductivity: Conductivity
    """Conductivity along the height, k [W/mK]."""
    heat_transfer: float
    """Heat given away by volume and kelvin, h [W/m³K]."""
    velocity: float = 0.0
    """Velocity of the oil, upwards, v [m/s]."""

    def operator(
        self, temperature: Float[np.ndarray, "node *draw"]
    ) -> Float[np.ndarray, "node node"]:
        """The matrix of all terms in u but storage; a conductivity that varies with temperature is
        evaluated at `temperature`."""
        mesh, k = self.elements, self.conductivity
        conduction = mesh.stiffness(k(mesh.values @ temperature) if callable(k) else k)
        flow = self.heat_capacity * self.velocity * mesh.advection
        return conduction + self.heat_transfer * mesh.mass + flow

    def solution(
        self,
        seconds: Float[np.ndarray, " time"],
        bottom: Float[np.ndarray, "*draw time"],
        top: Float[np.ndarray, "*draw time"],
        source: Float[np.ndarray, "*draw step place"],
        start: Float[np.ndarray, "*draw node"],
        kept: Float[np.ndarray, "height node"] | None = None,
    ) -> Float[np.ndarray, "*draw time height"]:
        """Step through `seconds`; the ends are linear in a step, the source is constant.

        Args:
            seconds: Instants [s], increasing.
            bottom: Temperature of the lower end at these instants [°C].
            top: Temperature of the upper end at these instants [°C].
            source: Heat in every step [W/m³], at one place (uniform) or at every node.
            start: Temperature of the nodes at the first instant [°C].
            kept: Matrix that takes nodal values to the values to be kept; all nodes if None.

        Returns:
            Temperature at every instant, at the nodes or as `kept` takes them [°C].
        """
        # Each draw would have a conductivity, and so matrices, of its own.
        if callable(self.conductivity) and start.ndim > 1:
            raise ValueError("A conductivity that varies takes one draw at a time.")
        # The matrices are small: more threads of BLAS would wait for each other.
        with one_thread():
            return self._stepped(seconds, bottom, top, source, start, kept)

    def _stepped(self, seconds, bottom, top, source, start, kept) -> np.ndarray:
        steps, places = np.diff(seconds), source.shape[-1]
        forcing = _forcing(steps, bottom, top, source)
        # Nodes come first and draws last, so that one matrix product steps all draws at once.
        state = np.ascontiguousarray(np.moveaxis(start, -1, 0))
        # A row for each instant, contiguous, since one is read in every step.
        ends = [np.ascontiguousarray(np.moveaxis(end, -1, 0)) for end in (bottom, top)]
        # With one draw the time goes into the steps and their matrices: by its modes a step is a
        # product of numbers, for any length of step. With many, it goes into matrix products, of
        # which modes need as many; and a flow or a varying conductivity has no modes that last.
        alone = state.ndim == 1 and not callable(self.conductivity) and self.velocity == 0.0
        followed = self._by_modes if alone else self._by_matrices
        output = followed(steps, places, forcing, state, ends, kept)
        return np.moveaxis(output, (0, 1), (-2, -1))

    def _by_modes(self, steps, places, forcing, state, ends, kept) -> np.ndarray:
        mass, operator, columns = self._inside(state, places)
        # Mass and operator are symmetric, so that modes exist in which both are diagonal.
        rates, modes = eigh(operator, mass)
        drive, shown = modes.T @ columns, np.eye(state.size) if kept is None else kept
        output = np.empty((steps.size + 1, len(shown)))
        output[0] = shown @ state
        weights = modes.T @ (mass @ state[1:-1])
        # Some at a time: a year of minutes would not fit in memory.
        for first in range(0, steps.size, AT_ONCE):
            part = slice(first, first + AT_ONCE)
            followed = _followed(steps[part], rates, forcing[part], drive, weights)
            weights = followed[-1]
            after = slice(first + 1, first + 1 + len(followed))
            output[after] = followed @ (shown[:, 1:-1] @ modes).T
            for end, column in zip(ends, shown[:, [0, -1]].T, strict=True):
                output[after] += end[after, None] * column
        return output

    def _by_matrices(self, steps, places, forcing, state, ends, kept) -> np.ndarray:
        before, keeps_all = state, kept is None
        output = np.empty(
            (steps.size + 1, len(state) if keeps_all else len(kept), *state.shape[1:])
        )
        output[0] = state if keeps_all else kept @ state
        # Most records have one or a few lengths of step, each of which takes a dense solve.
        constant = lru_cache(maxsize=64)(lambda step: self._stepper(step, state, places))
        for n, step in enumerate(steps.tolist()):
            if callable(self.conductivity):
                # Extrapolated to the middle of the step, a frozen conductivity keeps second order.
                # In the first step nothing is known of the rate, and it is zero.
                rate = (state - before) / steps[max(n - 1, 0)]
                stepper = self._stepper(step, state + rate * step / 2, places)
            else:
                # Nine digits, so that steps that are equal but for rounding are found again.
                stepper = constant(float(f"{step:.9g}"))
            after = output[n + 1] if keeps_all else np.empty_like(state)
            after[0], after[-1] = ends[0][n + 1], ends[1][n + 1]
            # Into the output itself where all nodes are kept: a copy a step is saved.
            np.matmul(stepper.propagate, state[1:-1], out=after[1:-1])
            after[1:-1] += stepper.respond @ forcing[n]
            before, state = state, after
            if not keeps_all:
                output[n + 1] = kept @ state
        return output

    def _stepper(self, step: float, temperature: np.ndarray, places: int) -> "_Stepper":
        return _Stepper.of(*self._inside(temperature, places), step)

    def _inside(
        self, temperature: np.ndarray, places: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mass, operator and what the forcing does, of the nodes between the ends; these are given
        and so move to the right side."""
        mesh = self.elements
        mass = self.heat_capacity * mesh.mass
        operator = self.operator(temperature)
        # A uniform source is the sum over the columns, which saves a matrix product in every step.
        spread = mesh.mass.sum(axis=1, keepdims=True) if places == 1 else mesh.mass
        ends, inside = [0, -1], slice(1, -1)
        # In the order of the columns of `_forcing`: source, values of the ends, their slopes.
        columns = np.hstack([spread, -operator[:, ends], -mass[:, ends]])
        return mass[inside, inside], operator[inside, inside], columns[inside]


@dataclass(frozen=True)
class _Stepper:
    """One SDIRK2 step of the inner nodes as two matrices."""

    propagate: np.ndarray
    """Takes the state before the step to its part of the state after it."""
    respond: np.ndarray
    """Takes the forcing at both stages, as `_forcing` lays it out, to the other part."""

    @classmethod
    def of(cls, mass: np.ndarray, operator: np.ndarray, columns: np.ndarray, step: float):
        r"""Eliminate the stages of $M\dot v = -A v + E c(t)$.

        $k_1 = S(E c_1 - A v)$, $k_2 = S(E c_2 - A(v + (1-\gamma)\,dt\,k_1))$ and
        $v' = v + dt\,((1-\gamma)k_1 + \gamma k_2)$ with $S = (M + \gamma\,dt\,A)^{-1}$.
        """
        solved = np.linalg.solve(mass + GAMMA * step * operator, np.hstack([operator, columns]))
        # S A and S E in one solution; both stages share S, which is what makes the method cheap.
        decay, drive = solved[:, : len(mass)], solved[:, len(mass) :]
        # Weight of the first stage, less what its own slope takes away in the second stage.
        first = (1 - GAMMA) * (np.eye(len(mass)) - GAMMA * step * decay)
        propagate = np.eye(len(mass)) - step * (first + GAMMA * np.eye(len(mass))) @ decay
        respond = step * np.hstack([first @ drive, GAMMA * drive])
        return cls(propagate, respond)


def _followed(
    steps: np.ndarray, rates: np.ndarray, forcing: np.ndarray, drive: np.ndarray, start: np.ndarray
) -> Float[np.ndarray, "step mode"]:
    """SDIRK2 steps as in `_Stepper`, of modes that fade at their own `rates`: on numbers instead of
    matrices."""
    columns, length = drive.shape[1], steps[:, None]
    share = 1 / (1 + GAMMA * length * rates)
    first = (1 - GAMMA) * (1 - GAMMA * length * rates * share)
    stays = 1 - length * (first + GAMMA) * share * rates
    followed = first * (forcing[:, :columns] @ drive.T)
    followed += GAMMA * (forcing[:, columns:] @ drive.T)
    followed *= length * share
    before = start
    for now, stay in zip(followed, stays, strict=True):
        now += stay * before
        before = now
    return followed


def _forcing(
    steps: np.ndarray, bottom: np.ndarray, top: np.ndarray, source: np.ndarray
) -> Float[np.ndarray, "step column *draw"]:
    """What drives the inside: for each stage the source at its places, both ends, both slopes."""
    draws = np.broadcast_shapes(source.shape[:-2], bottom.shape[:-1])
    places = source.shape[-1]
    forcing = np.empty((steps.size, 2 * (places + 4), *draws))
    source = np.moveaxis(np.broadcast_to(source, (*draws, *source.shape[-2:])), (-2, -1), (0, 1))
    for stage, share in enumerate((GAMMA, 1.0)):
        first = stage * (places + 4)
        forcing[:, first : first + places] = source
        # Values of both ends, and two columns further on their slopes.
        for column, end in enumerate((bottom, top), start=first + places):
            early = np.moveaxis(end[..., :-1], -1, 0)
            change = np.moveaxis(np.diff(end, axis=-1), -1, 0)
            # Ends are linear in a step: their slopes are the same at both stages.
            forcing[:, column] = early + share * change
            # Lengths of the steps get the axes of the draws, over which they broadcast.
            forcing[:, column + 2] = change / steps.reshape(-1, *[1] * len(draws))
    return forcing

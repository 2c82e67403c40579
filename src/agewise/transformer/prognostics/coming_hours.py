"""Temperatures of the coming hours in draws, under loads and air that change from step to step."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from agewise.transformer.iec60076 import ThermalConstants
from agewise.transformer.prognostics.rating import LAGS, Ceiling

Numbers = Float[np.ndarray, "..."]
"""Numbers whose last axis are the draws; axes before it, such as hours, go side by side."""


@dataclass(frozen=True, eq=False)
class State:
    """What the guide's model remembers of the past, in every draw."""

    top_oil: Numbers
    """Top oil by the guide's model [°C]."""
    winding_part: Numbers
    """Winding part of the hot spot's rise [K]."""
    oil_part: Numbers
    """Oil part of the hot spot's rise, which is subtracted [K]."""


@dataclass(frozen=True, eq=False)
class Heat:
    """Where a load, once held long enough, would bring the temperatures."""

    rise: Numbers
    """Top oil over the air [K]."""
    gradient: Numbers
    """Hot spot over the top oil [K]."""


@dataclass(frozen=True, eq=False)
class ComingHours:
    """The coming hours in draws: constants of the guide, present state, air and model error.

    Steps are numbered from 0; step n goes from instant n to instant n + 1, and instant 0 is now.
    Within a step the load is held and the air goes straight, for which every lag has a closed form.
    """

    constants: Sequence[ThermalConstants]
    """Constants of the guide, one set a draw or one for all draws."""
    present: State
    """State of the guide's model at instant 0, in every draw."""
    seconds: Float[np.ndarray, " instant"]
    """All instants [s], the first of which is 0."""
    air: Float[np.ndarray, "instant draw"]
    """Air at these instants [°C]."""
    error: Float[np.ndarray, "step draw"]
    """True minus modelled top oil at the end of every step [K]."""

    @property
    def steps(self) -> int:
        """Number of steps."""
        return self.seconds.size - 1

    def heat(self, load: Numbers) -> Heat:
        """Where loads [p.u.] would bring the temperatures, by the guide's steady laws."""
        unit = self._rows
        losses = (1 + unit["loss_ratio"] * load**2) / (1 + unit["loss_ratio"])
        return Heat(
            unit["top_oil_rise"] * losses ** unit["oil_exponent"],
            unit["gradient"] * load ** unit["winding_exponent"],
        )

    def after(self, state: State, step: int | Int[np.ndarray, " hour"], heat: Heat) -> State:
        """The state at the end of a step, or of one step for each of several hours."""
        oil, late = self._gone["top_oil_lag"][step], self._late[step]
        # Air goes straight within a step: of what the oil goes, `late` follows the step's end.
        air = late * self.air[step + 1] + (oil - late) * self.air[step]
        fast, slow = (self._gone[lag][step] for lag in ("winding_lag", "slow_lag"))
        k21 = self._rows["k21"]
        return State(
            (1 - oil) * state.top_oil + oil * heat.rise + air,
            (1 - fast) * state.winding_part + fast * k21 * heat.gradient,
            (1 - slow) * state.oil_part + slow * (k21 - 1) * heat.gradient,
        )

    def excess(
        self, state: State, step: int | Int[np.ndarray, " hour"], ceiling: Ceiling
    ) -> Numbers:
        """By how much a temperature is above its limit at the end of a step [K]; below it, < 0."""
        top, hot = self.temperatures(state, step)
        return np.maximum(top - ceiling.top_oil, hot - ceiling.hot_spot)

    def temperatures(
        self, state: State, step: int | Int[np.ndarray, " hour"]
    ) -> tuple[Numbers, Numbers]:
        """Top oil and hot spot at the end of a step [°C], the model's error included."""
        top = state.top_oil + self.error[step]
        return top, top + state.winding_part - state.oil_part

    def states(self, load: Float[np.ndarray, "step draw"]) -> list[State]:
        """The state at every instant under a course of the load [p.u.], the present one first."""
        heat, states = self.heat(load), [self.present]
        for step in range(len(load)):
            held = Heat(heat.rise[step], heat.gradient[step])
            states.append(self.after(states[-1], step, held))
        return states

    @cached_property
    def _rows(self) -> dict[str, Float[np.ndarray, " _"]]:
        """Every constant over the draws; one that does not vary is a single number."""
        names = [field.name for field in fields(ThermalConstants)] + list(LAGS)
        rows = {}
        for name in names:
            row = np.array([getattr(unit, name) for unit in self.constants])
            # One number where all draws agree, so that its exponentials are worked out once.
            rows[name] = row[:1] if (row == row[0]).all() else row
        return rows

    @cached_property
    def _gone(self) -> dict[str, Float[np.ndarray, "step _"]]:
        """Share of the way to its target that each lag goes in a step."""
        # A column, since draws are the last axis.
        steps = np.diff(self.seconds)[:, None]
        return {lag: -np.expm1(-steps / self._rows[lag]) for lag in LAGS}

    @cached_property
    def _late(self) -> Float[np.ndarray, "step _"]:
        """Of what the top oil goes in a step, the share that follows the air at the step's end."""
        ratio = np.diff(self.seconds)[:, None] / self._rows["top_oil_lag"]
        return 1 - self._gone["top_oil_lag"] / ratio

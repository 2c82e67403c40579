"""What is kept of a unit from one look to the next: draws and what they carry, never a pickle."""

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from agewise.arrays import damaged, read_arrays, write_arrays
from agewise.fleet.watch.belief import Belief
from agewise.transformer.calibration.day_filter import Carried

FORMAT = 1
"""Number of this format; another one is begun anew."""
DRAW, CARRIED, OWN = "draw ", "carried ", "own "
"""Beginnings of the names under which arrays are stored."""


@dataclass(frozen=True)
class Standing:
    """An alert that stands."""

    since: float
    """Instant at which it was raised [s]."""
    calm_since: float | None = None
    """Instant since which nothing speaks for it any more [s]; None while something does."""


@dataclass(frozen=True)
class Memory:
    """What is remembered of a unit besides its draws."""

    base: str
    """The run that the watch began with; another run begins it anew."""
    anchor: float
    """Instant from which days are counted [s]."""
    last: float
    """Instant of the last cell that was looked at [s]."""
    timezone: str
    """Zone of the unit's times; empty where they are minutes."""
    last_read: tuple[float, ...]
    """Instant of the last reading of each sensor [s]."""
    standing: dict[str, Standing] = field(default_factory=dict)
    """Alerts that stand, by kind."""
    moved: float = 0.0
    """How far draws have moved since they last went through the days before, in standard
    deviations."""
    sound_looks: int = 0
    """Number of looks by which the usual cooling is known."""
    sound_until: float = -np.inf
    """Instant up to which these looks go [s]."""
    sound_sum: float = 0.0
    """Sum of the shares of cooling that they missed [1]."""
    sound_squares: float = 0.0
    """Sum of the squares of those shares [1]."""


@dataclass(frozen=True, eq=False)
class UnitState:
    """A unit as the last look left it."""

    memory: Memory
    """What is remembered besides draws."""
    belief: Belief
    """What is believed of the unit."""
    carried: Carried | None
    """What every draw carries of the oil; None before the first reading."""
    own: dict[str, np.ndarray]
    """What else every draw carries; the first axis is the draw."""
    shared: dict[str, np.ndarray]
    """Arrays that all draws share: the planned load, and the ends of stretches."""

    def remembering(self, **changes: Any) -> "UnitState":
        """The same with other memories."""
        return replace(self, memory=replace(self.memory, **changes))

    @property
    def life_used(self) -> Float[np.ndarray, " draw"]:
        """Life used since the first reading [h]."""
        return self.own["used"]


def write_state(state: UnitState, path: Path) -> None:
    """Write a state, whole or not at all."""
    facts = {
        "format": FORMAT,
        "memory": asdict(state.memory),
        "learned": state.belief.learned,
    }
    text = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    arrays = {"facts": text}
    arrays |= {DRAW + name: values for name, values in state.belief.draws.items()}
    assert state.carried is not None  # a state is written after a first look
    arrays |= {CARRIED + name: values for name, values in vars(state.carried).items()}
    arrays |= {OWN + name: values for name, values in state.own.items()}
    write_arrays(path, arrays | state.shared)


def read_state(path: Path) -> UnitState | None:
    """The state in a file; None where there is none yet, or one of another format."""
    if not path.is_file():
        return None
    arrays = read_arrays(path)
    try:
        facts = json.loads(arrays.pop("facts").tobytes())
        if facts["format"] != FORMAT:
            return None
        memory = _memory(facts["memory"])
        parts = {begin: _part(arrays, begin) for begin in (DRAW, CARRIED, OWN)}
        belief = Belief(parts[DRAW], tuple(facts["learned"]))
        return UnitState(memory, belief, Carried(**parts[CARRIED]), parts[OWN], arrays)
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(path, f"is not what a watch wrote ({type(error).__name__})") from None


def _memory(facts: dict[str, Any]) -> Memory:
    standing = {kind: Standing(**alert) for kind, alert in facts.pop("standing").items()}
    return Memory(**facts | {"standing": standing, "last_read": tuple(facts["last_read"])})


def _part(arrays: dict[str, np.ndarray], begin: str) -> dict[str, np.ndarray]:
    """Take the arrays out whose names begin so."""
    names = [name for name in arrays if name.startswith(begin)]
    return {name.removeprefix(begin): arrays.pop(name) for name in names}

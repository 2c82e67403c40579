"""`ensemble`: fits from many starts; what they do not agree on is not known."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from agewise.engine.equations.draws.members import groups_of, likely, narrowness
from agewise.engine.equations.fitting.another import other_solution
from agewise.engine.equations.fitting.fitted import Fitted
from agewise.engine.equations.fitting.most_probable import most_probable
from agewise.engine.equations.functions.networks import Perceptron
from agewise.engine.equations.methods.base import AbstractMethod, posterior_of
from agewise.engine.equations.posterior.check import Check, narrow_finding
from agewise.engine.equations.posterior.posterior import EquationPosterior
from agewise.engine.equations.posterior.weights import AbstractWeights, DrawnWeights
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.problems.base import AbstractProblem
from agewise.engine.training import Monitor
from agewise.threads import side_by_side
from agewise.types import Key

FIRST_SIZES = (0.1, 0.5, 1.0, 2.0)
"""Factors on the numbers that members start from, in turn [1]: from flat functions to rough ones,
so that several solutions, where there are, are found."""

FEW = 5
"""Members of one solution below which their spread says nothing of how sure it is: two of them on
Bratu's upper branch differ by a fiftieth of what they are off."""

KEPT_AWAY = "The last member was kept away from the one solution that all others have found."
"""Remark where a further member found another solution."""

Call = tuple[AbstractProblem, EquationSettings, np.ndarray, Monitor]
"""What a member is fitted with: problem, settings, seed, and who watches."""


@dataclass(frozen=True)
class Ensemble(AbstractMethod):
    """Most probable functions from many starts; a draw is a member."""

    name: ClassVar[str] = "ensemble"
    summary: ClassVar[str] = (
        "Fits from many starts, ten times the cost: finds several solutions where there are. Its "
        "spread is what starts disagree on and no noise: Yang's constant lies in 2 of 20 of its "
        "90 % intervals."
    )

    def fit(self, problem: AbstractProblem, *, key: Key, monitor: Monitor) -> EquationPosterior:
        """Members that pass their check; all of them where none does."""
        members = _members(problem, self.settings, key, monitor)
        # A member that was stopped by hand is not at rest; alone, it is still an answer.
        ended = [member for member in members if not member.stages.stopped] or members
        sound = [member for member in ended if member.check.sound] or ended
        tried = len(sound)
        further = _kept_away(sound)
        sound, behind = likely([*sound, *further])
        first = sound[0]
        # Members have gains and sizes of their own: on one network all are numbers alike.
        numbers = np.stack([plain_numbers(member, first) for member in sound])
        plain = first.unknown.with_gains(
            {name: np.ones_like(gains) for name, gains in first.unknown.gains().items()}
        )
        check = first.check.with_remarks(
            _stopped_remark(members, len(ended), self.settings.members),
            _failed_remark(len(ended) - tried, len(ended)),
            _lesser_remark(behind, tried),
            _solutions_remark(sound),
            KEPT_AWAY if further else None,
        )
        # Where nothing was read there is no noise that members could fail to know of.
        check = check.with_findings(narrow_finding(narrowness(sound)) if first.sensors else None)
        common = replace(first, unknown=plain)
        posterior = posterior_of(self, common, DrawnWeights(numbers[0], numbers), check)
        stopped = len(ended) < self.settings.members or members[-1].stages.stopped
        return replace(posterior, record=posterior.record | {"interrupted": np.array(stopped)})

    def weights(self, fitted: Fitted, *, key: Key) -> tuple[AbstractWeights, Check]:
        """One member alone."""
        return DrawnWeights(fitted.numbers, fitted.numbers[None]), fitted.check


def _members(
    problem: AbstractProblem, settings: EquationSettings, key: Key, monitor: Monitor
) -> list[Fitted]:
    """Fits from so many starts, in as many processes as the settings say.

    Stopped by hand, the members that there are come back: the one under way as it stands, and of
    several processes those that have ended.
    """
    chosen = [
        # One attempt from one start: a member that fails says so, and is left out.
        replace(settings, attempts=1, single_start=True, first_size=size)
        for size in islice(cycle(FIRST_SIZES), settings.members)
    ]
    seeds = [
        np.asarray(jax.random.key_data(member_key))
        for member_key in jax.random.split(key, len(chosen))
    ]
    calls = [
        (problem, own, seed, _watched(monitor, place + 1))
        for place, (own, seed) in enumerate(zip(chosen, seeds, strict=True))
    ]
    if settings.jobs == 1:
        return _one_by_one(calls)
    return _in_processes(calls, settings.jobs, monitor)


def _kept_away(members: Sequence[Fitted]) -> list[Fitted]:
    """A further member, kept away from the one solution that all have found, where it finds another
    one; none where they have found several, or were stopped by hand.

    Starts of any size may all lead to the same solution: of Bratu's equation to the lower one.
    """
    if groups_of(members).max() > 1 or members[-1].stages.stopped:
        return []
    other = other_solution(members[0]) if members[0].check.sound else None
    return [] if other is None else [other]


def _watched(monitor: Monitor, number: int) -> Monitor:
    """A monitor with a folder for one member, since the stages of all bear the same names."""
    folder = monitor.folder and monitor.folder / f"member {number}"
    return replace(monitor, folder=folder)


def _one_by_one(calls: Sequence[Call]) -> list[Fitted]:
    """Members one after the other; after one that was stopped by hand, no further ones."""
    members = []
    for call in calls:
        members.append(_member(*call))
        if members[-1].stages.stopped:
            break
    return members


def _in_processes(calls: Sequence[Call], jobs: int, monitor: Monitor) -> list[Fitted]:
    """Members side by side, under one bar: those of several processes would overwrite each
    other."""
    members: dict[int, Fitted] = {}
    numbered = (
        (number, problem, own, seed, replace(watched, terminal=False))
        for number, (problem, own, seed, watched) in enumerate(calls)
    )
    with monitor.bar("members") as bar:
        try:
            bar(0, len(calls), "")
            for number, member in side_by_side(_numbered, numbered, jobs=jobs, ordered=False):
                members[number] = member
                bar(len(members), len(calls), "")
        except KeyboardInterrupt:
            # Members that have ended are an answer; none is no answer.
            if not members:
                raise
    return [members[number] for number in sorted(members)]


def _numbered(number: int, *call: Any) -> tuple[int, Fitted]:
    return number, _member(*call)


def _member(
    problem: AbstractProblem, settings: EquationSettings, seed: np.ndarray, monitor: Monitor
) -> Fitted:
    key = jax.random.wrap_key_data(jnp.asarray(seed))
    return most_probable(problem, settings, key=key, monitor=monitor)


def plain_numbers(fitted: Fitted, first: Fitted) -> Float[np.ndarray, " number"]:
    """Numbers that stand for the same functions with gains of one, and stretch, sizes and centres
    of another fit."""
    numbers, start = fitted.numbers.copy(), 0
    for name, function in fitted.unknown.functions.items():
        network, other = function.network, first.unknown.functions[name]
        end = start + network.size
        if isinstance(network, Perceptron):
            # What the network multiplies its numbers by goes into the numbers themselves.
            factors = np.asarray(network.gains)[network.groups]
            features = network.features
            # Groups below the number of features are the first layer's weights.
            # Features are proportional to the stretch, which the first weights make up for.
            stretch = float(features.stretch) / first.settings.stretch
            factors[network.groups < features.count] *= stretch
            # The last two groups are weights and bias of the output, which is straight.
            output = network.groups >= len(network.gains) - 2
            factors[output] *= float(function.size) / float(other.size)
            numbers[start:end] *= factors
            # The last number is that bias.
            numbers[end - 1] += float(function.centre - other.centre) / float(other.size)
        start = end
    return numbers


def _stopped_remark(members: Sequence[Fitted], ended: int, wanted: int) -> str | None:
    """That not all members are there; None where they are."""
    if len(members) == wanted and not members[-1].stages.stopped:
        return None
    # One that was stopped stands for the ensemble only where no other has ended.
    unfinished = " (not at rest)" if members[-1].stages.stopped and len(members) == 1 else ""
    return f"Stopped by hand: {ended} of {wanted} members{unfinished}."


def _failed_remark(failed: int, tried: int) -> str | None:
    """That members did not pass their check; None where all did, or none."""
    return f"{failed} of {tried} members did not pass their check." if failed else None


def _lesser_remark(behind: Sequence[float], tried: int) -> str | None:
    """That members ended in solutions which readings make next to impossible; None for none."""
    if not behind:
        return None
    return (
        f"{len(behind)} of {tried} members end in another solution, less likely by "
        f"{min(behind):.0f} nats of evidence or more: they are left out."
    )


def _solutions_remark(members: Sequence[Fitted]) -> str | None:
    """That members have found several solutions; None where they have found one."""
    groups = groups_of(members)
    if groups.max() == 1:
        return None
    counts = [int(np.sum(groups == g)) for g in range(1, groups.max() + 1)]
    shares = ", ".join(map(str, counts))
    few = f" Fewer than {FEW} say nothing of how sure one is." * (min(counts) < FEW)
    return (
        f"Members fall into {groups.max()} different solutions ({shares} of {len(members)}): "
        f"their mean is none of them; look at draws.{few}"
    )

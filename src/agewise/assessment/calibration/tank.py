"""Constants of the oil's heat equation, learned from sensors between its ends."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.stats import chi2

from agewise.assessment.answer.summary import Constant
from agewise.assessment.calibration.tank_priors import FIELDS, tank_origin
from agewise.assessment.calibration.tank_record import (
    LONGEST_DAYS,
    NETWORK_DAYS,
    WARM_UP_DAYS,
    rest_since,
    stated_tank,
)
from agewise.assessment.inputs import NameplateInput, ProfileInput
from agewise.engine.equations.settings import EquationSettings
from agewise.engine.fit import UnsoundFit, fit
from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.quantity import Quantity
from agewise.transformer.between_samples import Hold
from agewise.transformer.calibration.learning import DRAWS
from agewise.transformer.oil.inverse.closed_form import closed_form
from agewise.transformer.oil.inverse.evidence import Departures, TankEvidence
from agewise.transformer.oil.inverse.record import TankRecord
from agewise.transformer.oil.inverse.rest import oil_rest

TANK_METHODS = ("exact", "laplace", "vi")
"""How the constants are learned: by the closed form's evidence, or by a network."""
LIKELY = 1e-3
"""Chance of errors as large as these, below which the equation does not explain the readings."""
NETWORK = EquationSettings(hidden=(16, 16), stretch=4.0, attempts=1, turns=1)
"""Networks of the rest of a few days; readings have stated noise, so that one turn will do."""
NEAR, ROUNDS = 0.02, 4
"""Change of a logarithm above which a network is fitted again, about what it found, and how often
at the most: what drives the rest is of the order of that change squared."""
UNSETTLED = (
    f"After {ROUNDS + 1} networks the constants still move by more than {100 * NEAR:.0f} %: start "
    "nearer to what was learned, or take `exact`."
)
"""What to say where they were not found in so many rounds."""


@dataclass(frozen=True, eq=False)
class TankCalibration:
    """What sensors between the ends teach of a tank.

    Examples:
        >>> import agewise
        >>> settings = agewise.TwinSettings(seed=0, days=1, interior=True, mismatch=1.0)
        >>> twin = agewise.make_twin(settings)  # its oil obeys another equation
        >>> agewise.calibrate_tank(twin.profile, twin.nameplate).sound
        False
    """

    given: Nameplate
    """The unit before."""
    method: str
    """How the constants were learned."""
    record: TankRecord
    """What they were learned from."""
    prior: Mapping[str, float]
    """Standard deviation of the logarithm of every constant before, by its field of `Tank`."""
    draws: Mapping[str, Float[np.ndarray, " draw"]]
    """Joint draws of every constant, by its field of `Tank`."""
    mean_square: float
    """Mean squared error of half-hourly means inside over its variance [1]; about 1."""
    findings: tuple[str, ...]
    """What is wrong with the fit, in sentences; empty where nothing is."""

    @property
    def sound(self) -> bool:
        """Whether the equation explains its readings, so that its constants mean something."""
        return not self.findings

    @property
    def constants(self) -> tuple[Constant, ...]:
        """What was believed of each constant and what was learned."""
        return tuple(
            Constant(
                name=FIELDS[name],
                origin=tank_origin(self.given, name),
                before=(before := float(getattr(self.record.tank, name))),
                before_std=before * std,
                learned=float(self.draws[name].mean()),
                learned_std=float(self.draws[name].std()),
            )
            for name, std in self.prior.items()
        )

    def taught(self, nameplate: Nameplate) -> Nameplate:
        """A nameplate with the learned tank; as it was where the equation explains nothing.

        A volume that was not learned stays what it was, whatever rise was learned beside it.
        """
        if not self.sound:
            return nameplate
        fields = {"volume_m3": Quantity(mean=self.record.tank.volume)} | {
            constant.name.partition(".")[2]: Quantity(
                mean=constant.learned or 0.0, std=constant.learned_std
            )
            for constant in self.constants
        }
        updates: dict[str, object] = {"tank": self.given.tank.model_copy(update=fields)}
        if nameplate.learned is not None:
            before = {"tank": self.given.tank}
            updates["learned"] = nameplate.learned.model_copy(update=before)
        return nameplate.model_copy(update=updates)


def calibrate_tank(
    profile: ProfileInput,
    nameplate: NameplateInput,
    *,
    method: str = "exact",
    volume: bool = False,
    hold: Hold = "backward",
    seed: int = 0,
) -> TankCalibration:
    """Learn the constants of the oil's heat equation from sensors between its ends.

    Conductivity and heat transfer are learned, and the effective volume if that is asked for; else
    it stays what the nameplate says or implies.

    Args:
        profile: Load [p.u.], ambient, top oil and oil inside [°C] over time, or the path of the
            file that holds them. Of a long one the last two weeks are used, by networks the last
            four days.
        nameplate: The unit, or the path of its TOML file; its numbers are the prior. What was
            learned before is set aside.
        method: `exact` for the evidence of the closed form, a second; for comparison `laplace` or
            `vi`, networks that learn the rest of the oil and the constants together, a minute at
            the most.
        volume: Whether the effective volume is unknown too.
        hold: Which interval a sample of the load stands for, as in `iec_answer`.
        seed: Seed of draws and networks.

    Returns:
        Constants before and after, their joint draws, and findings where the equation does not
        explain its readings; `taught` puts them into a nameplate.

    Raises:
        InputError: Something given cannot be used, or there is too little to learn from.

    Examples:
        >>> import agewise
        >>> twin = agewise.make_twin(agewise.TwinSettings(seed=0, days=1, interior=True))
        >>> learned = agewise.calibrate_tank(twin.profile, twin.nameplate)
        >>> conductivity, transfer = learned.constants
        >>> abs(conductivity.learned - 10) < 3 * conductivity.learned_std  # W/(m K)
        True
    """
    if method not in TANK_METHODS:
        choices = ", ".join(TANK_METHODS)
        raise InputError(f"There is no method {method!r}.", hint=f"choose from {choices}.")
    days = LONGEST_DAYS if method == "exact" else NETWORK_DAYS + WARM_UP_DAYS
    unit, record, prior = stated_tank(profile, nameplate, volume=volume, hold=hold, days=days)
    evidence = TankEvidence(record, prior)
    if method == "exact":
        draws, findings = closed_form(evidence).draws(DRAWS, seed=seed), ()
    else:
        draws, findings = _by_network(evidence, method, seed)
    mean_square = evidence.mean_square(draws.mean(axis=0))
    unexplained = _unexplained(mean_square, record.cells.sensor.size)
    constants = np.exp(draws) * [getattr(record.tank, name) for name in prior]
    return TankCalibration(
        unit,
        method,
        record,
        prior,
        dict(zip(prior, constants.T, strict=True)),
        mean_square,
        unexplained + findings,
    )


def _by_network(
    evidence: TankEvidence, method: str, seed: int
) -> tuple[Float[np.ndarray, "draw constant"], tuple[str, ...]]:
    """Drawn departures by a network, and what its check finds."""
    at: Departures = np.zeros(len(evidence.prior))
    draws, findings = _fitted_rest(evidence, at, method, seed)
    for _ in range(ROUNDS):
        if (np.abs(draws.mean(axis=0) - at) < NEAR).all():
            break
        at = draws.mean(axis=0)
        draws, findings = _fitted_rest(evidence, at, method, seed)
    settled = (np.abs(draws.mean(axis=0) - at) < NEAR).all()
    return draws, findings if settled else (*findings, UNSETTLED)


def _fitted_rest(
    evidence: TankEvidence, at: Departures, method: str, seed: int
) -> tuple[Float[np.ndarray, "draw constant"], tuple[str, ...]]:
    """Drawn departures by a network of what constants near these leave over, and what its check
    finds."""
    record = evidence.record
    rest = oil_rest(record, evidence.tank(at), evidence.prior, since=rest_since(record))
    with warnings.catch_warnings():
        # Its findings are handed on, with those of this calibration.
        warnings.simplefilter("ignore", UnsoundFit)
        posterior = fit(rest, method=method, key=seed, settings=NETWORK)
    drawn = posterior.draw(DRAWS, seed=seed).constants
    before = [getattr(evidence.record.tank, name) for name in evidence.prior]
    draws = np.stack([drawn[name] for name in evidence.prior], axis=1)
    return np.log(draws / before), posterior.check.findings


def _unexplained(mean_square: float, count: int) -> tuple[str, ...]:
    """What to say where errors inside are larger than chance allows; nothing where they are not."""
    if chi2.sf(count * mean_square, count) >= LIKELY:
        return ()
    return (
        f"The heat equation does not explain the sensors inside: with its likeliest constants it "
        f"misses them by {np.sqrt(mean_square):.2g} times what noise and ends allow. The constants "
        "below make up for other physics, their intervals mean nothing, and the nameplate keeps "
        "its tank.",
    )

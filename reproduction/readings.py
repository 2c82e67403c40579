"""What the paper does not say, read in several ways: which of them comes to its own numbers."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agewise.engine.inference.published.settings import WATTS, PublishedSettings, literal
from reproduction.configuration import Configuration, network_configuration
from reproduction.families import BPINN, FAMILIES, VANILLA, Family
from reproduction.scope import Scope

TWINS = 3
"""Number of twins, from 100 on, on which the choice is made."""


@dataclass(frozen=True)
class Reading:
    """One way to read the recipe."""

    name: str
    """Name in paths."""
    text: str
    """What it takes for granted, on the page."""
    applied: Callable[[PublishedSettings], PublishedSettings]
    """Function from the settings as they are printed to those of this reading."""


def _own(settings: PublishedSettings, **changes: Any) -> PublishedSettings:
    """Settings with changes to the stage of Adam."""
    stage = replace(settings.training.own, **changes)
    return replace(settings, training=replace(settings.training, own=stage))


def _divided(settings: PublishedSettings) -> PublishedSettings:
    """Settings with the divergence, where it counts, over the number of readings."""
    return replace(settings, kl_weight=settings.kl_weight / settings.readings)


def unprinted(settings: PublishedSettings) -> PublishedSettings:
    """The centre of the table: four silent choices made otherwise than in the literal reading."""
    chosen = replace(_divided(settings), residual_noise="own", residual_factor=WATTS)
    return _own(chosen, optimiser="constant-adam", rate=0.01)


def _varied(name: str, text: str, change: Callable[[PublishedSettings], PublishedSettings]):
    """The centre with one choice made otherwise."""
    return Reading(name, f"centre, but {text}", lambda printed: change(unprinted(printed)))


def _weighed(times: float) -> Reading:
    """The centre with another weight on the residual."""
    return _varied(
        f"weight-{times:g}",
        f"weights on the residual × {times:g}",
        lambda s: replace(s, interior_weight=times * s.interior_weight),
    )


LITERAL = Reading(
    "literal", "literal: head shared, divergence in full, no dimension, cosine", lambda s: s
)
CENTRE = Reading(
    "centre", "centre: variance of its own, divergence over N, W/m³, constant rate", unprinted
)
READINGS = (
    LITERAL,
    Reading(
        "literal-own",
        "literal, but variance of its own",
        lambda s: replace(s, residual_noise="own"),
    ),
    Reading("literal-divided", "literal, but divergence over N", _divided),
    Reading("literal-watts", "literal, but in W/m³", lambda s: replace(s, residual_factor=WATTS)),
    Reading(
        "literal-constant",
        "literal, but constant rate",
        lambda s: _own(s, optimiser="constant-adam", rate=0.01),
    ),
    CENTRE,
    _varied("shared", "head shared", lambda s: replace(s, residual_noise="shared")),
    _varied("full", "divergence in full", lambda s: replace(s, kl_weight=float(s.kl_weight > 0))),
    _varied("scaled", "no dimension", lambda s: replace(s, residual_factor=1.0)),
    _varied("means", "means, not sums", lambda s: replace(s, means=True)),
    _varied("rate", "rate 0.001", lambda s: _own(s, rate=0.001)),
    _varied("cosine", "rate rises and falls, shorter memory", lambda s: _own(s, optimiser="adam")),
    _varied("batch-16", "batches of 16", lambda s: replace(s, batch=16)),
    _varied("batch-256", "batches of 256", lambda s: replace(s, batch=256)),
    _varied("patience", "stop after 200 steps in vain", lambda s: _own(s, patience=10)),
    _weighed(0.01),
    _weighed(0.1),
    _weighed(10.0),
    _weighed(100.0),
)
"""All readings of the table: two corners, and each silent choice made otherwise by itself.

A temperature in kelvin, not scaled, makes the residual about ten times larger (the spread of the
readings in kelvin), so it is the weight times 100.
"""
FINALISTS: tuple[str, ...] = ()
"""Names of the readings with the smallest misfit of the B-PINN on the first twin, best first."""
CHOSEN = "centre"
"""Name of the reading that became the preset `paper`."""


def configurations(scope: Scope) -> list[Configuration]:
    """The B-PINN under every reading; all families under those that are chosen from."""
    if "weighted" not in scope.variants:
        return []
    screened = [under(each, BPINN) for each in scope.few(READINGS)]
    finals = [under(each, family) for each in finalists(scope) for family in scope.few(FAMILIES)]
    return list({fit.name: fit for fit in [*screened, *finals]}.values())


def finalists(scope: Scope) -> list[Reading]:
    """The readings that are tried for all families: those frozen above, and the literal one."""
    return [each for each in scope.few(READINGS) if each.name in (*FINALISTS, LITERAL.name)]


def under(reading: Reading, family: Family) -> Configuration:
    """A family under a reading, on tuning twins; the vanilla network by Adam alone."""
    settings = reading.applied(literal(family.method, family.aleatoric))
    if family is VANILLA:
        settings = replace(settings, training=replace(settings.training, polish=None))
    fit = network_configuration(
        f"readings/{reading.name}/{family.name}",
        family.method,
        settings,
        preset="paper",
        aleatoric=family.aleatoric,
        tuning=True,
    )
    final = reading.name in (*FINALISTS, LITERAL.name)
    return replace(fit, repeats=TWINS if final else 1)

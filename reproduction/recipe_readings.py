"""Ways to read the recipe: two corners, and from one of them each silent choice by itself."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from agewise.engine.inference.published.settings import WATTS, PublishedSettings


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
"""All readings of the table: two corners, and from the second each silent choice by itself.

A temperature in kelvin, not scaled, makes the residual about ten times larger (the spread of the
readings in kelvin), so it is the weight times 100.
"""
FINALISTS: tuple[str, ...] = ("centre", "weight-10", "batch-256")
"""Names of the readings with the smallest misfit of the B-PINN on the first twin, best first."""
CHOSEN = "centre"
"""Name of the reading with the smallest misfit among these, which is the preset `paper`."""

"""The guide's answer for a unit whose cooling has stages."""

from agewise.errors import InputError
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.plant.staged_unit import staged_unit
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.between_samples import Hold
from agewise.transformer.iec60076 import ThermalHistory
from agewise.transformer.lag import Scheme
from agewise.transformer.staged import staged_history


def staged_answer(
    filled: Profile,
    nameplate: Nameplate,
    law: AbstractAgeingLaw,
    *,
    scheme: Scheme,
    hold: Hold,
    starts: tuple[float | None, float | None],
) -> ThermalHistory:
    """Top oil, hot spot, ageing rate and loss of life; the arguments are those of `iec_answer`.

    `filled` has no holes in air and top oil, and `law` is that of the paper; `starts` are top oil
    [°C] and hot spot over it [K].
    """
    if scheme == "difference":
        raise InputError(
            "The difference scheme cannot follow cooling_stages.",
            hint="use `scheme='exact'`.",
        )
    unit = staged_unit(
        filled,
        nameplate,
        ambient=filled.ambient,
        measured=filled.top_oil,
        hold=hold,
        start=starts[0],
    )
    return staged_history(
        unit,
        filled.seconds,
        filled.load,
        filled.ambient,
        measured_top_oil=filled.top_oil,
        law=law,
        hold=hold,
        starts=starts,
        oil_load=oil_load(filled, nameplate),
    )

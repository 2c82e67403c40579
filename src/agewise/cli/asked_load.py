"""The part of `agewise rating` that answers whether a load may be carried."""

import math
from typing import TYPE_CHECKING

from agewise.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from agewise.assessment.rating.asked_load import CarriedLoad, Passing, Temperature
    from agewise.plant.measures import Rated

UNITS = {"mva": "MVA", "amperes": "A", "pu": "p.u."}
"""Ways in which a load can be asked for, by the name of the flag."""


def asked_pu(rated: "Rated", **loads: float | None) -> float | None:
    """The load that is asked for [p.u.], None where none is.

    Raises:
        InputError: More than one is given, or what 1 p.u. is in that unit is not known.
    """
    given = {name: load for name, load in loads.items() if load is not None}
    if not given:
        return None
    if len(given) > 1:
        flags = " and ".join(f"`{name}`" for name in given)
        raise InputError(f"The load is asked for twice: {flags}.", hint="give one of them.")
    ((name, load),) = given.items()
    base = {"mva": (rated.power_kva or 0.0) / 1000, "amperes": rated.current_a, "pu": 1.0}[name]
    if not base:
        raise InputError(
            f"{load:g} {UNITS[name]} cannot be turned into p.u. of this unit.",
            hint="ask with `mva` or `pu`, or assess it with rated_voltage_v in the nameplate.",
        )
    return load / base


def asked_rows(
    carried: "CarriedLoad", rated: "Rated", end: "pd.Timestamp | None"
) -> dict[str, str]:
    """Whether the load may be carried, in lines for people."""
    asked, request = carried.asked, carried.asked.request
    own = carried.passing[request.limit]
    return (
        {
            "asked": f"{load_words(rated, asked.load)} for {request.hours:g} h from "
            f"{_beginning(asked.starts_h, end)} on",
            "answer": _verdict(carried),
            "permitted": f"{load_words(rated, carried.permitted)} in these hours, at a risk of "
            f"{100 * request.risk:g} %",
            "hot spot": f"{_range(carried.hot_spot)}; limit {own.ceiling.hot_spot:g} °C",
            "top oil": f"{_range(carried.top_oil)}; limit {own.ceiling.top_oil:g} °C",
        }
        | {name: _chance(one, asked.load, request.risk) for name, one in carried.passing.items()}
        | {
            "until then": _until_then(carried),
            "air": _air(carried),
        }
    )


def load_words(rated: "Rated", load: float) -> str:
    """A load in p.u., and in MVA and A where these are known."""
    power, current = rated.power_kva, rated.current_a
    units = [] if power is None else [f"{load * power / 1000:.4g} MVA"]
    units += [] if current is None else [f"{load * current:.4g} A"]
    return f"{load:.2f} p.u." + (f" ({', '.join(units)})" if units else "")


def _until_then(carried: "CarriedLoad") -> str:
    """What the load does before these hours, and whether that leaves room for more."""
    text = f"load {carried.source}"
    if carried.passed_before < 0.01:
        return text
    chance = chance_words(carried.passed_before)
    return f"{text}, which by itself passes a limit with a chance of {chance}"


def _air(carried: "CarriedLoad") -> str:
    """Air of these hours, and where it comes from."""
    low, high = carried.air
    if carried.asked.request.ambient is not None:
        return f"{high:.1f} °C held, as asked"
    return f"{low:.1f} to {high:.1f} °C, {carried.source}, ± {carried.air_error:.1f} K"


def _beginning(hours: float, end: "pd.Timestamp | None") -> str:
    import pandas as pd

    late = f"{hours:.1f} h after the record's end" if hours else "the record's end"
    return late if end is None else f"{end + pd.Timedelta(hours=hours):%a %Y-%m-%d %H:%M}, {late},"


def _verdict(carried: "CarriedLoad") -> str:
    """Yes or no, and what decides."""
    asked, request = carried.asked, carried.asked.request
    own, accepted = carried.passing[request.limit], f"{100 * request.risk:g} % is accepted"
    if asked.load > own.ceiling.load:
        return (
            f"no: {asked.load:.2f} p.u. is above {own.ceiling.load:g} p.u., the guide's limit of "
            f"the current for {request.limit} loading"
        )
    chance = f"a limit of {request.limit} loading is passed with a chance of "
    chance += chance_words(own.either, beside=request.risk)
    return f"{'yes' if carried.allowed else 'no'}: {chance}, {accepted}"


def _chance(one: "Passing", load: float, risk: float) -> str:
    """What the load does to the limits of one kind of loading."""
    limits = one.ceiling
    text = (
        f"{chance_words(one.hot_spot)} that the hot spot passes {limits.hot_spot:g} °C, "
        f"{chance_words(one.top_oil)} that the top oil passes {limits.top_oil:g} °C"
    )
    if math.isfinite(one.seconds):
        text += f"; {_soonest(one.seconds, risk)}"
    if load > limits.load:
        text += f"; above {limits.load:g} p.u., the limit of the current"
    return text


def _soonest(seconds: float, risk: float) -> str:
    if seconds < 60:
        return "perhaps at once"
    return f"after {_duration(seconds)} at the soonest, {100 * (1 - risk):g} % sure"


def chance_words(chance: float, beside: float | None = None) -> str:
    """A chance that was counted in a thousand draws, told apart from another one beside it."""
    if beside is not None and 0 < abs(chance - beside) < 0.01:
        return f"{100 * chance:.1f} %"
    return "less than 1 %" if 0 < chance < 0.01 else f"{100 * chance:.0f} %"


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _range(highest: "Temperature") -> str:
    return f"up to {highest.median:.1f} °C, 90 % {highest.low:.1f} to {highest.high:.1f}"

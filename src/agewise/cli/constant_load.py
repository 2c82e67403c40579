"""The part of `agewise rating` that shows the largest constant load of some hours."""

from typing import TYPE_CHECKING

from agewise.cli.asked_load import load_words

if TYPE_CHECKING:
    from agewise.assessment.rating.rating import Rating
    from agewise.plant.measures import Rated


def constant_rows(result: "Rating", rated: "Rated") -> dict[str, str]:
    """The permitted load and what it rests on, in lines for people."""
    from agewise.transformer.prognostics.rating import BINDING

    request, permit, ceiling = result.request, result.permit, result.ceiling
    load = f"{load_words(rated, permit.load)} for {request.hours:g} h: {BINDING[permit.binding]}"
    if permit.load == 0:
        load = f"none for {request.hours:g} h: even without load, {BINDING[permit.binding]}"
    return {
        "permitted": load,
        "risk": f"{permit.risk:.3f} that a temperature passes its limit, {request.risk:g} asked",
        "ambient": f"{result.ambient:.1f} °C held, {result.ambient_source}",
        "limits": f"{request.limit}: hot spot {ceiling.hot_spot:g} °C, top oil "
        f"{ceiling.top_oil:g} °C, load {ceiling.load:g} p.u.",
    }


def constant_lines(result: "Rating") -> list[str]:
    """Permitted loads by air temperature and hours; a star where the current's limit binds."""
    lines = ["p.u. at °C" + "".join(f"{f'{hours:g} h':>9}" for hours in result.hours)]
    for ambient, row in zip(result.ambients, result.table, strict=True):
        cells = (
            f"{permit.load:.2f}{'*' if permit.binding == 'current' else ' '}" for permit in row
        )
        lines.append(f"{ambient:>10g}" + "".join(f"{cell:>9}" for cell in cells))
    starred = any("*" in line for line in lines)
    return [*lines, *(["* the guide's limit of the current"] if starred else [])]

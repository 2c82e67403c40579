"""(b) The data: what is measured, and the reference field behind it."""

from functools import partial

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from agewise.engine.uncertainty.scores import INSTANTS
from agewise.report.drawing.style import GREY, HEAT, ORANGE, SKY, canvas, draw_scale, legend_above
from agewise.report.wording import date
from agewise.twin.noise import temperature_law
from agewise.twin.true_plant.oil import DISTURBANCE_K
from agewise.twin.twin import INTERIOR, Twin
from agewise.units import SECONDS_PER_HOUR
from reproduction.configuration import Configuration
from reproduction.experiment import Picture, Section
from reproduction.five_configurations import YARDSTICKS
from reproduction.kept_fields import Setting, draw_map, name_map, setting
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import number, table

EXACT = next(each for each in YARDSTICKS if each.settings.method == "exact")
"""The exact posterior. It needs no network and keeps its fields, so its twin stands for all."""


def configurations(scope: Scope) -> list[Configuration]:
    """The exact yardstick alone."""
    return [EXACT]


def section(results: Results) -> Section:
    """What the twin is, its ranges, its series and its true field."""
    twin, where = results.twin(EXACT), setting(results, EXACT)
    picture = Picture(
        "The first repeat's twin. Above, the load and the two thermometers as the methods get "
        "them, one reading a minute, with the true temperatures in black. Below, the "
        "reference: the true oil over time and height. Dashed lines mark the instants of the "
        "table of five configurations.",
        "Load, air and top oil over four days, and a heat map of the oil over time and height.",
        partial(_figure, twin, where),
    )
    return Section(_text(twin, where), {"inputs": picture})


def _text(twin: Twin, where: Setting) -> str:
    settings, profile = twin.settings, twin.profile
    inside = ", ".join(f"{share:g}" for share in INTERIOR)
    cold, hot = (number(_sigma(celsius)) for celsius in (20.0, 55.0))
    return (
        "The paper measures a transformer at a floating solar plant in Spain. Those data are not "
        f"public, so a twin of the plant replaces them: {settings.days:g} days from "
        f"{date(str(profile.timeline.start))}, {profile.seconds.size} samples, one a minute. "
        "Every repeat has weather and noise of its own.\n\n"
        "- **Load**: a clear sky by astronomy, broken clouds by random processes, smoothed by the "
        "inverters. It is known without error.\n"
        "- **Ends**: air at the bottom; at the top IEC 60076-7's top oil plus a slow random "
        f"disturbance of {DISTURBANCE_K:g} K, so that no method gains by knowing that model.\n"
        "- **Reference**: the paper's heat equation between the clean ends, from a straight first "
        f"profile, by finite elements on {where.heights.size} heights. It is the truth by "
        "construction, so the equation is right and only noise is in the way. (The paper checks "
        "its reference against optical fibres.)\n"
        "- **Noise**: Gaussian, new every minute, larger where it is hotter: σ = 0.05 K + 0.012 K "
        f"for every °C, so {cold} K at 20 °C and {hot} K at 55 °C. No method is told.\n"
        f"- **Held back**: four thermometers inside, at {inside} of the height, with the same "
        "law of noise. They are for scores only.\n\n"
        "Methods get the load and both ends, as drawn below.\n\n" + _ranges(twin, where)
    )


def _sigma(celsius: float) -> float:
    """Standard deviation of a reading of oil at a temperature [K]."""
    # Every law of noise takes times and heights too, but this one does not depend on them.
    oil = np.full((1, 1), celsius)
    return float(temperature_law(oil, np.zeros(1), np.zeros(1))[0, 0])


def _ranges(twin: Twin, where: Setting) -> str:
    profile = twin.profile
    rows = {
        "load [p.u.]": profile.load,
        "air, measured at the bottom [°C]": profile.ambient,
        "top oil, measured [°C]": top_oil(twin),
        "oil, true, over all heights [°C]": where.oil,
        "noise, σ, over all heights [K]": where.noise,
    }
    cells = [
        [name, *(number(float(statistic(values))) for statistic in (np.min, np.mean, np.max))]
        for name, values in rows.items()
    ]
    return table(["first repeat", "lowest", "mean", "highest"], cells)


def top_oil(twin: Twin) -> Float[np.ndarray, " time"]:
    """The measured top oil of a twin [°C]."""
    measured = twin.profile.top_oil
    assert measured is not None  # a twin always measures it; other profiles need not
    return measured


def _figure(twin: Twin, where: Setting) -> Figure:
    figure = canvas(7.6)
    load, ends, oil = figure.subplots(
        3, 1, sharex=True, gridspec_kw={"height_ratios": [1.0, 1.7, 1.9]}
    )
    hours = twin.profile.seconds / SECONDS_PER_HOUR
    load.plot(hours, twin.profile.load, color=GREY, linewidth=0.8)
    load.set_ylabel("load [p.u.]")
    load.set_ylim(bottom=0.0)
    _draw_ends(ends, twin, hours)
    mesh = draw_map(oil, where, where.oil, cmap=HEAT)
    name_map(oil)
    draw_scale(figure, mesh, "true oil [°C]", ax=oil, aspect=14)
    for hour in INSTANTS[1:]:  # the first is the start, where a line would lie on the axis
        oil.axvline(hour, color="white", linestyle="--", linewidth=1.0)
        oil.annotate(
            f"{hour} h", (hour, 1.0), xycoords=oil.get_xaxis_transform(), xytext=(3, -12),
            textcoords="offset points", color="white", fontsize=8.0,
        )  # fmt: skip
    for axes in (load, ends):
        axes.grid(alpha=0.25)
    oil.set_xlim(0.0, np.ceil(hours[-1]))
    figure.align_ylabels([load, ends, oil])
    return figure


def _draw_ends(axes: Axes, twin: Twin, hours: np.ndarray) -> None:
    for values, colour, name in (
        (top_oil(twin), ORANGE, "top oil, measured"),
        (twin.profile.ambient, SKY, "air at the bottom, measured"),
    ):
        axes.plot(hours, values, color=colour, linewidth=0.6, label=name)
    true = twin.truth["oil_true"].to_numpy()
    for end, name in ((-1, "true"), (0, None)):
        axes.plot(hours, true[:, end], color="black", linewidth=0.8, label=name)
    axes.set_ylabel("temperature [°C]")
    legend_above(axes)

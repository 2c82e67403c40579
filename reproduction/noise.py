"""(i) What injected noise does to the two uncertainties."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from agewise.assessment.oil.settings import Settings
from agewise.report.drawing.style import GREY
from reproduction.cells import twin_of
from reproduction.configuration import TWIN, Configuration
from reproduction.experiment import Picture, Section
from reproduction.families import BPINN, VARIANT_TEXT, Variant, main
from reproduction.lines import COLOURS, compared, percent, ratio
from reproduction.noise_figure import Answer, noise_figure
from reproduction.paired import Margins, Paired
from reproduction.results import Results
from reproduction.scope import Scope
from reproduction.tables import NONE, mean_and_std, number, over_repeats, table
from reproduction.verdict import Finding, Verdict

LEVELS = (0.0, 0.02, 0.04, 0.06)
"""Standard deviations of the noise over each signal's maximum in the window [1]; the load's maximum
is about 1 p.u."""
COMPARED: tuple[Variant, ...] = ("paper", "default")
"""Presets under which noise is varied."""
RIGHT = (0.85, 1.2)
"""Range of the ratio of estimated to injected variance that counts as following it [1]."""
STEADY = 1.5
"""Factor by which a variance may change and still count as the same."""
VARIANCES = ALEATORIC, EPISTEMIC = "variances.aleatoric.mean", "variances.epistemic.mean"
"""Paths of both mean variances in a cell [K²]."""
Z = "scores.split.epistemic_z"
"""Path of the root mean square of the error over the epistemic standard deviation [1]."""
RATIOS = {
    "ends": "scores.split.aleatoric_ratio_boundary",
    "inside": "scores.split.aleatoric_ratio_inside",
}
"""Paths of the ratio of estimated to injected variance, with its median and 5 to 95 %."""


def configurations(scope: Scope) -> list[Configuration]:
    """The heteroscedastic B-PINN and the closed form at every level."""
    methods = [*(_network(variant) for variant in compared(COMPARED, scope)), EXACT]
    return [method.at(level) for method in methods for level in scope.few(LEVELS)]


def exact_at(level: float) -> Configuration:
    """The closed form at a level of noise."""
    exact = Configuration("exact", Settings(method="exact"))
    return at_level(exact, "exact", level)


def at_level(configuration: Configuration, name: str, level: float) -> Configuration:
    """A configuration on twins with so much noise, the same at all times, on every signal."""
    twin = replace(TWIN, noise_law="share", noise=level, load_noise=level)
    return replace(configuration, name=f"noise/{name}/{level:g}", twin=twin, keeps_fields=False)


@dataclass(frozen=True)
class Method:
    """What is drawn as one line."""

    text: str
    """Name on the page."""
    colour: str
    """Colour of its line."""
    marker: str
    """Marker of its points."""
    at: Callable[[float], Configuration]
    """Function that gives its configuration at a level of noise."""


EXACT = Method("closed form (`exact`)", GREY, "s", exact_at)
"""The exact posterior, which shows how both parts should answer to noise."""


def _network(variant: Variant) -> Method:
    def at(level: float) -> Configuration:
        return at_level(main(BPINN, variant), variant, level)

    return Method(f"{BPINN.text}, {VARIANT_TEXT[variant]}", COLOURS[variant], "o", at)


def section(results: Results) -> Section:
    """Both variances at every level of noise, beside those of the closed form."""
    levels, variants = results.scope.few(LEVELS), compared(COMPARED, results.scope)
    methods = [*(_network(variant) for variant in variants), EXACT]
    injected = {level: _injected(results, level) for level in levels}
    rows = [_row(results, method, level, injected[level]) for method in methods for level in levels]
    head = [
        "",
        "noise",
        "injected variance [K²]",
        *(f"aleatoric over injected, {where}" for where in RATIOS),
        "aleatoric σ [K]",
        "epistemic variance [K²]",
        f"over that at {percent(_lowest(levels))}",
        "over the closed form's change",
        "epistemic z (1 is right)",
    ]
    text = (
        "White noise on both thermometers and on the load, its standard deviation a share of each "
        "thermometer's maximum, and of the rated load, the same at all times. The closed form is "
        "the exact posterior of the linear equation, so it tells how both parts should answer: "
        "more noise teaches less, so its epistemic variance is not constant either. Variances are "
        "means over the field; z is the root mean square of the error over the epistemic standard "
        "deviation; ratios are medians at the ends, where noise is measured, and "
        "inside, where it is not. At 0 % a twin's thermometers still have 1 mK, by which its "
        "ratios are. Mean ± standard deviation over repeats.\n\nThe aleatoric part counts as "
        f"following where nine in ten of its ratios at the ends are {RIGHT[0]:g} to {RIGHT[1]:g} "
        "at every level above 0 %, means over repeats; the epistemic part as staying where no two "
        f"levels differ by more than a factor of {STEADY:g}.\n\n" + table(head, rows)
    )
    picture = Picture(
        "Left: mean aleatoric variance against the injected one; on the dashed line they are the "
        "same. Right: mean epistemic variance against the level of noise. Lines join means over "
        "repeats, dots are repeats.",
        "Aleatoric variance by injected variance, and epistemic variance by noise level.",
        partial(_figure, results, methods, injected),
    )
    return Section(text, {"noise": picture}, tuple(_verdicts(results, variants, levels)))


def _injected(results: Results, level: float) -> np.ndarray:
    """Mean variance of a thermometer's noise over the field, repeat by repeat."""
    # All methods are fitted to the same twins, so those of the closed form stand for all.
    twins = [twin_of(cell.twin) for cell in results.scope.cells(exact_at(level))]
    stds = [twin.truth["noise_std"].to_numpy().astype(float) for twin in twins]
    return np.array([np.mean(std**2) for std in stds])


def _lowest(levels: list[float]) -> float:
    """The lowest level above zero: without noise there is nothing to compare a change with."""
    return min(level for level in levels if level > 0)


def _row(results: Results, method: Method, level: float, injected: np.ndarray) -> list[str]:
    configuration, lowest = method.at(level), _lowest(results.scope.few(LEVELS))
    change = _change(results, method, level, lowest)
    relative = ratio(change, _change(results, EXACT, level, lowest))
    return [
        method.text,
        percent(level),
        mean_and_std(injected),
        *(over_repeats(results, configuration, f"{path}.median") for path in RATIOS.values()),
        mean_and_std(np.sqrt(results.values(configuration, ALEATORIC))),
        over_repeats(results, configuration, EPISTEMIC),
        number(change),
        NONE if method is EXACT else number(relative),  # its own would be 1 at every level
        over_repeats(results, configuration, Z),
    ]


def _change(results: Results, method: Method, level: float, reference: float) -> float:
    """Epistemic variance at one level over that at another."""
    new, old = (results.mean(method.at(noise), EPISTEMIC) for noise in (level, reference))
    return ratio(new, old)


def _figure(results: Results, methods: list[Method], injected: dict[float, np.ndarray]) -> Figure:
    answers = [
        Answer(
            method.text.replace("`", ""),
            method.colour,
            method.marker,
            *([results.values(method.at(x), path) for x in injected] for path in VARIANCES),
        )
        for method in methods
    ]
    return noise_figure(injected, answers)


def _verdicts(results: Results, variants: list[Variant], levels: list[float]) -> list[Verdict]:
    return [
        Verdict(
            "Aleatoric variance follows the injected noise",
            "yes; no number",
            tuple(_follows(results, variant, levels) for variant in variants),
        ),
        Verdict(
            "while the epistemic part stays as it is",
            "yes; no number",
            tuple(_stays(results, variant, levels) for variant in variants),
        ),
    ]


def _follows(results: Results, variant: Variant, levels: list[float]) -> Finding:
    """Judged at the ends, since nothing tells a method how noisy a thermometer inside would be."""

    def ratios(where: str, part: str, of: list[float]) -> list[np.ndarray]:
        return [results.values(_network(variant).at(x), f"{RATIOS[where]}.{part}") for x in of]

    noisy, none = [x for x in levels if x > 0], [x for x in levels if x == 0]
    low = np.min(ratios("ends", "p05", noisy), axis=0)
    high = np.max(ratios("ends", "p95", noisy), axis=0)
    inside = [float(values.mean()) for values in ratios("inside", "median", noisy)]
    clean = [float(values.mean()) for values in ratios("ends", "median", none)]
    text = (
        f"{number(float(low.mean()))} to {number(float(high.mean()))} of the injected variance at "
        f"the ends (medians inside {number(min(inside))} to {number(max(inside))}; at 0 %, not "
        f"judged, {number(max(clean, default=np.nan))} times the variance of 1 mK)"
    )
    margins = np.minimum(np.log(low / RIGHT[0]), np.log(RIGHT[1] / high))
    return Finding.judged(variant, Margins(margins), text)


def _stays(results: Results, variant: Variant, levels: list[float]) -> Finding:
    """Judged by the ratio of the largest to the smallest variance at any two levels."""
    network, exact = (
        np.array([results.values(method.at(level), EPISTEMIC) for level in levels])
        for method in (_network(variant), EXACT)
    )
    times, exact_times = (values.max(axis=0) / values.min(axis=0) for values in (network, exact))
    way = f"{percent(_lowest(levels))} to {percent(levels[-1])}"
    network_change, exact_change = (
        _change(results, method, levels[-1], _lowest(levels))
        for method in (_network(variant), EXACT)
    )
    text = (
        f"× {number(float(times.mean()))} over all levels (closed form: "
        f"× {number(float(exact_times.mean()))}), × {number(network_change)} from {way} "
        f"(× {number(exact_change)})"
    )
    return Finding.judged(variant, Paired(times, np.full(times.shape, STEADY)).margins, text)

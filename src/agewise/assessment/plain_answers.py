"""Plain answers without uncertainty, in which every measurement counts as exact."""

from dataclasses import replace

import numpy as np
import xarray as xr

from agewise.assessment.grid import DEFAULT_GRID, Grid, at_instants, grid_instants
from agewise.assessment.inputs import (
    NameplateInput,
    ProfileInput,
    given_nameplate,
    given_profile,
    refuse_stages_by_ieee,
)
from agewise.assessment.oil.lower_end import lower_end, stood_in_bottom
from agewise.assessment.oil.lower_stages import stages_on
from agewise.assessment.oil.rarity import refuse_rare
from agewise.assessment.staged_answer import staged_answer
from agewise.errors import InputError
from agewise.plant.field import field_dataset
from agewise.plant.nameplate import Nameplate
from agewise.plant.oil_load import oil_load
from agewise.plant.profile import Profile
from agewise.plant.staged_unit import guide_top_oil, stage_constants
from agewise.plant.standards import Standard, average_winding_rise, ieee_constants
from agewise.quality.stand_ins import filled_profile
from agewise.transformer.ageing.law import AbstractAgeingLaw
from agewise.transformer.ageing.loss import loss_of_life
from agewise.transformer.ageing.registry import ageing_law
from agewise.transformer.between_samples import Hold
from agewise.transformer.iec60076 import ThermalHistory, thermal_history
from agewise.transformer.ieee_c57 import ieee_history
from agewise.transformer.lag import Scheme
from agewise.transformer.staged import rise_over_oil


def iec_answer(
    profile: ProfileInput,
    nameplate: NameplateInput,
    *,
    paper: str | None = None,
    hold: Hold = "backward",
    scheme: Scheme = "exact",
    start_top_oil: float | None = None,
    start_hot_spot_rise: float | None = None,
) -> ThermalHistory:
    """Top oil, hot spot, ageing rate and loss of life by IEC 60076-7, without uncertainty.

    Args:
        profile: Load [p.u.] and temperatures [°C] over time, or the path of the file that holds
            them. A measured top oil is used where there is one, else the guide's model of it.
        nameplate: The unit, or the path of its TOML file.
        paper: The insulation, `"normal"` or `"upgraded"`; the nameplate's unless given. It
            ages by the guide's relative rate, or, where the nameplate tells of water or breathing,
            by the rate constants of the guide's annex A.
        hold: Which interval a sample of the load stands for: the one that ends at its time stamp
            (`"backward"`), the one that begins there, or a straight line between samples.
        scheme: `"exact"` integration between samples, or the guide's own `"difference"` form.
        start_top_oil: Top oil at the first row [°C]; steady for the first load unless given.
        start_hot_spot_rise: Hot spot over top oil at the first row [K]; steady unless given.

    Returns:
        Top oil and hot spot [°C], ageing rate [1] and loss of life [h] at every row.

    Raises:
        InputError: Something given cannot be used; the sentence says what to do.

    Examples:
        >>> import agewise
        >>> history = agewise.iec_answer("demo/profile.csv", "demo/nameplate.toml")
        >>> bool((history.hot_spot >= history.top_oil).all())
        True
    """
    # A nameplate by IEEE keeps IEC's constants aside.
    nameplate = given_nameplate(nameplate).by_standard("iec")
    profile = given_profile(profile, nameplate)
    refuse_rare(profile, nameplate)
    filled = filled_profile(profile, nameplate, hold).profile
    law = _law(nameplate, paper)
    if nameplate.cooling_stages:
        starts = start_top_oil, start_hot_spot_rise
        return staged_answer(filled, nameplate, law, scheme=scheme, hold=hold, starts=starts)
    # The load has no holes, since it was filled when its file was read; air and oil may have.
    return thermal_history(
        nameplate.thermal_constants(),
        profile.seconds,
        profile.load,
        filled.ambient,
        measured_top_oil=filled.top_oil,
        law=law,
        hold=hold,
        scheme=scheme,
        start_top_oil=start_top_oil,
        start_hot_spot_rise=start_hot_spot_rise,
        oil_load=oil_load(profile, nameplate),
    )


def _law(nameplate: Nameplate, paper: str | None) -> AbstractAgeingLaw:
    """The law by which the nameplate's insulation ages, or would if it were of another paper."""
    if paper is None:
        return nameplate.insulation.law
    # For its refusal of papers that nobody knows.
    name = ageing_law(paper).name
    return nameplate.insulation.model_copy(update={"paper": name}).law


def ieee_answer(
    profile: ProfileInput,
    nameplate: NameplateInput,
    *,
    hold: Hold = "backward",
    start_top_oil: float | None = None,
    start_hot_spot_rise: float | None = None,
) -> ThermalHistory:
    """Top oil, hottest spot, ageing and loss of life by IEEE C57.91, without uncertainty.

    The ageing rate is the guide's ageing acceleration factor FAA, for the average winding rise of
    65 or 55 °C that the nameplate gives; its mean over time is FEQA.

    Args:
        profile: Load [p.u.] and temperatures [°C] over time, or the path of the file that holds
            them. A measured top oil is used where there is one, else the model of clause 7.
        nameplate: The unit, or the path of its TOML file.
        hold: Which interval a sample of the load stands for, as in `iec_answer`.
        start_top_oil: Top oil at the first row [°C]; steady for the first load unless given.
        start_hot_spot_rise: Hot spot over top oil at the first row [K]; steady unless given.

    Returns:
        Top oil and hot spot [°C], ageing factor [1] and loss of life [h] at every row.

    Raises:
        InputError: Something given cannot be used; the sentence says what to do.

    Examples:
        >>> import agewise
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> ieee, iec = agewise.ieee_answer(*files), agewise.iec_answer(*files)
        >>> bool((ieee.top_oil == iec.top_oil).all())  # it was measured
        True
    """
    nameplate = given_nameplate(nameplate).by_standard("ieee")
    profile = given_profile(profile, nameplate)
    refuse_stages_by_ieee(nameplate)
    refuse_rare(profile, nameplate)
    filled = filled_profile(profile, nameplate, hold).profile
    return ieee_history(
        ieee_constants(nameplate),
        profile.seconds,
        profile.load,
        filled.ambient,
        winding_rise=average_winding_rise(nameplate),
        measured_top_oil=filled.top_oil,
        hold=hold,
        start_top_oil=start_top_oil,
        start_hot_spot_rise=start_hot_spot_rise,
        oil_load=oil_load(profile, nameplate),
    )


def answers_by_standard(
    profile: Profile, nameplate: Nameplate, *, hold: Hold = "backward"
) -> dict[Standard, ThermalHistory]:
    """The plain answer of every standard that can be asked: a unit may lack what IEEE's needs."""
    answers: dict[Standard, ThermalHistory] = {"iec": iec_answer(profile, nameplate, hold=hold)}
    try:
        answers["ieee"] = ieee_answer(profile, nameplate, hold=hold)
    except InputError:
        # A unit that lacks something of IEEE's has IEC's answer all the same.
        if nameplate.standard == "ieee":
            raise
    return answers


def reference_field(
    profile: ProfileInput,
    nameplate: NameplateInput,
    *,
    grid: Grid = DEFAULT_GRID,
    hold: Hold = "backward",
) -> xr.Dataset:
    """Oil, winding, ageing and loss of life over height and time, without uncertainty.

    The finite-element solution of the oil's heat equation between its ends, which count as exact:
    the top as measured, and the bottom as measured, else as the nameplate has it.

    Args:
        profile: Load [p.u.] and temperatures [°C] over time, or the path of the file that holds
            them. Without a measured top oil the guide's model of it is the upper end.
        nameplate: The unit, or the path of its TOML file.
        grid: Heights and minutes at which the field is given.
        hold: Which interval a sample of the load stands for, as in `iec_answer`.

    Returns:
        `oil_mean` and `winding_mean` [°C], `ageing_mean` [1] and `loss_of_life_mean` [h] over
        `time` and `height` [m].

    Raises:
        InputError: Something given cannot be used; the sentence says what to do.

    Examples:
        >>> import agewise
        >>> field = agewise.reference_field("demo/profile.csv", "demo/nameplate.toml")
        >>> field["oil_mean"].dims
        ('time', 'height')
    """
    # Imported here, since it takes a while and the guide's answer does without.
    from agewise.transformer.oil.reference import oil_temperature

    nameplate = given_nameplate(nameplate)
    profile = given_profile(profile, nameplate)
    tank = nameplate.oil_tank()
    filled, seconds, load = filled_profile(profile, nameplate, hold), profile.seconds, profile.load
    top, heating = filled.profile.top_oil, oil_load(profile, nameplate)
    if top is None:
        top = guide_top_oil(filled.profile, nameplate, hold=hold)
    both = replace(filled, profile=replace(filled.profile, top_oil=top))
    end = lower_end(both.profile, nameplate, hold)
    # Where the bottom's own thermometer was silent, what stands in for it.
    bottom = np.where(
        np.isfinite(end.readings), end.readings, stood_in_bottom(end, both, nameplate)[0]
    )
    heights = np.linspace(0.0, tank.height, grid.heights)
    oil = oil_temperature(
        tank, seconds, heating, bottom, top, heights=heights, air=end.air, hold=hold
    ).temperature
    stage = stages_on(profile, nameplate, hold)
    units = stage_constants(nameplate)
    winding = oil + rise_over_oil(units, stage, seconds, load, hold=hold)[:, None]
    rate = nameplate.insulation.law.rate(winding)
    variables = {
        "oil_mean": oil,
        "winding_mean": winding,
        "ageing_mean": rate,
        "loss_of_life_mean": loss_of_life(seconds, rate, axis=0),
    }
    # Life is added up along the samples and thinned out afterwards: the other way round, short
    # peaks would be missed.
    instants = grid_instants(profile, grid)
    on_grid = {name: at_instants(instants, seconds, values) for name, values in variables.items()}
    return field_dataset(profile.timeline, instants, heights, on_grid)

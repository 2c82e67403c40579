"""`agewise twin`: measurements with a known truth."""

import inspect
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from agewise.cli.console import answer, duration, stage
from agewise.cli.overwrite import Overwrite, refuse_taken
from agewise.cli.twin_options import Case, Mismatch, Noise, NoiseLaw, RoughAmbient
from agewise.errors import InputError

if TYPE_CHECKING:
    from agewise.twin.settings import TwinSettings
    from agewise.twin.summary import TwinSummary
    from agewise.twin.twin import Twin

FLEET_OPTIONS = ("out", "fleet", "days", "step", "seed", "start")
"""Options that a fleet takes: its units draw everything else."""


def twin(
    out: Annotated[Path, Option(help="Folder for profile.csv, nameplate.toml and truth.nc.")],
    case: Case = "floating-pv",
    days: Annotated[
        float | None, Option(help="Length [days]: 4, or 30 of a fleet, if left out.")
    ] = None,
    seed: Annotated[int, Option(help="Seed of weather and noise.")] = 0,
    start: Annotated[
        str | None, Option(help="Local date, as 2025-06-12; the case's own if left out.")
    ] = None,
    noise: Noise = 1.0,
    load_noise: Annotated[
        float, Option(help="Standard deviation of the load's noise [p.u.].")
    ] = 0.0,
    noise_law: NoiseLaw = "temperature",
    mismatch: Mismatch = 0.0,
    interior: Annotated[
        bool, Option("--interior", help="Write the sensors inside the oil too.")
    ] = False,
    rough_ambient: RoughAmbient = False,
    faults: Annotated[
        list[str] | None,
        Option(help="Fault of a sensor, KIND or KIND:SEVERITY (1 to 3); may be repeated."),
    ] = None,
    cooling_loss: Annotated[float, Option(help="Share of the cooling that is lost halfway.")] = 0.0,
    nameplate_error: Annotated[
        float,
        Option(help="Error of the printed nameplate; 1 is a rise of the oil up to 25 % off."),
    ] = 0.0,
    leave_out: Annotated[
        list[str] | None,
        Option(help="Field that nameplate.toml lacks, as oil.top_oil_rise_k; may be repeated."),
    ] = None,
    bottom_offset: Annotated[
        float, Option(help="Rise of the bottom oil over the air, as a share of the top oil's.")
    ] = 0.0,
    bottom_oil: Annotated[
        bool, Option("--bottom-oil", help="Write the temperature of the bottom oil too.")
    ] = False,
    conductivity_factor: Annotated[
        float, Option(help="Factor on the true conductivity of the oil.")
    ] = 1.0,
    stratification: Annotated[
        float,
        Option(help="Share of the oil that lies in layers, against the heat equation, 0 to 1."),
    ] = 0.0,
    air_bias: Annotated[
        float, Option(help="Constant error of the air's thermometer, standard deviation [K].")
    ] = 0.0,
    sunlit_air: Annotated[
        float, Option(help="Error of the air's thermometer in full sun [K].")
    ] = 0.0,
    air_file: Annotated[
        Path | None, Option(help="CSV with time_utc, air_temperature [°C], perhaps ghi [W/m2].")
    ] = None,
    winding: Annotated[
        bool, Option("--winding", help="Write a winding temperature indicator too.")
    ] = False,
    fleet: Annotated[
        int | None,
        Option(help="Make a fleet of that many transformers instead, a folder each.", min=1),
    ] = None,
    step: Annotated[int, Option(help="Time between two rows of a fleet's files [min].")] = 15,
    overwrite: Overwrite = False,
) -> None:
    """Simulate a plant's measurements with a known truth, on which any method can be scored."""
    given = dict(locals())
    if fleet is not None:
        _refuse_other_options(given)
        _fleet(out, assets=fleet, days=days, step=step, seed=seed, start=start)
        return
    with stage("Making the twin"):
        from agewise.twin.summary import twin_summary
        from agewise.twin.twin import make_twin
        from agewise.twin.twin_file import FILES, write_twin

        # Before any work is done.
        refuse_taken([out / name for name in FILES], overwrite=overwrite)
        settings = _settings(given)
        plant = make_twin(settings)
        write_twin(plant, out, overwrite=overwrite)
        figures = twin_summary(plant)
    first = plant.frame["time"].iloc[0]
    answer(
        {
            "twin": f"{case}, {settings.days:g} days from {first}, seed {seed}",
            **_rows(figures),
            **({"fault": _faults(plant)} if faults else {}),
            "written": f"{out}/profile.csv, nameplate.toml, truth.nc, scenario.csv",
        }
    )


def _settings(given: dict[str, Any]) -> "TwinSettings":
    """The plant that the options ask for; each has the name of the setting that it gives."""
    from agewise.twin.faults import Fault
    from agewise.twin.settings import TwinSettings

    chosen = {field.name: given[field.name] for field in fields(TwinSettings)}
    if given["days"] is None:
        del chosen["days"]  # as long as the settings have it
    chosen["faults"] = tuple(Fault.parse(text) for text in given["faults"] or ())
    chosen["leave_out"] = tuple(given["leave_out"] or ())
    chosen["air_file"] = None if given["air_file"] is None else str(given["air_file"])
    return TwinSettings(**chosen)


def _rows(figures: "TwinSummary") -> dict[str, str]:
    """What a plant does, in lines for people."""
    return {
        "load": f"up to {figures.load_peak:.2f} p.u.",
        "ambient": "{:.1f} to {:.1f} °C".format(*figures.ambient),
        "top oil": "{:.1f} to {:.1f} °C".format(*figures.top_oil),
        "hot spot": f"up to {figures.hot_spot_peak:.1f} °C",
        "noise": "{:.2f} K at the bottom, up to {:.2f} K at the top".format(*figures.noise),
        "check": "a straight line between bottom and top is wrong by "
        f"{figures.line_error:.2f} K rms",
        "life used": f"{duration(figures.loss_of_life)} at the worst height, "
        f"{figures.worst_height:.2f} m",
    }


def _faults(plant: "Twin") -> str:
    """What was done to which sensors."""
    return "; ".join(f"{fault.kind}: {fault.text}" for fault in plant.injected)


def _refuse_other_options(given: dict[str, Any]) -> None:
    """Refuse what was asked of one plant where many are made."""
    if given["overwrite"]:
        raise InputError(
            "`overwrite` replaces the files of one plant; a fleet goes into an empty folder.",
            hint="choose another `out`, or empty it first.",
        )
    for name, parameter in inspect.signature(twin).parameters.items():
        if given[name] != parameter.default and name not in FLEET_OPTIONS:
            raise InputError(
                f"`{name}` is an option of one plant, and the units of a fleet differ in it.",
                hint=f"with `fleet` there are {', '.join(f'`{o}`' for o in FLEET_OPTIONS)}.",
            )


def _fleet(
    out: Path, *, assets: int, days: float | None, step: int, seed: int, start: str | None
) -> None:
    """Make a fleet, and say what is in it."""
    from agewise.twin.fleet.fleet_folder import CATALOGUE, TRUTH, write_fleet
    from agewise.twin.fleet.settings import FleetSettings

    settings = FleetSettings(seed=seed, assets=assets, step_min=step)
    settings = settings if days is None else replace(settings, days=days)
    settings = settings if start is None else replace(settings, start=start)
    with stage(f"Making {assets} transformers"):
        units = write_fleet(settings, out)
    incidents = [unit["incident"]["kind"] for unit in units]
    hopeless = sum(bool(unit["hopeless"]) for unit in units)
    dirty = sum(unit["dialect"] != "plain" or bool(unit["faults"]) for unit in units)
    answer(
        {
            "fleet": f"{assets} transformers, {settings.days:g} days from {settings.start}, "
            f"every {step} min, seed {seed}",
            "incidents": ", ".join(
                f"{incidents.count(kind)} x {kind}" for kind in sorted(set(incidents) - {""})
            )
            or "none",
            "files": f"{dirty} in another dialect or with faults, {hopeless} to be refused",
            "written": f"{out}/{CATALOGUE}, {TRUTH} and a folder for each",
        }
    )

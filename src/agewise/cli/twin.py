"""`agewise twin`: measurements with a known truth."""

from pathlib import Path
from typing import Annotated

from typer import Option

from agewise.cli.console import answer, duration, stage
from agewise.cli.outputs import Overwrite, refuse_taken


def twin(
    out: Annotated[Path, Option(help="Folder for profile.csv, nameplate.toml and truth.nc.")],
    case: Annotated[str, Option(help="floating-pv or aged-substation.")] = "floating-pv",
    days: Annotated[float, Option(help="Length [days].")] = 4.0,
    seed: Annotated[int, Option(help="Seed of weather and noise.")] = 0,
    start: Annotated[
        str | None, Option(help="Local date, as 2025-06-12; the case's own if left out.")
    ] = None,
    noise: Annotated[float, Option(help="Factor on the thermometers' noise.")] = 1.0,
    load_noise: Annotated[
        float, Option(help="Standard deviation of the load's noise [p.u.].")
    ] = 0.0,
    noise_law: Annotated[
        str, Option(help="temperature, daily or share (--noise 0.02: 2 % of each maximum).")
    ] = "temperature",
    mismatch: Annotated[
        float, Option(help="Departure from the heat equation; 1 is 2 K rms inside.")
    ] = 0.0,
    interior: Annotated[
        bool, Option("--interior", help="Write the sensors inside the oil too.")
    ] = False,
    rough_ambient: Annotated[
        bool, Option("--rough-ambient", help="Air that also varies within minutes.")
    ] = False,
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
        float, Option(help="Share of oil in layers, which no heat equation has, 0 to 1.")
    ] = 0.0,
    air_bias: Annotated[
        float, Option(help="Constant error of the air's thermometer, standard deviation [K].")
    ] = 0.0,
    sunlit_air: Annotated[
        float, Option(help="What the air's thermometer shows too much in full sun [K].")
    ] = 0.0,
    air_file: Annotated[
        Path | None, Option(help="CSV with time_utc, air_temperature [°C], perhaps ghi [W/m2].")
    ] = None,
    winding: Annotated[
        bool, Option("--winding", help="Write a winding temperature indicator too.")
    ] = False,
    overwrite: Overwrite = False,
) -> None:
    """Simulate a plant's measurements with a known truth, on which any method can be scored."""
    with stage("Making the twin"):
        from agewise.twin.faults import Fault
        from agewise.twin.summary import twin_summary
        from agewise.twin.twin import TwinSettings, make_twin
        from agewise.twin.twin_file import FILES, write_twin

        # Before any work is done.
        refuse_taken([out / name for name in FILES], overwrite=overwrite)

        settings = TwinSettings(
            seed=seed,
            case=case,
            days=days,
            start=start,
            noise=noise,
            load_noise=load_noise,
            noise_law=noise_law,
            mismatch=mismatch,
            interior=interior,
            rough_ambient=rough_ambient,
            faults=tuple(Fault.parse(text) for text in faults or ()),
            cooling_loss=cooling_loss,
            nameplate_error=nameplate_error,
            leave_out=tuple(leave_out or ()),
            bottom_offset=bottom_offset,
            bottom_oil=bottom_oil,
            conductivity_factor=conductivity_factor,
            stratification=stratification,
            air_bias=air_bias,
            sunlit_air=sunlit_air,
            air_file=None if air_file is None else str(air_file),
            winding=winding,
        )
        plant = make_twin(settings)
        write_twin(plant, out, overwrite=overwrite)
        figures = twin_summary(plant)
    rows = {
        "twin": f"{case}, {days:g} days from {plant.frame['time'].iloc[0]}, seed {seed}",
        "load": f"up to {figures.load_peak:.2f} p.u.",
        "ambient": "{:.1f} to {:.1f} °C".format(*figures.ambient),
        "top oil": "{:.1f} to {:.1f} °C".format(*figures.top_oil),
        "hot spot": f"up to {figures.hot_spot_peak:.1f} °C",
        "noise": "{:.2f} K at the bottom, up to {:.2f} K at the top".format(*figures.noise),
        "check": f"the straight line between the ends is wrong by {figures.line_error:.2f} K rms",
        "life used": f"{duration(figures.loss_of_life)} at the worst height, "
        f"{figures.worst_height:.2f} m",
    }
    rows |= {"fault": "; ".join(f"{f.kind}: {f.text}" for f in plant.injected)} if faults else {}
    answer(rows | {"written": f"{out}/profile.csv, nameplate.toml, truth.nc, scenario.csv"})

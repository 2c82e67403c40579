"""`agewise assess`: the oil with both uncertainties, as a run that can be asked again."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from agewise.cli.console import answer, duration, parsed_grid, profile_rows, stage, watched


def assess(
    profile: Annotated[Path, Argument(help="CSV or Parquet: time, load, ambient, top_oil.")],
    nameplate: Annotated[Path, Option(help="TOML.")],
    out: Annotated[Path, Option(help="Folder of the run.")],
    method: Annotated[
        str, Option(help="line, solver, exact; networks: vi, laplace, dropout, map, plain.")
    ] = "exact",
    preset: Annotated[
        Literal["default", "untempered", "paper"], Option(help="Settings of a network.")
    ] = "default",
    aleatoric: Annotated[
        Literal["heteroscedastic", "homoscedastic"],
        Option(help="Whether a network's noise may differ from place to place."),
    ] = "heteroscedastic",
    seed: Annotated[int, Option(help="Of the draws.")] = 0,
    discrepancy: Annotated[
        float | None, Option(help="K/h by which the heat equation may be wrong; 0.005 if left out.")
    ] = None,
    grid: Annotated[str, Option(help="HEIGHTSxMINUTES of the field.")] = "51x10",
    hold: Annotated[
        Literal["backward", "forward"],
        Option(help="A load stands for the interval that ends at its time, or starts there."),
    ] = "backward",
    ignore_interior: Annotated[
        bool, Option("--ignore-interior", help="Leave the sensors inside the oil aside.")
    ] = False,
    truth: Annotated[Path | None, Option(help="A twin's truth.nc, to be scored.")] = None,
    resume: Annotated[
        bool, Option("--resume", help="Go on with a training that was killed.")
    ] = False,
) -> None:
    """Infer the oil over height and time, what is not known of it, and what sensors cannot tell."""
    heights, minutes = parsed_grid(grid)
    found = (out / "run.json").exists()
    doing = "Looking at the run" if found else f"Assessing by {method}"
    with stage(doing, spinner=method in ("line", "solver", "exact")):
        from agewise.assessment.assess import Settings
        from agewise.assessment.plain import Grid
        from agewise.assessment.runs import assessed_run
        from agewise.data.nameplate_file import read_nameplate
        from agewise.data.profile import read_profile

        settings = Settings(
            method=method,
            preset=preset,
            aleatoric=aleatoric,
            seed=seed,
            hold=hold,
            ignore_interior=ignore_interior,
        )
        if discrepancy is not None:
            settings = replace(settings, discrepancy=discrepancy)
        run = assessed_run(
            profile,
            nameplate,
            out,
            settings,
            grid=Grid(heights, minutes),
            truth=truth,
            resume=resume,
            terminal=watched(),
        )
        given = profile_rows(read_nameplate(nameplate).name, read_profile(profile))
        given.pop("not used", None)
    state = (
        f"{out}, found as it was made at {run.created:%Y-%m-%d %H:%M} UTC" if found else str(out)
    )
    answer(given | _rows(run.summary()) | {"run": state})


def _rows(summary: dict[str, Any]) -> dict[str, str]:
    hot, worst = summary["hot_spot"], summary["loss_of_life"]["worst"]
    rows = {
        "method": f"{summary['method']}, {summary['seconds']:.1f} s",
        "hot spot": f"{hot['mean']:.1f} ± {hot['epistemic_std']:.2f} °C at {hot['height']:.2f} m, "
        f"{hot['time']}, from the oil alone",
        "life used": f"{duration(worst['mean'])} ± {100 * worst['std'] / worst['mean']:.1f} % at "
        f"{worst['height']:.2f} m, from the oil alone",
    }
    for number, finding in enumerate(summary["findings"], start=1):
        rows[f"finding {number}"] = finding["text"]
    if summary["scores"]:
        truth, split = summary["scores"]["truth"], summary["scores"]["split"]
        rows["to truth"] = (
            f"{truth['rmse']:.3f} K rms, epistemic z {split['epistemic_z']:.2f}, "
            f"aleatoric ratio {split['aleatoric_ratio_boundary']['median']:.2f} at the ends"
        )
    return rows

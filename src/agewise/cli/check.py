"""`agewise check`: what a file holds, what cannot be so in it, and what would be done about it."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import BadParameter, Option

from agewise.cli.console import answer, duration, stage
from agewise.cli.overwrite import refuse_taken, writes
from agewise.cli.reading import Profiles, reads_a_file

if TYPE_CHECKING:
    from agewise.plant.profile import Profile
    from agewise.reading.options import Reading


@writes("out", "picture")
@reads_a_file
def check(
    *,
    profile: Profiles,
    nameplate: Annotated[
        Path | None, Option(help="TOML file of the nameplate, for the rated power and current.")
    ] = None,
    out: Annotated[Path | None, Option(help="CSV or Parquet file for the cleaned profile.")] = None,
    picture: Annotated[Path | None, Option(help="PNG file for a picture of the profile.")] = None,
    form: Annotated[
        Literal["text", "json"],
        Option("--format", help="text for people, json for programs (with all rows concerned)."),
    ] = "text",
    mapping: Path | None = None,
    reading: "Reading",
) -> None:
    """Read a file as the other commands do; say what was found in it and done about it."""
    if picture is not None and picture.suffix != ".png":
        raise BadParameter(f"--picture {picture} does not end in .png.")
    with stage("Reading and checking"):
        from agewise.plant.nameplate_file import read_nameplate
        from agewise.reading.mapping import write_mapping
        from agewise.reading.profile_file import checked_file, write_profile

        unit = None if nameplate is None else read_nameplate(nameplate).rated()
        # Both: the picture shows the file as it was read beside what is left of it.
        record, clean = checked_file(profile, reading, rated=unit)
        if out is not None:
            write_profile(clean, out)
        learned = mapping if mapping is not None and not mapping.exists() else None
        if learned is not None:
            refuse_taken([learned])
            write_mapping(record, reading, learned)
    if picture is not None:
        with stage("Drawing"):
            from agewise.report.quality.picture import write_quality

            write_quality(record, clean, picture)
    if form == "json":
        print(json.dumps(summary(clean), indent=2))
        return
    written = ", ".join(str(path) for path in (out, picture, learned) if path is not None)
    answer(rows(profile, clean) | ({"written": written} if written else {}))


def summary(clean: "Profile") -> dict[str, Any]:
    """What was found, for programs."""
    from agewise.plant.cost import by_cost

    return {
        "rows": int(clean.seconds.size),
        "hours": float(clean.seconds[-1]) / 3600,
        "columns": [name for name in clean.frame() if name != "time"],
        "ignored": list(clean.ignored),
        "findings": [asdict(finding) for finding in by_cost(clean.findings)],
    }


def rows(paths: list[Path], clean: "Profile") -> dict[str, str]:
    """What was found, in lines for people."""
    import numpy as np

    from agewise.plant.cost import by_cost
    from agewise.plant.joined_findings import joined_findings
    from agewise.plant.notes import listed
    from agewise.reading.files import given_files, named

    labels, seconds = clean.timeline.labels, clean.seconds
    step = float(np.median(np.diff(seconds))) / 3600
    lines = {
        "file": f"{named(given_files(paths))}, {seconds.size} rows, {duration(step)} apart",
        "from": f"{labels.iloc[0]} to {labels.iloc[-1]} ({clean.timeline.timezone or 'no zone'})",
    }
    for name, values in clean.frame().drop(columns="time").items():
        unit, present = _unit(str(name)), values.dropna()
        share = f", {100 * values.isna().mean():.1f} % missing" if values.isna().any() else ""
        lines[str(name)] = f"{present.min():.3g} to {present.max():.3g}{unit}{share}"
    if clean.ignored:
        lines["ignored"] = f"columns {listed(clean.ignored)}"
    findings = by_cost(joined_findings(clean.findings))
    for number, finding in enumerate(findings, start=1):
        lines[f"finding {number}"] = f"{finding.kind}: {finding.text}"
    if not clean.findings:
        lines["findings"] = "none"
    return lines


def _unit(column: str) -> str:
    """What stands behind the numbers of a column: nothing for a stage or a tap."""
    from agewise.plant.measures import measure

    units = {"load": " p.u.", "load_std": " p.u.", "ambient_std": " K"}
    return units.get(column, "" if measure(column) == "state" else " °C")

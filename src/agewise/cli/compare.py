"""`agewise compare`: methods side by side over twins."""

import json
import re
from pathlib import Path
from typing import Annotated

from typer import BadParameter, Option

from agewise.cli.compiled import compiled_code_kept
from agewise.cli.console import MOST_JOBS, stage
from agewise.cli.overwrite import writes
from agewise.cli.twin_options import Case, Mismatch, Noise, NoiseLaw, RoughAmbient

MOST_TWINS = 1000
"""Largest number of twins in one comparison; so many take about a day."""


@writes("out")
def compare(
    methods: Annotated[
        str,
        Option(help="Methods separated by commas; with a preset or noise, as vi/paper."),
    ] = "line,solver,exact",
    twin_seeds: Annotated[str, Option(help="Seeds of the twins, as 0-4 or 0,3,7.")] = "0-4",
    case: Case = "floating-pv",
    days: Annotated[float, Option(help="Length of a twin [days].")] = 4.0,
    noise: Noise = 1.0,
    noise_law: NoiseLaw = "temperature",
    mismatch: Mismatch = 0.0,
    interior: Annotated[
        bool, Option("--interior", help="Give the methods the sensors inside the oil too.")
    ] = False,
    rough_ambient: RoughAmbient = False,
    discrepancy: Annotated[
        float | None, Option(help="Error of the heat equation itself [K/h]; 0.005 if left out.")
    ] = None,
    in_doubt: Annotated[
        bool,
        Option(
            "--in-doubt",
            help="Learn the unit's constants and treat the equation as uncertain, as assess does.",
        ),
    ] = False,
    jobs: Annotated[
        int, Option(min=1, max=MOST_JOBS, help="Twins at a time, each in a process on one core.")
    ] = 1,
    out: Annotated[Path | None, Option(help="JSON file for every score of every seed.")] = None,
) -> None:
    """Score methods side by side on twins: the mean over all seeds, and each seed."""
    from agewise.twin.twin import TwinSettings

    seeds = _seeds(twin_seeds)
    settings = TwinSettings(
        seed=seeds[0],  # replaced by each of the seeds in turn
        case=case,
        days=days,
        noise=noise,
        noise_law=noise_law,
        mismatch=mismatch,
        interior=interior,
        rough_ambient=rough_ambient,
    )
    with stage(f"Comparing {methods} over {len(seeds)} twins"), compiled_code_kept():
        from agewise.assessment.comparison import compared, table
        from agewise.files import write_text
        from agewise.transformer.oil.heat import DISCREPANCY

        results = compared(
            settings,
            methods.split(","),
            seeds,
            discrepancy=DISCREPANCY if discrepancy is None else discrepancy,
            as_given=not in_doubt,
            jobs=jobs,
        )
        if out is not None:
            write_text(out, json.dumps(results, indent=2) + "\n")
    print(table(results))


def _seeds(text: str) -> list[int]:
    """The seeds in a text such as `0-4` or `0,3,7`."""
    if not re.fullmatch(r"\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*", text):
        raise BadParameter(f"--twin-seeds {text!r} is not like 0-4 or 0,3,7.")
    ends = [part.partition("-") for part in text.split(",")]
    ranges = [range(int(first), int(last or first) + 1) for first, _, last in ends]
    # Counted before they are listed, since a range of a thousand million would fill the memory.
    # A range that runs backwards, as 4-0, is empty and therefore false.
    if not all(ranges) or sum(map(len, ranges)) > MOST_TWINS:
        raise BadParameter(f"--twin-seeds {text!r} gives no twins, or more than {MOST_TWINS}.")
    return [seed for seeds in ranges for seed in seeds]

"""Methods side by side over twins."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agewise.assessment.assess import Settings, assess
from agewise.assessment.outcome import scored
from agewise.data.truth_file import truth_from
from agewise.data.twin import TwinSettings, make_twin
from agewise.problems.heat import DISCREPANCY
from agewise.uncertainty.scores import Scores, mean_and_std

COLUMNS = {
    "truth.rmse": "RMSE [K]",
    "truth.epistemic_crps": "epistemic CRPS [K]",
    "measured.crps_ratio": "CRPS / oracle",
    "measured.miscalibration": "miscalibration",
    "split.aleatoric_ratio_boundary.median": "aleatoric, ends",
    "split.aleatoric_ratio_inside.median": "aleatoric, inside",
    "split.aleatoric_rank_correlation": "rank corr.",
    "split.epistemic_z": "epistemic z",
}
"""What the table shows, of all that is kept."""


def compared(
    twin: TwinSettings,
    methods: Sequence[str],
    seeds: Sequence[int],
    *,
    discrepancy: float | None = None,
) -> dict[str, dict[str, Any]]:
    """Every score of every method, over twins that differ in their seed only."""
    declared = DISCREPANCY if discrepancy is None else discrepancy
    settings = {method: Settings(method=method, discrepancy=declared) for method in methods}
    results: dict[str, list[Scores]] = {method: [] for method in methods}
    for seed in seeds:
        made = make_twin(replace(twin, seed=seed))
        truth = truth_from(made.truth)
        for method, chosen in settings.items():
            assessment = assess(made.profile, made.nameplate, chosen)
            results[method].append(scored(assessment, truth))
    return {method: mean_and_std(scores) for method, scores in results.items()}


def table(results: dict[str, dict[str, Any]]) -> str:
    """The comparison in Markdown: mean over the seeds, then every seed."""
    head = f"| method | {' | '.join(COLUMNS.values())} |"
    lines = [head, "|---" * (len(COLUMNS) + 1) + "|"]
    for method, leaves in results.items():
        cells = [_cell(leaves[name]) for name in COLUMNS]
        lines.append(f"| {method} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(leaf: dict[str, Any]) -> str:
    values = ", ".join(_number(value) for value in leaf["values"])
    return f"**{_number(leaf['mean'])}** ({values})"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"

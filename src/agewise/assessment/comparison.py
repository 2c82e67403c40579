"""Methods side by side over twins."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from agewise.assessment.field import scored
from agewise.assessment.oil.assess import assess
from agewise.assessment.oil.settings import Settings
from agewise.engine.objective.settings import Aleatoric
from agewise.engine.presets import PRESETS
from agewise.engine.uncertainty.scores import Scores, mean_and_std
from agewise.errors import InputError
from agewise.threads import side_by_side
from agewise.transformer.oil.heat import DISCREPANCY
from agewise.twin.truth_file import truth_from
from agewise.twin.twin import TwinSettings, make_twin

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
"""Scores that the table shows, with the heads of their columns."""

METHOD_HINT = "write vi, vi/paper, vi/homoscedastic or vi/paper/homoscedastic."
"""How a method is written, for people who wrote it differently."""


def chosen(text: str, **options: Any) -> Settings:
    """Settings of a method in words: its name and, behind strokes, its preset and noise.

    Args:
        text: Such as `vi`, `vi/paper` or `vi/paper/homoscedastic`.
        options: Other fields of `Settings`.

    >>> chosen("vi/homoscedastic").aleatoric
    'homoscedastic'
    """
    name, *words = text.split("/")
    field_of_word = dict.fromkeys(PRESETS, "preset") | dict.fromkeys(
        get_args(Aleatoric), "aleatoric"
    )
    for word in words:
        if word not in field_of_word:
            raise InputError(
                f"{text!r} is no method: {word!r} is neither a preset nor a kind of noise.",
                hint=METHOD_HINT,
            )
    # Presets and kinds of noise share no name, so the order behind the strokes does not matter.
    fields = [field_of_word[word] for word in words]
    if len(set(fields)) < len(fields):
        raise InputError(f"{text!r} names two presets, or two kinds of noise.", hint=METHOD_HINT)
    return Settings(method=name, **{field_of_word[word]: word for word in words}, **options)


def compared(
    twin: TwinSettings,
    methods: Sequence[str],
    seeds: Sequence[int],
    *,
    discrepancy: float = DISCREPANCY,
    as_given: bool = True,
    jobs: int = 1,
) -> dict[str, dict[str, Any]]:
    """Every score of every method, over twins that differ in their seed only.

    Args:
        twin: Settings of the twins, but for their seed.
        methods: Methods in words, as for `chosen`.
        seeds: One twin for each.
        discrepancy: Standard deviation by which the heat equation itself may be wrong [K/h].
        as_given: Whether methods know the constants of the twin and trust the equation, so that
            they alone are compared; else both are in doubt, as they are in an assessment.
        jobs: Processes side by side, each with twins of its own.

    Returns:
        By method and score: the mean and standard deviation over the twins, and every value.
    """
    if not methods or not seeds:
        raise InputError("There is nothing to compare.", hint="give a method and a seed.")
    # All methods are looked up before the first twin is made: a misspelt one ends at once.
    settings = {text: chosen(text, discrepancy=discrepancy, as_given=as_given) for text in methods}
    twins = [replace(twin, seed=seed) for seed in seeds]
    rows = list(side_by_side(_scores, ((each, settings) for each in twins), jobs=jobs))
    return {text: mean_and_std([row[text] for row in rows]) for text in methods}


def _scores(twin: TwinSettings, settings: dict[str, Settings]) -> dict[str, Scores]:
    """The scores of every method on one twin, which is made here once for all of them."""
    twin_record = make_twin(twin)
    truth = truth_from(twin_record.truth)
    return {
        text: scored(assess(twin_record.profile, twin_record.nameplate, choice), truth)
        for text, choice in settings.items()
    }


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

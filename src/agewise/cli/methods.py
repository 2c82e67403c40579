"""`agewise methods`: what can be chosen, one honest line each."""

import typer


def methods() -> None:
    """List the methods: for the oil of a transformer, and for any equation."""
    from agewise.assessment.oil.methods import SUMMARIES
    from agewise.engine.equations.methods.registry import METHODS

    typer.echo("For the oil of a transformer (agewise assess --method ...):")
    _print(SUMMARIES)
    typer.echo("\nFor any equation (agewise.fit(problem, method=...)):")
    _print({name: method.summary for name, method in METHODS.items()})


def _print(summaries: dict[str, str]) -> None:
    width = max(map(len, summaries))
    for name, summary in summaries.items():
        typer.echo(f"  {name:<{width}}  {summary}")

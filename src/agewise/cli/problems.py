"""`agewise problems`: the library of known problems, for whoever tries a method or an equation."""

from typing import TYPE_CHECKING, Annotated

from typer import Argument

from agewise.cli.console import answer

if TYPE_CHECKING:
    from agewise.engine.problems import AbstractProblem


def problems(
    name: Annotated[
        str | None, Argument(help="Problem to be shown in full; all are listed if left out.")
    ] = None,
) -> None:
    """List the known problems, or show one with its readings, truth and published figures."""
    from agewise.errors import InputError
    from agewise.library import ABOUT, PROBLEMS

    if name is None:
        for problem_name, about in ABOUT.items():
            sought = f"unknown {about.unknown}; noisy: {about.noisy}"
            lines = problem_name, about.summary, about.equation, sought, f"source: {about.source}"
            print("\n  ".join(lines), end="\n\n")
        return
    if name not in PROBLEMS:
        raise InputError(
            f"There is no problem {name!r}.", hint=f"choose from {', '.join(PROBLEMS)}."
        )
    problem, about = PROBLEMS[name](), ABOUT[name]
    rows = {"problem": name, "in words": about.summary, "equation": about.equation}
    rows |= {"source": about.source, "unknown": about.unknown}
    answer(rows | _statement(problem) | _readings(problem) | _truth(problem))


def _statement(problem: "AbstractProblem") -> dict[str, str]:
    """The box, what is known of the constants, and how nearly the residuals vanish."""
    axes = problem.coordinates().items()
    rows = {
        "coordinates": ", ".join(f"{name} from {low:g} to {high:g}" for name, (low, high) in axes)
    }
    if problem.periodic():
        rows["periodic"] = ", ".join(problem.periodic())
    for constant, prior in problem.constants().items():
        rows[f"prior of {constant}"] = f"{type(prior).__name__}{_numbers(prior)}"
    scales = problem.scales().items()
    vanish = [f"{name} ({f'to {scale:g}' if scale else 'exact'})" for name, scale in scales]
    return rows | ({"residuals": ", ".join(vanish)} if vanish else {})


def _numbers(prior: object) -> str:
    """The numbers of a distribution, as `(mean 0.5, std 1)`."""
    return f"({', '.join(f'{name} {value:g}' for name, value in vars(prior).items())})"


def _readings(problem: "AbstractProblem") -> dict[str, str]:
    """What is read: how many values, of what, and whether the noise is told."""
    rows = {}
    for sensor, read in problem.observations().items():
        what = "the function" if read.quantity is None else read.quantity.__name__.replace("_", " ")
        noise = "noise to be learned" if read.std is None else f"noise {float(read.std[0]):g}"
        rows[f"readings of {sensor}"] = f"{len(read.values)} of {what}, {noise}"
    return rows


def _truth(problem: "AbstractProblem") -> dict[str, str]:
    """What is known of the solution, and what others reported."""
    from agewise.library.known import AbstractKnownProblem

    if not isinstance(problem, AbstractKnownProblem):
        return {"truth": "from the twin that it is made of"}
    way = "from a solver" if problem.solution() is None else "in closed form"
    rows = {"truth": f"{way}, by `reference(points)`"}
    rows |= {f"true {name}": f"{value:g}" for name, value in problem.true_constants().items()}
    for number, figure in enumerate(problem.PUBLISHED, start=1):
        doubt = "" if figure.std is None else f" ± {figure.std:g}"
        published = f"{figure.quantity}: {figure.value:g}{doubt}"
        rows[f"published {number}"] = f"{published} by {figure.method} ({figure.source})"
    return rows

"""One rule for all that commands write: no input, no finished run and no file unasked."""

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from agewise.errors import InputError
from agewise.files import same_file

Overwrite = Annotated[bool, Option("--overwrite", help="Replace output files that exist.")]


def writes(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that guards the files that a command writes, given by these parameters.

    Every other path that the command is given is an input. The command gets the option
    `--overwrite`.
    """

    def guarded(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def guarded_command(*, overwrite: bool, **given: Any) -> None:
            outputs = [given[name] for name in names if given[name] is not None]
            refuse_taken(outputs, inputs=_inputs(given, names), overwrite=overwrite)
            command(**given)

        # Typer makes flags and arguments from a signature, so the new function needs one that
        # lists the command's own parameters and the option.
        own = inspect.signature(command).parameters.values()
        option = inspect.Parameter(
            "overwrite", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Overwrite
        )
        parameters = [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own), option]
        # Typer reads both: defaults from the signature, types from the annotations.
        guarded_command.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
        guarded_command.__annotations__ = {p.name: p.annotation for p in parameters}
        return guarded_command

    return guarded


def refuse_taken(
    outputs: Sequence[Path], *, inputs: Sequence[Path] = (), overwrite: bool = False
) -> None:
    """Refuse outputs that would destroy something, before any work is done.

    Args:
        outputs: The files that a command is about to write.
        inputs: The files that it reads, which it never replaces.
        overwrite: Whether files that exist may be replaced.
    """
    # Two outputs in one file: the second would replace the first without a word.
    for first, second in combinations(outputs, 2):
        if same_file(first, second):
            raise InputError(
                f"{first} and {second} are the same file.",
                hint="choose another path for one of them.",
            )
    for output in outputs:
        refuse_inside_run(output)
        if any(given.exists() and same_file(output, given) for given in inputs):
            raise InputError(
                f"{output} is an input, and would be overwritten.", hint="choose another path."
            )
        # Read again, a folder would have the output among its files.
        if any(given.is_dir() and same_file(output.resolve().parent, given) for given in inputs):
            raise InputError(
                f"{output} lies in a folder that is read as a whole.",
                hint="choose a path outside it.",
            )
        if output.is_dir():
            raise InputError(
                f"{output} is a folder, but a file is to be written.", hint="name a file in it."
            )
        # A link that leads nowhere does not exist, but would be replaced too.
        if (output.exists() or output.is_symlink()) and not overwrite:
            raise InputError(
                f"{output} exists already.",
                hint="choose another path, or add `overwrite=True` to replace it.",
            )


def refuse_inside_run(output: Path) -> None:
    """Refuse to write into the folder of a finished run, which is sealed."""
    from agewise.store.run import MANIFEST

    for folder in output.resolve().parents:
        manifest = folder / MANIFEST
        # Other programs have files of that name; only ours is sealed.
        if manifest.is_file() and '"seal"' in manifest.read_text("utf-8", errors="replace"):
            raise InputError(
                f"{output} lies in the finished run {folder}, which is left as it was made.",
                hint="choose a path outside it.",
            )


def _inputs(given: dict[str, Any], outputs: Sequence[str]) -> list[Path]:
    """Every path that a command reads, also those of which it is given several."""
    named = [value for name, value in given.items() if name not in outputs]
    several = [each for value in named if isinstance(value, list) for each in value]
    return [path for path in (*named, *several) if isinstance(path, Path)]

"""The one error that a user can mend: what was given, and what to do about it."""

from functools import partial


class InputError(ValueError):
    """Something the user gave cannot be used: one sentence, and a hint that says what to do.

    Both name arguments as Python writes them, in backticks: `resume=True`, `directory`. The command
    line writes these as its own flags.

    Args:
        sentence: What was given and why it cannot be used.
        hint: What to do about it.

    Examples:
        >>> import agewise
        >>> try:
        ...     agewise.read_nameplate("nowhere.toml")
        ... except agewise.InputError as error:
        ...     print(error.sentence, "Hint:", error.hint)
        There is no file nowhere.toml. Hint: check the path.
    """

    def __init__(self, sentence: str, *, hint: str):
        super().__init__(sentence)
        self.add_note(f"hint: {hint}")  # below the error in a traceback
        self.sentence = sentence
        self.hint = hint

    def __reduce__(self):
        # Processes side by side hand their errors over as bytes; an exception is made anew from
        # its positional arguments, and `hint` is none of them.
        return partial(type(self), hint=self.hint), (self.sentence,)

"""Known problems, one a file, all of them in `registry`; `known` is what they share."""

from agewise.library.registry import ABOUT, CLASSES, KNOWN, PROBLEMS

__all__ = ["ABOUT", "CLASSES", "KNOWN", "PROBLEMS"]

"""A part of a page that a script writes, between two marks; shared by the scripts beside it."""

from pathlib import Path

END = "<!-- end -->"
"""What stands behind such a part."""


def write_between_marks(page: Path, mark: str, text: str) -> None:
    """Put a text in the place of what stands between `<!-- mark -->` and the next end."""
    before, begin, rest = page.read_text("utf-8").partition(f"<!-- {mark} -->\n")
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{page} has no part {mark!r}.")
    page.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", "utf-8")

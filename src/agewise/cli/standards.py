"""What commands say of the two loading guides, and the flag that chooses between them."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeVar

from typer import Option

Number = TypeVar("Number", bound=float | None)

StandardOption = Annotated[
    Literal["iec", "ieee"] | None,
    Option(help="IEC 60076-7 or IEEE C57.91, clause 7; as the nameplate says if left out."),
]
"""Option for the loading guide that winding, ageing and life follow."""


def by_standards(iec: Number, ieee: Number | None, words: Callable[[Number], str]) -> str:
    """What both guides give as if everything were exact, IEEE's where it can be asked."""
    beside = "" if ieee is None else f", IEEE C57.91 {words(ieee)}"
    return f"IEC 60076-7 gives {words(iec)}{beside}"

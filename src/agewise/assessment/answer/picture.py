"""A figure of an answer that a notebook shows by itself."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agewise.files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """A figure of the report: a notebook shows it, `save` writes it, `figure` can be changed.

    Examples:
        >>> import agewise
        >>> files = "demo/profile.csv", "demo/nameplate.toml"
        >>> fitted = agewise.assess(*files, method="line", quick=True)
        >>> picture = agewise.conclusion(fitted).plot("heights")
        >>> picture
        <Picture heights: Oil from bottom to top>
        >>> picture.save("heights.png")
    """

    name: str
    """Name of the figure in a report, such as `temperatures`."""
    title: str
    """Heading that it has there."""
    caption: str
    """Text that says how to read it."""
    figure: "Figure"
    """The figure of matplotlib."""
    png: bytes
    """The figure as a PNG file, as it was drawn."""

    def save(self, path: str | Path) -> None:
        """Write the PNG."""
        with replacing(Path(path)) as temporary:
            temporary.write_bytes(self.png)

    def __repr__(self) -> str:
        return f"<Picture {self.name}: {self.title}>"

    def _repr_png_(self) -> bytes:
        """What a notebook shows."""
        return self.png

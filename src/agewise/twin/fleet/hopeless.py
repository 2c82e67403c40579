"""Files of which nobody can make anything: they must be refused, and stop nobody else."""

from collections.abc import Callable
from pathlib import Path

PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256))
"""The beginning of a picture, saved under the name of a table."""


def _empty(folder: Path) -> None:
    (folder / "profile.csv").write_bytes(b"")


def _picture(folder: Path) -> None:
    (folder / "profile.csv").write_bytes(PICTURE)


def _words(folder: Path) -> None:
    """Every reading is the logger's word for none."""
    header, *rows = (folder / "profile.csv").read_text("utf-8").splitlines()
    times = (row.split(",")[0] for row in rows)
    lines = [header, *(f"{time},Bad,Bad,Bad" for time in times)]
    (folder / "profile.csv").write_text("\n".join(lines) + "\n", "utf-8")


def _without_load(folder: Path) -> None:
    rows = (folder / "profile.csv").read_text("utf-8").splitlines()
    cells = (row.split(",") for row in rows)
    text = "".join(f"{time},{air},{oil}\n" for time, _, air, oil in cells)
    (folder / "profile.csv").write_text(text, "utf-8")


def _without_zone(folder: Path) -> None:
    """Local times of no zone: nobody can tell at which hour the load had its peak."""
    header, *rows = (folder / "profile.csv").read_text("utf-8").splitlines()
    cells = (row.split(",", 1) for row in rows)
    lines = [header, *(f"{time[:19]},{rest}" for time, rest in cells)]
    (folder / "profile.csv").write_text("\n".join(lines) + "\n", "utf-8")


def _without_losses(folder: Path) -> None:
    lines = (folder / "nameplate.toml").read_text("utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("load_losses_w")]
    (folder / "nameplate.toml").write_text("\n".join(kept) + "\n", "utf-8")


def _without_nameplate(folder: Path) -> None:
    (folder / "nameplate.toml").unlink()


HOPELESS: dict[str, Callable[[Path], None]] = {
    "the profile is empty": _empty,
    "the profile is a picture": _picture,
    "the profile holds no numbers": _words,
    "the profile has no load": _without_load,
    "the times have no zone": _without_zone,
    "the nameplate lacks the load losses": _without_losses,
    "there is no nameplate": _without_nameplate,
}
"""What is done to the files of a unit in plain form, by what is wrong with them then."""

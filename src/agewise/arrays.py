"""Arrays by name in a file: an .npz that `numpy.load` reads, never a pickle."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from agewise.errors import InputError
from agewise.files import replacing


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write an .npz, there whole or not at all; equal arrays give equal bytes."""
    # Not numpy.savez, which takes an array named `file` for its own argument.
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz, by name."""
    try:
        with zipfile.ZipFile(path) as archive:
            if any(member.compress_type for member in archive.infolist()):
                # Ours are never compressed, and so never larger than their file.
                raise ValueError("compressed")
            content = {name: io.BytesIO(archive.read(name)) for name in archive.namelist()}
        read = np.lib.format.read_array
        return {n.removesuffix(".npy"): read(x, allow_pickle=False) for n, x in content.items()}
    except Exception as error:  # A damaged archive makes zipfile and numpy raise nearly anything.
        raise damaged(path, f"cannot be read as arrays ({type(error).__name__})") from None


def damaged(path: Path, state: str) -> InputError:
    """The error of a file that is not as we wrote it."""
    hint = "it is damaged, edited or of another version: delete its folder, make the run again."
    return InputError(f"{path} {state}.", hint=hint)

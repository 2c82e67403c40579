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
    # Not numpy.savez, which takes an array named `file` for its own argument. A member that is
    # opened by its name is dated 1980, so no clock enters the bytes.
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in arrays.items():
            # How large a member gets is not known yet, and above 2 GiB the short form would fail.
            with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz that `write_arrays` wrote, by name; an `InputError` for any other."""
    try:
        with zipfile.ZipFile(path) as archive:
            if any(member.compress_type for member in archive.infolist()):
                # Ours are never compressed, so none is larger than its file: a small archive that
                # would unpack to fill the memory is not opened at all.
                raise ValueError("compressed")
            content = {name: io.BytesIO(archive.read(name)) for name in archive.namelist()}
        read = np.lib.format.read_array
        return {n.removesuffix(".npy"): read(x, allow_pickle=False) for n, x in content.items()}
    except Exception as error:  # A damaged archive makes zipfile and numpy raise nearly anything.
        raise damaged(path, f"cannot be read as arrays ({type(error).__name__})") from None


def damaged(path: Path, state: str) -> InputError:
    """The error about a file of a run that is not as it was written.

    Args:
        path: The file.
        state: What is wrong with it, as the end of a sentence that begins with the path.
    """
    hint = "it is damaged, edited or of another version: delete its folder, make the run again."
    return InputError(f"{path} {state}.", hint=hint)

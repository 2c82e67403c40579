"""Arrays by name in a file: an .npz that `numpy.load` reads, never a pickle."""

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from agewise.errors import InputError
from agewise.files import replacing

MOST_PACKED = 8
"""Most bytes that one byte of a packed array may unpack to: a small file that would unpack to fill
the memory is not opened at all."""


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write an .npz, there whole or not at all; equal arrays give equal bytes."""
    # Not numpy.savez, which takes an array named `file` for its own argument.
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            # A member that is made by its name is dated 1980, so no clock enters the bytes.
            member = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(member, content.getvalue(), _packing(np.asarray(array)))


def _packing(array: np.ndarray) -> int:
    """How an array is kept in an archive: only single bytes are worth the time to pack them."""
    if array.dtype != np.uint8:
        return zipfile.ZIP_STORED
    packed = len(zlib.compress(array.tobytes()))
    return zipfile.ZIP_DEFLATED if array.nbytes < MOST_PACKED * packed else zipfile.ZIP_STORED


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz that `write_arrays` wrote, by name; an `InputError` for any other."""
    try:
        with zipfile.ZipFile(path) as archive:
            # A member is never unpacked beyond the size that its archive declares.
            if any(m.file_size > MOST_PACKED * m.compress_size for m in archive.infolist()):
                raise ValueError("packed")
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

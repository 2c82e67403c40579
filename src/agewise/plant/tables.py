"""Tables in files: CSV (plain or gzipped) and Parquet, read strictly and written whole."""

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet

from agewise.errors import InputError
from agewise.files import replacing

PARQUET_SUFFIXES = (".parquet", ".pq")
"""Endings of file names that mean Parquet; all others mean CSV."""
MOST_CELLS = 200_000_000
"""Most cells of a Parquet file that is read: a year of seconds in six columns, 1.6 GB."""
NANOSECONDS = 1_000_000_000
"""Nanoseconds of a second."""
SEMICOLONS = "it is separated by semicolons; export it with commas and decimal points."


def read_table(path: Path, *, text_columns: tuple[str, ...] = ()) -> pd.DataFrame:
    """The table in a file in our own format, CSV or Parquet by its suffix.

    Args:
        path: The file; a CSV may be gzipped.
        text_columns: Columns of a CSV that are kept as they are written there, such as the time.
    """
    if not path.is_file():
        raise InputError(f"There is no file {path}.", hint="check the path.")
    if path.stat().st_size == 0:
        raise InputError(
            f"{path} is empty (0 bytes).", hint="export it again; was the disk full, or a copy cut?"
        )
    return _frame(path, text_columns, parquet=path.suffix.lower() in PARQUET_SUFFIXES)


def read_parquet(path: Path) -> pd.DataFrame:
    """The table in a Parquet file, whatever its suffix."""
    return _frame(path, (), parquet=True)


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write a frame as CSV or Parquet, by the suffix; time stamps keep their zone."""
    with replacing(path) as temporary:
        if path.suffix.lower() in PARQUET_SUFFIXES:
            table = pa.Table.from_pandas(frame, preserve_index=False)
            pa_parquet.write_table(table, temporary, compression="zstd")
        else:
            options = pa_csv.WriteOptions(quoting_style="none", quoting_header="none")
            table = pa.Table.from_pandas(_text_times(frame), preserve_index=False)
            with pa.output_stream(str(temporary), compression="detect") as stream:
                pa_csv.write_csv(table, stream, options)


def _frame(path: Path, text_columns: tuple[str, ...], *, parquet: bool) -> pd.DataFrame:
    try:
        table = _read_parquet(path) if parquet else _read_csv(path, text_columns)
        _refuse_repeated_names(table.column_names, path)
        # Without the metadata: an index that pandas stored would take the place of a column.
        return table.to_pandas(ignore_metadata=True)
    except InputError:  # it is a ValueError too, and has its sentence already
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        complaint = _plain_text(error)
        raise InputError(
            f"{path} cannot be read as a table: {complaint}.",
            hint=SEMICOLONS
            if ";" in complaint
            else "it should be a comma-separated file with one header line, or Parquet.",
        ) from None


def _refuse_repeated_names(names: list[str], path: Path) -> None:
    repeated = sorted(name for name, count in Counter(names).items() if count > 1)
    if repeated:
        raise InputError(
            f"{path} has more than one column named {repeated[0]!r}.",
            hint="rename or remove one of them.",
        )


def _read_parquet(path: Path) -> pa.Table:
    """The table of a Parquet file, unless its few bytes stand for more cells than fit in memory."""
    with pa_parquet.ParquetFile(path) as file:
        cells = file.metadata.num_rows * file.metadata.num_columns
        if cells > MOST_CELLS:
            raise InputError(
                f"{path} holds {cells:.2g} cells, more than the {MOST_CELLS:.2g} that are read.",
                hint="write the columns and the years that are needed to another file.",
            )
        return file.read()


def _read_csv(path: Path, text_columns: tuple[str, ...]) -> pa.Table:
    # Empty text stays empty text: a time that is missing is then named as it stands in the file.
    convert = pa_csv.ConvertOptions(
        column_types={name: pa.string() for name in text_columns}, strings_can_be_null=False
    )
    with pa.input_stream(str(path), compression="detect") as stream:
        return pa_csv.read_csv(stream, convert_options=convert)


def _text_times(frame: pd.DataFrame) -> pd.DataFrame:
    """The same table with zoned times as ISO 8601; Arrow writes no T, and no colon in offsets."""
    zoned = [str(name) for name in frame if isinstance(frame[name].dtype, pd.DatetimeTZDtype)]
    return frame.assign(**{name: iso_text(pd.DatetimeIndex(frame[name])) for name in zoned})


def iso_text(times: pd.DatetimeIndex) -> pd.Series:
    """ISO 8601 with the offset of the zone at each instant, to the microsecond where needed."""
    # One format for the whole column, so that all its labels have the same length.
    full_seconds = bool((times.as_unit("ns").asi8 % NANOSECONDS == 0).all())
    local = times.tz_localize(None)
    # NumPy writes a column twenty times as fast as `strftime`, but knows no zones.
    text = np.datetime_as_string(local.to_numpy(), unit="s" if full_seconds else "us")
    offsets, place = np.unique(
        (local.as_unit("ns").asi8 - times.as_unit("ns").asi8) // NANOSECONDS, return_inverse=True
    )
    zoned = np.char.add(text, np.array([_offset(int(offset)) for offset in offsets])[place])
    return pd.Series(zoned.tolist()).where(np.asarray(times.notna()))


def _offset(seconds: int) -> str:
    """Offset of a zone from UTC as ISO 8601 has it, such as +02:00."""
    minutes, rest = divmod(abs(seconds), 60)
    text = f"{'-' if seconds < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{text}:{rest:02d}" if rest else text  # local mean times of the nineteenth century


def _plain_text(error: Exception) -> str:
    """The message of an error of a library, in one line of printable characters."""
    text = "".join(letter if " " <= letter <= "~" else "?" for letter in str(error))
    return text[:160].rstrip(". ")

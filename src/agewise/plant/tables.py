"""Tables in files: CSV (plain or gzipped) and Parquet, read strictly and written whole."""

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pa_parquet

from agewise.errors import InputError
from agewise.files import replacing

PARQUET_SUFFIXES = (".parquet", ".pq")
SEMICOLONS = "it is separated by semicolons; export it with commas and decimal points."


def read_table(path: Path, *, text_columns: tuple[str, ...] = ()) -> pd.DataFrame:
    """The table in a file; `text_columns` of a CSV are kept as they are written there."""
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
            pa_parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), temporary)
        else:
            options = pa_csv.WriteOptions(quoting_style="none", quoting_header="none")
            table = pa.Table.from_pandas(_text_times(frame), preserve_index=False)
            with pa.output_stream(str(temporary), compression="detect") as stream:
                pa_csv.write_csv(table, stream, options)


def _frame(path: Path, text_columns: tuple[str, ...], *, parquet: bool) -> pd.DataFrame:
    try:
        table = pa_parquet.read_table(path) if parquet else _read_csv(path, text_columns)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OSError, UnicodeDecodeError) as error:
        told = _plain_text(error)
        raise InputError(
            f"{path} cannot be read as a table: {told}.",
            hint=SEMICOLONS
            if ";" in told
            else "it should be a comma-separated file with one header line, or Parquet.",
        ) from None
    duplicated = {name for name in table.column_names if table.column_names.count(name) > 1}
    if duplicated:
        raise InputError(
            f"{path} has more than one column named {sorted(duplicated)[0]!r}.",
            hint="rename or remove one of them.",
        )
    return table.to_pandas(ignore_metadata=True)


def _read_csv(path: Path, text_columns: tuple[str, ...]) -> pa.Table:
    convert = pa_csv.ConvertOptions(
        column_types={name: pa.string() for name in text_columns}, strings_can_be_null=False
    )
    with pa.input_stream(str(path), compression="detect") as stream:
        return pa_csv.read_csv(stream, convert_options=convert)


def _text_times(frame: pd.DataFrame) -> pd.DataFrame:
    zoned = [str(name) for name in frame if isinstance(frame[name].dtype, pd.DatetimeTZDtype)]
    return frame.assign(**{name: iso_text(pd.DatetimeIndex(frame[name])) for name in zoned})


def iso_text(times: pd.DatetimeIndex) -> pd.Series:
    """ISO 8601 with the offset of the zone at each instant, to the microsecond where needed."""
    whole = bool((times.as_unit("ns").asi8 % 1_000_000_000 == 0).all())
    text = pd.Series(times.strftime("%Y-%m-%dT%H:%M:%S" + ("%z" if whole else ".%f%z")))
    return text.str.slice(0, -2) + ":" + text.str.slice(-2)


def _plain_text(error: Exception) -> str:
    """What a library says, in one line of printable characters."""
    text = "".join(letter if " " <= letter <= "~" else "?" for letter in str(error))
    return text[:160].rstrip(". ")

"""Files made to exhaust a reader, and nonsense of every kind, end in one sentence."""

import gzip
import io
import zipfile
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pa_parquet
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agewise.errors import InputError
from agewise.plant import tables
from agewise.plant.nameplate_file import nameplate_from, read_nameplate
from agewise.quality.thresholds import Thresholds
from agewise.reading.options import Reading, reading_file
from agewise.reading.profile_file import read_profile
from agewise.reading.table import encoding, workbook
from agewise.reading.table.encoding import utf8

CSV = "time,load,ambient\n" + "".join(
    f"2025-06-12T00:{n:02}:00Z,0.5,2{n % 7}.{n % 10}\n" for n in range(60)
)
PLATE = "rated_power_kva = 1100\nno_load_losses_w = 842\nload_losses_w = 9800\n"


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_profile(path)
    assert caught.value.hint
    assert "\n" not in caught.value.sentence
    return caught.value.sentence


def test_a_gzip_bomb_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(encoding, "MOST_UNPACKED", 1_000_000)
    bomb = tmp_path / "profile.csv.gz"
    bomb.write_bytes(gzip.compress(CSV.encode() + b"\n" * 3_000_000))
    assert bomb.stat().st_size < 5_000
    assert "holds more than 1 MB" in refusal(bomb)


def test_an_excel_bomb_is_refused_by_the_sizes_that_it_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(workbook, "MOST_UNPACKED", 1_000_000)
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 3_000_000)
    assert "is packed and holds more" in refusal(tmp_path / "bomb.xlsx")


def test_one_cell_in_the_last_corner_of_a_sheet_does_not_make_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(workbook, "MOST_CELLS", 100_000)
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"], book.active["B1"] = "time", "load"
    book.active["XFD1048576"] = 1.0
    book.save(tmp_path / "corner.xlsx")
    assert "million cells in one sheet" in refusal(tmp_path / "corner.xlsx")


def test_a_parquet_bomb_is_refused_by_its_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Equal values take no space, so that the size of the file says nothing."""
    path = tmp_path / "bomb.parquet"
    columns = {"time": range(60), "load": [0.5] * 60, "ambient": [20.0] * 60}
    pa_parquet.write_table(pa.table({name: list(values) for name, values in columns.items()}), path)
    assert read_profile(path).load.size == 60
    monkeypatch.setattr(tables, "MOST_CELLS", 179)
    assert "holds 1.8e+02 cells, more than" in refusal(path)


def test_archives_of_another_kind_are_no_workbooks(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "photos.xlsx", "w") as archive:
        archive.writestr("photo.txt", "no workbook")
    assert "cannot be read as an Excel file" in refusal(tmp_path / "photos.xlsx")


@pytest.mark.parametrize("columns", [3, 3_000])
def test_columns_without_end_are_read_or_refused_in_time(tmp_path: Path, columns: int):
    names = ",".join(f"x{n}" for n in range(columns))
    rows = [line.partition(",") for line in CSV.splitlines()]
    wide = [f"{time},{rest},{names}" for time, _, rest in rows[:4]]
    (tmp_path / "wide.csv").write_text("\n".join(wide) + "\n")
    assert len(read_profile(tmp_path / "wide.csv").ignored) == columns


@pytest.mark.parametrize("junk", [b"\0", b"\0" * 1000, b"\x1b[31m"])
@pytest.mark.parametrize("place", [0, 300])
def test_bytes_that_are_no_text_are_refused(tmp_path: Path, junk: bytes, place: int):
    data = CSV.encode()
    (tmp_path / "nul.csv").write_bytes(data[:place] + junk + data[place:])
    assert "not text" in refusal(tmp_path / "nul.csv")


@pytest.mark.parametrize(
    ("header", "encoding"),
    [
        ("Время;Нагрузка;Температура воздуха;Верхнее масло", "cp1251"),
        ("Время;Нагрузка;Температура воздуха;Верхнее масло", "koi8-r"),
        ("时间;负载;环境温度;顶层油温", "gb18030"),
        ("時刻;負荷;周囲温度;最高油温", "cp932"),
        ("Zeitstempel;Auslastung (%);Außentemperatur [°C];Öltemperatur oben [°C]", "cp1252"),
        ("Fecha;Carga;Temperatura ambiente (ºC)", "cp1252"),
        ("time;load;ambient [°C]", "cp1252"),
    ],
)
def test_headers_in_other_scripts_and_in_windows_latin_are_read(header: str, encoding: str):
    rows = "".join(f"12.06.2025 08:{n:02};0,{50 + n};20,{n}\n" for n in range(60))
    text = f"{header}\n{rows}"
    assert utf8(text.encode(encoding), "file").decode() == text


@pytest.mark.parametrize(
    "opening", ["x = " + "[" * 50_000, "x = " + "{a=" * 50_000, "x" + ".x" * 9]
)
def test_nested_toml_is_refused(tmp_path: Path, opening: str):
    (tmp_path / "deep.toml").write_text(opening)
    for read in (read_nameplate, reading_file):
        with pytest.raises(InputError, match="not valid TOML"):
            read(tmp_path / "deep.toml")


def test_a_file_of_megabytes_is_no_nameplate(tmp_path: Path):
    (tmp_path / "large.toml").write_text("#" * 1_000_001)
    with pytest.raises(InputError, match="too large"):
        read_nameplate(tmp_path / "large.toml")


@pytest.mark.parametrize(
    "name", ["\\u001b[31mred", "two\\nlines", "\\u202eabc", "\\u0000", "\\u2028", "x" * 201]
)
def test_names_that_would_spoil_a_terminal_are_refused(name: str):
    with pytest.raises(InputError, match="field 'name' is") as caught:
        nameplate_from(f'name = "{name}"\n{PLATE}')
    assert caught.value.sentence.isprintable()
    assert len(caught.value.sentence) < 250


@pytest.mark.parametrize("name", ["Трансформатор 1", "變壓器", "کارخانه‌ها", "T1 (Nord) – 25 MVA"])
def test_names_in_any_script_are_kept(name: str):
    assert nameplate_from(f'name = "{name}"\n{PLATE}').name == name


@pytest.mark.parametrize("date", ["9999-12-31", "0001-01-01"])
def test_dates_of_no_transformer_are_refused(date: str):
    with pytest.raises(InputError, match=r"'history.commissioned' is .* between 1880 and 2200"):
        nameplate_from(f"{PLATE}[history]\ncommissioned = {date}\n")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 0.0])
def test_thresholds_are_finite_and_positive(value: float):
    with pytest.raises(InputError, match="stuck_min cannot be"):
        Thresholds.of({"stuck_min": value})


def test_times_beyond_what_can_be_counted_are_refused(tmp_path: Path):
    (tmp_path / "late.csv").write_text(CSV.replace("2025-06-12", "9999-12-31"))
    assert "is not a time" in refusal(tmp_path / "late.csv")


@pytest.mark.parametrize("days", [2, 14, 365])
def test_rows_days_apart_are_refused(tmp_path: Path, days: int):
    rows = [f"{1440 * days * n},0.5,{20 + n % 7}" for n in range(60)]
    (tmp_path / "rare.csv").write_text("\n".join(["time,load,ambient", *rows]) + "\n")
    assert f"{days} days apart" in refusal(tmp_path / "rare.csv")


@pytest.mark.parametrize("rows", [3, 6, 12, 29, 31, 59])
def test_a_short_record_with_a_gap_is_read(tmp_path: Path, rows: int):
    head, *cells = CSV.splitlines()[: rows + 1]
    later = [cell.replace("T00:", "T01:") for cell in cells[rows // 2 :]]
    (tmp_path / "short.csv").write_text("\n".join([head, *cells[: rows // 2], *later]) + "\n")
    profile = read_profile(tmp_path / "short.csv")
    assert any(each.kind == "gap" for each in profile.findings)


def read_or_refused(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    try:
        read_profile(path, Reading(timezone="Europe/Madrid"))
    except InputError as error:
        assert error.hint
        assert "\n" not in error.sentence


CELLS = st.one_of(
    st.sampled_from(
        ["", "0", "1e400", "-1e-400", "nan", "9999-12-31", "24:00", '"', "'", "#", "=1"]
    ),
    st.integers(-(10**20), 10**20).map(str),
    st.floats().map(str),
    st.datetimes().map(str),
    st.text(max_size=5),
)
HEADS = st.sampled_from(
    [
        *(
            "time",
            "load",
            "ambient",
            "top_oil",
            "Date",
            "Time",
            "load [A]",
            "T [K]",
            "Tag",
            "Value",
        ),
        *("Unit", "IL1", "IL2", "IL3", "P [MW]", "Q [Mvar]", "I_HV", "I_MV"),
    ]
)


@given(
    st.lists(HEADS, min_size=2, max_size=5),
    st.lists(st.lists(CELLS, min_size=2, max_size=5), max_size=8),
    st.sampled_from([",", ";", "\t", "|"]),
)
@example(["time", "load", "ambient"], [["0", "0", "0"], ["1e300", "0", "0"]], ",")
@settings(max_examples=150)
def test_no_table_ends_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, head: list[str], rows: list[list[str]], sign: str
):
    lines = [sign.join(cells) for cells in [head, *rows]]
    folder = tmp_path_factory.getbasetemp()
    read_or_refused(folder / "fuzz.csv", "\n".join(lines).encode("utf-8", "replace"))


def workbook_bytes() -> bytes:
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    assert book.active is not None
    for line in CSV.splitlines()[:8]:
        book.active.append(line.split(","))
    book.save(buffer)
    return buffer.getvalue()


def parquet_bytes() -> bytes:
    buffer = io.BytesIO()
    columns = {"time": list(range(8)), "load": [0.5] * 8, "ambient": [20.0] * 8}
    pa_parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


PACKED = {
    "book.xlsx": workbook_bytes(),
    "table.parquet": parquet_bytes(),
    "table.csv.gz": gzip.compress(CSV.encode()),
}


@given(st.sampled_from(sorted(PACKED)), st.data())
@settings(max_examples=150)
def test_no_damaged_file_ends_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
):
    content = bytearray(PACKED[name])
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(5, len(content)))
    read_or_refused(tmp_path_factory.getbasetemp() / name, bytes(content[:cut]))


TOML = st.recursive(
    st.one_of(
        st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.dates(), st.datetimes()
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
FIELDS = ["name", "rated_power_kva", "no_load_losses_w", "cooling", "oil", "winding", "tank", "x"]


@given(st.dictionaries(st.sampled_from(FIELDS), TOML, min_size=1, max_size=3))
@settings(max_examples=150)
def test_no_nameplate_ends_in_a_traceback(fields: dict):
    import tomli_w

    try:
        text = tomli_w.dumps({"load_losses_w": 9800.0, **fields})
    except (TypeError, ValueError):  # what TOML cannot hold
        return
    try:
        nameplate_from(text)
    except InputError as error:
        assert error.hint
        assert "\n" not in error.sentence

"""What can go wrong in a file: strategies that spoil a clean one."""

import datetime

from corruption import Table
from hypothesis import strategies as st

WORDS = st.sampled_from(
    ["", "NaN", "nan", "NULL", "Bad", "--", "inf", "-inf", "1e999", "abc", "?", "on", "TRUE", "°C"]
)
WILD = st.sampled_from(
    [-1e30, -9999.0, -999.0, -127.0, -40.0, -1.0, 0.0, 1e-300, 85.0, 100.0, 999.9, 32767.0, 1e9]
)

BRIEF = 36
"""rows, 3 h: a thermometer that is off for longer is found in records of two days"""


@st.composite
def spoiled_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    place = draw(st.integers(0, len(data) - 1))
    kind = draw(st.sampled_from(["flip", "cut", "begin", "junk", "lost", "encoding", "ends"]))
    if kind == "flip":
        changed = bytearray(data)
        for _ in range(draw(st.integers(1, 5))):
            changed[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
        return bytes(changed)
    if kind == "cut":
        return data[:place]
    if kind == "begin":
        return data[place:]
    if kind == "junk":
        return data[:place] + draw(st.binary(min_size=1, max_size=40)) + data[place:]
    if kind == "lost":
        return data[:place] + data[place + draw(st.integers(1, 2000)) :]
    if kind == "ends":
        return data.replace(b"\n", draw(st.sampled_from([b"\r", b"\r\n", b"\n\n", b"\0", b" "])))
    codec = draw(st.sampled_from(["utf-16", "utf-16-be", "utf-8-sig", "utf-32", "cp500", "utf-7"]))
    return data.decode().encode(codec)


@st.composite
def spoiled_cell(draw: st.DrawFn, cell: str) -> str:
    kind = draw(
        st.sampled_from(["word", "wild", "comma", "unit", "shifted", "near", "text", "sign"])
    )
    if kind == "word":
        return draw(WORDS)
    if kind == "wild":
        return str(draw(WILD))
    if kind == "comma":
        return f'"{cell.replace(".", ",")}"'
    if kind == "unit":
        return cell + draw(st.sampled_from([" °C", "A", " %", " p.u.", "C", "K"]))
    if kind == "text":
        return draw(st.text(st.characters(exclude_characters=',"\n\r'), max_size=8))
    if kind == "sign":
        return f"-{cell}"
    number = float(cell)
    if kind == "shifted":
        return f"{number * 10.0 ** draw(st.sampled_from([-3, -2, -1, 1, 2, 3])):.6g}"
    return f"{number + draw(st.floats(-3, 3)) * (0.02 if number < 2 else 1):.4f}"


@st.composite
def spoiled_rows(draw: st.DrawFn, table: Table) -> Table:
    header, rows = table[0], table[1:]
    first, count = draw(st.integers(0, len(rows) - 1)), draw(st.integers(1, 100))
    before, block, behind = rows[:first], rows[first : first + count], rows[first + count :]
    kind = draw(
        st.sampled_from(
            [
                "dropped",
                "doubled",
                "shuffled",
                "moved",
                "reversed",
                "pasted",
                "footer",
                "header",
                "off",
            ]
        )
    )
    if kind == "dropped":
        return [header, *before, *behind]
    if kind == "doubled":
        return [header, *before, *[row for row in block for _ in range(2)], *behind]
    if kind == "shuffled":
        return [header, *before, *draw(st.permutations(block)), *behind]
    if kind == "moved":
        return [header, *before, *behind, *block]
    if kind == "off":
        column, shift = draw(st.integers(2, 3)), draw(st.sampled_from([-30.0, -10.0, 10.0, 30.0]))
        spoiled = [[*row] for row in block[:BRIEF]]
        for row in spoiled:
            row[column] = f"{float(row[column]) + shift:.4f}"
        return [header, *before, *spoiled, *block[BRIEF:], *behind]
    if kind == "reversed":
        return [header, *before, *block[::-1], *behind]
    if kind == "pasted":
        return [header, *before, *block, *block, *behind]
    if kind == "header":
        return [header, *before, header, *block, *behind]
    total = draw(st.sampled_from(["Total", "Mean", "", "END"]))
    return [header, *rows, [total, "123.4", "5000", "9000"]]


@st.composite
def spoiled_columns(draw: st.DrawFn, table: Table) -> Table:
    kind = draw(st.sampled_from(["renamed", "dropped", "swapped", "doubled", "extra", "moved"]))
    one, other = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    names = ["Load", "I", "load [A]", "T", "ambient", "Top Oil", "time", "", "TOT", "x", "oil@0.5"]
    if kind == "renamed":
        table[0][one] = draw(st.sampled_from(names))
    elif kind == "dropped":
        table = [row[:one] + row[one + 1 :] for row in table]
    elif kind == "swapped":
        for row in table[1:]:
            row[one], row[other] = row[other], row[one]
    elif kind == "doubled":
        table = [[*row, row[one]] for row in table]
        table[0][-1] = draw(st.sampled_from([table[0][one], *names]))
    elif kind == "extra":
        cell = draw(st.sampled_from(["", "0", "ok", "20", "2025-01-01"]))
        table = [[*row[:one], cell, *row[one:]] for row in table]
        table[0][one] = draw(st.sampled_from(names))
    else:
        for row in table:
            row[one], row[other] = row[other], row[one]
    return table


NO_TIMES = ["", "abc", "1e300", "1e19", "-5", "99999999999", "2025-02-30T00:00:00Z", "24:00", "NaN"]


def moment(label: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(label)


@st.composite
def spoiled_times(draw: st.DrawFn, table: Table) -> Table:
    times = [moment(row[0]) for row in table[1:]]
    place, minutes = draw(st.integers(1, len(times) - 1)), draw(st.integers(-600, 600))
    step = datetime.timedelta(minutes=minutes)
    forms = ["%Y-%m-%d %H:%M", "%d/%m/%Y %H:%M", "%m/%d/%y %I:%M", "%H:%M", "%Y-%m-%d", "%s", "%j"]
    kind = draw(st.sampled_from(["zone", "form", "jump", "one", "count", "scaled", "back", "year"]))
    labels = [time.isoformat() for time in times]
    if kind == "zone":
        cut = draw(st.sampled_from([0, place]))
        labels = labels[:cut] + [label[:19] for label in labels[cut:]]
    elif kind == "form":
        form, cut = draw(st.sampled_from(forms)), draw(st.sampled_from([0, place]))
        labels = labels[:cut] + [time.strftime(form) for time in times[cut:]]
    elif kind == "jump":
        labels = labels[:place] + [(time + step).isoformat() for time in times[place:]]
    elif kind == "one":
        labels[place] = (times[place] + step).isoformat()
    elif kind == "count":
        unit = draw(st.sampled_from([1.0, 60.0, 3600.0, 60e3, 1 / 60, 1 / 1440]))
        numbers = [(time - times[0]).total_seconds() / 60 * unit for time in times]
        labels = [f"{number:.9g}" for number in numbers]
        table[0][0] = draw(st.sampled_from(["time", "time [s]", "time (min)", "t/h"]))
    elif kind == "scaled":
        factor = draw(st.sampled_from([1 / 60, 1 / 12, 12.0, 60.0]))
        labels = [(times[0] + (time - times[0]) * factor).isoformat() for time in times]
    elif kind == "back":
        labels = labels[::-1]
    else:
        labels = [time.replace(year=draw(st.integers(1, 9999))).isoformat() for time in times]
    if draw(st.booleans()):
        labels[place] = draw(st.sampled_from(NO_TIMES))
    return [table[0], *([label, *row[1:]] for label, row in zip(labels, table[1:], strict=True))]

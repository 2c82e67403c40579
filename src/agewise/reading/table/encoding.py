"""The encoding of a text table: bytes of any common encoding in, UTF-8 out.

UTF-8 and UTF-16 are recognised by their own structure. What remains is an old single-byte or
East-Asian encoding, which no structure tells apart. Western exports are taken for Windows' Latin:
with only a few letters beyond ASCII in a header, a statistical detector is mostly wrong (measured
with charset-normalizer: 1 of 5 German, French and Spanish headers, where Windows' Latin reads 5).
Other scripts show as runs of such letters, and there the detector is asked (11 of 14 right).
"""

import codecs
import gzip
import io
import re
import zlib

from agewise.errors import InputError

GZIP = b"\x1f\x8b"
"""How gzipped files begin."""
UTF16_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
"""Byte-order marks of UTF-16, and the encodings that they announce."""
CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r\f") + b"\x7f"
"""Control characters, which no table in text holds."""
SAMPLE = 4096
"""Bytes at the beginning by which UTF-16 without a mark is recognised."""
MOST_UNPACKED = 500_000_000
"""Most bytes that a packed file may hold: five years of minutes in twenty columns. A file made to
exhaust the memory (a "bomb") is a thousand times larger inside than outside."""
OTHER_SCRIPT = re.compile(rb"[\x80-\xff]{4}")
"""A word in a script other than Latin; accented letters of Latin scripts stand alone or in twos."""
FRAMES = re.compile("[\u2500-\u259f]")
"""Lines and blocks of which old screens drew frames; no name of a column has them."""
SCRIPT_SAMPLE = 1 << 16
"""Bytes by which the encoding of another script is detected: the header and the first rows."""


def unpacked(data: bytes, where: str) -> bytes:
    """What a gzipped file holds; other bytes as they are."""
    if not data.startswith(GZIP):
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            # One byte more than allowed is enough to know that the file is too large.
            content = stream.read(MOST_UNPACKED + 1)
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(
            f"{where} cannot be unpacked: {str(error).rstrip('.')}.",
            hint="the gzip file is cut or damaged; copy it again.",
        ) from None
    if len(content) > MOST_UNPACKED:
        raise too_large_inside(where)
    return content


def too_large_inside(where: str) -> InputError:
    """The refusal of a packed file that holds more than any record of a transformer."""
    return InputError(
        f"{where} is packed and holds more than {MOST_UNPACKED / 1e6:g} MB.",
        hint="unpack it and give the part that is needed, or save it as Parquet.",
    )


def utf8(data: bytes, where: str) -> bytes:
    """The same text in UTF-8 without a byte-order mark; bytes that are no text are refused."""
    encoding, data = _encoding(data, where)
    # A byte that the encoding does not know costs one letter of a name, not the file.
    plain = data if encoding == "utf-8" else data.decode(encoding, "replace").encode()
    plain = plain.rstrip(b"\x1a\0\r\n\t ") + b"\n"  # old loggers end a file with 0x1A
    if len(plain.translate(None, CONTROLS)) != len(plain):
        raise InputError(
            f"{where} cannot be read as a table: it holds bytes that are not text.",
            hint="give CSV, gzipped CSV, Parquet or Excel's .xlsx; is the file damaged?",
        )
    return plain


def _encoding(data: bytes, where: str) -> tuple[str, bytes]:
    """The encoding, and the bytes without their byte-order mark."""
    for mark, encoding in UTF16_MARKS.items():
        if data.startswith(mark):
            return _complete(encoding, data[len(mark) :], where)
    head = data[:SAMPLE]
    # Without a mark, UTF-16 of digits and Latin letters has a zero in every second byte; with more
    # zeros than that, a file is no text.
    for encoding, empty in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if len(head) > 3 and empty.count(0) > 0.9 * len(empty) and head.count(0) < 0.6 * len(head):
            return _complete(encoding, data, where)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # Broken at the very end only: UTF-8 that was cut. Broken elsewhere: not UTF-8 at all.
        if error.reason == "unexpected end of data" and error.start > len(data) - 4:
            _refuse_cut(where)
        return _other_script(data) or _latin(data), data
    return "utf-8", data


def _complete(encoding: str, data: bytes, where: str) -> tuple[str, bytes]:
    """Encoding and bytes of a UTF-16 text, refused when it ends within a letter."""
    if len(data) % 2:
        _refuse_cut(where)
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        _refuse_cut(where)
    return encoding, data


def _other_script(data: bytes) -> str | None:
    """The encoding of Cyrillic, Chinese, Japanese and the like; None for Latin scripts."""
    if OTHER_SCRIPT.search(data) is None:
        return None
    from charset_normalizer import from_bytes  # 0.1 s to import, for few files

    sample = data[:SCRIPT_SAMPLE]
    # Cut at a line: half a letter at the end would make the right encoding look wrong.
    complete_lines = sample[: sample.rfind(b"\n") + 1] or sample
    # Frames of old screens, as in `┬Ёхь ;═руЁєчър`, are letters that were read wrongly.
    likely = [match for match in from_bytes(complete_lines) if FRAMES.search(str(match)) is None]
    return likely[0].encoding if likely else None


def _latin(data: bytes) -> str:
    """Windows' Latin (cp1252), or ISO 8859-1 where a byte has no letter in the former."""
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"


def _refuse_cut(where: str) -> None:
    raise InputError(
        f"{where} cannot be read as a table: it breaks off inside a letter.",
        hint="the file is cut or damaged; export or copy it again.",
    )

"""The text in bytes: UTF-8, UTF-16 or Windows' Latin, told apart by the bytes alone."""

import codecs
import gzip
import zlib

from agewise.errors import InputError

GZIP = b"\x1f\x8b"
UTF16_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r\f") + b"\x7f"
"""Bytes that no table in text holds."""
SAMPLE = 4096
"""Bytes that show which half of two-byte letters is empty."""


def unpacked(data: bytes, where: str) -> bytes:
    """What a gzipped file holds; other bytes as they are."""
    if not data.startswith(GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(
            f"{where} cannot be unpacked: {str(error).rstrip('.')}.",
            hint="the gzip file is cut or damaged; copy it again.",
        ) from None


def utf8(data: bytes, where: str) -> bytes:
    """The same text in UTF-8 without a mark; bytes that are no text are refused."""
    encoding, data = _encoding(data, where)
    plain = data if encoding == "utf-8" else data.decode(encoding, "replace").encode()
    plain = plain.rstrip(b"\x1a\0\r\n\t ") + b"\n"  # the end of file of old loggers
    if len(plain.translate(None, CONTROLS)) != len(plain):
        raise InputError(
            f"{where} cannot be read as a table: it holds bytes that are not text.",
            hint="give CSV, gzipped CSV, Parquet or Excel's .xlsx; is the file damaged?",
        )
    return plain


def _encoding(data: bytes, where: str) -> tuple[str, bytes]:
    """The encoding, and the bytes without their mark."""
    for mark, encoding in UTF16_MARKS.items():
        if data.startswith(mark):
            return _whole(encoding, data[len(mark) :], where)
    head = data[:SAMPLE]
    for encoding, empty in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if len(head) > 3 and empty.count(0) > 0.9 * len(empty) and head.count(0) < 0.6 * len(head):
            return _whole(encoding, data, where)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.start > len(data) - 4:
            _refuse_cut(where)
        return _latin(data), data
    return "utf-8", data


def _whole(encoding: str, data: bytes, where: str) -> tuple[str, bytes]:
    if len(data) % 2:
        _refuse_cut(where)
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        _refuse_cut(where)
    return encoding, data


def _latin(data: bytes) -> str:
    """Windows' Latin, or its ISO sister where a byte is not in use there."""
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

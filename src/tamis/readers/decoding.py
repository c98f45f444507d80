"""Bytes to text: Unicode by its marks and its grammar first, then what the file says of itself, then a detector."""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import NamedTuple

from tamis.errors import UndecodableError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDE_SAMPLE = 1 << 14
# Escapes that switch a 7-bit text to Japanese, Korean or Chinese (ISO 2022, RFC 1468, RFC 1557).
_SEVEN_BIT = ((b"\x1b$)C", "iso2022_kr"), (b"\x1b$B", "iso2022_jp_2"), (b"\x1b$@", "iso2022_jp_2"))
_SHAPED = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_ABOVE_ASCII = re.compile(rb"[\x80-\xff]")
_SHARE_SAMPLE = 1 << 20
_ASCII = bytes(range(128))
_PLAIN = bytes(range(32, 127)) + b"\0\t\n\r\f"
# From which share on broken UTF-8 is damaged UTF-8, not another encoding. Of 2,300 texts of 15 to 150 characters in 68
# pairs of language and encoding 8 came to more than a half by chance, none to more than two thirds.
_DAMAGED = 0.75
_PERHAPS_DAMAGED = 0.5


class Decoded(NamedTuple):
    """``encoding`` is the name under which Python's codecs turn the bytes into ``text``, BOM dropped."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """The text of a file, line ends as they are, a byte order mark dropped; without surrogates and NUL characters.

    Raises:
        UndecodableError: It is no text in any encoding that is known, or it is damaged; the message says where.
    """
    decoded = _decode(data)
    if "\0" in decoded.text:
        line = decoded.text.count("\n", 0, decoded.text.index("\0")) + 1
        raise UndecodableError(f"it holds NUL characters, the first in line {line}")
    return decoded


def _decode(data: bytes) -> Decoded:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding)
    if b"\0" in data:
        return _wide(data)
    try:
        return _seven_bit(data) or Decoded(data.decode(), "utf-8")
    except UnicodeDecodeError:
        return _not_utf8(data)


def _not_utf8(data: bytes) -> Decoded:
    from tamis.readers.legacy import decode_legacy

    shaped = _utf8_share(data)
    if shaped <= _DAMAGED:
        guess = decode_legacy(data)
        if guess.sure or shaped <= _PERHAPS_DAMAGED:
            return Decoded(guess.text, guess.encoding)
    return _strictly(data, "utf-8")


def _strictly(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        # The codec that drops the mark does not count it.
        start = error.start + (len(codecs.BOM_UTF8) if encoding == "utf-8-sig" else 0)
        raise UndecodableError(
            f"it is damaged {encoding.removesuffix('-sig').upper()}: {error.reason} at byte {start}",
            hint="repair the file, or save it as UTF-8",
        ) from None


def _wide(data: bytes) -> Decoded:
    """UTF-16 or UTF-32 without a mark: the reading, if there is one, that makes readable text of it."""
    # The zeros that pad ASCII stand behind it in little endian, before it in big endian.
    little = data[1::2].count(0) >= data[::2].count(0)
    for encoding in ("utf-32-le", "utf-32-be", "utf-16-le" if little else "utf-16-be"):
        try:
            sample = codecs.getincrementaldecoder(encoding)().decode(data[:_WIDE_SAMPLE])
            if _reads_as_text(sample, data):
                return Decoded(data.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    at = data.index(0)
    raise UndecodableError(f"it holds NUL bytes, the first at byte {at}")


def _reads_as_text(sample: str, data: bytes) -> bool:
    """Whether a reading in units of two or four bytes is the right one.

    ASCII with a stray NUL in it can look like Chinese; but Chinese has bytes that are no printable ASCII, and spaces or
    line ends, and padded ASCII is half zeros.
    """
    padded = data.count(0) * 4 >= len(data)
    if not padded and (not data.translate(None, _PLAIN) or set(sample).isdisjoint(" \t\n\r")):
        return False
    return all(
        character in "\t\n\r\f" or unicodedata.category(character) not in ("Cc", "Cn", "Co")
        for character in sample
    )


def _utf8_share(data: bytes) -> float:
    """The share of the bytes above ASCII that stand in the shape of UTF-8, in the megabyte that the first one opens."""
    first = _ABOVE_ASCII.search(data)
    sample = data[first.start() :][:_SHARE_SAMPLE] if first else b""
    return sum(map(len, _SHAPED.findall(sample))) / max(1, len(sample.translate(None, _ASCII)))


def _seven_bit(data: bytes) -> Decoded | None:
    for escape, encoding in _SEVEN_BIT:
        if escape in data:
            try:
                return Decoded(data.decode(encoding), encoding)
            except UnicodeDecodeError:
                continue
    return None

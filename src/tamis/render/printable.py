"""Text of documents and file names made fit to be shown: it is data, and must not steer a terminal.

Escape sequences, carriage returns and direction overrides in a document could hide, forge or repaint what a user reads.
"""

from __future__ import annotations

import re

# C0 without tab and newline, DEL, C1, bidirectional embeddings, overrides and isolates.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BREAK = re.compile("\r\n?")
_SPACE = re.compile(r"\s+")
_CONTROL_PICTURES = 0x2400
_DELETE, _DELETE_PICTURE = 0x7F, "\u2421"


def printable(text: str) -> str:
    """The text without what steers a terminal: control characters become visible signs, line ends become newlines.

    Tabs and newlines stay, letters of every script stay; direction controls, which are invisible, are left out.
    """
    if text.isascii() and text.isprintable():
        return text
    return whole_characters(_STEERING.sub(_sign, _BREAK.sub("\n", text)))


def one_line(text: str) -> str:
    """As ``printable``, with every run of white space made one space."""
    return printable(_SPACE.sub(" ", text)).strip()


def whole_characters(text: str) -> str:
    r"""The text with lone surrogates written out, so that it can be encoded.

    Python reads a byte of a file name that is not UTF-8 as a lone surrogate; it comes out as ``\xff``.
    """
    return text if text.isascii() else _SURROGATE.sub(_spelled, text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    return "\ufffd" if code < 0xA0 else ""


def _spelled(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"

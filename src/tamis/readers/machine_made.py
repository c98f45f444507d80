"""Text that no person wrote to be read: minified code, dumps, lock files. Its words can be looked up; its sense is nil."""

from __future__ import annotations

import os
import re
import unicodedata

_MIN_CHARS = 1 << 16
_MIN_SHARE = 0.25
_SAMPLE = 2000
_MIN_LETTERS_AND_SPACES = 0.88
_MIN_SPACES = 1 / 16
_ENDINGS = (".lock", ".min.js", ".min.css", ".min.mjs", ".js.map", ".css.map", ".bundle.js")
_NAMES = frozenset(
    {"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "packages.lock.json"}
)
_LONG = 5000
_DUMPED = 60
_LINE = re.compile(r"[^\r\n]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/=_-]+")


def is_machine_made(path: str, text: str) -> bool:
    """Whether a text is indexed by its words alone.

    That is a lock file or a minified file by its name, or a text of at least 64 Ki characters of which a quarter stands
    in lines of base64 or the like, or in lines of 5,000 characters or more that do not read as prose: a transcript
    without line breaks is prose, and so is a book with an embedded picture.
    """
    name = os.path.basename(path).lower()
    if name in _NAMES or name.endswith(_ENDINGS):
        return True
    if len(text) < _MIN_CHARS:
        return False
    unread = sum(len(line[0]) for line in _LINE.finditer(text) if _is_unread(text, *line.span()))
    return unread >= len(text) * _MIN_SHARE


def _is_unread(text: str, start: int, end: int) -> bool:
    if end - start >= _LONG:
        return not _is_prose(text[start : min(end, start + _SAMPLE)])
    return end - start >= _DUMPED and _BASE64.fullmatch(text, start, end) is not None


def _is_prose(sample: str) -> bool:
    """Words with spaces between them, or letters of a script that sets none, and little else."""
    spaces = sum(map(str.isspace, sample))
    letters = sum(unicodedata.category(character)[0] in "LM" for character in sample)
    unspaced = sum(unicodedata.category(character) == "Lo" for character in sample)
    if letters + spaces < len(sample) * _MIN_LETTERS_AND_SPACES and unspaced * 2 < len(sample):
        return False
    return spaces >= len(sample) * _MIN_SPACES or unspaced * 2 >= len(sample)

"""Front matter of Markdown files: where it ends, and the title in it.

Only the title is wanted, from files that people wrote by hand and got wrong, so nothing here parses YAML or TOML.
"""

from __future__ import annotations

import json
import re

from tamis.chunking.blocks import MAX_TITLE_CHARS

_OPENING = re.compile(r"(---|\+\+\+)[ \t]*(?:\r\n?|\n)")
_CLOSING = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE),
}
# Without one of these a pair of rules is a pair of rules: a key, a list entry, a table's head.
_ENTRY = {
    "---": re.compile(r"""^(?:["']?\w[^:\n]{0,100}:(?:\s|$)|- |\{)""", re.MULTILINE),
    "+++": re.compile(r"^\s*(?:[\w\"'.-]{1,100}\s*=|\[)", re.MULTILINE),
}
_TITLE = {
    "---": re.compile(r"^[\"']?title[\"']?[ \t]*:(.*)((?:\n[ \t]+\S.*)*)", re.MULTILINE | re.IGNORECASE),
    "+++": re.compile(r"^[ \t]*[\"']?title[\"']?[ \t]*=(.*)()", re.MULTILINE | re.IGNORECASE),
}
_MAX_CHARS = 65_536  # a closing fence farther down than this is a rule


def front_matter(text: str, start: int = 0) -> tuple[int, str] | None:
    """Where the front matter that opens at ``start`` ends, and the title in it (or an empty one).

    ``None`` when there is none, or when nothing closes it.
    """
    opening = _OPENING.match(text, start)
    if not opening:
        return None
    fence = opening[1]
    # One character for each line end keeps the offsets, and lets ^ and $ know lines that end with CR.
    body = text[opening.end() : opening.end() + _MAX_CHARS].replace("\r\n", " \n").replace("\r", "\n")
    closing = _CLOSING[fence].search(body)
    if not closing:
        return None
    entries = body[: closing.start()]
    if entries.strip() and not _ENTRY[fence].search(entries):
        return None
    return opening.end() + closing.end(), _title(entries, fence)


def _title(entries: str, fence: str) -> str:
    if fence == "+++":
        entries = re.split(r"^[ \t]*\[", entries, maxsplit=1, flags=re.MULTILINE)[0]
    match = _TITLE[fence].search(entries)
    if not match:
        return ""
    first, more = match[1].strip(), match[2]
    if re.fullmatch(r"[|>][+-]?\d?", first):
        first = ""
    value = " ".join(f"{first}{more}".split())
    return _unquoted(value)[:MAX_TITLE_CHARS].rstrip()


def _unquoted(value: str) -> str:
    if double := re.match(r'"(?:[^"\\]|\\.)*"', value):
        try:
            return str(json.loads(double[0])).strip()
        except ValueError:  # an escape that YAML or TOML knows and JSON does not
            return double[0][1:-1].strip()
    if single := re.match(r"'((?:[^']|'')*)'", value):
        return single[1].replace("''", "'").strip()
    return re.sub(r"(?:^|\s)#.*", "", value).strip().strip("\"'")

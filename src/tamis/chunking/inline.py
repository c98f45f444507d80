"""The words of a heading without its Markdown decoration."""

from __future__ import annotations

import html
import re

from tamis.chunking.blocks import MAX_TITLE_CHARS

_DECORATED = re.compile(r"[\[\]*_`\\<&~{]")
_LITERAL = re.compile(r"(?<!`)(`+)(?!`)(?P<code>.+?)(?<!`)\1(?!`)|\\(?P<escaped>[!-/:-@\[-`{-~])")
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?[a-z][^<>]*>")
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_]+)(?<=\S)\1(?![\w*])")


def plain_title(markdown: str) -> str:
    """``markdown`` as it reads, on one line, at most ``MAX_TITLE_CHARS`` long."""
    source = markdown[: 2 * MAX_TITLE_CHARS]
    if _DECORATED.search(source):
        source = _undecorated(_ATTRIBUTES.sub("", source))
    return " ".join(source.split())[:MAX_TITLE_CHARS].rstrip()


def _undecorated(source: str) -> str:
    # Links and emphasis may hold what is meant literally, and that may look like them: it is put aside for the while.
    kept: list[str] = []

    def put_aside(match: re.Match[str]) -> str:
        kept.append(match["escaped"] or match["code"].strip())
        return f"\0{len(kept) - 1}\0"

    source = _LITERAL.sub(put_aside, source.replace("\0", ""))
    source = _LINK.sub(r"\1", _LINK.sub(r"\1", source))  # twice: a badge is an image within a link
    source = _TAG.sub("", source)
    source = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", source))
    source = html.unescape(source)
    return re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], source)

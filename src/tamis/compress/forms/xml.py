"""Blocks between tags, for prompts. The text inside is verbatim, so the tag is one that no text can close."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from tamis.compress.forms.group import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tamis.compress.forms.group import Group


def render_xml(groups: Sequence[Group]) -> str:
    texts = "\n".join(group.body for group in groups).lower()
    tag = next(tag for tag in _tags() if f"<{tag}" not in texts and f"</{tag}" not in texts)
    return "\n".join(f"<{tag}{_attributes(group)}>\n{group.body}\n</{tag}>" for group in groups)


def _tags() -> Iterator[str]:
    yield "source"
    for number in count(2):
        yield f"source{number}"


def _attributes(group: Group) -> str:
    item = group.item
    attributes = {
        "id": str(group.number),
        "path": item.path or "",
        "lines": f"{group.lines.first}-{group.lines.last}" if item.path else "",
        "title": item.title,
        "headings": " › ".join(item.heading_path),
    }
    return "".join(f" {name}={quoteattr(one_line(value))}" for name, value in attributes.items() if value)

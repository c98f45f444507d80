"""Plain text: ``[1]`` before each source's text, and the list of sources at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.forms.group import Group

# A block that only is what it is at the start of a line must not share it with the citation.
_BLOCK_STARTS = ("#", "|", "-", "*", "+", ">", "`", "~", " ", "\t")


def render_text(groups: Sequence[Group]) -> str:
    parts = [_cited(group) if group.has_label else group.body for group in groups]
    sources = [f"[{group.number}] {group.label}" for group in groups if group.has_label]
    if sources:
        parts.append("\n".join(("Sources:", *sources)))
    return "\n\n".join(parts)


def _cited(group: Group) -> str:
    joint = "\n" if group.body.startswith(_BLOCK_STARTS) else " "
    return f"[{group.number}]{joint}{group.body}"

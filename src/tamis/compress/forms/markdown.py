"""Markdown: a heading for each source, its text below."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.forms.group import Group


def render_markdown(groups: Sequence[Group]) -> str:
    return "\n\n".join(
        f"### [{group.number}] {group.label}\n\n{group.body}" if group.has_label else group.body
        for group in groups
    )

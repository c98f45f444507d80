"""What is embedded of a chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def embedding_text(title: str, heading_path: Sequence[str], text: str) -> str:
    """The passage under its title and headings, each line once.

    A passage cut from the middle of a section often names its subject only in the headings above it.
    """
    lines = [title, *heading_path]
    context = [line for index, line in enumerate(lines) if line and line not in lines[:index]]
    return "\n".join([*context, text])

"""Text of documents inside a prompt: data between marks that it cannot know."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def fenced(passages: Sequence[tuple[str, str]]) -> str:
    """Passages, each a heading line and a text, numbered from 1 between marks drawn anew for each call."""
    mark = secrets.token_hex(4)
    return "\n\n".join(
        f"[{number}] {' '.join(heading.split())}\n<<{mark}\n{text}\n{mark}>>"
        for number, (heading, text) in enumerate(passages, 1)
    )

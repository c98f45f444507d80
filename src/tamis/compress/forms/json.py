"""JSON: ``{"sources": [{id, path, title, lines, heading_path, text}]}``, without what a source lacks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.forms.group import Group


def render_json(groups: Sequence[Group]) -> str:
    return json.dumps(
        {"sources": [_source(group) for group in groups]}, ensure_ascii=False, separators=(",", ":")
    )


def _source(group: Group) -> dict[str, object]:
    item = group.item
    return {
        "id": group.number,
        **({"path": item.path, "lines": list(group.lines)} if item.path else {}),
        **({"title": item.title} if item.title else {}),
        **({"heading_path": list(item.heading_path)} if item.heading_path else {}),
        "text": group.body,
    }

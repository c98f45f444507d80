"""What embedders are told by whoever wires them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class EmbedderConfig:
    """Settings that every embedder may use.

    Args:
        cache: A folder for what can be made again (checksums, prepared models); made when needed.
        threads: Texts embedded at a time; 0 for one a core that this process may use.
        options: What the configuration says for this driver alone.
    """

    cache: Path
    threads: int = 0
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

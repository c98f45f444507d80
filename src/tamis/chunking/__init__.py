"""Documents into passages, along their structure."""

from __future__ import annotations

from tamis.chunking.chunker import check_sizes, chunk
from tamis.chunking.lines import LineIndex

__all__ = ["LineIndex", "check_sizes", "chunk"]

"""BM25 over title, heading, path and body, with an analysis that serves prose, code and scripts without spaces."""

from __future__ import annotations

from tamis.lexical.defaults import BM25, FIELD_WEIGHTS, TITLE_WEIGHTS
from tamis.lexical.index import TantivyIndex

__all__ = ["BM25", "FIELD_WEIGHTS", "TITLE_WEIGHTS", "TantivyIndex"]

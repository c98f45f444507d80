"""The dense index: quantised vectors, scanned whole. Derived from the truth and never the truth itself."""

from __future__ import annotations

from tamis.dense.turbovec_index import TurbovecIndex

__all__ = ["TurbovecIndex"]

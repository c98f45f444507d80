"""reStructuredText; Sphinx publishes its sources as ``.rst.txt``."""

from __future__ import annotations

from tamis.readers.textual import TextualReader

RST = TextualReader("rst", frozenset({".rst", ".rest", ".rst.txt"}))

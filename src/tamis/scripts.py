"""Scripts that are written without spaces between words."""

from __future__ import annotations

import re
from typing import Final

UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
"""Ranges of a character class: Thai, Lao, Burmese, Khmer, kana, Han. A word of theirs has no boundary that could be asked
for."""

SPACED_WORD: Final = re.compile(rf"[^\W{UNSPACED}]")
"""A character of a word that has boundaries."""

"""How many tokens a reply takes at most, near enough to stay under a client's limit."""

from __future__ import annotations

import math

# English prose has about 4 characters a token and JSON with ids and numbers about 3; other scripts about one a token, some
# signs more. Counting no tokenizer's way, the estimate leans to too many.
ASCII_PER_TOKEN = 3.0
OTHER_PER_TOKEN = 0.7


def estimate(text: str) -> int:
    """About how many tokens the text has; rather too many than too few."""
    if text.isascii():
        return math.ceil(len(text) / ASCII_PER_TOKEN)
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / ASCII_PER_TOKEN + (len(text) - plain) / OTHER_PER_TOKEN)

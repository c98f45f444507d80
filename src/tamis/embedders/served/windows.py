"""Counting before asking: texts cut so that a server's model can read them."""

from __future__ import annotations

# Fewer UTF-8 bytes than a token of any common tokenizer holds on average: English has four or more, Chinese about three.
BYTES_PER_TOKEN = 3
SMALLEST = 64  # code points; a model that refuses less has no context to speak of


def count_tokens(text: str) -> int:
    """At least about as many tokens as the text has."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def windows(text: str, context: int) -> list[str]:
    """The text in pieces that should fit into ``context`` tokens, cut between words; whole when 0 (not known)."""
    if not context or count_tokens(text) <= context or len(text) < 2 * SMALLEST:
        return [text]
    return [piece for part in halves(text) for piece in windows(part, context)]


def halves(text: str) -> tuple[str, str]:
    """The text in two, at the white space nearest to its middle if there is one in the middle half."""
    middle, reach = len(text) // 2, len(text) // 4
    for distance in range(reach):
        for at in (middle + distance, middle - distance):
            if text[at].isspace():
                return text[:at], text[at:]
    return text[:middle], text[middle:]

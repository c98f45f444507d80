"""What some models want in front of a query and of a passage; servers do not add it by themselves.

From the models' cards: nomic-embed-text, mxbai-embed-large, snowflake-arctic-embed (1 and 2), e5.
"""

from __future__ import annotations

REPRESENT = "Represent this sentence for searching relevant passages: "

# The first that the model's name contains.
PREFIXES: tuple[tuple[str, str, str], ...] = (
    ("nomic-embed-text", "search_query: ", "search_document: "),
    ("mxbai-embed-large", REPRESENT, ""),
    ("arctic-embed2", "query: ", ""),
    ("arctic-embed-l-v2", "query: ", ""),
    ("arctic-embed-m-v2", "query: ", ""),
    ("arctic-embed", REPRESENT, ""),
    ("multilingual-e5", "query: ", "passage: "),
    ("e5-", "query: ", "passage: "),
)


def prefixes(model: str) -> tuple[str, str]:
    """The prefixes of queries and of passages; both empty for a model that is not known to want them."""
    name = model.lower()
    return next(((query, passage) for part, query, passage in PREFIXES if part in name), ("", ""))

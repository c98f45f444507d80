"""Language models by tier, what they are asked, and how what they say is checked.

Importing this is light: what talks HTTP is imported when a model is asked.
"""

from __future__ import annotations

from tamis.llm.answering import ANSWER_SCHEMA, Grounded, answer_messages, read_answer
from tamis.llm.explaining import explain_messages, read_explanation
from tamis.llm.tiers import ORDER, Reply, Tier, Tiers

__all__ = [
    "ANSWER_SCHEMA",
    "ORDER",
    "Grounded",
    "Reply",
    "Tier",
    "Tiers",
    "answer_messages",
    "explain_messages",
    "read_answer",
    "read_explanation",
]

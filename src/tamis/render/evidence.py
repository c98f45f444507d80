"""What compression and refining did, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.quantities import count, duration, share

if TYPE_CHECKING:
    from typing import Any

    from tamis.compress import Compressed
    from tamis.library.refining import Evidence


def compressed_summary(done: Compressed) -> str:
    """Tokens before and after, and how they were counted."""
    return f"{_tokens(done.tokens_before, done.tokens_after, done.ratio)} ({done.tokenizer}, {done.level})"


def evidence_summary(evidence: Evidence[Any]) -> str:
    """How many memories are left and what they cost."""
    stats = evidence.stats
    parts = [
        f"{stats.output} of {count(stats.input, 'passage')}",
        f"{_tokens(stats.tokens_before, stats.tokens_after, stats.ratio)} ({stats.tokenizer})",
        f"{stats.truncated} cut" if stats.truncated else "",
        f"{stats.dropped} did not fit" if stats.dropped else "",
        f"reranked by {evidence.reranker}" if evidence.reranker else "",
        duration(stats.elapsed_ms),
    ]
    return ", ".join(filter(None, parts))


def _tokens(before: int, after: int, ratio: float) -> str:
    return f"{before:,} → {count(after, 'token')}, {share(ratio)}"

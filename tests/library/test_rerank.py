"""Plain documents reranked through the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tamis.errors import RerankInputError

if TYPE_CHECKING:
    import tamis

MEMORIES = [{"content": "A horse.", "id": "h"}, {"content": "A zebra.", "id": "z"}]


def test_memories_are_ranked_by_the_driver_that_is_named(library: tamis.Library) -> None:
    ranked = library.rerank(MEMORIES, "zebra", 1)
    assert [memory["id"] for memory in ranked.memories] == ["z"]
    assert ranked.reranker == "keyword"
    assert [memory["id"] for memory in library.rerank(MEMORIES, "zebra", driver="noop").memories] == [
        "h",
        "z",
    ]


@pytest.mark.parametrize("driver", ["keyword", "cross_encoder"])
def test_what_is_no_memory_is_refused(driver: str, library: tamis.Library) -> None:
    for odd in ([5], "abc", [{"title": "no content"}]):
        with pytest.raises(RerankInputError):
            library.rerank(odd, "q", driver=driver)  # type: ignore[arg-type]

"""A change of model: the old vectors answer until the new ones are whole, whatever happens in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tamis import embedders
from tamis.errors import ConfigError, EmbedDriftError, UnreachableError
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import tamis
    from tamis.types import Embedded, Fingerprint
    from tests.library.conftest import CountingEmbedder

    Counting = dict[str, CountingEmbedder]

QUERY = "rotate signing keys"


class StopError(Exception):
    """The user's, from within a progress callback."""


def stop_after(texts: int) -> Callable[[str, int, int | None], None]:
    def progress(stage: str, done: int, total: int | None) -> None:
        if stage == "embed" and done >= texts:
            raise StopError

    return progress


@pytest.fixture
def long(write: Callable[[str, str], Path]) -> None:
    """A note of 300 passages, which are more than one batch."""
    paragraphs = [
        f"Entry {number}: " + f"the sieve of day {number} holds grain. " * 3 for number in range(300)
    ]
    write("long.txt", "\n\n".join(paragraphs))


def test_a_reembed_moves_the_corpus_to_the_new_model(
    library: tamis.Library, notes: Path, counting: Counting
) -> None:
    corpus = library.index("notes", [notes])
    report = corpus.reembed("hash:two")
    assert report.newly_embedded_chunks == len(counting["one"].texts)
    assert report.drift is not None
    assert (report.drift.prior, report.drift.current) == ("one@1", "two@1")
    result = corpus.search(QUERY, mode="semantic")
    assert (result.model_version, result.dense_coverage) == ("two@1", 1.0)
    assert result.hits[0].path.endswith("keys.md")


def test_the_old_vectors_answer_until_the_new_ones_are_whole(
    library: tamis.Library, notes: Path, counting: Counting, long: None
) -> None:
    corpus = library.index("notes", [notes], chunk_chars=100, chunk_overlap=0)
    total = len(set(counting["one"].texts))
    with pytest.raises(StopError):
        corpus.reembed("hash:two", progress=stop_after(128))
    between = corpus.search(QUERY, mode="semantic")
    assert (between.model_version, between.dense_coverage, between.warnings) == ("one@1", 1.0, ())
    health = corpus.health()
    assert health.drift is not None
    assert health.drift.current == "two@1"
    done = len(counting["two"].texts)
    assert 0 < done < total
    report = corpus.embed()
    assert report.newly_embedded_chunks == total - done
    assert len(counting["two"].texts) == total, "what was done before the stop was done again"
    assert corpus.search(QUERY, mode="semantic").model_version == "two@1"


def test_the_way_back_costs_nothing_until_the_old_vectors_are_dropped(
    library: tamis.Library, notes: Path, counting: Counting
) -> None:
    corpus = library.index("notes", [notes])
    chunks = corpus.summary().chunks
    corpus.reembed("hash:two")
    assert corpus.reembed("hash:one").newly_embedded_chunks == 0
    assert corpus.search(QUERY, mode="semantic").model_version == "one@1"
    assert corpus.reembed("hash:one", drop_old=True).dropped_vectors == chunks
    assert corpus.reembed("hash:two").newly_embedded_chunks == chunks


def test_an_embedder_that_cannot_be_had_changes_nothing(
    library: tamis.Library, notes: Path, counting: Counting
) -> None:
    class Unreachable(HashEmbedder):
        @property
        def fingerprint(self) -> Fingerprint:
            raise UnreachableError("nobody is there")

    embedders.register("gone")(lambda model, config: Unreachable())
    corpus = library.index("notes", [notes])
    with pytest.raises(UnreachableError):
        corpus.reembed("gone")
    with pytest.raises(ConfigError):
        corpus.reembed("no-such-embedder")
    assert corpus.health().warnings == ()
    assert corpus.embed().newly_embedded_chunks == 0


def test_an_amend_in_mid_reembed_is_embedded_for_both(
    library: tamis.Library, notes: Path, counting: Counting, long: None
) -> None:
    corpus = library.index("notes", [notes], chunk_chars=100, chunk_overlap=0)
    with pytest.raises(StopError):
        corpus.reembed("hash:two", progress=stop_after(128))
    corpus.amend(notes / "zebra.txt", "An okapi is no zebra.")
    found = corpus.search("An okapi is no zebra.", mode="semantic").hits[0]
    assert found.path.endswith("zebra.txt")
    corpus.embed()
    after = corpus.search("An okapi is no zebra.", mode="semantic")
    assert (after.model_version, after.dense_coverage) == ("two@1", 1.0)
    assert after.hits[0].text == "An okapi is no zebra."


class Drifting(HashEmbedder):
    """Turns into another model after so many passages."""

    def __init__(self, after: int) -> None:
        super().__init__(64, "before")
        self._left = after

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        self._left -= len(texts)
        if self._left <= 0 and self.fingerprint.model == "before":
            super().__init__(64, "after")
            raise EmbedDriftError("it was before and is after now")
        return super().embed_passages(texts)


def test_a_model_that_changes_in_mid_run_is_reported_and_mixes_nothing(
    library: tamis.Library, notes: Path, long: None
) -> None:
    embedders.register("drifting")(lambda model, config: Drifting(200))
    corpus = library.index("notes", [notes], embedder="drifting", chunk_chars=100, chunk_overlap=0)
    assert corpus.report is not None
    assert any("changed in mid run" in text for text in corpus.report.warnings)
    assert (corpus.report.model_version, corpus.report.dense_coverage) == ("after@1", 1.0)
    assert corpus.search(QUERY, mode="semantic").model_version == "after@1"


def test_a_refresh_reports_a_model_that_changed_since(
    library: tamis.Library, notes: Path, counting: Counting
) -> None:
    corpus = library.index("notes", [notes])
    counting["one"].__init__("newer")
    drifted = corpus.health().drift
    assert drifted is not None
    assert (drifted.prior, drifted.current) == ("one@1", "newer@1")
    before = corpus.search(QUERY)
    assert before.degraded
    assert "another model" in before.warnings[0]
    report = corpus.refresh()
    assert report.embed_model_resolved_drift == drifted
    assert not corpus.search(QUERY).degraded

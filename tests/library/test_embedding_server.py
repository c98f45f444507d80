"""A corpus whose vectors come from a server: the server goes, fails on one text, changes its model; the corpus stays sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import tamis
from tamis.errors import UnreachableError
from tamis.render import wrap
from tests.embedders.model_server import POISON, ModelServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Open = Callable[[], tamis.Library]

QUERY = "rotate the signing keys"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    running = ModelServer()
    monkeypatch.setenv("OLLAMA_HOST", running.url)
    monkeypatch.setenv("TAMIS_EMBEDDER_OLLAMA_CONCURRENCY", "1")
    yield running
    running.close()


@pytest.fixture
def reopened(tmp_path: Path, server: ModelServer) -> Iterator[Open]:
    """Opens the library as a new process would."""
    libraries: list[tamis.Library] = []

    def opened() -> tamis.Library:
        libraries.append(tamis.open(tmp_path / "home"))
        return libraries[-1]

    yield opened
    for library in libraries:
        library.close()


@pytest.fixture
def many(write: Callable[[str, str], Path]) -> None:
    """A note of some 400 passages, which are several batches of the corpus."""
    write(
        "many.txt",
        "\n\n".join(f"Entry {n}: " + f"the sieve of day {n} holds grain. " * 3 for n in range(200)),
    )


def test_what_is_done_when_the_server_goes_is_kept_and_gone_on_with(
    reopened: Open, server: ModelServer, notes: Path, many: None
) -> None:
    server.down_after = 8
    corpus = reopened().index("notes", [notes], embedder="ollama:good", chunk_chars=100, chunk_overlap=0)
    assert corpus.report is not None
    report = corpus.report
    assert report.degraded
    assert report.degrade_reason in report.warnings
    assert "embedding stopped" in (report.degrade_reason or "")
    done = corpus.summary().dense_coverage
    assert 0 < done < 1
    assert report.reused_chunks == 0
    assert report.newly_embedded_chunks == pytest.approx(done * report.chunks, abs=1)
    assert corpus.search(QUERY, mode="lexical").hits[0].path.endswith("keys.md")
    server.down_after = None
    report = reopened().corpus("notes").embed()
    assert report.dense_coverage == 1.0
    chunks = corpus.summary().chunks
    assert report.newly_embedded_chunks == pytest.approx(chunks * (1 - done), abs=1)


def test_results_name_the_server_that_embedded(
    reopened: Open, server: ModelServer, notes: Path, write: Callable[[str, str], Path]
) -> None:
    corpus = reopened().index("notes", [notes], embedder="ollama:good")
    indexed = corpus.report
    write("new.md", "# New\n\nA new note about sieves.\n")
    refreshed = corpus.refresh()
    amended = corpus.amend(str(notes / "new.md"), "# New\n\nAn amended note about sieves.\n")
    for value in (indexed, refreshed, amended, corpus.search(QUERY)):
        data = wrap(value, 1).data()
        assert (data["tier_used"], data["backend"]) == ("embed", "ollama")
        assert data["model"].startswith("good@")
    for value in (corpus.refresh(), corpus.search(QUERY, mode="lexical")):
        data = wrap(value, 1).data()
        assert (data["tier_used"], data["model"], data["backend"]) == (None, None, "local")


def test_a_query_without_the_server_is_answered_by_words_and_says_so(
    reopened: Open, server: ModelServer, notes: Path
) -> None:
    reopened().index("notes", [notes], embedder="ollama:good")
    server.close()
    corpus = reopened().corpus("notes")
    for mode in ("hybrid", "fact"):
        result = corpus.search(QUERY, mode=mode)
        assert result.degraded
        assert "Ollama" in (result.degrade_reason or "")
        assert result.warnings
        assert result.hits[0].path.endswith("keys.md")
    with pytest.raises(UnreachableError) as caught:
        corpus.search(QUERY, mode="semantic")
    assert caught.value.code == "OLLAMA_UNREACHABLE"


def test_one_bad_text_is_set_aside_and_the_rest_is_whole(
    reopened: Open, server: ModelServer, notes: Path, write: Callable[[str, str], Path]
) -> None:
    write("bad.txt", f"A pinch of {POISON}.")
    corpus = reopened().index("notes", [notes], embedder="ollama:poison-null")
    assert corpus.report is not None
    assert (corpus.report.failed_chunks, corpus.report.newly_embedded_chunks) == (1, 4)
    for warnings in (corpus.report.warnings, corpus.health().warnings, corpus.refresh().warnings):
        (told,) = (line for line in warnings if "could not be embedded" in line)
        assert told.startswith("1 passage")
        assert "bad.txt, passage 1: " in told
        assert "--retry-failed" in told
    assert corpus.search(f"a pinch of {POISON}", mode="lexical").hits[0].path.endswith("bad.txt")


def test_a_model_that_was_pulled_anew_is_reported_by_health_and_refresh(
    reopened: Open, server: ModelServer, notes: Path
) -> None:
    reopened().index("notes", [notes], embedder="ollama:pulled")
    server.version = 2
    corpus = reopened().corpus("notes")
    found = corpus.health()
    assert found.drift is not None
    assert any("the vectors are" in text for text in found.warnings)
    assert corpus.search(QUERY).degraded, "vectors of two models do not meet in one ranking"
    report = corpus.refresh()
    assert report.embed_model_resolved_drift == found.drift
    assert not corpus.search(QUERY).degraded


def test_a_model_that_is_missing_says_how_to_get_it_and_the_text_is_searchable(
    reopened: Open, server: ModelServer, notes: Path
) -> None:
    corpus = reopened().index("notes", [notes], embedder="ollama:absent")
    assert corpus.report is not None
    assert any("ollama pull absent" in text for text in corpus.report.warnings)
    assert corpus.report.degraded
    assert "ollama pull absent" in (corpus.report.degrade_reason or "")
    assert corpus.search(QUERY, mode="lexical").hits

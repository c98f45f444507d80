"""The doctor tells which back ends answer, what they lack and how to get it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

import tamis
from tamis import embedders
from tamis.library.doctor import diagnose
from tamis.testing import HashEmbedder
from tests.embedders.model_server import ModelServer
from tests.llm.chat_server import ChatServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tamis.library.doctor import Check, Diagnosis

SECRET = "sk-never-shown-0123456789"


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer()
    yield running
    running.close()


@pytest.fixture(autouse=True)
def setting(monkeypatch: pytest.MonkeyPatch, server: ChatServer, counting: object) -> None:
    monkeypatch.delenv("TAMIS_CONFIG", raising=False)
    monkeypatch.setenv("OLLAMA_HOST", server.url)


def checks(diagnosis: Diagnosis, topic: str = "language models") -> dict[str, Check]:
    return {check.name: check for check in diagnosis.checks if check.topic == topic}


def configured(tmp_path: Path, text: str) -> Diagnosis:
    file = tmp_path / "tamis.toml"
    file.write_text(text)
    return diagnose(tmp_path / "home", config=file)


def test_models_that_are_there_are_fine(tmp_path: Path, server: ChatServer) -> None:
    diagnosis = configured(
        tmp_path,
        f"""[tiers.instant]
        model = "small"
        [tiers.deep]
        backend = "openai"
        model = "big"
        url = "{server.url}/v1"
        """,
    )
    assert {name: check.status for name, check in checks(diagnosis).items()} == {
        "instant": "ok",
        "deep": "ok",
    }
    assert diagnosis.works


def test_a_model_that_is_missing_says_how_to_get_it(tmp_path: Path) -> None:
    diagnosis = configured(tmp_path, '[tiers.instant]\nmodel = "llama3.2"')
    found = checks(diagnosis)["instant"]
    assert (found.status, found.hint) == ("failed", "get it with: ollama pull llama3.2")
    assert not diagnosis.works


def test_a_server_that_does_not_answer_is_a_failure(tmp_path: Path, server: ChatServer) -> None:
    server.close()
    diagnosis = configured(tmp_path, '[tiers.instant]\nmodel = "small"')
    assert checks(diagnosis)["instant"].status == "failed"
    assert not diagnosis.works


def test_without_tiers_it_tells_what_ollama_has(tmp_path: Path) -> None:
    found = checks(configured(tmp_path, ""))
    assert found["tiers"].status == "note"
    assert found["ollama"].detail == "answers, with big:latest, small:latest"


def test_an_embedding_server_that_is_gone_is_a_failure_with_its_remedy(
    tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAMIS_INDEX_EMBEDDER", "ollama:nomic-embed-text")
    server.close()
    found = checks(configured(tmp_path, ""), "embedder")["ollama:nomic-embed-text"]
    assert found.status == "failed"
    assert "ollama serve" in found.hint


def test_what_is_slow_is_reported_as_such_and_not_waited_for(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = ModelServer()
    try:
        monkeypatch.setenv("OLLAMA_HOST", models.url)
        monkeypatch.setenv("TAMIS_INDEX_EMBEDDER", "ollama:slow")
        with tamis.open(tmp_path / "home") as library:
            for name in ("one", "two"):
                library.index(name, [notes], embedder="ollama:slow", dense=False)
        began = time.monotonic()
        diagnosis = diagnose(tmp_path / "home", patience=0.5)
        assert time.monotonic() - began < 4, "the server answers after 5 s, and there are three to ask it"
    finally:
        models.close()
    embedder = checks(diagnosis, "embedder")["ollama:slow"]
    assert (embedder.status, embedder.detail) == ("warning", "has not answered within 0.5 s")
    for corpus in checks(diagnosis, "corpora").values():
        assert corpus.status == "warning"
        assert corpus.detail == (
            "documents: 3, chunks: 4, no vectors; its embedder has not answered within 0.5 s"
        )
    assert diagnosis.works, "it may only be slow"


def test_old_vectors_are_named_with_what_drops_them(tmp_path: Path, notes: Path) -> None:
    def noted() -> list[str]:
        found = [check for check in diagnose(tmp_path / "home").checks if check.topic == "corpora"]
        return [f"{check.detail}; {check.hint}" for check in found if check.status == "note"]

    embedders.register("two")(lambda model, config: HashEmbedder(model="two"))
    with tamis.open(tmp_path / "home") as library:
        corpus = library.index("notes", [notes])
        assert noted() == []
        (old, count) = corpus.summary().model_version, corpus.summary().chunks
        corpus.reembed("two")
        assert noted() == [
            f"old vectors, kept for a way back: {count} of {old}; to have the room: tamis reembed notes --drop-old"
        ]
        corpus.reembed("two", drop_old=True)
        assert noted() == []


def test_no_check_shows_a_key(tmp_path: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    diagnosis = configured(
        tmp_path,
        f"""[tiers.deep]
        backend = "openai"
        model = "absent"
        url = "{server.url}/v1"
        key_env = "MY_KEY"
        """,
    )
    assert checks(diagnosis)["deep"].status == "failed"
    assert SECRET not in repr(diagnosis)

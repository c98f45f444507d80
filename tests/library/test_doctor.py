"""The doctor tells which back ends answer, what they lack and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tamis.library.doctor import diagnose
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

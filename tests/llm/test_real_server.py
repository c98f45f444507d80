"""Explain and answer with a real llama.cpp server. Its model is a base model: it proves the wire and the guards, not the prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import tamis

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_real_llama_cpp_server_explains_and_answers(
    llama_cpp: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "BACKEND": "openai",
        "MODEL": "gemma",
        "URL": f"{llama_cpp}/v1",
        "TIMEOUT": "600",
        "NUM_CTX": "4096",
    }.items():
        monkeypatch.setenv(f"TAMIS_TIERS_INSTANT_{name}", value)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "keys.md").write_text("# Keys\n\nSigning keys are rotated every ninety days.\n")
    (notes / "garden.md").write_text("# Garden\n\nThe garden needs water in July.\n")
    with tamis.open(tmp_path / "home") as library:
        corpus = library.index("notes", [notes], dense=False)
        found = corpus.search("how often are keys rotated?", mode="lexical", top_k=1, explain=True)
        assert found.model_use is not None
        assert found.model_use.tokens_in > 20
        assert found.hits[0].why_matched
        assert len(found.hits[0].why_matched) <= 240
        answer = corpus.answer("how often are keys rotated?", mode="lexical", top_k=2, max_words=30)
    assert answer.model_use is not None
    assert answer.model_use.tokens_out > 0
    shown = answer.retrieval.retrieved
    marks = {int(number) for number in re.findall(r"\[(\d+)\]", answer.answer)}
    assert marks == {item.number for item in answer.citations}
    assert all(1 <= mark <= shown for mark in marks)
    assert len(answer.answer.split()) <= 30 + len(marks)

"""Every driver of ours keeps the laws that plug-in authors are given."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tamis.rerank import available, create
from tamis.testing.rerankers import RerankerConformance

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tamis.ports import Reranker
    from tamis.types import Candidate


class Conforms(RerankerConformance):
    key = ""

    def make(self) -> Reranker:
        return create(self.key)


class TestNoop(Conforms):
    key = "noop"


class TestRecency(Conforms):
    key = "recency"

    def candidates(self) -> list[Candidate]:
        return [
            replace(one, modified_ms=1e12 + one.rank if one.rank % 2 else None)
            for one in super().candidates()
        ]


class TestPathSpecificity(Conforms):
    key = "path_specificity"


class TestLexicalBoost(Conforms):
    key = "lexical_boost"
    config: Mapping[str, object] = {"terms": ["rotate", "keys"]}


class TestKeyword(Conforms):
    key = "keyword"


class TestMmr(Conforms):
    key = "mmr"

    def candidates(self) -> list[Candidate]:
        import numpy as np

        vectors = np.random.default_rng(5).normal(size=(6, 8)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return [
            replace(one, vector=None if one.rank == 3 else vectors[one.rank - 1])
            for one in super().candidates()
        ]


class TestCrossEncoder(Conforms):
    key = "cross_encoder"


class OnServer(Conforms):
    path = ""

    @pytest.fixture(autouse=True)
    def use_local_server(self, server, monkeypatch) -> None:
        monkeypatch.setenv("TEST_RERANK_KEY", "a-key-for-tests")
        self.config = {"url": server.url + self.path, "key_env": "TEST_RERANK_KEY"}


class TestCohere(OnServer):
    key = "cohere"
    path = "/v2/rerank"


class TestVoyage(OnServer):
    key = "voyage"
    path = "/v1/rerank"


class TestJina(OnServer):
    key = "jina"
    path = "/v1/rerank"


class TestHttp(OnServer):
    key = "http"


class TestLlmJudge(OnServer):
    key = "llm_judge"
    path = "/v1"

    @pytest.fixture(autouse=True)
    def judge(self, server, chat: Callable, use_local_server) -> None:
        server.answer = chat


def test_every_built_in_driver_is_tested_here():
    tested = {
        name.key for name in globals().values() if isinstance(name, type) and issubclass(name, Conforms)
    }
    assert {info.key for info in available() if info.package == "tamis"} == tested - {""}

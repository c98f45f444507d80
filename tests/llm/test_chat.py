"""One conversation with a server, whoever holds it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from tamis.errors import ModelMissingError, UnreachableError
from tamis.wire.chat import Chat
from tamis.wire.endpoint import Endpoint
from tamis.wire.post import RefusedError

if TYPE_CHECKING:
    from tests.llm.chat_server import ChatServer

ASK = [{"role": "user", "content": "say something"}]


def complete(url: str, protocol: str) -> None:
    chat = Chat(Endpoint("llm_judge", url), protocol, "gone")
    chat.complete(ASK, {}, max_tokens=5, deadline=math.inf)


def test_a_model_that_ollama_lacks_is_missing_whoever_asks(server: ChatServer) -> None:
    server.absent = {"gone"}
    with pytest.raises(ModelMissingError, match="llm_judge") as caught:
        complete(server.url, "ollama")
    assert (caught.value.code, caught.value.hint) == ("OLLAMA_MODEL_MISSING", "get it with: ollama pull gone")
    with pytest.raises(RefusedError):
        complete(f"{server.url}/v1", "openai")


@pytest.mark.parametrize(
    ("protocol", "code"), [("ollama", "OLLAMA_UNREACHABLE"), ("openai", "BACKEND_UNREACHABLE")]
)
def test_a_server_that_is_not_there_has_one_code_whoever_asks(
    server: ChatServer, protocol: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.close()
    monkeypatch.setattr("tamis.wire.post.FIRST_WAIT_S", 0.01)
    with pytest.raises(UnreachableError) as caught:
        complete(server.url, protocol)
    assert caught.value.code == code

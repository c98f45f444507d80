"""A local HTTP server that speaks the documented shapes of rerank and chat servers, and breaks on request."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tamis.types import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class Reply:
    """What the server is to answer once. ``cut``: promise the whole body and close after half of it."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    hang: bool = False

    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that stopped waiting is what some tests are about."""


class Server:
    """Answers with ``script`` first, one entry a request, then with ``answer(request)``."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.script: list[Reply] = []
        self.answer: Callable[[Request], Reply] = rerank_answer
        self.released = threading.Event()
        self._http = Quiet(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self.released.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: object) -> None:
                pass

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                request = Request(self.path, dict(self.headers.items()), json.loads(raw))
                server.requests.append(request)
                reply = server.script.pop(0) if server.script else server.answer(request)
                if reply.hang:
                    server.released.wait(10)
                data = reply.data()
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data[: len(data) // 2] if reply.cut else data)
                if reply.cut:
                    self.close_connection = True

        return Handler


def overlap(query: str, text: str) -> float:
    """Share of the query's words that the text has: a stand-in for a model, the same for every server."""
    asked = set(re.findall(r"\w+", query.lower()))
    return len(asked & set(re.findall(r"\w+", text.lower()))) / len(asked)


def rerank_answer(request: Request) -> Reply:
    """As Cohere v2, Jina, vLLM and llama.cpp answer: sorted ``results`` with ``relevance_score``."""
    body = request.body
    ranked = sorted(
        (
            {"index": i, "relevance_score": overlap(body["query"], text)}
            for i, text in enumerate(body["documents"])
        ),
        key=lambda result: -result["relevance_score"],
    )
    return Reply({"id": "1", "results": ranked[: body.get("top_n")], "usage": {"total_tokens": 1000}})


def chat_answer(request: Request) -> Reply:
    """As an OpenAI-compatible server answers, with a judge that counts words."""
    prompt = "\n".join(message["content"] for message in request.body["messages"])
    query = re.search(r"^Query: (.*)$", prompt, re.MULTILINE)
    passages = re.findall(r"^\[\d+\] (.*)$", prompt, re.MULTILINE)
    scores = [overlap(query[1] if query else "", passage) for passage in passages]
    return Reply(chat_body(json.dumps({"scores": scores})))


def chat_body(text: str, *, tokens_in: int = 1000, tokens_out: int = 100) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
    }


def make_candidates(*texts: str) -> list[Candidate]:
    """Candidates ``a``, ``b``, … with falling scores."""
    return [
        Candidate(id=chr(ord("a") + position), text=text, score=1.0 / (position + 1), rank=position + 1)
        for position, text in enumerate(texts)
    ]


@pytest.fixture(autouse=True)
def no_proxy_and_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    for name in ("COHERE_API_KEY", "CO_API_KEY", "VOYAGE_API_KEY", "JINA_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture
def replies() -> type[Reply]:
    return Reply


@pytest.fixture
def candidates() -> Callable[..., list[Candidate]]:
    return make_candidates


@pytest.fixture
def chat() -> Callable[[Request], Reply]:
    return chat_answer


@pytest.fixture
def chat_reply() -> Callable[..., dict[str, Any]]:
    return chat_body

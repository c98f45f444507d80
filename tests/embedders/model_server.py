"""A model server that speaks Ollama's protocol and OpenAI's, good or with one fault, the fault told by the model's name.

Vectors are ``HashEmbedder``'s. In a text, ``POISON`` is what the models ``poison-…`` cannot take.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tamis.testing import HashEmbedder

POISON = "arsenic"
DIMENSIONS = 64
PULLED = ("good", "pulled", "chat")
CONTEXT_CHARS = 1500
ACQUAINTED = 2  # requests that an embedder makes to know a model
TOO_LONG = "the input length exceeds the context length"


class ModelServer:
    """Serves until ``close``. ``requests`` are the embedding requests, ``keys`` what came as Authorization, ``down`` makes it drop every connection."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.counts: Counter[str] = Counter()
        self.release = threading.Event()
        self.version = 1
        self.down_after: int | None = None
        self._embedders: dict[str, HashEmbedder] = {}
        self._guard = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.release.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    # -- answers ------------------------------------------------------------------------------------------

    def answer(self, path: str, body: dict[str, Any]) -> Answer:
        model = body["model"]
        if model == "absent":
            return Answer({"error": f'model "{model}" not found, try pulling it first'}, 404)
        if path == "/api/show" and model == "locked":
            return Answer({"error": "internal error"}, 500)
        if path == "/api/show":
            info = {"general.architecture": "x", "x.context_length": 512}
            return Answer({"model_info": info, "details": {}})
        answer = self.embed(model, body["input"])
        return answer if path == "/api/embed" else _openai(answer, model)

    def embed(self, model: str, texts: list[str]) -> Answer:
        with self._guard:
            self.counts[model] += 1
            turn = self.counts[model]
            self.requests.append({"model": model, "texts": texts})
            if self.down_after is not None and len(self.requests) > self.down_after:
                return Answer(drop=True)
        fault = FAULTS.get(model)
        if fault is not None and (answer := fault(self, texts, turn)) is not None:
            return answer
        rows: list[Any] = self.vectors(model, texts)
        change = CHANGES.get(model)
        name = model
        if change is not None:
            rows = change(rows, texts, turn)
        if model == "renamed":
            name = f"renamed:v{self.version}"
        return Answer({"model": name, "embeddings": rows})

    def vectors(self, model: str, texts: list[str]) -> list[list[float]]:
        with self._guard:
            name = f"{model}-{self.version}" if model == "exchanged" else "good"
            embedder = self._embedders.setdefault(name, HashEmbedder(DIMENSIONS, name))
            return [[float(x) for x in embedder.embed_query(text)] for text in texts]

    def digest(self, model: str) -> str:
        return hashlib.sha256(f"{model} {self.version if model == 'pulled' else 1}".encode()).hexdigest()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: object) -> None:
                pass

            wbufsize = -1  # header and body in one packet: else the peer's delayed ACK costs 40 ms a reply

            def do_GET(self) -> None:
                if self.path == "/v1/models":
                    self._send(Answer({"object": "list", "data": [{"id": "good", "object": "model"}]}))
                else:
                    models = [{"model": f"{name}:latest", "digest": server.digest(name)} for name in PULLED]
                    self._send(Answer({"models": models}))

            def do_POST(self) -> None:
                server.keys.append(self.headers["Authorization"])
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self._send(server.answer(self.path, body))

            def _send(self, answer: Answer) -> None:
                self.close_connection = self.close_connection or answer.cut or answer.drop
                if answer.hang:
                    server.release.wait(5)
                if not answer.drop:
                    self._write(answer, answer.raw or json.dumps(answer.body).encode())

            def _write(self, answer: Answer, data: bytes) -> None:
                self.send_response(answer.status)
                self.send_header("Content-Type", "text/html" if answer.raw else "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data[: len(data) // 2] if answer.cut else data)

        return Handler


class Answer:
    def __init__(
        self,
        body: Any = None,
        status: int = 200,
        *,
        raw: bytes = b"",
        headers: dict[str, str] | None = None,
        drop: bool = False,
        hang: bool = False,
        cut: bool = False,
    ) -> None:
        self.body, self.status, self.raw, self.headers = body, status, raw, headers or {}
        self.drop, self.hang, self.cut = drop, hang, cut


def _openai(answer: Answer, model: str) -> Answer:
    if answer.body and "embeddings" in answer.body:
        rows = answer.body["embeddings"]
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
        if model == "unsorted":
            data.reverse()
        for item in data:
            if model.endswith("without-index"):
                del item["index"]
            elif model == "all-index-0":
                item["index"] = 0
        answer.body = {"object": "list", "model": answer.body["model"], "data": data, "usage": {}}
    elif answer.body:
        answer.body = {"error": {"message": answer.body["error"], "type": "invalid"}}
    return answer


def _poisoned(texts: list[str]) -> bool:
    return any(POISON in text for text in texts)


def _zero(rows: list[Any], texts: list[str], with_value: Any) -> list[Any]:
    return [[with_value] * len(row) if POISON in text else row for row, text in zip(rows, texts, strict=True)]


NAN = "failed to encode response: json: unsupported value: NaN"
# By model: what the server answers in place of vectors (None: vectors after all) …
FAULTS: dict[str, Any] = {
    "poison-500": lambda _, texts, __: Answer({"error": NAN}, 500) if _poisoned(texts) else None,
    "nan": lambda _, __, ___: Answer({"error": NAN}, 500),
    "flaky": lambda _, __, turn: Answer({"error": "runner has terminated"}, 500) if turn % 2 else None,
    "busy": lambda _, __, turn: (
        Answer({"error": "server busy"}, 503, headers={"Retry-After": "7"}) if turn <= 2 else None
    ),
    "ever-busy": lambda _, __, ___: Answer({"error": "server busy"}, 503),
    "context": lambda _, texts, __: (
        Answer({"error": TOO_LONG}, 400) if any(len(text) > CONTEXT_CHARS for text in texts) else None
    ),
    "html": lambda _, __, ___: Answer(raw=b"<html><body>log in</body></html>"),
    "cut": lambda _, __, ___: Answer({"model": "cut", "embeddings": [[0.1] * 64]}, cut=True),
    "slow-later": lambda _, __, turn: Answer({"error": "late"}, hang=True) if turn > ACQUAINTED else None,
    "slow": lambda _, __, ___: Answer({"error": "late"}, hang=True),
}
# … and what becomes of the vectors.
CHANGES: dict[str, Any] = {
    "reversed-without-index": lambda rows, _, __: rows[::-1],
    "poison-null": lambda rows, texts, _: _zero(rows, texts, None),
    "poison-zero": lambda rows, texts, _: _zero(rows, texts, 0.0),
    "poison-short": lambda rows, texts, _: [
        r for r, text in zip(rows, texts, strict=True) if POISON not in text
    ],
    "poison-empty": lambda rows, texts, _: [
        [] if POISON in text else row for row, text in zip(rows, texts, strict=True)
    ],
    "short": lambda rows, _, turn: rows if turn <= ACQUAINTED else rows[:-1],
    "width": lambda rows, _, turn: rows if turn <= ACQUAINTED + 1 else [row[:-1] for row in rows],
    "width-at-once": lambda rows, _, turn: rows if turn % 2 else [row[:-1] for row in rows],
    "reversed": lambda rows, _, __: rows[::-1],
    "by-length": lambda rows, texts, _: [
        row for _, row in sorted(zip(texts, rows, strict=True), key=lambda p: len(p[0]))
    ],
    "empty": lambda rows, _, __: [[] for _ in rows],
}

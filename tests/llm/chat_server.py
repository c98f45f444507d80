"""A chat server that speaks Ollama's protocol and OpenAI's and says what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

Say: TypeAlias = Callable[[str, str], str]


class ChatServer:
    """``say(model, prompt)`` makes the replies. Models in ``slow`` hang until ``close``; those in ``absent`` are not there.

    ``cut``: every body ends early.
    """

    def __init__(self) -> None:
        self.say: Say = lambda model, prompt: f"{model} says so."
        self.slow: set[str] = set()
        self.cut = False
        self.absent: set[str] = set()
        self.loaded: list[dict[str, Any]] = []
        self.asked: list[dict[str, Any]] = []
        self.most_at_once = 0
        self._now = 0
        self._guard = threading.Lock()
        self._released = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._released.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def prompts(self) -> list[str]:
        return ["\n".join(message["content"] for message in body["messages"]) for body in self.asked]

    def _answer(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        model = body["model"]
        if model in self.absent:
            return 404, {"error": f"model '{model}' not found"}
        with self._guard:
            self.asked.append(body)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            if model in self.slow:
                self._released.wait(5)
            said = self.say(model, "\n".join(message["content"] for message in body["messages"]))
        finally:
            with self._guard:
                self._now -= 1
        if path == "/api/chat":
            return 200, {
                "message": {"content": said},
                "prompt_eval_count": 100,
                "eval_count": 10,
                "done": True,
            }
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        return 200, {"choices": [{"message": {"content": said}}], "usage": usage}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def log_message(self, *args: object) -> None:
                pass

            def do_GET(self) -> None:
                if self.path == "/v1/models":
                    self._send(200, {"data": [{"id": "small"}, {"id": "big"}]})
                elif self.path == "/api/tags":
                    self._send(200, {"models": [{"name": "small:latest"}, {"name": "big:latest"}]})
                else:
                    self._send(200, {"models": server.loaded})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self._send(*server._answer(self.path, body))

            def _send(self, status: int, body: Any) -> None:
                data = json.dumps(body).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data) + 100 * server.cut))
                    self.close_connection = self.close_connection or server.cut
                    self.end_headers()
                    self.wfile.write(data)
                    self.wfile.flush()
                except ConnectionError:  # the client did not wait
                    self.close_connection = True

        return Handler

"""An Ollama that embeds at once and answers after so many milliseconds: ``python -m benchmarks.backends.stand_in MS``."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIMENSIONS = 384


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # header and body in one packet: else a delayed ACK adds 40 ms to each reply
    latency = 0.0

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._send({"models": [{"model": "stand-in:latest", "digest": "1" * 64}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/api/show":
            self._send({"model_info": {"x.context_length": 2048}, "details": {}})
            return
        time.sleep(self.latency)
        self._send({"model": "stand-in", "embeddings": [vector(text) for text in body["input"]]})

    def _send(self, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def vector(text: str) -> list[float]:
    """Some vector of the text, at little cost."""
    data = hashlib.shake_128(text.encode()).digest(DIMENSIONS)
    return [byte / 128 - 1 for byte in data]


if __name__ == "__main__":
    Handler.latency = float(sys.argv[1]) / 1000
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()

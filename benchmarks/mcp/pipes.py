"""The cheapest client there is: JSON lines over two pipes."""

from __future__ import annotations

import json
import subprocess
from typing import Any

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class Pipes:
    """A server over pipes, connected."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._next = 0
        self.ask("initialize", **INITIALIZE)
        self._send({"method": "notifications/initialized"})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request."""
        self._next += 1
        self._send({"id": self._next, "method": method, "params": params})
        assert self._process.stdout is not None
        while (message := json.loads(self._process.stdout.readline())).get("id") != self._next:
            pass
        return message["result"]

    def search(self, query: str, mode: str) -> None:
        """One search, whose answer must be no error."""
        asked = {"corpus": "scale", "query": query, "mode": mode}
        answer = self.ask("tools/call", name="corpus_search", arguments=asked)
        assert not answer.get("isError"), answer

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()

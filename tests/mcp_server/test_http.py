"""The server over real HTTP, and who may speak to it."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

import tamis
from mcp import Client
from tamis.errors import ConfigError, InputError
from tamis.mcp_server.guard import is_loopback
from tamis.mcp_server.http import MAX_BODY_BYTES, Address, app, parse_address
from tamis.mcp_server.server import TamisServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TOKEN = "a-token-that-nobody-guesses"
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Address]]:
    """Starts a server at a free port; where it listens."""
    started: list[subprocess.Popen[str]] = []

    def start(host: str, *arguments: str, token: str | None = None) -> Address:
        if token is not None:
            monkeypatch.setenv("TAMIS_TOKEN", token)
        command = [sys.executable, "-m", "tamis", "mcp", "--http", f"{host}:0", *arguments]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        started.append(process)
        line = process.stderr.readline()
        match = re.search(r"listening on http://(\S+):(\d+)/mcp", line)
        assert match is not None, line + process.stderr.read()
        return Address("127.0.0.1", int(match[2]))

    yield start
    for process in started:
        process.terminate()
        process.wait(10)
        process.stderr.close()


def request(
    address: Address, path: str, method: str = "GET", body: str | None = None, **headers: str
) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection(*address, timeout=10)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, {"Accept": "application/json, text/event-stream", **given})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    try:
        return answer.status, json.loads(data)
    except ValueError:
        return answer.status, {}


@pytest.mark.anyio
async def test_the_sdks_client_finds_passages_over_http(
    serve: Callable[..., Address], library: tamis.Library, notes: Path
) -> None:
    library.index("notes", [notes], dense=False)
    address = await anyio.to_thread.run_sync(serve, "127.0.0.1")
    found: dict[int, str] = {}
    async with Client(f"http://127.0.0.1:{address.port}/mcp") as client:
        assert "- notes: 3 documents" in client.instructions

        async def search(number: int) -> None:
            asked = {"corpus": "notes", "query": "rotated", "mode": "lexical"}
            answer = await client.call_tool("corpus_search", asked)
            found[number] = answer.structured_content["result"]["hits"][0]["path"]

        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(search, number)
    assert found == dict.fromkeys(range(20), str(notes / "keys.md"))


def test_on_loopback_only_loopbacks_names_and_origins_are_answered(serve: Callable[..., Address]) -> None:
    address = serve("127.0.0.1", "--allow-host", "Search.example")
    ours = [f"127.0.0.1:{address.port}", f"localhost:{address.port}", "[::1]:80", "search.example"]
    for host in ours:
        assert request(address, "/health", Host=host) == (
            200,
            {"status": "ok", "name": "tamis", "version": tamis.__version__},
        )
    for host in (
        "evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "localhost.evil.example:80",
        "",
        "[",
        "a@b",
    ):
        status, error = request(address, "/mcp", "POST", PING, Host=host, Content_Type="application/json")
        assert (status, error["code"]) == (421, "HOST_NOT_ALLOWED"), host
    for origin in (
        "https://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "file://",
        "http://[",
        "",
    ):
        status, error = request(address, "/mcp", "POST", PING, Origin=origin, Content_Type="application/json")
        assert (status, error["code"]) == (403, "ORIGIN_NOT_ALLOWED"), origin
    status, _ = request(
        address,
        "/mcp",
        "POST",
        PING,
        Origin=f"http://localhost:{address.port}",
        Content_Type="application/json",
    )
    assert status not in (401, 403, 421)


def test_elsewhere_a_bearer_token_is_demanded(serve: Callable[..., Address]) -> None:
    address = serve("0.0.0.0", token=TOKEN)
    assert request(address, "/health")[0] == 200
    for wrong in (
        "",
        TOKEN,
        f"Basic {TOKEN}",
        "Bearer",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        "Bearer ÿ",
    ):
        status, error = request(
            address, "/mcp", "POST", PING, Authorization=wrong, Content_Type="application/json"
        )
        assert (status, error["code"]) == (401, "UNAUTHORIZED"), wrong
    status, error = request(
        address, "/mcp", "POST", PING, Host="evil.example", Authorization=f"Bearer {TOKEN}"
    )
    assert (status, error["code"]) == (421, "HOST_NOT_ALLOWED")
    status, _ = request(
        address,
        "/mcp",
        "POST",
        PING,
        Host="192.0.2.7:80",
        Authorization=f"bearer {TOKEN}",
        Content_Type="application/json",
    )
    assert status not in (401, 403, 421)


@pytest.mark.anyio
async def test_a_client_with_the_token_is_served(serve: Callable[..., Address]) -> None:
    address = await anyio.to_thread.run_sync(lambda: serve("0.0.0.0", token=f" {TOKEN}\n"))
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx2.AsyncClient(headers=headers) as carrier:
        transport = streamable_http_client(f"http://127.0.0.1:{address.port}/mcp", http_client=carrier)
        async with Client(transport) as client:
            assert (await client.call_tool("corpus_list", {})).structured_content["result"] == []


def test_a_body_that_is_too_long_is_refused(serve: Callable[..., Address]) -> None:
    address = serve("127.0.0.1")
    connection = http.client.HTTPConnection(*address, timeout=10)
    connection.putrequest("POST", "/mcp")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Accept", "application/json, text/event-stream")
    connection.putheader("Content-Length", str(MAX_BODY_BYTES + 1))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


@pytest.mark.parametrize("token", [None, "", "short", " " * 20])
def test_an_address_that_others_reach_needs_a_token_that_cannot_be_guessed(
    token: str | None, library: tamis.Library
) -> None:
    with pytest.raises(ConfigError, match="TAMIS_TOKEN"):
        app(TamisServer(lambda: library), Address("0.0.0.0", 1), token=token)


def test_the_token_is_in_no_text_of_the_guard(library: tamis.Library) -> None:
    assert TOKEN not in repr(app(TamisServer(lambda: library), Address("127.0.0.1", 1), token=TOKEN))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("8080", ("127.0.0.1", 8080)), ("localhost:0", ("localhost", 0)), ("0.0.0.0", ("0.0.0.0", 8747)),
        ("[::1]:9000", ("::1", 9000)), ("[::1]", ("::1", 8747)), ("127.0.0.1:8747", ("127.0.0.1", 8747)),
    ],
)  # fmt: skip
def test_an_address_may_leave_out_what_has_a_default(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text", ["", ":", ":80", "a:b", "127.0.0.1:99999", "::1", "::1:80", "[::1]x", "[]:1"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_address(text)


def test_a_port_that_is_taken_is_said() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "tamis", "mcp", "--http", str(port)],
            capture_output=True,
            text=True,
            timeout=30,
        )
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False),
     ("localhost.example", False), ("192.168.1.1", False), ("", False)],
)  # fmt: skip
def test_loopback_is_this_machine_and_no_other(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback

"""The process that a client starts: what is on its streams, and when it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

import tamis
from mcp import Client, StdioServerParameters, stdio_client

if TYPE_CHECKING:
    from collections.abc import Iterator

NOISY = Path(__file__).with_name("noisy_server.py")
INITIALIZE = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}  # fmt: skip
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class Process:
    """A server over pipes."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self.next = 0

    def send(self, message: dict[str, Any]) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def read(self) -> dict[str, Any]:
        line = self.process.stdout.readline()
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0", line
        return message

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.next += 1
        self.send({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})
        while (message := self.read()).get("id") != self.next:
            pass
        return message["result"]

    def call(self, tool: str, **arguments: Any) -> Any:
        return self.ask("tools/call", name=tool, arguments=arguments)["structuredContent"]

    def connect(self) -> None:
        self.send(INITIALIZE)
        assert self.read()["id"] == 0
        self.send(INITIALIZED)


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """While this file is there the model of ``noisy`` does not answer."""
    monkeypatch.setenv("TAMIS_INDEX_EMBEDDER", "noisy")
    return tmp_path / "gate"


@pytest.fixture
def server(gate: Path) -> Iterator[Process]:
    started = Process([sys.executable, str(NOISY), str(gate), "mcp"])
    started.connect()
    yield started
    gate.unlink(missing_ok=True)
    started.process.stdin.close()
    started.process.wait(10)
    started.process.stdout.close()
    started.process.stderr.close()


def test_stdout_carries_the_protocol_only(server: Process, notes: Path) -> None:
    server.call("corpus_index", name="notes", paths=[str(notes)])
    found = server.call("corpus_search", corpus="notes", query="who rotates keys")
    assert found["result"]["hits"][0]["path"] == str(notes / "keys.md")
    server.process.stdin.close()
    rest, said = server.process.stdout.read(), server.process.stderr.read().decode()
    assert rest == b""
    for source in ("print", "stdout", "the descriptor", "C", "a child", "a warning", "a log"):
        assert f"NOISE from {source}" in said


@pytest.mark.parametrize("busy", [False, True])
def test_the_end_of_stdin_ends_the_process_within_a_second(
    busy: bool, server: Process, gate: Path, notes: Path
) -> None:
    if busy:
        gate.touch()
        call = {"name": "corpus_index", "arguments": {"name": "notes", "paths": [str(notes)]}}
        server.send({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": call})
        until_it_embeds(server)
    ended = time.monotonic()
    server.process.stdin.close()
    assert server.process.wait(5) == 0
    assert time.monotonic() - ended < 1.0
    if busy:
        # What was committed is there, and whole.
        with tamis.open() as library:
            assert library.corpus("notes").search("rotated", mode="lexical").hits


def until_it_embeds(server: Process) -> None:
    while True:
        line = server.process.stderr.readline()
        assert line, "the server ended"
        if b"NOISE from a log" in line:
            return


def test_the_parents_death_ends_the_process_though_its_pipes_stay_open(gate: Path, tmp_path: Path) -> None:
    """The pipes are this process's, the parent is one in between that is killed."""
    script = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen([{sys.executable!r}, {str(NOISY)!r}, {str(gate)!r}, 'mcp'])\n"
        "print(child.pid, file=sys.stderr, flush=True)\n"
        "child.wait()\n"
    )
    between = Process([sys.executable, "-c", script])
    between.connect()
    pid = next(int(line) for line in between.process.stderr if line.strip().isdigit())
    handle = os.pidfd_open(pid)
    between.process.kill()
    died = time.monotonic()
    between.process.wait(5)
    # The stream ends when its last writer, the server, does.
    assert between.process.stdout.read() == b""
    assert time.monotonic() - died < 1.0
    os.close(handle)
    for stream in (between.process.stdin, between.process.stdout, between.process.stderr):
        stream.close()


def test_requests_that_came_just_before_the_end_are_answered(gate: Path) -> None:
    messages = [INITIALIZE, INITIALIZED, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        [sys.executable, "-m", "tamis", "mcp"], input=lines, capture_output=True, text=True, timeout=20,
        env={**os.environ, "TAMIS_INDEX_EMBEDDER": "bundled"},
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1]
    assert len(answers[1]["result"]["tools"]) == 13
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("line", "id", "code"),
    [
        (b"\xff\xfe no json", None, -32700),
        (b"{nonsense", None, -32700),
        (b"[]", None, -32600),
        (b'[{"jsonrpc": "2.0", "id": 5, "method": "ping"}]', None, -32600),
        (b'{"id": "m1", "method": 5}', "m1", -32600),
        (
            b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"a": '
            + b"[" * 300
            + b"]" * 300
            + b"}}",
            9,
            -32600,
        ),
        (b'{"jsonrpc": "2.0", "id": 8, "method": 5, "params": {"a": ' + b"9" * 6000 + b"}}", 8, -32600),
    ],
)
def test_what_is_no_message_is_answered_as_json_rpc_has_it(
    line: bytes, id: Any, code: int, server: Process
) -> None:
    server.process.stdin.write(b"\n" + line + b"\n")
    answer = server.read()
    assert (answer["id"], answer["error"]["code"]) == (id, code)
    assert server.call("corpus_list")["result"] == []


def test_half_a_surrogate_pair_is_read_as_a_replacement_character(server: Process, notes: Path) -> None:
    server.call("corpus_index", name="notes", paths=[str(notes)])
    arguments = '{"corpus": "notes", "query": "who rotates keys \\ud83d", "mode": "lexical"}'
    call = f'{{"jsonrpc": "2.0", "id": "s", "method": "tools/call", "params": {{"name": "corpus_search", "arguments": {arguments}}}}}'
    server.process.stdin.write(call.encode() + b"\n")
    answer = server.read()
    assert answer["id"] == "s"
    assert answer["result"]["structuredContent"]["result"]["hits"][0]["path"] == str(notes / "keys.md")


def test_a_number_that_is_too_long_is_refused_as_what_it_is(server: Process) -> None:
    arguments = '{"corpus": "notes", "query": "q", "top_k": ' + "9" * 6000 + "}"
    call = f'{{"jsonrpc": "2.0", "id": "n", "method": "tools/call", "params": {{"name": "corpus_search", "arguments": {arguments}}}}}'
    server.process.stdin.write(call.encode() + b"\n")
    answer = server.read()
    assert answer["id"] == "n"
    assert answer["result"]["structuredContent"]["message"].startswith("top_k")


def test_an_unknown_method_is_refused_and_the_server_goes_on(server: Process) -> None:
    server.process.stdin.write(b'{"jsonrpc": "2.0", "id": 77, "method": "absent"}\n')
    while (answer := server.read()).get("id") != 77:
        pass
    assert "error" in answer
    assert server.call("corpus_list")["result"] == []


def test_a_corpus_that_another_process_changed_is_seen_at_the_next_call(
    server: Process, notes: Path, gate: Path
) -> None:
    def other(*arguments: str) -> None:
        subprocess.run([sys.executable, str(NOISY), str(gate), *arguments], check=True, capture_output=True)

    other("index", "notes", str(notes))
    assert [line["name"] for line in server.call("corpus_list")["result"]] == ["notes"]
    assert (
        server.call("corpus_search", corpus="notes", query="giraffe", mode="lexical")["result"]["hits"] == []
    )
    (notes / "new.md").write_text("# New\n\nA giraffe.\n")
    other("refresh", "notes")
    (hit,) = server.call("corpus_search", corpus="notes", query="giraffe", mode="lexical")["result"]["hits"]
    assert hit["path"] == str(notes / "new.md")
    other("remove", "notes", "--yes")
    assert server.call("corpus_search", corpus="notes", query="giraffe")["code"] == "CORPUS_NOT_FOUND"


def test_a_broken_configuration_is_said_on_stderr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = tmp_path / "tamis.toml"
    wrong.write_text("[serch]\n")
    monkeypatch.setenv("TAMIS_CONFIG", str(wrong))
    done = subprocess.run(
        [sys.executable, "-m", "tamis", "mcp"], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'search'" in done.stderr


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_process(number: int, status: int, server: Process) -> None:
    server.process.send_signal(number)
    assert server.process.wait(5) == status


def test_starting_and_listing_load_no_model_no_client_and_no_more_than_the_protocol() -> None:
    lines = "".join(
        json.dumps(message) + "\n"
        for message in (INITIALIZE, INITIALIZED, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    )
    script = (
        "import os, sys\n"
        "end = os._exit\n"
        "def told(status):\n"
        "    sys.stderr.write(' '.join(sys.modules)); sys.stderr.flush(); end(status)\n"
        "os._exit = told\n"
        "from tamis.__main__ import main\n"
        "sys.argv = ['tamis', 'mcp']\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=lines, capture_output=True, text=True, check=True
    )
    loaded = set(done.stderr.split())
    assert '"id":1' in done.stdout
    heavy = {
        "numpy",
        "onnxruntime",
        "tokenizers",
        "turbovec",
        "mcp.client",
        "mcp.server.mcpserver",
        "httpx",
        "jsonschema",
        "starlette",
    }
    assert loaded & heavy == set()
    assert {"tamis.mcp_server.http", "tamis.indexing", "tamis.embedders"} & loaded == set()


@pytest.mark.anyio
async def test_the_sdks_own_client_speaks_to_the_process(gate: Path, notes: Path) -> None:
    with tamis.open() as library:
        from tamis import embedders
        from tamis.testing import HashEmbedder

        embedders.register("noisy")(lambda model, config: HashEmbedder())
        library.index("notes", [notes])
        embedders.registry._factories.pop("noisy")
    parameters = StdioServerParameters(
        command=sys.executable, args=[str(NOISY), str(gate), "mcp", "--compat"], env=dict(os.environ)
    )
    found: dict[int, str] = {}
    async with Client(stdio_client(parameters)) as client:
        assert len((await client.list_tools()).tools) == 23

        async def search(number: int) -> None:
            answer = await client.call_tool(
                "ollama_corpus_search", {"corpus": "notes", "query": "keys", "top_k": 1}
            )
            found[number] = answer.structured_content["result"]["hits"][0]["path"]

        async with anyio.create_task_group() as group:
            for number in range(50):
                group.start_soon(search, number)
    assert found == dict.fromkeys(range(50), str(notes / "keys.md"))


def test_the_sdk_is_whole_after_it_was_loaded_lean() -> None:
    script = (
        "from tamis.mcp_server import sdk\n"
        "sdk.load()\n"
        "import sys, pydantic, mcp, mcp.server\n"
        "assert 'mcp.client' not in sys.modules\n"
        "assert 'defer_build' not in pydantic.BaseModel.model_config\n"
        "assert mcp.Client.__name__ == 'Client' and 'mcp.client' in sys.modules\n"
        "assert mcp.server.MCPServer.__name__ == 'MCPServer'\n"
        "from mcp.server.auth.settings import AuthSettings\n"
        "assert issubclass(AuthSettings, pydantic.BaseModel)\n"
        "import starlette.routing\n"
        "assert starlette.routing.Route.__mro__[1].__name__ == 'BaseRoute'\n"
        "import mcp_types\n"
        "params = {'name': 'x', 'inputResponses': {'a': {'action': 'cancel'}}}\n"
        "read = mcp_types.CallToolRequestParams.model_validate(params).input_responses['a']\n"
        "assert isinstance(read, mcp_types.ElicitResult), read\n"
        "mcp_types.client_request_adapter.validate_python({'method': 'ping'})\n"
        "mcp_types.server_result_adapter.json_schema()\n"
        "try:\n    mcp.absent\nexcept AttributeError: pass\nelse: raise SystemExit(1)\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)


def test_messages_on_the_wire_are_read_as_by_the_whole_sdk() -> None:
    script = (
        "import json, sys\n"
        "if sys.argv[1] == 'lean':\n"
        "    from tamis.mcp_server import sdk\n"
        "    sdk.load()\n"
        "from mcp_types import methods\n"
        "from pydantic import TypeAdapter\n"
        "sides = ('CLIENT_REQUESTS', 'CLIENT_NOTIFICATIONS', 'CLIENT_RESULTS',\n"
        "         'SERVER_REQUESTS', 'SERVER_NOTIFICATIONS', 'SERVER_RESULTS')\n"
        "kinds = {str((side, *key)): kind for side in sides for key, kind in getattr(methods, side).items()}\n"
        "made = {kind: TypeAdapter(kind).json_schema() for kind in set(kinds.values())}\n"
        "json.dump({key: made[kind] for key, kind in kinds.items()}, sys.stdout)\n"
    )
    whole, lean = (
        json.loads(
            subprocess.run(
                [sys.executable, "-W", "error", "-c", script, how], check=True, capture_output=True
            ).stdout
        )
        for how in ("whole", "lean")
    )
    assert len(whole) > 100
    assert lean == whole


def test_an_sdk_that_cannot_be_loaded_lean_is_loaded_whole() -> None:
    script = (
        "from tamis.mcp_server import sdk\n"
        "sdk.HTTP_ONLY = ('mcp.shared',)\n"  # whose classes it derives from and subscripts while it is imported
        "sdk.load()\n"
        "from tamis.mcp_server.server import TamisServer\n"
        "from mcp.shared.message import SessionMessage\n"
        "assert 'message' in SessionMessage.__dataclass_fields__\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)

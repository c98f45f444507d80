"""What docs/mcp.md tells to paste holds."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tamis.cli.group import cli
from tamis.cli.session import Session
from tamis.mcp_server import prompts, tools
from tamis.mcp_server.http import DEFAULT_HOST, DEFAULT_PORT, PATH

TEXT = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
CONFIGURATIONS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]


def servers() -> list[dict[str, object]]:
    return [
        entry
        for configuration in CONFIGURATIONS
        for table in (configuration.get("mcpServers") or configuration["servers"],)
        for entry in table.values()
    ]


def test_there_is_a_configuration_for_each_client() -> None:
    assert len(servers()) == 5
    for client in ("Claude Code", "Claude Desktop", "Cursor", "VS Code"):
        assert client in TEXT


@pytest.mark.parametrize("entry", servers())
def test_every_configuration_starts_or_finds_the_server(entry: dict[str, object]) -> None:
    if "url" in entry:
        assert entry["url"] == f"http://{DEFAULT_HOST}:{DEFAULT_PORT}{PATH}"
    else:
        parsed(["tamis", *entry["args"]])
        assert entry["command"] == "tamis"


def parsed(words: list[str]) -> None:
    """Raises where the command line does not take the words; nothing is run."""
    words = words[words.index("tamis") + 1 :]
    with cli.make_context("tamis", words, obj=Session()) as context:
        command = cli.get_command(context, words[0])
        command.make_context(words[0], words[1:], parent=context)


@pytest.mark.parametrize(
    "line", re.findall(r"^(?:TAMIS_TOKEN=\S+ \S+ \S+ \S+ )?(tamis mcp.*)$", TEXT, re.MULTILINE)
)
def test_every_command_line_is_one(line: str) -> None:
    parsed(shlex.split(line, comments=True))


def test_every_tool_and_prompt_is_in_the_table() -> None:
    assert re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE) == list(tools.MODULES)
    assert all(f"`{name}`" in TEXT for name in prompts.FLOWS)

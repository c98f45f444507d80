"""The reference, the help and the registry say what the commands are."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from tamis.cli import registry
from tamis.cli.group import cli
from tamis.cli.reference import reference

WRITTEN = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_reference_is_what_the_commands_say() -> None:
    assert WRITTEN.read_text(encoding="utf-8") == reference(), (
        "run: python -m tamis.cli.reference > docs/cli.md"
    )


@pytest.mark.parametrize("name", registry.COMMANDS)
def test_the_list_of_commands_says_the_first_line_of_each_ones_help(name: str) -> None:
    command = registry.load(name)
    assert command.name == name
    assert (command.help or "").split("\n")[0] == registry.COMMANDS[name].summary


@pytest.mark.parametrize("name", registry.COMMANDS)
def test_each_command_has_examples_that_call_it(name: str) -> None:
    command = registry.load(name)
    shown = [command] if not isinstance(command, click.Group) else list(command.commands.values())
    for one in shown:
        assert f"tamis {name}" in (one.epilog or "")


@pytest.mark.parametrize("name", registry.COMMANDS)
def test_each_option_says_what_it_does(name: str) -> None:
    for parameter in registry.load(name).params:
        assert not isinstance(parameter, click.Option) or parameter.help


def test_the_help_lists_every_command_under_a_section_in_80_columns() -> None:
    text = cli.get_help(click.Context(cli, info_name="tamis", terminal_width=80))
    assert all(f"  {name} " in text for name in registry.COMMANDS)
    assert {entry.section for entry in registry.COMMANDS.values()} == set(registry.SECTIONS)
    assert max(map(len, text.splitlines())) <= 80

"""The reference of the command line, written from the commands themselves::

python -m tamis.cli.reference > docs/cli.md
"""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING

import click

from tamis.cli import registry
from tamis.cli.command import options
from tamis.cli.group import cli
from tamis.cli.main import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = """\
# The command line

Written by `python -m tamis.cli.reference`; change the commands, not this file.

Results go to stdout; progress, warnings and errors to stderr. An empty result is a success.

| exit status | meaning |
| --- | --- |
| 0 | done |
| 1 | failed |
| 2 | wrong usage or configuration |
| 3 | no such corpus, or one that cannot be used |
| 130 | interrupted |
"""


def reference() -> str:
    """The reference in Markdown, ending in a newline."""
    root = click.Context(cli, info_name=PROGRAM)
    _, shared = options(cli, root)
    parts = [
        HEAD,
        "## Options of every command\n\nBefore or after the command's name.\n\n" + _options_table(shared),
    ]
    for section in registry.SECTIONS:
        parts.append(f"## {section}\n")
        for name, entry in registry.COMMANDS.items():
            if entry.section == section:
                parts += _command(name, registry.load(name), root)
    return "\n".join(parts)


def _command(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            if found is not None:
                yield from _command(inner, found, context)
        return
    yield f"### {context.command_path}\n"
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"    {usage}\n"
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    yield "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs) + "\n"
    own, _ = options(command, context)
    yield _options_table([record for record in own if not record[0].endswith("--help")])
    if examples := [line.strip() for line in (command.epilog or "").splitlines()[2:]]:
        yield "```sh\n" + "\n".join(examples) + "\n```\n"


def _options_table(records: list[tuple[str, str]]) -> str:
    if not records:
        return ""
    rows = [f"| `{names}` | {meaning.replace('|', chr(92) + '|')} |" for names, meaning in records]
    return "\n".join(["| option | meaning |", "| --- | --- |", *rows, ""])


if __name__ == "__main__":
    sys.stdout.write(reference())

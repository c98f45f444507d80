"""``tamis`` itself: finds the command that was asked for and imports no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli import registry
from tamis.cli.command import options, shared_options
from tamis.errors import InputError
from tamis.suggestions import nearest

if TYPE_CHECKING:
    from collections.abc import Callable


class Commands(click.Group):
    """The commands of the registry, in its order."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's signature
        return list(registry.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        return registry.load(cmd_name) if cmd_name in registry.COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] == "help" and not ctx.resilient_parsing:
            if len(args) == 1:
                click.echo(ctx.get_help(), color=ctx.color)
                ctx.exit()
            args = [args[1], "--help"]
        if args[0] not in registry.COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            raise _unknown(args[0])
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, registry.COMMANDS))
        for section in registry.SECTIONS:
            with formatter.section(section):
                formatter.write_dl(
                    [
                        (name.ljust(widest), e.summary)
                        for name, e in registry.COMMANDS.items()
                        if e.section == section
                    ]
                )
        own, shared = options(self, ctx)
        for title, records in (("Options", own), ("Options of every command", shared)):
            with formatter.section(title):
                formatter.write_dl(records)


def _unknown(name: str) -> InputError:
    near = nearest(name, registry.COMMANDS)
    guess = f"did you mean {near!r}?" if near else "to search, write: tamis search QUERY"
    return InputError(f"there is no command {name!r}", hint=f"{guess} (tamis -h lists the commands)")


def _version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from tamis import __version__

        click.echo(f"tamis {__version__}")
        context.exit()


def _root() -> Commands:
    group = Commands(
        "tamis",
        help="Index, search and read your own documents on this machine.",
        epilog=(
            "\b\nA first search:\n"
            "  tamis index notes ~/notes\n"
            '  tamis search "how do we rotate keys?"\n\n'
            "tamis COMMAND -h explains a command."
        ),
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    version: Callable[..., None] = _version
    group.params += [
        click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=version, help="Show the version."),
        *shared_options(),
    ]  # fmt: skip
    return group


cli = _root()

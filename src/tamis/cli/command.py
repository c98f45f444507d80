"""What every command has: its examples, the options that go with all of them, and the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tamis.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable


class SharedOption(click.Option):
    """An option of every command; its value goes into the session. It may stand before or after the command's name."""

    def __init__(self, *declarations: str, **settings: Any) -> None:
        super().__init__(declarations, expose_value=False, callback=_remember, default=None, **settings)


def shared_options(*, quiet: str = "-q") -> list[click.Parameter]:
    """New instances of the options that every command has.

    Args:
        quiet: The short form of ``--quiet``; empty where it means something else.
    """
    return [
        SharedOption("--json", is_flag=True, help="Print the result, or the error, as JSON."),
        SharedOption("--home", metavar="DIR", help="Where the corpora are (TAMIS_HOME)."),
        SharedOption("--config", metavar="FILE", help="The configuration to use (TAMIS_CONFIG)."),
        SharedOption("--color/--no-color", help="Colour the output, or not (NO_COLOR)."),
        SharedOption(
            "--quiet",
            *filter(None, [quiet]),
            is_flag=True,
            help="No progress, and no warnings but that a result falls short.",
        ),
        SharedOption("--debug", is_flag=True, help="Show the traceback of an error."),
    ]


class Command(click.Command):
    """A command whose help tells its own options from those of all commands."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_options(self, ctx, formatter)


def command(
    name: str, *, examples: str = "", quiet: str = "-q"
) -> Callable[[Callable[..., int | None]], Command]:
    """Make a command of a function that takes the session first; its docstring is the help.

    What it returns is the exit status, ``None`` for 0.

    Args:
        examples: Command lines, one a line.
        quiet: The short form of ``--quiet``; empty where the command has another use for it.
    """

    def make(function: Callable[..., int | None]) -> Command:
        made = click.command(name, cls=Command, epilog=example_block(examples))(click.pass_obj(function))
        made.params += shared_options(quiet=quiet)
        return made

    return make


def example_block(examples: str) -> str | None:
    r"""The examples as click keeps their lines: after a line with a backspace."""
    lines = [line.strip() for line in examples.strip().splitlines()]
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)]) if lines else None


def write_options(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    """The command's own options, and the names of those that every command has."""
    own, shared = options(command, context)
    with formatter.section("Options"):
        formatter.write_dl(own)
    if shared:
        names = "  ".join(name.replace(" / ", "/") for name, _ in shared)
        with formatter.section("Options of every command (tamis -h tells what they do)"):
            formatter.write_text(names)


def options(
    command: click.Command, context: click.Context
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Names and meanings of the command's own options, and of those that every command has."""
    own: list[tuple[str, str]] = []
    shared: list[tuple[str, str]] = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None:
            (shared if isinstance(parameter, SharedOption) else own).append(record)
    return own, shared


def _remember(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    session = context.find_object(Session)
    if session is not None and value is not None and parameter.name:
        setattr(session, parameter.name, value)

"""The options of every command that compresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import click

from tamis.cli.terminal import is_terminal
from tamis.render.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    Function = TypeVar("Function", bound=Callable[..., object])

MAX_TOKENS = 2000


def budget_option(default: int | None = MAX_TOKENS) -> Callable[[Function], Function]:
    """``-t``."""
    return click.option("-t", "--max-tokens", metavar="N", type=int, default=default, show_default=default is not None,
                        help="Tokens that the text may have, with its headers and marks.")  # fmt: skip


def compression_options(function: Function) -> Function:
    """``--level``, ``--tokenizer``, ``--form`` and ``--order``."""
    for option in (
        click.option("--order", metavar="ORDER", default="rank", show_default=True,
                     help="rank: as given. document: reading order. lost_in_the_middle: the best at both ends."),
        click.option("--form", metavar="FORM", default="text", show_default=True,
                     help="text, with citations and sources; markdown; json; xml."),
        click.option("--tokenizer", metavar="NAME", default="bundled", show_default=True,
                     help="What counts: bundled, o200k, cl100k, chars/4, or a tokenizer.json."),
        click.option("--level", metavar="LEVEL",
                     help="strip: leave out markup. truncate: strip, and cut at the end of a sentence. extract: keep what answers "
                          "the query; the default where there is one."),
    ):  # fmt: skip
        function = option(function)
    return function


def for_stream(text: str, stream: TextIO | None) -> str:
    """Compressed text as it is for a program, and without signs that steer a terminal for a person."""
    return printable(text) if is_terminal(stream) else text

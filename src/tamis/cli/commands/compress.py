"""``tamis compress``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.compression import budget_option, compression_options, for_stream
from tamis.render.evidence import compressed_summary

if TYPE_CHECKING:
    from tamis.cli.session import Session
    from tamis.compress import Compressed


@tamis_command(
    "compress",
    quiet="",
    examples="""
        tamis compress lessons.md -t 2000
        tamis compress handbook.md -t 500 -q "how are keys rotated?"
        kubectl logs api | tamis compress - -t 1000 -q "why did it restart?"
    """,
)
@click.argument("files", metavar="FILE|-...", nargs=-1, required=True)
@budget_option()
@click.option("-q", "--query", metavar="TEXT", help="What the text is needed for: what answers it is kept.")
@compression_options
def command(session: Session, files: tuple[str, ...], **options: Any) -> None:
    """Cut text down to a token budget.

    - reads stdin. One text is read as a stream, whatever its length; of several each is read as a whole. With a query the
    sentences, list items, table rows and blocks of code that answer it are kept, as they are.
    """
    show_compressed(session, files, options)


def show_compressed(session: Session, files: tuple[str, ...], options: dict[str, Any]) -> None:
    """Compress files, or stdin for ``-``, and bring out what is left."""
    done = _compressed(files, options)
    session.show(done, lambda _: for_stream(done.text, sys.stdout), warnings=done.warnings)
    session.note(compressed_summary(done))


def _compressed(files: tuple[str, ...], options: dict[str, Any]) -> Compressed:
    from tamis.compress import CompressItem, compress, compress_stream
    from tamis.library.texts import pieces, pieces_of

    texts = [(None, pieces(sys.stdin.buffer)) if file == "-" else (file, pieces_of(file)) for file in files]
    if len(texts) == 1:
        (path, text), streamed = texts[0], {name: value for name, value in options.items() if name != "order"}
        return compress_stream(text, path=path, **streamed)
    return compress([CompressItem("".join(text), path=path) for path, text in texts], **options)

"""``tamis amend``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.errors import InputError, SourceError
from tamis.render.reports import amend_text

if TYPE_CHECKING:
    from tamis.cli.session import Session

# Four bytes for each of the 5,000,000 characters that an amend may have; what is more need not be read.
MAX_BYTES = 20_000_000


@tamis_command(
    "amend",
    examples="""
        tamis amend notes ~/notes/todo.md --content-file draft.md
        pbpaste | tamis amend notes ~/notes/todo.md -
    """,
)
@click.argument("name", shell_complete=corpus_names)
@click.argument("file", type=click.Path())
@click.argument("stdin", metavar="[-]", required=False, type=click.Choice(["-"]))
@click.option("--content-file", metavar="FILE", type=click.Path(allow_dash=True),
              help="The new text, in UTF-8; - reads it from stdin.")  # fmt: skip
@click.option(
    "--chunk-chars", metavar="N", type=int, help="Characters in a passage; as in the corpus when left out."
)
@click.option("--chunk-overlap", metavar="N", type=int, help="Characters that neighbours share; likewise.")
def command(
    session: Session,
    name: str,
    file: str,
    stdin: str | None,
    content_file: str | None,
    chunk_chars: int | None,
    chunk_overlap: int | None,
) -> None:
    """Replace one file's text in a corpus, whatever the disk says.

    The new text is that of --content-file, or with - what comes from stdin. The disk is not touched, and FILE need not be there. The corpus says that it holds amended text until the next refresh
    or index, which brings the disk's text back.
    """
    content = content_file or stdin
    if content is None or (content_file and stdin):
        raise click.UsageError("give the new text once: --content-file FILE, or - for stdin")
    report = session.library.corpus(name).amend(
        file, _content(content), chunk_chars=chunk_chars, chunk_overlap=chunk_overlap
    )

    session.show(report, lambda style: amend_text(report, style), warnings=report.warnings)


def _content(source: str) -> str:
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(source).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise SourceError(
            f"{source} cannot be read: {error.strerror}", hint="check --content-file"
        ) from error
    if len(data) > MAX_BYTES:
        raise InputError("the new text is too long", hint=f"give at most {MAX_BYTES // 1_000_000} MB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "the new text is not UTF-8", hint="convert it first, with iconv or the like"
        ) from error

"""``tamis get``."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.terminal import is_terminal
from tamis.errors import InputError, NotDocumentError
from tamis.render.passage import passage_text
from tamis.types import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.cli.session import Session
    from tamis.types import Passage

# ``A:B``, either of which may be left out, or one line ``A``; ``A-B``, as search prints it, is taken too.
_RANGE = re.compile(r"(?=.*\d)(\d*)(?:([:-])(\d*))?\Z")


def _lines(text: str) -> Lines | None:
    match = _RANGE.match(text)
    if match is None:
        return None
    first, separator, last = match.groups()
    end = int(last) if last else sys.maxsize if separator else int(first)
    return Lines(int(first or 1), end)


def _line_range(_: click.Context, __: click.Parameter, value: str | None) -> Lines | None:
    if value is not None and _lines(value) is None:
        raise click.BadParameter(f"{value!r} is not a range of lines such as 10:20")
    return None if value is None else _lines(value)


@tamis_command(
    "get",
    examples="""
        tamis get notes:1042
        tamis get docs/keys.md --lines 10:40
        tamis get docs/keys.md --lines 270:
        tamis get docs/keys.md:10-40
    """,
)
@click.argument("target", metavar="PATH_OR_ID")
@click.option("-c", "--corpus", metavar="NAME", shell_complete=corpus_names,
              help="Look in this corpus; all of them when left out.")  # fmt: skip
@click.option(
    "--lines",
    metavar="A:B",
    callback=_line_range,
    help="Only these lines, counted from 1, both included; A: and :B do too.",
)
def command(session: Session, target: str, corpus: str | None, lines: Lines | None) -> None:
    """Print a document, some of its lines, or the passage of a hit.

    What is printed is the text as it was indexed. PATH_OR_ID is a path, the end of one that only one document has, a path with
    lines as search prints it, or the id of a hit.
    """
    passage = _find(session, target, corpus, lines)

    stale = ["the file on disk has changed or gone since this was indexed"] if passage.stale else []
    session.show(
        passage, lambda _: passage_text(passage, verbatim=not is_terminal(sys.stdout)), warnings=stale
    )


def _find(session: Session, target: str, corpus: str | None, lines: Lines | None) -> Passage:
    """The passage under the first reading of the target that there is one for.

    Raises:
        NotDocumentError: No corpus has it.
        InputError: Several corpora have it.
    """
    library = session.library
    names = library.names() or [library.only().name]
    prefix, _, number = target.partition(":")
    if corpus is not None or (number.isdecimal() and prefix in names):
        names = [corpus or prefix]
    corpora = [library.corpus(name) for name in names]
    missing: list[NotDocumentError] = []
    for reading, wanted in _readings(os.path.expanduser(target), lines):
        found: list[Passage] = []
        for one in corpora:
            try:
                found.append(one.get(reading, lines=wanted))
            except NotDocumentError as error:
                missing.append(error)
        if len(found) > 1:
            having = ", ".join(passage.corpus for passage in found)
            raise InputError(f"several corpora have {target!r}", hint=f"say which with -c: {having}")
        if found:
            return found[0]
    if len(corpora) == 1:
        raise missing[0]
    raise NotDocumentError(f"no corpus has a document {target!r}", hint=f"looked in: {', '.join(names)}")


def _readings(target: str, lines: Lines | None) -> Iterator[tuple[str, Lines | None]]:
    """What a target may mean: as it stands, or a path and lines of it; a file of this folder before one that ends alike."""
    readings = [(target, lines)]
    path, _, end = target.rpartition(":")
    if path and lines is None and (named := _lines(end)) is not None:
        readings.append((path, named))
    for name, wanted in readings:
        if os.path.lexists(name):
            yield os.path.abspath(name), wanted
        yield name, wanted

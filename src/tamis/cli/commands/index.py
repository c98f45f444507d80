"""``tamis index``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.progress import progress
from tamis.errors import TamisError
from tamis.render.reports import index_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command(
    "index",
    examples="""
        tamis index notes ~/notes
        tamis index project ./docs ./src README.md --exclude "**/vendor/**"
        tamis index notes ~/notes --no-dense && tamis embed notes
    """,
)
@click.argument("name", shell_complete=corpus_names)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--embedder", metavar="KEY[:MODEL]", help="What makes the vectors, such as bundled or onnx:FOLDER."
)
@click.option("--chunk-chars", metavar="N", type=int, help="Characters in a passage, 100 to 8000.")
@click.option(
    "--chunk-overlap",
    metavar="N",
    type=int,
    help="Characters that neighbours share, 0 to 4000; more than half a passage counts as half.",
)
@click.option("--include", metavar="GLOB", multiple=True, help="Only files that match; may be repeated.")
@click.option("--exclude", metavar="GLOB", multiple=True, help="No files that match; may be repeated.")
@click.option("--no-globs", is_flag=True, help="Forget the globs that the corpus was made with.")
@click.option("--dense/--no-dense", default=None, help="Make vectors at once, or leave it to tamis embed.")
def command(
    session: Session,
    name: str,
    paths: tuple[str, ...],
    embedder: str | None,
    chunk_chars: int | None,
    chunk_overlap: int | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    no_globs: bool,
    dense: bool | None,
) -> None:
    """Make a corpus of files and folders.

    Afterwards the corpus NAME holds what the PATHs hold, and nothing else. Folders are read with their .gitignore and
    .tamisignore; hidden files are left out. Text is searchable as soon as it is read, vectors follow. Interrupted, the same
    command goes on where it stopped; run again, it reads what changed.

    Options that are left out are as in the run before; for a new corpus they are as configured, with every file read and
    vectors made at once.
    """
    unless_given = () if no_globs else None
    with progress(session) as bar:
        report = session.library.index(
            name,
            paths,
            embedder=embedder,
            chunk_chars=chunk_chars,
            chunk_overlap=chunk_overlap,
            include=include or unless_given,
            exclude=exclude or unless_given,
            dense=dense,
            progress=bar,
        ).report
    if report is None:
        raise TamisError("the index run left no report")
    session.show(report, lambda style: index_text(report, style), warnings=report.warnings)

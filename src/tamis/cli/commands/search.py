"""``tamis search``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.render.hits import hits_text
from tamis.types import MODES, Filter

if TYPE_CHECKING:
    from tamis.cli.session import Session
    from tamis.types import Mode

MAX_QUERY_BYTES = 8_000  # of stdin; more than the longest query that is allowed


@tamis_command(
    "search",
    examples="""
        tamis search "how do we rotate keys?"
        tamis search -c notes -c docs -k 5 "retention of backups"
        tamis search -m lexical --path-glob "**/adr/*.md" --since 2026-01-01 tokio
        tamis search --json "error budget" | jq -r ".result.hits[].path"
    """,
)
@click.argument("query")
@click.option("-c", "--corpus", "corpora", metavar="NAME", multiple=True, shell_complete=corpus_names,
              help="Search this corpus; may be repeated. All of them when left out.")  # fmt: skip
@click.option("-m", "--mode", type=click.Choice(MODES), metavar="MODE",
              help="hybrid: words and meaning. semantic: meaning. lexical: words, BM25. fact: hybrid, exact mentions "
                   "first. title_path: titles, headings and paths only.")  # fmt: skip
@click.option("-k", "--top-k", metavar="N", type=int, help="How many hits, 1 to 100.")
@click.option("--path-glob", metavar="GLOB", help="Only files whose path matches; ** crosses folders.")
@click.option("--since", metavar="TIME", help="Only files modified since this date or time (ISO 8601).")
@click.option("--preview-chars", metavar="N", type=int, help="Length of the previews, 0 to 500.")
@click.option("--text", "whole", is_flag=True, help="Show whole passages in place of previews.")
@click.option("--fusion", metavar="NAME", help="How words and meaning become one ranking.")
@click.option("--explain-scores", is_flag=True, help="Show where each score came from.")
def command(
    session: Session,
    query: str,
    corpora: tuple[str, ...],
    mode: Mode | None,
    top_k: int | None,
    path_glob: str | None,
    since: str | None,
    preview_chars: int | None,
    whole: bool,
    fusion: str | None,
    explain_scores: bool,
) -> None:
    """Find the passages that answer a query.

    QUERY is plain text, never syntax; - reads it from stdin. What is not set here is as in the configuration.
    """
    wanted = (
        sys.stdin.buffer.read(MAX_QUERY_BYTES).decode(errors="replace").strip() if query == "-" else query
    )
    result = session.library.search(
        wanted,
        corpora,
        mode=mode,
        top_k=top_k,
        filter=Filter(path_glob=path_glob, since=since),
        preview_chars=preview_chars,
        fusion=fusion,
        explain_scores=explain_scores,
    )
    session.show(
        result,
        lambda style: hits_text(result, wanted, style, whole=whole, explain=explain_scores),
        warnings=result.warnings,
        whole=whole,
    )
    if not result.hits:
        session.note(f"no hits: {result.reason}" if result.reason else "no hits")

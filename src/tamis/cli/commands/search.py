"""``tamis search``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.compression import budget_option
from tamis.cli.filtering import asked_filter, filter_options
from tamis.cli.pairs import pairs
from tamis.render.hits import hits_text
from tamis.render.outline import outline_text
from tamis.types import MODES

if TYPE_CHECKING:
    from typing import Unpack

    from tamis.cli.session import Session
    from tamis.library.request import SearchOptions

MAX_QUERY_BYTES = 8_000  # of stdin; more than the longest query that is allowed


def _stdin() -> str:
    return sys.stdin.buffer.read(MAX_QUERY_BYTES).decode(errors="replace").strip()


@tamis_command(
    "search",
    examples="""
        tamis search "how do we rotate keys?"
        tamis search -c notes -c docs -k 5 "retention of backups"
        tamis search -m lexical --path-glob "**/adr/*.md" --since 2026-01-01 tokio
        tamis search --rerank cross_encoder "what happens when a key leaks?"
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
@filter_options
@click.option("--preview-chars", metavar="N", type=int, help="Length of the previews, 0 to 500.")
@click.option("--text", "whole", is_flag=True, help="Show whole passages in place of previews.")
@click.option("--fusion", metavar="NAME", help="How words and meaning become one ranking.")
@click.option("--scope", metavar="NAME", help="Search as [scope.NAME] of the configuration says.")
@click.option(
    "--rerank", metavar="KEY", help="Rerank what was found; noop for no reranking where a scope has one."
)
@click.option("--rerank-config", metavar="K=V", multiple=True, callback=pairs,
              help="An option of the reranker; may be repeated.")  # fmt: skip
@click.option("--budget-cents", metavar="N", type=float, help="What reranking may cost.")
@click.option("--min-score", metavar="N", type=float, help="Leave out hits with a lower score.")
@click.option("--explain", is_flag=True, help="Say of the first five hits why they matched.")
@click.option("--explain-scores", is_flag=True, help="Show where each score came from.")
@click.option("-r", "--refined", is_flag=True,
              help="Rerank by keyword, by --rerank or as the scope says, and compress to -t tokens, as tamis refine.")  # fmt: skip
@budget_option()
@click.option("--dry-run", is_flag=True, help="Only show what would be searched and reranked, and its cost.")
def command(
    session: Session,
    query: str,
    corpora: tuple[str, ...],
    scope: str | None,
    path_glob: str | None,
    since: str | None,
    whole: bool,
    refined: bool,
    max_tokens: int,
    dry_run: bool,
    **options: Unpack[SearchOptions],
) -> None:
    """Find the passages that answer a query.

    QUERY is plain text, never syntax; - reads it from stdin. What is not set here is as in the scope or the configuration.
    """
    wanted = _stdin() if query == "-" else query
    options["filter"] = asked_filter(path_glob, since)
    if refined and scope is None:
        options["rerank"] = options.get("rerank") or "keyword"
    if dry_run:
        outline = session.library.outline(wanted, corpora, scope=scope, **options)
        session.show(outline, lambda style: outline_text(outline, style))
        return
    if refined:
        from tamis.cli.commands.refine import show_evidence

        show_evidence(
            session,
            session.library.refine(wanted, corpora, scope=scope, max_tokens=max_tokens, **options),
        )
        return
    result = session.library.search(wanted, corpora, scope=scope, **options)
    scores = options.get("explain_scores", False)
    session.show(
        result,
        lambda style: hits_text(result, wanted, style, whole=whole, explain=scores),
        warnings=result.warnings,
        whole=whole,
    )
    if result.cost_cents or result.cached_scores:
        session.note(
            f"{result.reranker}: {result.cost_cents or 0:.4g} cents, {result.cached_scores or 0:,} scores were known before"
        )
    if session.library.config.search.log:
        from tamis.library.search_log import log_search

        if problem := log_search(session.library.home, wanted, result.hits):
            session.warn(problem)
    if not result.hits:
        session.note(f"no hits: {result.reason}" if result.reason else "no hits")

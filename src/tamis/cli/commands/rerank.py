"""``tamis rerank``."""

from __future__ import annotations

import io
import os
import select
import stat
import sys
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.compression import MAX_TOKENS, budget_option, compression_options
from tamis.cli.pairs import pairs
from tamis.errors import InputError
from tamis.render.memories import memories_text, standing_text

if TYPE_CHECKING:
    from tamis.cli.session import Session

STDIN = "-"
PATIENCE_SECONDS = 1.0


@tamis_command(
    "rerank",
    examples="""
        tamis rerank "lessons learned"
        tamis rerank "security fixes" -k 10 -c notes --driver cross_encoder
        tamis rerank "security fixes" notes/*.md
        cat memories.jsonl | tamis rerank "security fixes" - --json
        tamis rerank compress lessons.md -t 2000
        tamis rerank refine "security fixes" -k 10 -t 2000
        tamis rerank -s
    """,
)
@click.argument("words", metavar="QUERY [FILE...|-]", nargs=-1)
@click.option("-c", "--corpus", "corpora", metavar="NAME", multiple=True, shell_complete=corpus_names,
              help="Rerank the documents of this corpus; may be repeated.")  # fmt: skip
@click.option("-k", "--top-k", metavar="N", type=int, default=5, show_default=True, help="How many to keep.")
@budget_option(None)
@click.option("-v", "--verbose", is_flag=True, help="Show more of each memory, and where it stood before.")
@click.option(
    "-s", "--stats", is_flag=True, help="Show statistics: of this reranking, or without a query of all."
)
@click.option("--driver", metavar="KEY", default="keyword", show_default=True,
              help="What ranks; tamis rerankers lists them.")  # fmt: skip
@click.option("--driver-config", metavar="K=V", multiple=True, callback=pairs,
              help="An option of the driver; may be repeated.")  # fmt: skip
@click.option("--budget-cents", metavar="N", type=float, help="What the driver may cost.")
@compression_options
def command(
    session: Session,
    words: tuple[str, ...],
    corpora: tuple[str, ...],
    top_k: int,
    max_tokens: int | None,
    verbose: bool,
    stats: bool,
    driver: str,
    driver_config: dict[str, str],
    budget_cents: float | None,
    **form: Any,
) -> None:
    """Rank memories against a query.

    A memory is a text with a title and a date: a document of a corpus, a file, or an object {content, id?, title?, date?, tags?}
    in JSON or JSON lines from a .json or .jsonl file or from stdin (-). Without files and corpora, what is piped in, else all
    corpora. With -t the best are compressed to so many tokens.

    rerank compress FILE... and rerank refine QUERY say the same as tamis compress FILE... and tamis rerank QUERY -t 2000.
    """
    verb, rest = _verb(words)
    if verb == "compress":
        from tamis.cli.commands.compress import show_compressed

        show_compressed(session, rest, {"max_tokens": max_tokens or MAX_TOKENS, **form})
        return
    if verb == "refine" and max_tokens is None:
        max_tokens = MAX_TOKENS
    if not rest:
        _show_standing(session, asked=stats)
        return
    memories = _memories(session, rest[1:], corpora)
    done = session.library.rerank(
        memories, rest[0], top_k, driver=driver, config=driver_config, budget_cents=budget_cents
    )
    if max_tokens is not None:
        from tamis.cli.commands.refine import show_evidence
        from tamis.library.refining import CompressOptions, refined_memories

        show_evidence(
            session, refined_memories(done, memories, CompressOptions(max_tokens=max_tokens, **form))
        )
        return
    session.show(
        done,
        lambda style: memories_text(done, style, verbose=verbose, stats=stats),
        warnings=done.warnings,
    )
    if not memories:
        session.note("there are no memories")


def _verb(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """``compress FILE`` and ``refine QUERY`` are verbs; either word alone is a query."""
    if len(words) > 1 and words[0] in ("compress", "refine"):
        return words[0], words[1:]
    return "", words


def _show_standing(session: Session, *, asked: bool) -> None:
    if not asked:
        raise InputError("there is no query", hint='write: tamis rerank "QUERY" (tamis rerank -h)')
    from tamis.library.reranking import standing

    found = standing(session.library)
    session.show(found, lambda style: standing_text(found, style))


def _memories(session: Session, files: tuple[str, ...], corpora: tuple[str, ...]) -> list[dict[str, Any]]:
    from tamis.library.memories import MAX_BYTES, from_json, of_paths

    asked = STDIN in files
    found: list[dict[str, Any]] = []
    if asked or (not files and not corpora and _piped(session)):
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        found = from_json(data, "stdin")
        asked = asked or bool(data.strip())
    named = tuple(file for file in files if file != STDIN)
    from_files, problems = of_paths(named)
    for problem in problems:
        session.warn(problem)
    found += from_files
    if corpora or not (asked or named):
        found += session.library.memories(corpora)
    return found


def _piped(session: Session) -> bool:
    """Whether another program or a file feeds stdin; a terminal, a service's and a closed one are not read unasked.

    A pipe in which nothing comes may be one that was inherited and that nobody writes to.
    """
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, ValueError, OSError, io.UnsupportedOperation):
        return False
    if not stat.S_ISFIFO(mode):
        return stat.S_ISREG(mode)
    if select.select([sys.stdin], [], [], PATIENCE_SECONDS)[0]:
        return True
    session.note("stdin is a pipe in which nothing comes: the corpora are reranked; add - to wait for it")
    return False

"""``tamis eval``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.progress import progress
from tamis.cli.report_file import check_report, write_report
from tamis.errors import InputError
from tamis.render.evaluation import Drafted, evaluation_data, evaluation_text
from tamis.render.quantities import count

if TYPE_CHECKING:
    from tamis.cli.session import Session


def _names(_: click.Context, __: click.Parameter, value: str | tuple[str, ...] | None) -> tuple[str, ...]:
    given = (value,) if isinstance(value, str) else value or ()
    return tuple(name.strip() for text in given for name in text.split(",") if name.strip())


@tamis_command(
    "eval",
    examples="""
        tamis eval --make-gold gold.jsonl
        tamis eval gold.jsonl -c notes
        tamis eval gold.jsonl -c notes --modes lexical,semantic,hybrid --html report.html
        tamis eval gold.jsonl -c notes --rerank cross_encoder --measures nDCG@10,Recall@50
        tamis eval gold.jsonl --scope work,everything
    """,
)
@click.argument("gold", required=False)
@click.option("-c", "--corpus", "corpora", metavar="NAME", multiple=True, shell_complete=corpus_names,
              help="Search this corpus; may be repeated. All of them when left out.")  # fmt: skip
@click.option("--modes", metavar="A,B", callback=_names, help="Modes to compare, as tamis search -m.")
@click.option("--fusion", "fusions", metavar="A,B", callback=_names, help="Fusions to compare.")
@click.option("--rerank", "rerankers", metavar="A,B", callback=_names,
              help="Rerankers to compare, with each mode and with none.")  # fmt: skip
@click.option("--measures", metavar="A,B", callback=_names,
              help="nDCG@10, Recall@100, MRR@10, Success@5, P@5, MAP; the first decides wins and worst queries.")  # fmt: skip
@click.option("--scope", "scopes", metavar="A,B", multiple=True, callback=_names,
              help="Scopes to compare, [scope.NAME] of the configuration; may be repeated.")  # fmt: skip
@click.option("--queries", metavar="FILE", help="The queries' texts, for TREC qrels.")
@click.option("--per-query", is_flag=True, help="Show every query in place of the worst.")
@click.option("--html", metavar="FILE", help="Write a report with plots to this file as well.")
@click.option("--make-gold", metavar="FILE", help="Draft a gold file from your own searches, to be edited.")
def command(
    session: Session,
    gold: str | None,
    corpora: tuple[str, ...],
    modes: tuple[str, ...],
    fusions: tuple[str, ...],
    rerankers: tuple[str, ...],
    measures: tuple[str, ...],
    scopes: tuple[str, ...],
    queries: str | None,
    per_query: bool,
    html: str | None,
    make_gold: str | None,
) -> None:
    """Measure how well searches find what they should.

    GOLD is a file of JSON lines {"query": "...", "relevant": ["notes/a.md", "b.md#Heading", "\\"quoted words\\""]}, a BEIR folder,
    or TREC qrels. The first set-up is what the others are compared with. Targets that are in no corpus are told of, and so are
    searches that fell short of their set-up (a reranker that failed or was late).

    The measures need an extra: pip install 'tamis[eval]'.

    Searches made on the command line that find something are kept in the home folder for --make-gold, readable by you alone, as
    is the draft; [search] log = false turns that off.
    """
    if make_gold is not None:
        _make_gold(session, make_gold)
        return
    if gold is None:
        raise InputError("there is no gold file", hint="draft one with: tamis eval --make-gold FILE")
    from tamis.evaluate import html_report, parse_measure, read_gold
    from tamis.library.evaluating import measure, set_ups

    judged = read_gold(gold, queries=queries)
    chosen = [parse_measure(name) for name in measures]
    if html is not None:
        check_report(html)
    with progress(session) as told:
        setups = set_ups(modes, fusions, rerankers, scopes)
        found = measure(session.library, judged, corpora, setups, chosen, progress=told)
    try:
        if html is not None:
            title = f"Retrieval quality: {os.path.basename(gold)}"
            write_report(html, html_report(found.evaluations, judged, title=title, warnings=found.warnings))
    finally:
        # Whatever becomes of the report: the searches may have been long and paid for.
        session.show(
            evaluation_data(found) if session.json else found,
            lambda style: evaluation_text(found, style, per_query=per_query),
            warnings=found.warnings,
        )
    if html is not None:
        session.note(f"the report is in {html}")


def _make_gold(session: Session, path: str) -> None:
    from tamis.evaluate import make_gold
    from tamis.library.search_log import logged_searches

    warnings: list[str] = []
    draft = make_gold(logged_searches(session.library.home, warnings.append))
    number = draft.count("\n")
    if not number:
        kept = session.library.config.search.log
        off = "[search] log is false in the configuration: set it to true, and then "
        raise InputError(
            "no search was logged yet", hint=f"{'' if kept else off}search first, with: tamis search QUERY"
        )
    try:
        with open(path, "x", encoding="utf-8", opener=_private) as file:
            file.write(draft)
    except FileExistsError:
        raise InputError(f"{path} is there already", hint="name a new file; yours may be edited") from None
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"there is no folder for {path}", hint="make it, or name another file") from None
    session.show(
        Drafted(path, number, tuple(warnings)),
        lambda _: f"{path}: {count(number, 'query', 'queries')} to be edited by hand",
        warnings=warnings,
    )


def _private(path: str, flags: int) -> int:
    """Queries are their asker's alone, in the draft as in the log that it is made from."""
    return os.open(path, flags, 0o600)

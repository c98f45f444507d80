"""``tamis refine``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.compression import budget_option, compression_options, for_stream
from tamis.cli.filtering import asked_filter, filter_options
from tamis.cli.pairs import pairs
from tamis.render.evidence import evidence_summary
from tamis.types import MODES

if TYPE_CHECKING:
    from tamis.cli.session import Session
    from tamis.library.refining import Evidence


@tamis_command(
    "refine",
    examples="""
        tamis refine "how do we rotate keys?" -t 500
        tamis refine "security fixes" -c notes -k 10 -t 2000 --rerank cross_encoder
        tamis refine "retention of backups" -c docs --form xml > evidence.xml
    """,
)
@click.argument("query")
@click.option("-c", "--corpus", "corpora", metavar="NAME", multiple=True, shell_complete=corpus_names,
              help="Search this corpus; may be repeated. All of them when left out.")  # fmt: skip
@click.option("-k", "--top-k", metavar="N", type=int, help="How many hits are compressed, 1 to 100.")
@budget_option()
@click.option(
    "-m", "--mode", type=click.Choice(MODES), metavar="MODE", help="How to search, as tamis search."
)
@filter_options
@click.option("--fusion", metavar="NAME", help="How words and meaning become one ranking.")
@click.option("--scope", metavar="NAME", help="Search as [scope.NAME] of the configuration says.")
@click.option("--rerank", metavar="KEY", help="Rerank what was found before it is compressed.")
@click.option("--rerank-config", metavar="K=V", multiple=True, callback=pairs,
              help="An option of the reranker; may be repeated.")  # fmt: skip
@click.option("--budget-cents", metavar="N", type=float, help="What reranking may cost.")
@click.option("--dense", is_flag=True,
              help="Choose what is kept by meaning too, with the corpus's embedder; takes seconds.")  # fmt: skip
@compression_options
def command(
    session: Session,
    query: str,
    corpora: tuple[str, ...],
    scope: str | None,
    path_glob: str | None,
    since: str | None,
    **options: Any,
) -> None:
    """Find the evidence for a query and fit it into a token budget.

    Searches, reranks where a reranker is named, and keeps the sentences, list items, table rows and blocks of code that
    answer, as they are, each with its source. QUERY is plain text, never syntax.
    """
    options["filter"] = asked_filter(path_glob, since)
    show_evidence(session, session.library.refine(query, corpora, scope=scope, **options))


def show_evidence(session: Session, evidence: Evidence[Any]) -> None:
    """Bring out the evidence, and on stderr what it took."""
    session.show(
        evidence,
        lambda _: for_stream(evidence.text, sys.stdout),
        warnings=evidence.warnings,
        whole=True,
    )
    session.note(evidence_summary(evidence) if evidence.memories else "no hits")

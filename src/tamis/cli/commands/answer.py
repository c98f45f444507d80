"""``tamis answer``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.render.answer import answer_text
from tamis.types import MODES

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command(
    "answer",
    examples="""
        tamis answer "how often are keys rotated?" -c notes
        tamis answer "what did we decide about retention?" -c adr --tier deep --max-words 80
    """,
)
@click.argument("question")
@click.option("-c", "--corpus", "name", metavar="NAME", shell_complete=corpus_names,
              help="Answer from this corpus; may be left out when there is one.")  # fmt: skip
@click.option(
    "-m", "--mode", type=click.Choice(MODES), metavar="MODE", help="How to search, as tamis search."
)
@click.option("-k", "--top-k", metavar="N", type=int, default=8, show_default=True,
              help="How many passages the model reads at most, 1 to 20.")  # fmt: skip
@click.option("--max-words", metavar="N", type=int, default=200, show_default=True,
              help="Length of the answer, 20 to 1000.")  # fmt: skip
@click.option("--min-top-score", metavar="N", type=float,
              help="Ask no model when the best hit scores less, 0 to 1.")  # fmt: skip
@click.option("--tier", type=click.Choice(("instant", "workhorse", "deep")), metavar="TIER",
              default="workhorse", show_default=True, help="Which configured model: instant, workhorse or deep.")  # fmt: skip
@click.option("--model", metavar="NAME", help="Another model of that tier's server.")
@click.option("--backend", type=click.Choice(("cloud", "local")), metavar="WHERE",
              help="Only a model that runs on this machine (local), or only one that does not (cloud).")  # fmt: skip
def command(session: Session, question: str, name: str | None, **options: Any) -> None:
    """Answer a question from a corpus, with citations.

    A language model of the configuration reads the passages that a search finds, and nothing else; every citation is checked.
    Where nothing relevant is found, no model is asked.
    """
    answer = session.corpus(name).answer(question, **options)
    session.show(answer, lambda style: answer_text(answer, style), warnings=answer.warnings)

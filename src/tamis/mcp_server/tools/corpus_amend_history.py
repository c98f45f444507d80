"""``corpus_amend_history``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from tamis.mcp_server.arguments import Paged
from tamis.mcp_server.schemas import AMENDED, several
from tamis.mcp_server.tool import Answer, Tool
from tamis.render import Style
from tamis.render.corpora import history_text

if TYPE_CHECKING:
    from tamis.mcp_server.tool import Call


class Arguments(Paged, kw_only=True):
    corpus: Annotated[str, Meta(min_length=1, max_length=64, description="The corpus.")]


def run(call: Call, arguments: Arguments) -> Answer:
    amends = call.library.corpus(arguments.corpus).history()
    return Answer(amends, history_text(amends, Style()) if amends else "Nothing was ever amended.")


TOOL = Tool(
    name="corpus_amend_history",
    title="History of amends",
    description=(
        "List every amend of a corpus, oldest first, with those still in effect. Use it to see where a corpus differs from the "
        "disk. Next: corpus_refresh brings the disk's text back."
    ),
    arguments=Arguments,
    result=several(AMENDED),
    run=run,
    seed_name="ollama_corpus_amend_history",
    seed_arguments=frozenset(("corpus",)),
)

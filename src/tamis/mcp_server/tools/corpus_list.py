"""``corpus_list``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tamis.mcp_server.arguments import Paged
from tamis.mcp_server.schemas import SUMMARY, several
from tamis.mcp_server.tool import Answer, Tool
from tamis.render import Style
from tamis.render.corpora import list_text

if TYPE_CHECKING:
    from tamis.mcp_server.tool import Call

NONE_YET = "There is no corpus yet. corpus_index makes one from files and folders."


class Arguments(Paged, kw_only=True):
    pass


def run(call: Call, _: Arguments) -> Answer:
    found = call.library.list()
    warnings = tuple(
        f"{line.name} cannot be used: {line.problem}" for line in found if line.problem is not None
    )
    text = list_text(found, Style(), datetime.now(UTC)) if found else NONE_YET
    return Answer(found, text, warnings=warnings)


TOOL = Tool(
    name="corpus_list",
    title="List corpora",
    description=(
        "List what has been indexed: names, sizes, when, and whether the index is whole. Use it to find the name of a corpus. "
        "Next: corpus_search, or corpus_health when something looks wrong."
    ),
    arguments=Arguments,
    result=several(SUMMARY),
    run=run,
    seed_name="ollama_corpus_list",
)

"""The tools, one file each, by name.

A tool is a module here with a ``TOOL``, and a line in ``MODULES``.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from tamis.suggestions import nearest

if TYPE_CHECKING:
    from tamis.mcp_server.tool import Tool

# In the order in which clients list them.
MODULES = (
    "corpus_search",
    "corpus_get",
    "corpus_answer",
    "corpus_rerank",
    "corpus_list",
    "corpus_health",
    "corpus_index",
    "corpus_refresh",
    "corpus_amend",
    "corpus_amend_history",
    "rerank",
    "compress",
    "refine",
)


@cache
def tools() -> dict[str, Tool]:
    """Every tool by its own name."""
    found: list[Tool] = [importlib.import_module(f"{__name__}.{module}").TOOL for module in MODULES]
    return {tool.name: tool for tool in found}


@cache
def seed_tools() -> dict[str, Tool]:
    """The tools by the names that they had before tamis."""
    return {tool.seed_name: tool for tool in tools().values() if tool.seed_name}


def find(name: str) -> Tool | None:
    """The tool of either name."""
    return tools().get(name) or seed_tools().get(name)


def like(name: str) -> str | None:
    """The tool whose name is most like this one."""
    return nearest(name, [*tools(), *seed_tools()])

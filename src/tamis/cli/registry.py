"""Which commands there are, told without importing them.

A command is a file in ``tamis.cli.commands`` with a ``command`` made by ``tamis.cli.command``, and a line here.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import click


class Entry(NamedTuple):
    """A command: the section of the help that lists it, its module, and the first line of its help."""

    section: str
    module: str
    summary: str


FIND, KEEP, SERVE, SET_UP = "Find", "Keep", "Serve", "Set up"
SECTIONS = (FIND, KEEP, SERVE, SET_UP)

COMMANDS: dict[str, Entry] = {
    "search": Entry(FIND, "search", "Find the passages that answer a query."),
    "refine": Entry(FIND, "refine", "Find the evidence for a query and fit it into a token budget."),
    "rerank": Entry(FIND, "rerank", "Rank memories against a query."),
    "compress": Entry(FIND, "compress", "Cut text down to a token budget."),
    "get": Entry(FIND, "get", "Print a document, some of its lines, or the passage of a hit."),
    "eval": Entry(FIND, "eval", "Measure how well searches find what they should."),
    "answer": Entry(FIND, "answer", "Answer a question from a corpus, with citations."),
    "index": Entry(KEEP, "index", "Make a corpus of files and folders."),
    "refresh": Entry(KEEP, "refresh", "Bring a corpus in line with the disk."),
    "embed": Entry(KEEP, "embed", "Make the vectors that a corpus lacks."),
    "reembed": Entry(KEEP, "reembed", "Make all vectors anew with another embedder."),
    "amend": Entry(KEEP, "amend", "Replace one file's text in a corpus, whatever the disk says."),
    "list": Entry(KEEP, "list", "List the corpora."),
    "health": Entry(KEEP, "health", "Tell what a corpus holds and what may be wrong with it."),
    "history": Entry(KEEP, "history", "List every amend of a corpus."),
    "remove": Entry(KEEP, "remove", "Delete a corpus; the documents stay."),
    "mcp": Entry(SERVE, "mcp", "Serve the corpora to a model's client over MCP."),
    "doctor": Entry(SET_UP, "doctor", "Check that everything works on this machine."),
    "config": Entry(SET_UP, "config", "Show the configuration."),
    "rerankers": Entry(SET_UP, "rerankers", "List the rerankers."),
    "costs": Entry(SET_UP, "costs", "Sum what reranking was charged."),
    "completion": Entry(SET_UP, "completion", "Print or install completion for a shell."),
}


def load(name: str) -> click.Command:
    """Import a command that is in ``COMMANDS``."""
    command: click.Command = importlib.import_module(f"tamis.cli.commands.{COMMANDS[name].module}").command
    return command

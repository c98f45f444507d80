"""Markdown and the dialects that extend it."""

from __future__ import annotations

from tamis.readers.textual import TextualReader

MARKDOWN = TextualReader(
    "markdown",
    frozenset(
        {".md", ".markdown", ".mdown", ".mdwn", ".mkd", ".mkdn", ".mdx", ".mdc", ".qmd", ".rmd", ".md.txt"}
    ),
)

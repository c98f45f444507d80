"""Plain text, mark-up that is read as plain text for now, tables and logs; and every text that no other reader takes."""

from __future__ import annotations

from tamis.readers.textual import TextualReader

_SUFFIXES = (
    "txt text log csv tsv adoc asciidoc org textile wiki tex ltx bib html htm xhtml xml xsd xsl xslt rss atom opml dtd "
    "srt vtt po pot diff patch eml ics vcf jsonl ndjson"
)

TEXT = TextualReader("text", frozenset(f".{suffix}" for suffix in _SUFFIXES.split()))

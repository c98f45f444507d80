"""What may be configured, with the defaults. The section and key names are those of ``tamis.toml``."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file."""


class Index(Section, frozen=True):
    """How documents are read and cut.

    ``allowed_roots``: folders whose files may be read, besides the home folder and what is named on the command line.
    ``embedder``: ``KEY`` or ``KEY:MODEL``. ``lock_wait_seconds``: how long a writer waits for another.
    """

    chunk_chars: Annotated[int, Meta(ge=100, le=8000)] = 800
    chunk_overlap: Annotated[int, Meta(ge=0, le=4000)] = 100
    embedder: str = "bundled"
    language: str = "english"
    max_file_mb: Positive = 50
    allowed_roots: tuple[str, ...] = ()
    lock_wait_seconds: NotNegative = 30


class Weights(Section, frozen=True):
    """Weights of the lexical fields; one left out keeps its default."""

    title: NotNegative | None = None
    heading: NotNegative | None = None
    path: NotNegative | None = None
    body: NotNegative | None = None


class Search(Section, frozen=True):
    """How a search is made when it does not say otherwise. ``k1`` and ``b`` are BM25's."""

    mode: Literal["semantic", "lexical", "hybrid", "fact", "title_path"] = "hybrid"
    top_k: Annotated[int, Meta(ge=1, le=100)] = 10
    preview_chars: Annotated[int, Meta(ge=0, le=500)] = 200
    fusion: str = "default"
    k1: NotNegative = 1.2
    b: Share = 0.75
    weights: Weights = Weights()


class Config(Section, frozen=True):
    """The whole file."""

    index: Index = Index()
    search: Search = Search()

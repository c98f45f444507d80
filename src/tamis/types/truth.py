"""Rows of the truth, and what is written to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.types.embedding import Fingerprint  # noqa: TC001 - manifests are read from JSON by their fields' types

if TYPE_CHECKING:
    from tamis.types.files import ChunkType, FileStat, Kind, Lines


@dataclass(frozen=True, slots=True)
class Settings:
    """What a corpus was asked to be; kept with it, so that a refresh needs no arguments.

    ``paths`` are resolved, as named by the user; ``include`` and ``exclude`` are globs. ``dense``: whether whatever brings the
    corpus in line with the disk makes the vectors as well, or leaves them to be asked for.
    """

    paths: tuple[str, ...]
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    chunk_chars: int = 800
    chunk_overlap: int = 100
    embedder: str = "bundled"
    language: str = "english"
    dense: bool = True


@dataclass(frozen=True, slots=True)
class Manifest:
    """State of a corpus at one generation.

    ``text_generation``: the last generation that changed a file or chunk (later ones only brought vectors).
    ``purged_through``: file versions that died up to here are gone; an index older than that cannot catch up.
    ``model_id``: the active set of vectors, with its ``fingerprint``; ``None`` before the first embedding.
    ``model_embedder``: how the embedder of that set is called, which while a re-embed is under way is not the settings'.
    ``embedded_generation``: the ``text_generation`` of which every text was given to the active model.
    ``write_complete``: false between the first and the last write of an index run.
    """

    name: str
    corpus_id: str
    settings: Settings
    created_at: str
    indexed_at: str = ""
    generation: int = 0
    text_generation: int = 0
    purged_through: int = 0
    write_complete: bool = False
    skipped_binary: int = 0
    model_id: int | None = None
    fingerprint: Fingerprint | None = None
    embedded_generation: int = -1
    model_embedder: str = ""

    @property
    def model_version(self) -> str:
        """How reports name the active model; empty before the first embedding."""
        return "" if self.fingerprint is None else self.fingerprint.version

    @property
    def embedded(self) -> bool:
        """Whether the active model has seen every text there is."""
        return self.model_id is not None and self.embedded_generation == self.text_generation

    @property
    def active_embedder(self) -> str:
        """The embedder whose vectors answer searches."""
        return self.model_embedder or self.settings.embedder


@dataclass(frozen=True, slots=True)
class Totals:
    """``embeddable``: chunks of files that are not indexed lexically only."""

    documents: int
    chunks: int
    chars: int
    embeddable: int

    def coverage(self, embedded: int) -> float:
        """Share of the chunks that should have a vector that ``embedded`` of them are; 1 when none should."""
        return embedded / self.embeddable if self.embeddable else 1.0


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file version in the truth. ``relative_path``: from the named path it was found under."""

    id: int
    path: str
    relative_path: str
    content_hash: str
    stat: FileStat
    title: str
    kind: Kind
    lexical_only: bool
    amended: bool
    chunks: int


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk in the truth with what its hit needs of its file."""

    id: int
    file: FileRow
    index: int
    text: str
    start: int
    end: int
    lines: Lines
    heading_path: tuple[str, ...]
    type: ChunkType

"""What goes into the two derived indexes and comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tamis.types.files import Kind


class Scored(NamedTuple):
    """A chunk's id and its score in one ranking; higher is better."""

    id: int
    score: float


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a derived index reflects: which corpus (an id drawn when it was made) and which generation."""

    corpus_id: str
    generation: int


@dataclass(frozen=True, slots=True)
class LexicalDocument:
    """What the lexical index sees of a chunk. ``file_id`` is for filters."""

    id: int
    file_id: int
    title: str
    heading: str
    path: str
    body: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """Weight of each lexical field; 0 leaves a field out."""

    title: float
    heading: float
    path: float
    body: float


@dataclass(frozen=True, slots=True)
class Bm25:
    """BM25's parameters (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework")."""

    k1: float = 1.2
    b: float = 0.75

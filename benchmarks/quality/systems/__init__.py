"""Every system by the name of its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.quality.systems import peers
from benchmarks.quality.systems.tamis_modes import mode
from benchmarks.quality.vectors import vectors_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.quality.collection import Collection

    Run = Callable[[str], Sequence[str]]

SYSTEMS: dict[str, Callable[[Collection, Path], Run]] = {
    "tamis hybrid": lambda collection, cache: mode(collection, cache, "hybrid"),
    "tamis hybrid, rrf": lambda collection, cache: mode(collection, cache, "hybrid", "rrf"),
    "tamis lexical": lambda collection, cache: mode(collection, cache, "lexical"),
    "tamis semantic": lambda collection, cache: mode(collection, cache, "semantic"),
    "tamis fact": lambda collection, cache: mode(collection, cache, "fact"),
    "bm25s": lambda collection, _: peers.bm25s_flat(collection),
    "tantivy": lambda collection, _: peers.tantivy_flat(collection),
    "dense alone": lambda collection, cache: peers.dense_alone(collection, vectors_of(collection, cache)),
    "RRF of bm25s and dense": lambda collection, cache: peers.plain_rrf(
        peers.bm25s_flat(collection), peers.dense_alone(collection, vectors_of(collection, cache))
    ),
    "LanceDB hybrid": lambda collection, cache: peers.lancedb_hybrid(
        collection, vectors_of(collection, cache), cache / "lancedb"
    ),
    "txtai hybrid": lambda collection, cache: peers.txtai_hybrid(collection, vectors_of(collection, cache)),
}

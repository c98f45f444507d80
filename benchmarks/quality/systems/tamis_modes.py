"""tamis itself, through its public face: documents as files, indexed and searched as a user would."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import tamis

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.quality.collection import Collection
    from tamis.library import Corpus
    from tamis.types import Mode

    Run = Callable[[str], Sequence[str]]

TOP_K = 100
MAX_QUERY = 1000  # a search refuses longer ones; sixteen of cisi are cut here, as a caller would


def mode(collection: Collection, cache_folder: Path, name: Mode, fusion: str | None = None) -> Run:
    """A mode's ranking of documents: a document stands where its best passage does."""
    corpus, ids = _indexed(collection, cache_folder)

    def run(query: str) -> Sequence[str]:
        result = corpus.search(query[:MAX_QUERY], mode=name, top_k=TOP_K, preview_chars=0, fusion=fusion)
        return list(dict.fromkeys(ids[hit.path] for hit in result.hits))

    return run


@cache
def _indexed(collection: Collection, cache_folder: Path) -> tuple[Corpus, dict[str, str]]:
    folder = (cache_folder / "documents" / collection.name).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    ids: dict[str, str] = {}
    for place, entry in enumerate(collection.entries):
        path = folder / f"{place:06d}{'.md' if entry.title else '.txt'}"
        text = f"# {entry.title}\n\n{entry.text}\n" if entry.title else entry.text + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        ids[str(path)] = entry.id
    library = tamis.open(cache_folder / "home")
    return library.index(collection.name, [folder]), ids

"""Changing the index on the disk."""

from __future__ import annotations

import stat
from collections import Counter
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from tamis.errors import CorpusBusyError
from tamis.lexical import schema
from tamis.lexical.engine import calls
from tamis.lexical.fields import Analyser
from tamis.lexical.integrity import META
from tamis.lexical.reading import LOCK

if TYPE_CHECKING:
    from collections.abc import Container, Generator, Iterable
    from pathlib import Path

    import tantivy

    from tamis.lexical.reading import Reading
    from tamis.types import LexicalDocument, Stamp

MANAGED = ".managed.json"  # the engine's list of its files
HALF_WRITTEN = ".tmp*"  # what the engine is about to put in the place of one of its lists
_CALL = "the index of words cannot be written"


def create(folder: Path) -> None:
    """Start an empty index in place of whatever is in ``folder``."""
    import tantivy

    with calls(_CALL):
        folder.mkdir(parents=True, exist_ok=True)
        # Without the first the others are no index, wherever this is interrupted.
        (folder / META).unlink(missing_ok=True)
        for path in folder.iterdir():
            if path.suffix != ".lock" and path.is_file():
                path.unlink()
        tantivy.Index(schema.make(), str(folder))
        _share(folder)


@contextmanager
def writing(index: tantivy.Index, folder: Path, heap_bytes: int) -> Generator[tantivy.IndexWriter]:
    """The writer of the index in ``folder``; its threads end with the block. What is not committed is forgotten.

    Raises:
        CorpusBusyError: Another process has it. The engine's lock is the operating system's and dies with its holder.
    """
    with calls(_CALL):
        try:
            writer = index.writer(heap_bytes, num_threads=1)
        except ValueError as error:
            if "LockBusy" in str(error):
                raise CorpusBusyError("another process writes the index of words") from error
            raise
        for left in folder.glob(HALF_WRITTEN):  # by one that was killed; now there is no other
            left.unlink(missing_ok=True)
    try:
        yield writer
    finally:
        with calls(_CALL):
            writer.wait_merging_threads()
            _share(folder)


def change(
    writer: tantivy.IndexWriter,
    held: Reading,
    stamp: Stamp,
    add: Iterable[LexicalDocument],
    remove: Iterable[int],
    language: str,
) -> None:
    """Make one commit of all of it, on an index that is as in ``held``."""
    analyser = Analyser(language)
    languages = Counter(held.marker.languages if held.marker else {})
    for key in remove:
        _delete(writer, held, key)
    added: set[int] = set()
    for document in add:
        fields, spoken = analyser.fields(document)
        languages[spoken] += 1
        _delete(writer, held, document.id, added)
        added.add(document.id)
        with calls(_CALL):
            writer.add_document(schema.chunk(document.id, document.file_id, fields))
    with calls(_CALL):
        writer.delete_documents_by_query(_query(held, schema.MARKER, 1))
        writer.add_document(schema.marker(schema.Marker(stamp, languages), language))
        writer.commit()


def _share(folder: Path) -> None:
    """Let whoever may read the other files read the engine's lists of them as well, which it makes for their owner alone."""
    with suppress(FileNotFoundError):  # of an index that was never opened
        mode = stat.S_IMODE((folder / LOCK).stat().st_mode)
        for name in (META, MANAGED):
            (folder / name).chmod(mode)


def _delete(writer: tantivy.IndexWriter, held: Reading, key: int, added: Container[int] = ()) -> None:
    """Delete what there is of a chunk. By query: the binding deletes nothing by a term of an unsigned field."""
    with calls(_CALL):
        if key in added or held.searcher.doc_freq(schema.ID, key):
            writer.delete_documents_by_query(_query(held, schema.ID, key))


def _query(held: Reading, field: str, value: int) -> tantivy.Query:
    import tantivy

    return tantivy.Query.term_query(held.schema, field, value)

"""One consistent view of a corpus's truth."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from tamis.errors import CorpusNotFoundError
from tamis.storage import rows, schema
from tamis.types import AmendedPath, FailedPath, FileStat, LexicalDocument, Totals

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tamis.types import ChunkRow, FileRow, Fingerprint, Manifest, PendingText

VECTOR_BATCH = 4096  # rows handed over at a time: 3 MB of 384 dimensions

# Alive at generation :at.
_ALIVE = "f.born <= :at AND (f.died IS NULL OR f.died > :at)"


class Snapshot:
    """Reads inside one SQLite read transaction; what is committed meanwhile stays invisible.

    ``manifest`` is the truth's own state; ``at`` is the generation whose files and chunks are shown: the manifest's, or
    an earlier one that has not been purged (an index that is a write behind is answered from the corpus that it knows).

    Raises:
        CorpusNotFoundError: No corpus was made in this database yet.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        text = schema.manifest(db)
        if text is None:
            raise CorpusNotFoundError(
                "this corpus was never made: its first index run ended before it had begun",
                hint="make it with: tamis index NAME PATH",
            )
        self.manifest: Manifest = rows.manifest(text)
        self.at = self.manifest.generation

    # -- counts and lists ---------------------------------------------------------------------------------

    def totals(self) -> Totals:
        row = self._db.execute(
            f"""SELECT count(*), coalesce(sum(f.chunks), 0), coalesce(sum(f.chars), 0),
            coalesce(sum(CASE WHEN f.lexical_only THEN 0 ELSE f.chunks END), 0) FROM files f WHERE {_ALIVE}""",
            {"at": self.at},
        ).fetchone()
        return Totals(*row)

    def files(self) -> Iterator[FileRow]:
        """All files, by path."""
        query = f"SELECT {rows.FILE_COLUMNS} FROM files f WHERE {_ALIVE} ORDER BY f.path"
        for row in self._db.execute(query, {"at": self.at}):
            yield rows.file(row)

    def files_at(self, paths: Sequence[str]) -> dict[str, FileRow]:
        """The files with these paths, by path; paths that are no file of the corpus are left out."""
        marks = ",".join("?" * len(paths))
        query = f"SELECT {rows.FILE_COLUMNS} FROM files f WHERE f.path IN ({marks}) AND f.died IS NULL"
        return {row[1]: rows.file(row) for row in self._db.execute(query, paths)}

    def embedded_by_file(self, model_id: int) -> dict[int, int]:
        """How many chunks of each file (id) have a vector of this model."""
        query = f"""SELECT f.id, count(*) FROM files f CROSS JOIN chunks c ON c.file_id = f.id
            CROSS JOIN vectors v ON v.model_id = :model AND v.text_id = c.text_id WHERE {_ALIVE} GROUP BY f.id"""
        return dict(self._db.execute(query, {"model": model_id, "at": self.at}).fetchall())

    def embedded(self) -> int:
        """How many of the chunks that should have a vector have one of the active model."""
        texts, vectors = self._db.execute(
            "SELECT (SELECT count(*) FROM texts), (SELECT count(*) FROM vectors WHERE model_id = ?)",
            (self.manifest.model_id,),
        ).fetchone()
        if texts == vectors:  # all have one; to look it up for each chunk takes 20 times as long
            return self.totals().embeddable
        query = f"""SELECT count(*) FROM files f CROSS JOIN chunks c ON c.file_id = f.id
            CROSS JOIN vectors v ON v.model_id = :model AND v.text_id = c.text_id
            WHERE NOT f.lexical_only AND {_ALIVE}"""
        return int(self._db.execute(query, {"model": self.manifest.model_id, "at": self.at}).fetchone()[0])

    def failed_paths(self) -> tuple[FailedPath, ...]:
        """Paths that could not be indexed, by path; those skipped as binary are among them."""
        query = "SELECT path, reason, code, size, mtime_ns FROM failed_paths ORDER BY path"
        return tuple(
            FailedPath(path, reason, code, None if size is None else FileStat(size, mtime_ns))
            for path, reason, code, size, mtime_ns in self._db.execute(query)
        )

    def amends(self) -> tuple[AmendedPath, ...]:
        """The amend history, oldest first."""
        query = "SELECT path, amended_at, chunks_before, chunks_after, cleared_at FROM amends ORDER BY id"
        return tuple(AmendedPath(*row) for row in self._db.execute(query))

    # -- chunks -------------------------------------------------------------------------------------------

    def chunks(self, ids: Sequence[int]) -> dict[int, ChunkRow]:
        """The chunks with these ids; ids that are not there are left out."""
        marks = ",".join("?" * len(ids))
        query = f"""SELECT {rows.FILE_COLUMNS}, {rows.CHUNK_COLUMNS}
            FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id IN ({marks})"""
        found: dict[int, ChunkRow] = {}
        for row in self._db.execute(query, ids):
            found[row[rows.FILE_WIDTH]] = rows.chunk(row[rows.FILE_WIDTH :], rows.file(row))
        return found

    def texts(self, ids: Sequence[int]) -> dict[int, str]:
        """The texts alone of the chunks with these ids, an eighth of the work; ids that are not there are left out."""
        marks = ",".join("?" * len(ids))
        return dict(self._db.execute(f"SELECT c.id, c.text FROM chunks c WHERE c.id IN ({marks})", ids))

    def chunks_of(self, file: FileRow) -> list[ChunkRow]:
        """A file's chunks in reading order."""
        query = f"SELECT {rows.CHUNK_COLUMNS} FROM chunks c WHERE c.file_id = ? ORDER BY c.chunk_index"
        return [rows.chunk(row, file) for row in self._db.execute(query, (file.id,))]

    def chunk_files(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Two arrays in step: the id of each chunk and the id of its file."""
        import numpy as np

        query = f"SELECT c.id, c.file_id FROM files f JOIN chunks c ON c.file_id = f.id WHERE {_ALIVE}"
        pairs = np.array(self._db.execute(query, {"at": self.at}).fetchall(), dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0].astype(np.uint64), pairs[:, 1]

    # -- what a derived index lacks -----------------------------------------------------------------------

    def lexical_additions(self, since: int) -> Iterator[LexicalDocument]:
        """Chunks alive now that an index of generation ``since`` has not seen; all of them since 0."""
        query = f"""SELECT c.id, f.id, f.title, c.heading_path, f.relative_path, c.text, f.kind
            FROM files f JOIN chunks c ON c.file_id = f.id WHERE f.born > :since AND {_ALIVE}"""
        with closing(self._db.execute(query, {"since": since, "at": self.at})) as cursor:
            for key, file_id, title, heading_path, path, text, kind in cursor:
                yield LexicalDocument(
                    key, file_id, title, " ".join(rows.headings(heading_path)), path, text, kind
                )

    def removals(self, since: int) -> Iterator[int]:
        """Ids of chunks that an index of generation ``since`` holds and that are dead now."""
        query = """SELECT c.id FROM files f JOIN chunks c ON c.file_id = f.id
            WHERE f.died > :since AND f.died <= :at AND f.born <= :since"""
        with closing(self._db.execute(query, {"since": since, "at": self.at})) as cursor:
            for (key,) in cursor:
                yield key

    def dense_additions(self, since: int) -> Iterator[tuple[list[int], NDArray[np.float16]]]:
        """Chunk ids and vectors of the active model that an index of generation ``since`` has not seen, in batches."""
        new_files = f"""SELECT c.id, v.data FROM files f CROSS JOIN chunks c ON c.file_id = f.id
            CROSS JOIN vectors v ON v.model_id = :model AND v.text_id = c.text_id
            WHERE f.born > :since AND NOT f.lexical_only AND {_ALIVE}"""
        new_vectors = f"""SELECT c.id, v.data FROM vectors v CROSS JOIN chunks c ON c.text_id = v.text_id
            CROSS JOIN files f ON f.id = c.file_id
            WHERE v.model_id = :model AND v.born > :since AND f.born <= :since AND NOT f.lexical_only AND {_ALIVE}"""
        query = new_files if since == 0 else f"{new_files} UNION ALL {new_vectors}"
        values = {"model": self.manifest.model_id, "since": since, "at": self.at}
        with closing(self._db.execute(query, values)) as cursor:
            while batch := cursor.fetchmany(VECTOR_BATCH):
                yield [row[0] for row in batch], self._matrix(row[1] for row in batch)

    def dense_news(self, since: int) -> int:
        """About how many ``dense_additions`` there are, at least as many as there are, at a thousandth of the cost."""
        (chunks,) = self._db.execute(
            f"SELECT coalesce(sum(f.chunks), 0) FROM files f WHERE f.born > :since AND {_ALIVE}",
            {"since": since, "at": self.at},
        ).fetchone()
        (vectors,) = self._db.execute(
            "SELECT count(*) FROM vectors WHERE model_id = ? AND born > ?", (self.manifest.model_id, since)
        ).fetchone()
        return int(chunks + vectors)

    def vectors(self, ids: Sequence[int]) -> tuple[list[int], NDArray[np.float16]]:
        """The active model's vectors of these chunks, as ids and rows in step; chunks without one are left out."""
        marks = ",".join("?" * len(ids))
        # CROSS JOIN keeps SQLite from reading every vector of the model to look the chunks up in them.
        query = f"""SELECT c.id, v.data FROM chunks c CROSS JOIN vectors v ON v.model_id = ? AND v.text_id = c.text_id
            WHERE c.id IN ({marks})"""
        found = self._db.execute(query, (self.manifest.model_id, *ids)).fetchall()
        return [row[0] for row in found], self._matrix(row[1] for row in found)

    def models(self) -> list[tuple[int, Fingerprint]]:
        """Every model that ever had a set of vectors here, the newest first."""
        query = "SELECT id, fingerprint FROM models ORDER BY id DESC"
        return [(key, rows.fingerprint(text)) for key, text in self._db.execute(query)]

    def old_vectors(self) -> list[tuple[Fingerprint, int]]:
        """The models that have vectors and do not answer searches, with how many; none while a new set is being made."""
        if not self.manifest.embedded:
            return []
        query = """SELECT m.fingerprint, count(*) FROM vectors v JOIN models m ON m.id = v.model_id
            WHERE v.model_id <> ? GROUP BY m.id ORDER BY m.id"""
        found = self._db.execute(query, (self.manifest.model_id,))
        return [(rows.fingerprint(text), count) for text, count in found]

    def sample(self, count: int) -> NDArray[np.float16]:
        """About ``count`` vectors of the active model, evenly spaced over the texts in the order they came; all, if there are
        fewer."""
        model_id = self.manifest.model_id
        # Two queries: for one end alone SQLite goes straight to it, for both at once it reads everything between.
        first, last = (
            self._db.execute(
                f"SELECT {end}(text_id) FROM vectors WHERE model_id = ?", (model_id,)
            ).fetchone()[0]
            for end in ("min", "max")
        )
        found: list[tuple[bytes]] = []
        if first is not None:
            step = max(1, (last - first + 1) // count)
            marks = ",".join(map(str, range(first, last + 1, step)))
            query = f"SELECT data FROM vectors WHERE model_id = ? AND text_id IN ({marks})"
            found = self._db.execute(query, (model_id,)).fetchall()
        return self._matrix(row[0] for row in found)

    def _matrix(self, blobs: Iterable[bytes]) -> NDArray[np.float16]:
        """Stored vectors of the active model as rows."""
        import numpy as np

        fingerprint = self.manifest.fingerprint
        dimensions = 0 if fingerprint is None else fingerprint.dimensions
        data = np.frombuffer(b"".join(blobs), dtype=np.float16)
        return data.reshape(-1, dimensions) if dimensions else data.reshape(0, 0)

    # -- what has no vector yet ---------------------------------------------------------------------------

    def lacking(self, model_id: int, texts: Sequence[str]) -> list[int]:
        """Indexes of the texts that have no vector of this model yet."""
        query = "SELECT 1 FROM texts t JOIN vectors v ON v.text_id = t.id WHERE t.hash = ? AND v.model_id = ?"
        return [
            index
            for index, text in enumerate(texts)
            if self._db.execute(query, (rows.text_hash(text), model_id)).fetchone() is None
        ]

    def pending_texts(self, model_id: int, after: int, limit: int) -> list[PendingText]:
        """Texts without a vector of this model, by id, from the first id above ``after``."""
        from tamis.types import PendingText  # a search does without

        query = f"""SELECT c.text_id, f.title, c.heading_path, c.text, max(c.id) FROM chunks c
            JOIN files f ON f.id = c.file_id
            WHERE c.text_id > :after AND NOT f.lexical_only AND {_ALIVE}
            AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model_id = :model AND v.text_id = c.text_id)
            AND NOT EXISTS (SELECT 1 FROM failed_texts x WHERE x.model_id = :model AND x.text_id = c.text_id)
            GROUP BY c.text_id ORDER BY c.text_id LIMIT :limit"""
        values = {"after": after, "model": model_id, "limit": limit, "at": self.at}
        return [
            PendingText(text_id, title, rows.headings(heading_path), text)
            for text_id, title, heading_path, text, _ in self._db.execute(query, values)
        ]

    def pending_count(self, model_id: int) -> int:
        """How many texts lack a vector of this model."""
        query = f"""SELECT count(DISTINCT c.text_id) FROM chunks c JOIN files f ON f.id = c.file_id
            WHERE NOT f.lexical_only AND {_ALIVE}
            AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model_id = :model AND v.text_id = c.text_id)
            AND NOT EXISTS (SELECT 1 FROM failed_texts x WHERE x.model_id = :model AND x.text_id = c.text_id)"""
        return int(self._db.execute(query, {"model": model_id, "at": self.at}).fetchone()[0])

    def failed_passages(self, model_id: int, limit: int) -> list[tuple[str, int, str]]:
        """Path, chunk index and reason of passages that this model could not embed, by path."""
        query = f"""SELECT f.path, min(c.chunk_index), x.reason FROM failed_texts x
            JOIN chunks c ON c.text_id = x.text_id JOIN files f ON f.id = c.file_id
            WHERE x.model_id = :model AND {_ALIVE} GROUP BY x.text_id, f.path ORDER BY f.path, 2 LIMIT :limit"""
        values = {"model": model_id, "limit": limit, "at": self.at}
        return [(path, index, reason) for path, index, reason in self._db.execute(query, values)]

    def failed_text_count(self, model_id: int) -> int:
        query = "SELECT count(*) FROM failed_texts WHERE model_id = ?"
        return int(self._db.execute(query, (model_id,)).fetchone()[0])

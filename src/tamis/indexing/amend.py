"""Replacing one file's chunks with given text, without touching the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.errors import AmendError, BackendError, EmbedError
from tamis.indexing.embed import checked, half
from tamis.indexing.reconcile import new_file
from tamis.types import AmendReport

if TYPE_CHECKING:
    from tamis.indexing.backends import Backends
    from tamis.types import Document, Embedded, FileStat, Fingerprint, NewFile, Settings

WARNING = (
    "the corpus no longer mirrors the disk: this file's text was amended; a refresh or an index restores it"
)


def amend(backends: Backends, document: Document, stat: FileStat, settings: Settings) -> AmendReport:
    """Put ``document`` in the place of whatever the corpus has for its path.

    Everything is embedded before anything is written; if it fails, the corpus is as it was.

    Args:
        document: The new text under the path that it stands for.
        stat: Size and time to remember; the time decides what ``since`` filters say.
        settings: The corpus's settings, with chunk sizes of this amend's own if it has any.

    Raises:
        AmendError: The embedder is not the one that made the corpus's vectors, or it failed.
        CorpusBusyError: Another writer was at work all the time that there was to wait.
    """
    new = new_file(document, stat, settings, amended=True)
    with backends.truth.snapshot() as snapshot:
        manifest = snapshot.manifest
        model_id = manifest.model_id
        lacking = [] if model_id is None else snapshot.lacking(model_id, new.texts)
    if new.lexical_only:
        lacking = []
    answer = _embedded(backends, new, lacking, manifest.fingerprint)
    with backends.locked():
        with backends.truth.snapshot() as snapshot:
            current = snapshot.manifest
            old = snapshot.files_at([new.path]).get(new.path)
        if current.model_id != model_id or current.corpus_id != manifest.corpus_id:
            raise AmendError("the corpus changed its model meanwhile", hint="amend again", retryable=True)
        with backends.write() as write:
            write.put_file(new)
            if model_id is not None and answer is not None:
                good = [row for row in range(len(lacking)) if row not in answer.failures]
                ids = write.text_ids([new.texts[lacking[row]] for row in good])
                write.put_vectors(model_id, ids, half(answer.vectors[good]))
            write.record_amend(new.path, 0 if old is None else old.chunks, len(new.chunks))
    return AmendReport(
        corpus=manifest.name,
        file_path=new.path,
        chunks_removed=0 if old is None else old.chunks,
        chunks_added=len(new.chunks),
        embed_model_resolved=manifest.model_version,
        model_use=None if answer is None or manifest.fingerprint is None else manifest.fingerprint.use,
        warnings=(WARNING,),
    )


def _embedded(
    backends: Backends, new: NewFile, lacking: list[int], fingerprint: Fingerprint | None
) -> Embedded | None:
    """Vectors for the texts that lack one; ``None`` when there are none to make."""
    if fingerprint is None or not lacking:
        return None
    with backends.truth.snapshot() as snapshot:
        name = snapshot.manifest.active_embedder
    try:
        embedder = backends.embedder(name)
        if not backends.agree(fingerprint, embedder.fingerprint):
            raise AmendError(
                f"the corpus was embedded with {fingerprint.version}, "
                f"and {name} is {embedder.fingerprint.version} now",
                hint="index the corpus again with the model that is there, or bring the old one back",
            )
        return checked(
            embedder.embed_passages([new.texts[index] for index in lacking]),
            len(lacking),
            fingerprint.dimensions,
        )
    except (EmbedError, BackendError) as error:
        raise AmendError(
            f"nothing was changed: the new text could not be embedded: {error.message}",
            hint=error.hint,
            retryable=error.retryable,
        ) from error

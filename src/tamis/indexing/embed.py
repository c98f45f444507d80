"""The dense side of an index run: give every text a vector, in batches that each survive a crash."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tamis.errors import EmbedCountError, EmbedDimensionError, EmbedDriftError
from tamis.indexing.changes import count as counted
from tamis.indexing.passage import embedding_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tamis.indexing.backends import Backends
    from tamis.ports import Progress
    from tamis.types import Embedded, Fingerprint, Vectors

# Texts embedded between two commits. Small enough that a kill costs two or three seconds of work, large enough that a commit
# costs nothing beside it and that a server's parallel requests are full.
BATCH = 128
# The first batches are smaller, each twice the one before: whoever waits sees early on that it goes on, and how fast.
FIRST_BATCH = 8


@dataclass(frozen=True, slots=True)
class EmbedOutcome:
    """Counts of texts: given a vector, cut, and set aside because the model would not have them.

    ``drift``: what was said when another model began to answer in mid run.
    """

    embedded: int = 0
    truncated: int = 0
    failed: int = 0
    drift: str = ""


def embed_pending(backends: Backends, progress: Progress) -> EmbedOutcome:
    """Embed what has no vector yet.

    The model works outside the write lock, so that an amend or a refresh need not wait for it; the embed lock keeps a second
    process from embedding the same texts.

    Vectors of another model than the corpus's go into a set of their own, and searches are answered from the old set
    until the new one is whole. So it is when another model begins to answer under the same name in mid run.

    Raises:
        CorpusBusyError: Another process is embedding this corpus.
        EmbedError, BackendError: The embedder failed; what it did before is kept, and the next call goes on from there.
    """
    with backends.embed_lock.hold(backends.lock_wait):
        try:
            return _embed(backends, progress)
        except EmbedDriftError as error:
            # Once: a name that stands for two models in turn would go on for ever.
            return replace(_embed(backends, progress), drift=error.message)


def _embed(backends: Backends, progress: Progress) -> EmbedOutcome:
    truth = backends.truth
    with truth.snapshot() as snapshot:
        manifest = snapshot.manifest
    name = manifest.settings.embedder
    embedder = backends.embedder(name)
    if (
        manifest.embedded
        and manifest.fingerprint == embedder.fingerprint
        and manifest.active_embedder == name
    ):
        return EmbedOutcome()  # nothing to do, which can be told without running the model
    fingerprint, model_id = _model(backends, backends.identify(embedder), name)
    with truth.snapshot() as snapshot:
        total = snapshot.pending_count(model_id)
    embedded = truncated = failed = after = 0
    size = min(FIRST_BATCH, BATCH)
    while True:
        with truth.snapshot() as snapshot:
            pending = snapshot.pending_texts(model_id, after, size)
            text_generation = snapshot.manifest.text_generation
        if not pending:
            break
        progress("embed", embedded + failed, total)
        answer = checked(
            embedder.embed_passages([embedding_text(p.title, p.heading_path, p.text) for p in pending]),
            len(pending),
            fingerprint.dimensions,
        )
        text_ids = [p.text_id for p in pending]
        _store(backends, model_id, text_ids, answer)
        after = text_ids[-1]
        embedded += len(pending) - len(answer.failures)
        truncated += len(answer.truncated)
        failed += len(answer.failures)
        size = min(2 * size, BATCH)
    if total:
        progress("embed", embedded + failed, total)
    _complete(backends, model_id, fingerprint, name, text_generation)
    return EmbedOutcome(embedded, truncated, failed)


def checked(answer: Embedded, count: int, dimensions: int) -> Embedded:
    """The answer, if it has one vector for each text, of the right length.

    Raises:
        EmbedCountError: Fewer or more vectors than texts.
        EmbedDimensionError: Vectors of another length than the model's fingerprint says.
    """
    if len(answer.vectors) != count:
        raise EmbedCountError(
            f"{counted(count, 'text')} went out and {counted(len(answer.vectors), 'vector')} came back",
            hint="the embedding server is at fault; what was embedded before is kept",
        )
    if count and answer.vectors.shape[1] != dimensions:
        raise EmbedDimensionError(
            f"vectors of {answer.vectors.shape[1]} dimensions came back, {dimensions} were expected",
            hint="another model answers under this name; index with the embedder that you want to use",
        )
    return answer


def half(vectors: Vectors) -> NDArray[np.float16]:
    """The vectors as the truth keeps them."""
    import numpy as np

    return vectors.astype(np.float16)


def _model(backends: Backends, fingerprint: Fingerprint, name: str) -> tuple[Fingerprint, int]:
    """The set of vectors to add to, and its fingerprint; the corpus's first one is in use from the start."""
    with backends.truth.snapshot() as snapshot:
        manifest, known = snapshot.manifest, snapshot.models()
    prior = manifest.fingerprint
    if manifest.model_id is not None and prior is not None and backends.agree(prior, fingerprint):
        return prior, manifest.model_id
    for model_id, earlier in known:  # a set that an interrupted run began, or that was in use before
        if backends.agree(earlier, fingerprint):
            return earlier, model_id
    with backends.locked(), backends.write() as write:
        model_id = write.add_model(fingerprint)
        if manifest.model_id is None:
            write.use_model(model_id, fingerprint, name)
    return fingerprint, model_id


def _store(backends: Backends, model_id: int, text_ids: Sequence[int], answer: Embedded) -> None:
    good = [row for row in range(len(text_ids)) if row not in answer.failures]
    with backends.locked(), backends.write() as write:
        write.put_vectors(model_id, [text_ids[row] for row in good], half(answer.vectors[good]))
        write.put_failed_texts(model_id, {text_ids[row]: reason for row, reason in answer.failures.items()})


def _complete(
    backends: Backends, model_id: int, fingerprint: Fingerprint, name: str, text_generation: int
) -> None:
    """Record that this model has seen all of that generation's texts, and answer searches from its vectors from now on."""
    with backends.truth.snapshot() as snapshot:
        manifest = snapshot.manifest
    stands = (manifest.model_id, manifest.embedded_generation, manifest.active_embedder)
    if stands == (model_id, text_generation, name):
        return
    with backends.locked(), backends.write() as write:
        write.use_model(model_id, fingerprint, name)
        write.change(embedded_generation=text_generation)

"""One corpus, as its users see it."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tamis.errors import InputError
from tamis.lexical import FIELD_WEIGHTS, TITLE_WEIGHTS
from tamis.library import paths
from tamis.search.collapse import collapse
from tamis.search.plan import Plan, check
from tamis.types import Bm25, FieldWeights, FileStat, Filter

if TYPE_CHECKING:
    from tamis.config import Config
    from tamis.library.wiring import Wired
    from tamis.ports import Progress
    from tamis.types import (
        AmendedPath,
        AmendReport,
        CorpusSummary,
        EmbedReport,
        HealthReport,
        IndexReport,
        Lines,
        Mode,
        Passage,
        RefreshReport,
        SearchResult,
    )

MAX_AMEND_CHARS = 5_000_000
SPARE_HITS = 5  # retrieved beyond what was asked for, in place of those that show the same passage again


class Corpus:
    """A named set of indexed documents. Made by ``Library.corpus`` and ``Library.index``; safe to use from threads.

    ``report`` is what the index run that returned this corpus did.
    """

    def __init__(
        self,
        name: str,
        wired: Wired,
        config: Config,
        roots: tuple[str, ...],
        report: IndexReport | None = None,
    ) -> None:
        self.name = name
        self.report = report
        self._wired = wired
        self._config = config
        self._roots = roots

    def __repr__(self) -> str:
        return f"Corpus({self.name!r})"

    # -- recall -------------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        mode: Mode | None = None,
        top_k: int | None = None,
        filter: Filter | None = None,
        preview_chars: int | None = None,
        fusion: str | None = None,
        explain_scores: bool = False,
    ) -> SearchResult:
        """The passages that answer a query, best first; iterating over the result gives its hits.

        Args:
            query: Text, never syntax; at most 1,000 characters.
            mode: ``hybrid`` (both sides fused), ``semantic`` (by meaning), ``lexical`` (BM25), ``fact`` (hybrid, exact
                mentions first), ``title_path`` (titles, headings and paths only).
            top_k: How many hits, 1 to 100.
            filter: Which files take part; applied before ranking.
            preview_chars: Length of each hit's preview, 0 to 500.
            fusion: How the two sides become one ranking; ``rrf`` is plain reciprocal rank fusion.
            explain_scores: Add each lexical field's share to the score breakdowns.

        Raises:
            InputError: An argument is out of its range.
            FilterError: The filter is malformed.
            BackendError, EmbedError: In semantic mode, the query cannot be embedded. Other modes go on without their dense
                side, with a warning.
        """
        plan = self.plan(
            query, mode=mode, top_k=top_k, filter=filter, preview_chars=preview_chars, fusion=fusion,
            explain_scores=explain_scores,
        )  # fmt: skip
        return self.run(plan)

    def plan(
        self,
        query: str,
        *,
        mode: Mode | None = None,
        top_k: int | None = None,
        filter: Filter | None = None,
        preview_chars: int | None = None,
        fusion: str | None = None,
        explain_scores: bool = False,
    ) -> Plan:
        """What ``search`` with these arguments does, as a value."""
        defaults = self._config.search
        chosen = mode or defaults.mode
        limit = defaults.top_k if top_k is None else top_k
        chars = defaults.preview_chars if preview_chars is None else preview_chars
        check(query, chosen, limit, chars)
        return Plan(
            query=query,
            mode=chosen,
            limit=limit,
            weights=self._weights(FIELD_WEIGHTS),
            title_weights=replace(self._weights(TITLE_WEIGHTS), body=0.0),
            bm25=Bm25(defaults.k1, defaults.b),
            fusion=fusion or defaults.fusion,
            filter=filter or Filter(),
            preview_chars=chars,
            explain_fields=explain_scores,
        )

    def run(self, plan: Plan) -> SearchResult:
        """Carry out a plan."""
        # One more than asked for, so that a hit that another one shows already can be left out.
        result = self._wired.engine.search(replace(plan, limit=plan.limit + SPARE_HITS))
        return replace(result, hits=collapse(result.hits)[: plan.limit])

    def get(self, target: str, *, lines: Lines | None = None) -> Passage:
        """The text of a chunk (by the id of a hit) or of a document (by its path), whole or some lines of it.

        Raises:
            NotDocumentError: The corpus has no such chunk or document.
            InputError: The lines are not in the document, or the path names several.
        """
        from tamis.library.passages import get

        with self._wired.truth.snapshot() as snapshot:
            return get(snapshot, target.removeprefix(f"{self.name}:"), lines)

    # -- upkeep -------------------------------------------------------------------------------------------

    def refresh(
        self,
        *,
        verify: bool = False,
        retry_failed: bool = False,
        dense: bool = True,
        progress: Progress | None = None,
    ) -> RefreshReport:
        """Bring the corpus in line with the disk; writes nothing when nothing changed.

        Args:
            verify: Hash every file instead of trusting its size and time.
            retry_failed: Try files again that could not be read before.
            dense: Embed what is new; otherwise ``embed`` does it later.
            progress: Told how far it is; may raise to cancel.

        Raises:
            CorpusBusyError: Another writer was at work all the time that there was to wait.
        """
        from tamis.indexing.index import refresh

        return refresh(
            self._wired.backends, progress or silent, verify=verify, retry_failed=retry_failed, dense=dense
        )

    def embed(self, *, progress: Progress | None = None) -> EmbedReport:
        """Give every chunk that has none its vector; resumable.

        Raises:
            CorpusBusyError: Another process is embedding this corpus.
            BackendError, EmbedError: The embedder failed; what was done is kept.
        """
        from tamis.indexing.index import embed

        return embed(self._wired.backends, progress or silent)

    def amend(
        self,
        path: str | os.PathLike[str],
        text: str,
        *,
        chunk_chars: int | None = None,
        chunk_overlap: int | None = None,
    ) -> AmendReport:
        """Replace one file's chunks with those of ``text``; the disk is neither read nor written.

        The corpus says so until the next refresh or index.

        Raises:
            InputError: The text is empty or has more than 5,000,000 characters.
            RootError: The path is outside the allowed roots and the folders that the corpus was made from.
            AmendError: The embedder failed or is not the one that made the corpus; nothing was changed.
        """
        from tamis.indexing.amend import amend
        from tamis.readers import read_text

        if not text.strip() or len(text) > MAX_AMEND_CHARS:
            raise InputError(
                "the new text is empty" if not text.strip() else f"the new text has {len(text)} characters",
                hint=f"give 1 to {MAX_AMEND_CHARS:,} characters",
            )
        resolved = paths.resolved(path)
        with self._wired.truth.snapshot() as snapshot:
            settings = snapshot.manifest.settings
        paths.require_within(os.path.realpath(resolved), (*self._roots, *settings.paths))
        size = settings.chunk_chars if chunk_chars is None else chunk_chars
        overlap = chosen_overlap(settings.chunk_overlap, chunk_overlap, size)
        settings = replace(settings, chunk_chars=size, chunk_overlap=overlap)
        return amend(self._wired.backends, read_text(resolved, text), _stat(resolved), settings)

    # -- what there is to know ----------------------------------------------------------------------------

    def history(self) -> tuple[AmendedPath, ...]:
        """Every amend, oldest first."""
        with self._wired.truth.snapshot() as snapshot:
            return snapshot.amends()

    def summary(self) -> CorpusSummary:
        """The corpus's line in the list of corpora."""
        from tamis.library.reports import summary

        return summary(self._wired)

    def health(self, *, detailed: bool = False) -> HealthReport:
        """The summary and what may be wrong; ``detailed`` adds a line for each file."""
        from tamis.library.reports import health

        return health(self._wired, detailed=detailed)

    def _weights(self, default: FieldWeights) -> FieldWeights:
        chosen = self._config.search.weights
        return FieldWeights(
            *(
                getattr(default, field) if getattr(chosen, field) is None else getattr(chosen, field)
                for field in ("title", "heading", "path", "body")
            )
        )


def chosen_overlap(default: int, asked: int | None, chunk_chars: int) -> int:
    """The overlap asked for, or the default one, at most half of a small chunk."""
    return min(default, chunk_chars // 2) if asked is None else asked


def silent(stage: str, done: int, total: int | None) -> None:
    """Progress that nobody watches."""


def _stat(path: str) -> FileStat:
    """Size and time of the file that amended text stands for; now, for one that is not there."""
    try:
        found = os.stat(path)
    except OSError:
        return FileStat(-1, time.time_ns())
    return FileStat(found.st_size, found.st_mtime_ns)

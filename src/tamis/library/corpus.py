"""One corpus, as its users see it."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tamis.errors import InputError
from tamis.library import paths
from tamis.library.request import make_request
from tamis.types import FileStat

if TYPE_CHECKING:
    from typing import Literal, Unpack

    from tamis.config import Config
    from tamis.library.refining import Evidence, RefineOptions
    from tamis.library.request import SearchOptions
    from tamis.library.searching import Searching
    from tamis.library.wiring import Wired
    from tamis.ports import Embedder, Progress
    from tamis.types import (
        AmendedPath,
        AmendReport,
        Answer,
        CorpusSummary,
        EmbedReport,
        HealthReport,
        Hit,
        IndexReport,
        Lines,
        Mode,
        Passage,
        RefreshReport,
        SearchResult,
    )

MAX_AMEND_CHARS = 5_000_000


class Corpus:
    """A named set of indexed documents. Made by ``Library.corpus`` and ``Library.index``; safe to use from threads.

    ``report`` is what the index run that returned this corpus did.
    """

    def __init__(
        self,
        name: str,
        wired: Wired,
        searching: Searching,
        config: Config,
        roots: tuple[str, ...],
        report: IndexReport | None = None,
    ) -> None:
        self.name = name
        self.report = report
        self._wired = wired
        self._searching = searching
        self._config = config
        self._roots = roots

    def __repr__(self) -> str:
        return f"Corpus({self.name!r})"

    # -- recall -------------------------------------------------------------------------------------------

    def search(self, query: str, **options: Unpack[SearchOptions]) -> SearchResult:
        """The passages that answer a query, best first; iterating over the result gives its hits.

        Args:
            query: Text, never syntax; at most 1,000 characters.
            options: See ``SearchOptions``.

        Raises:
            InputError: An option is out of its range.
            FilterError: The filter is malformed.
            BackendError, EmbedError: In semantic mode, the query cannot be embedded. Other modes go on without their dense
                side, with a warning.
        """
        return self._searching.run(make_request(query, [self.name], None, options, self._config))

    def refine(self, query: str, **options: Unpack[RefineOptions]) -> Evidence[Hit]:
        """Search, rerank where a reranker is named, and compress the hits to the evidence that fits a token budget.

        Args:
            query: Text, never syntax; at most 1,000 characters.
            options: See ``SearchOptions`` and ``RefineOptions``.

        Raises:
            BudgetError: Nothing useful fits in the budget.
            InputError, FilterError, BackendError, EmbedError: As ``search``.
        """
        from tamis.library.refining import refined, split

        search, compress, dense = split(options)
        result = self.search(query, **search)
        return refined(result, query, compress, self.embedder() if dense and result.hits else None)

    def get(self, target: str, *, lines: Lines | None = None) -> Passage:
        """The text of a chunk (by the id of a hit) or of a document (by its path), whole or some lines of it.

        Raises:
            NotDocumentError: The corpus has no such chunk or document.
            InputError: The lines are not in the document, or the path names several.
        """
        from tamis.library.passages import get

        with self._wired.truth.snapshot() as snapshot:
            return get(snapshot, target.removeprefix(f"{self.name}:"), lines)

    def answer(
        self,
        question: str,
        *,
        mode: Mode | None = None,
        top_k: int = 8,
        max_words: int = 200,
        min_top_score: float | None = None,
        model: str | None = None,
        backend: Literal["cloud", "local"] | None = None,
        tier: Literal["instant", "workhorse", "deep"] = "workhorse",
    ) -> Answer:
        """An answer from passages of this corpus alone, with citations that were checked.

        Args:
            question: At most 1,000 characters.
            mode: How to search; the configuration's when left out.
            top_k: How many passages the model reads at most, 1 to 20.
            max_words: Length of the answer, 20 to 1,000.
            min_top_score: Ask no model when the best hit scores less, 0 to 1.
            model: Another model of the tier's server than the configured one.
            backend: Only a tier that runs on this machine (``local``), or only one that does not (``cloud``).
            tier: Which of the configured models; a late one hands over to the next smaller one.

        Raises:
            InputError: An argument is out of its range.
            ConfigError: No language model is configured.
            TierTimeoutError: Every model was late.
            BackendError: The model's server cannot be reached, lacks the model or failed.
        """
        from tamis.library.answering import Question, answer

        asked = Question(question, top_k, max_words, min_top_score, model, backend, tier)
        return answer(asked, lambda: self.search(question, mode=mode, top_k=top_k), self._config)

    # -- upkeep -------------------------------------------------------------------------------------------

    def refresh(
        self,
        *,
        verify: bool = False,
        retry_failed: bool = False,
        dense: bool | None = None,
        progress: Progress | None = None,
    ) -> RefreshReport:
        """Bring the corpus in line with the disk; writes nothing when nothing changed.

        What cannot be read, or lies in a folder that cannot or is not there, keeps its old text, and the report says so.

        Args:
            verify: Hash every file instead of trusting its size and time.
            retry_failed: Try files again that could not be read before.
            dense: Embed what has no vector, or leave what is new to ``embed``, and likewise in later runs; as in the run before
                when left out.
            progress: Told how far it is; may raise to cancel.

        Raises:
            CorpusBusyError: Another writer was at work all the time that there was to wait.
        """
        from tamis.indexing.index import refresh

        return refresh(
            self._wired.backends, progress or silent, verify=verify, retry_failed=retry_failed, dense=dense
        )

    def embed(self, *, progress: Progress | None = None) -> EmbedReport:
        """Give every chunk that has none its vector; resumable. Later runs of index and refresh do so too.

        Raises:
            CorpusBusyError: Another process is embedding this corpus.
            BackendError, EmbedError: The embedder failed; what was done is kept.
        """
        from tamis.indexing.index import embed

        return embed(self._wired.backends, progress or silent)

    def reembed(
        self, embedder: str | None = None, *, drop_old: bool = False, progress: Progress | None = None
    ) -> EmbedReport:
        """Embed everything anew from the stored text with another embedder; resumable.

        Searches are answered from the old vectors until all the new ones are there, at once from the new ones then.

        Args:
            embedder: ``KEY`` or ``KEY:MODEL``; the corpus's own when left out, as after a change of the model behind its name.
            drop_old: Delete the old vectors in the end; otherwise they stay, for a way back.
            progress: Told how far it is; may raise to cancel.

        Raises:
            ConfigError: There is no such embedder.
            CorpusBusyError: Another process is embedding this corpus.
            BackendError, EmbedError: The embedder cannot be had, and nothing is changed; or it failed later, and what was done
                is kept.
        """
        from tamis.embedders import lasting
        from tamis.indexing.index import reembed

        backends = self._wired.backends
        if embedder is None:
            with self._wired.truth.snapshot() as snapshot:
                embedder = snapshot.manifest.settings.embedder
        return reembed(backends, lasting(embedder), progress or silent, drop_old=drop_old)

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
            InputError: The text is empty or has more than 5,000,000 characters, or the path is that of no file.
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
        paths.require_no_folder(resolved)
        size = settings.chunk_chars if chunk_chars is None else chunk_chars
        overlap = chosen_overlap(settings.chunk_overlap, chunk_overlap, size)
        settings = replace(settings, chunk_chars=size, chunk_overlap=overlap)
        return amend(self._wired.backends, read_text(resolved, text), _stat(resolved), settings)

    # -- what there is to know ----------------------------------------------------------------------------

    def history(self) -> tuple[AmendedPath, ...]:
        """Every amend, oldest first."""
        from tamis.library.reports import history

        with self._wired.truth.snapshot() as snapshot:
            return history(snapshot)

    def embedder(self) -> Embedder:
        """What embeds the corpus's queries; may load a model.

        Raises:
            ConfigError: There is no such embedder any more.
            BackendError: Its model is missing or cannot be reached.
        """
        with self._wired.truth.snapshot() as snapshot:
            name = snapshot.manifest.active_embedder
        return self._wired.embedders(name)

    def summary(self) -> CorpusSummary:
        """The corpus's line in the list of corpora."""
        from tamis.library.reports import summary

        return summary(self._wired)

    def health(self, *, detailed: bool = False) -> HealthReport:
        """The summary and what may be wrong; ``detailed`` adds a line for each file."""
        from tamis.library.reports import health

        return health(self._wired, detailed=detailed)


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

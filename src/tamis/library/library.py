"""The library: all corpora of one home folder."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tamis.config import home_folder, load
from tamis.errors import CorpusError, CorpusNotFoundError, InputError
from tamis.library import paths as naming
from tamis.library.corpus import Corpus, chosen_overlap, silent
from tamis.library.request import make_request
from tamis.library.searching import Searching
from tamis.library.wiring import Embedders, Wired
from tamis.storage import CorpusLock, Home
from tamis.storage.home import checked
from tamis.types import Settings

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from tamis.config import Loaded
    from tamis.library.ranked import RankedMemories
    from tamis.library.refining import Evidence, RefineOptions
    from tamis.library.request import Request, SearchOptions
    from tamis.library.searching import Outline
    from tamis.ports import Progress
    from tamis.types import CorpusSummary, Hit, IndexReport, Lines, Passage, SearchResult


class Library:
    """All corpora under one home folder. Made by ``tamis.open``; safe to use from threads.

    A context manager: leaving it, or ``close``, lets go of files.
    """

    def __init__(self, home: Path, loaded: Loaded) -> None:
        self.home = home
        self.config = loaded.config
        self.config_origins = loaded.origins
        self.allowed_roots = naming.allowed_roots(loaded.config.index.allowed_roots)
        self._home = Home(home)
        self._embedders = Embedders(home, loaded.config)
        self._wired: dict[str, Wired] = {}
        self._wiring = threading.Lock()
        self._searching = Searching(home, loaded.config, self._open)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every file; corpora of this library must not be used any more."""
        with self._wiring:
            for wired in self._wired.values():
                wired.close()
            self._wired.clear()

    # -- corpora ------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Names of the corpora there are, sorted."""
        return self._home.names()

    def corpus(self, name: str) -> Corpus:
        """An existing corpus.

        Raises:
            InputError: The name is malformed.
            CorpusNotFoundError: No such corpus; the hint lists those there are and the nearest name.
            CorpusFormatError: It is damaged, or a newer tamis wrote it.
        """
        return self._corpus(name, self._open(name))

    def only(self) -> Corpus:
        """The one corpus there is.

        Raises:
            CorpusNotFoundError: There is none.
            InputError: There are several.
        """
        names = self.names()
        if not names:
            raise CorpusNotFoundError("there is no corpus yet", hint="make one with: tamis index NAME PATH")
        if len(names) > 1:
            raise InputError("several corpora are here", hint=f"say which: {', '.join(names)}")
        return self.corpus(names[0])

    def index(
        self,
        name: str,
        paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        embedder: str | None = None,
        chunk_chars: int | None = None,
        chunk_overlap: int | None = None,
        include: str | Sequence[str] | None = None,
        exclude: str | Sequence[str] | None = None,
        dense: bool | None = None,
        restrict: bool = False,
        progress: Progress | None = None,
    ) -> Corpus:
        """Make the corpus ``name`` hold these files and folders, and nothing else; ``corpus.report`` says what was done.

        Idempotent by content. The text is searchable as soon as it is in; vectors follow, in the same call. What is left out of
        the arguments is as in the run before, and as configured for a new corpus. Nothing is made or changed before the
        arguments have been found good.

        Args:
            paths: Files and folders, or one; they are remembered, and ``Corpus.refresh`` reads them again.
            embedder: ``KEY`` or ``KEY:MODEL``.
            chunk_chars: Characters in a chunk, 100 to 8,000.
            chunk_overlap: Characters that neighbours share, 0 to 4,000 and less than ``chunk_chars``.
            include: Globs; only files that match one are read. An empty list takes those of the run before back.
            exclude: Globs; files that match one are not read. Likewise.
            dense: Make the vectors, in this run and in every later index or refresh; or leave them to ``Corpus.embed``. True for
                a new corpus.
            restrict: Refuse paths outside the allowed roots; for callers that are not a person.
            progress: Told how far it is; may raise to cancel.

        Raises:
            InputError: A name, a number or a glob is off.
            ConfigError, MissingExtraError: The embedder cannot be had.
            SourceError: None of the paths exists, or is of a kind that can be read.
            RootError: With ``restrict``, a path is outside the allowed roots.
            CorpusBusyError: Another writer was at work all the time that there was to wait.
        """
        from tamis.chunking import check_sizes
        from tamis.embedders import lasting
        from tamis.indexing.index import index
        from tamis.readers import check_globs, require_any

        named = naming.named(naming.listed(paths), self.allowed_roots if restrict else None)
        kept = self._settings(checked(name))
        base = self._configured() if kept is None else kept
        size = base.chunk_chars if chunk_chars is None else chunk_chars
        settings = replace(
            base,
            paths=named,
            include=base.include if include is None else naming.listed(include),
            exclude=base.exclude if exclude is None else naming.listed(exclude),
            chunk_chars=size,
            chunk_overlap=chosen_overlap(base.chunk_overlap, chunk_overlap, size),
            embedder=lasting(embedder or base.embedder),
            dense=base.dense if dense is None else dense,
        )
        check_sizes(settings.chunk_chars, settings.chunk_overlap)
        check_globs(settings.include, settings.exclude)
        if embedder is not None or (kept is None and settings.dense):
            self._embedders(settings.embedder)
        max_bytes = round(self.config.index.max_file_mb * 1_000_000)
        require_any(named, allowed_roots=(*self.allowed_roots, *named), max_bytes=max_bytes)
        wired = self._wire(name, self._home.make(name))
        wired.truth.create(name, settings)
        report = index(wired.backends, settings, progress or silent)
        return self._corpus(name, wired, report)

    def _settings(self, name: str) -> Settings | None:
        """A corpus's own; ``None`` where there is no such corpus."""
        if name not in self.names():
            return None
        wired = self._open(name)
        if not wired.truth.exists():  # its making was interrupted
            return None
        with wired.truth.snapshot() as snapshot:
            return snapshot.manifest.settings

    def _configured(self) -> Settings:
        defaults = self.config.index
        return Settings(
            paths=(),
            chunk_chars=defaults.chunk_chars,
            chunk_overlap=defaults.chunk_overlap,
            embedder=defaults.embedder,
            language=defaults.language,
        )

    def remove(self, name: str) -> None:
        """Delete a corpus, one that cannot be used as well; the documents it was made from are not touched.

        Raises:
            CorpusNotFoundError: No such corpus.
            CorpusBusyError: A writer was at work all the time that there was to wait.
        """
        folder = self._home.place(name)
        with CorpusLock(folder, "write").hold(self.config.index.lock_wait_seconds):
            with self._wiring:
                if (wired := self._wired.pop(name, None)) is not None:
                    wired.close()
            self._home.remove(name)

    def list(self) -> list[CorpusSummary]:
        """A summary of every corpus, by name; one that cannot be used says why."""
        return [self._summary(name) for name in self.names()]

    # -- recall -------------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        corpora: str | Sequence[str] = (),
        *,
        scope: str | None = None,
        **options: Unpack[SearchOptions],
    ) -> SearchResult:
        """Search some corpora, or all: each on its own, then reciprocal rank fusion of what they found.

        Args:
            query: Text, never syntax; at most 1,000 characters.
            corpora: Names, or one; the scope's, or all there are, when left out.
            scope: A ``[scope.NAME]`` of the configuration.
            options: See ``SearchOptions``.

        Raises:
            CorpusNotFoundError: One of the corpora does not exist, or there is none; nothing is searched.
            ConfigError: There is no such scope.
            InputError, FilterError, BackendError, EmbedError: As ``Corpus.search``.
        """
        return self._searching.run(self._request(query, corpora, scope, options))

    def refine(
        self,
        query: str,
        corpora: str | Sequence[str] = (),
        *,
        scope: str | None = None,
        **options: Unpack[RefineOptions],
    ) -> Evidence[Hit]:
        """Search, rerank where a reranker is named, and compress the hits to the evidence that fits a token budget.

        Args:
            query: Text, never syntax; at most 1,000 characters.
            corpora: Names, or one; the scope's, or all there are, when left out.
            scope: A ``[scope.NAME]`` of the configuration.
            options: See ``SearchOptions`` and ``RefineOptions``.

        Raises:
            BudgetError: Nothing useful fits in the budget.
            CorpusNotFoundError, ConfigError, InputError, FilterError, BackendError, EmbedError: As ``search``.
        """
        from tamis.library.refining import refined, split

        search, compress, dense = split(options)
        result = self.search(query, corpora, scope=scope, **search)
        embedder = self.corpus(result.hits[0].corpus).embedder() if dense and result.hits else None
        return refined(result, query, compress, embedder)

    def rerank(
        self,
        memories: Sequence[Mapping[str, Any]],
        query: str,
        top_k: int = 5,
        *,
        driver: str = "keyword",
        config: Mapping[str, Any] | None = None,
        budget_cents: float | None = None,
    ) -> RankedMemories:
        """The ``top_k`` memories, ``{content, id?, title?, date?, …}``, that fit a query best, by a driver.

        Args:
            driver: A key of ``tamis rerankers``; prices are the configured ones, what is charged goes into the ledger.
            config: The driver's options.
            budget_cents: What it may cost; no limit when left out.

        Raises:
            RerankInputError: A memory has no content, the query is blank, or there is no such driver.
            ConfigError: The driver's options make no sense.
        """
        from tamis.library.ranked import rank_memories

        return rank_memories(
            self.home,
            self.config,
            query,
            memories,
            driver=driver,
            options=config,
            top_k=top_k,
            budget_cents=budget_cents,
        )

    def outline(
        self,
        query: str,
        corpora: str | Sequence[str] = (),
        *,
        scope: str | None = None,
        **options: Unpack[SearchOptions],
    ) -> Outline:
        """What ``search`` with these arguments would do and cost; raises as it does. Nothing is searched."""
        return self._searching.outline(self._request(query, corpora, scope, options))

    def _request(
        self, query: str, corpora: str | Sequence[str], scope: str | None, options: SearchOptions
    ) -> Request:
        request = make_request(query, naming.listed(corpora), scope, options, self.config)
        if request.corpora:
            return request
        usable, warnings = self._usable()
        return replace(request, corpora=usable or (self.only().name,), warnings=warnings)

    def _usable(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the corpora that can be searched, and a warning for each that cannot."""
        usable: list[str] = []
        warnings: list[str] = []
        for name in self.names():
            try:
                self._open(name)
                usable.append(name)
            except CorpusError as error:
                warnings.append(f"{name} was left out: {error.message}")
        return tuple(usable), tuple(warnings)

    def get(self, target: str, *, corpus: str | None = None, lines: Lines | None = None) -> Passage:
        """The text of a chunk (by the id of a hit) or of a document (by its path), whole or some lines of it.

        Args:
            corpus: Its corpus; may be left out for an id as hits have it (``corpus:number``), or when there is only one.

        Raises:
            NotDocumentError: There is no such chunk or document.
            CorpusNotFoundError: No such corpus.
            InputError: Several corpora are here and none was named.
        """
        prefix, _, rest = target.partition(":")
        if corpus is None and rest.isdecimal() and prefix in self.names():
            corpus = prefix
        return (self.only() if corpus is None else self.corpus(corpus)).get(target, lines=lines)

    def memories(self, corpora: str | Sequence[str] = ()) -> list[dict[str, Any]]:
        """The documents of some corpora, or of all, as memories ``{id, title, content, date, path}``, in the order of their paths.

        Raises:
            CorpusNotFoundError: One of the corpora does not exist.
        """
        from tamis.library.memories import of_corpus

        names = tuple(dict.fromkeys(naming.listed(corpora))) or self._usable()[0]
        return [memory for name in names for memory in of_corpus(self._open(name))]

    def roots(self) -> tuple[str, ...]:
        """Folders and files that may be looked at: the allowed roots, and what each usable corpus was made from."""
        made_from: list[str] = []
        for name in self.names():
            try:
                settings = self._settings(name)
            except CorpusError:
                continue  # nothing is known of one that cannot be used
            made_from += settings.paths if settings is not None else ()
        return tuple(dict.fromkeys((*self.allowed_roots, *made_from)))

    def _summary(self, name: str) -> CorpusSummary:
        try:
            return self.corpus(name).summary()
        except CorpusError as error:
            from tamis.types import CorpusSummary  # a search does without

            return CorpusSummary(name, "", "", 0, 0, 0, 0, 0, write_complete=False, problem=error.message)

    # -- wiring -------------------------------------------------------------------------------------------

    def _corpus(self, name: str, wired: Wired, report: IndexReport | None = None) -> Corpus:
        return Corpus(name, wired, self._searching, self.config, self.allowed_roots, report)

    def _open(self, name: str) -> Wired:
        return self._wire(name, self._home.folder(name))

    def _wire(self, name: str, folder: Path) -> Wired:
        with self._wiring:
            wired = self._wired.get(name)
            if wired is None or not wired.alive:
                wired = self._wired[name] = Wired(folder, self.config, self._embedders, self.allowed_roots)
            return wired


def open(
    home: str | os.PathLike[str] | None = None, *, config: str | os.PathLike[str] | None = None
) -> Library:
    """Open the library of the corpora under ``home``.

    Args:
        home: ``TAMIS_HOME``, or the platform's folder for a user's data, when left out.
        config: A ``tamis.toml``; ``TAMIS_CONFIG``, or the platform's place for it, when left out.

    Raises:
        ConfigError: The configuration does not hold.
    """
    loaded = load(None if config is None else Path(config))
    return Library(
        Path(home).expanduser().absolute() if home is not None else home_folder().absolute(), loaded
    )

"""Measuring a library's own searches against what ought to be found."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, product
from typing import TYPE_CHECKING, Any, cast

from tamis.errors import InputError, NotDocumentError
from tamis.evaluate import (
    DEFAULT_MEASURES,
    Held,
    compare,
    evaluate,
    needs_passages,
    relevant_targets,
    shortfall_of,
)
from tamis.evaluate.measures import measuring_library
from tamis.evaluate.presence import meanings
from tamis.evaluate.resolving import nearest, resolved
from tamis.evaluate.running import judged_queries
from tamis.library.depth import depth_warnings, looked_at
from tamis.library.passages import whole_text
from tamis.library.request import known_fusion
from tamis.search.across import together
from tamis.search.plan import MAX_QUERY
from tamis.storage import Home, Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tamis.evaluate import Comparison, Evaluation, Gold, GoldQuery, Measure, Target
    from tamis.evaluate.gold import Level
    from tamis.evaluate.presence import Meaning
    from tamis.library.library import Library
    from tamis.library.request import Request, SearchOptions
    from tamis.types import ModelUse, SearchResult

    Told = Callable[[str, int, int | None], None]

DEPTH = 100
"""Hits that are looked at: the most that a search gives."""

NAMED = 5
"""Targets that a message names."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """One way to search; ``scope`` is a ``[scope.NAME]`` of the configuration."""

    name: str
    options: Mapping[str, Any]
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Set-ups on the same queries. ``comparisons``: of each set-up but the first with the first, by measure.

    ``targets`` were wanted, of which the ``absent`` ones are in no corpus that was searched. ``model_use``: as a search gives
    it, of all set-ups.
    """

    evaluations: tuple[Evaluation, ...]
    comparisons: tuple[tuple[Comparison, ...], ...]
    targets: int = 0
    absent: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    model_use: ModelUse | None = None


def set_ups(
    modes: Sequence[str], fusions: Sequence[str], rerankers: Sequence[str], scopes: Sequence[str] = ()
) -> tuple[SetUp, ...]:
    """Every scope with every mode and every fusion, without a reranker and with each; what is left empty is the scope's or
    the configuration's.

    Fusions are told apart only in the modes that fuse.

    Raises:
        InputError: There is no such fusion.
    """
    for fusion in fusions:
        known_fusion(fusion)  # no mode that fuses may be among these, and then no search would tell
    found: dict[str, SetUp] = {}
    for reranker, scope, mode, fusion in product(
        ("", *rerankers), scopes or ("",), modes or ("",), fusions or ("",)
    ):
        fused = fusion if mode in ("", "hybrid", "fact") else ""
        parts = [
            scope,
            mode or ("" if fused or scope else "default"),
            fused,
            f"+ {reranker}" if reranker else "",
        ]
        name = " ".join(filter(None, parts))
        options = {"mode": mode or None, "fusion": fused or None, "rerank": reranker or None}
        found.setdefault(name, SetUp(name, options, scope or None))
    return tuple(found.values())


def measure(
    library: Library,
    gold: Gold,
    corpora: Sequence[str],
    setups: Sequence[SetUp],
    measures: Sequence[Measure] = (),
    *,
    progress: Told,
) -> Evaluated:
    """Run the gold's queries through each set-up.

    Raises:
        InputError: The gold has nothing relevant, two queries of one id or one that is too long; or a set-up makes no sense.
        ConfigError: There is no such scope.
        NotDocumentError: None of the targets is in the corpora that would be searched.
        MissingExtraError: The extra ``eval`` is not installed.
        CorpusNotFoundError: A corpus does not exist.
    """
    if not setups:
        raise InputError("no set-up to measure", hint="name a mode")
    measuring_library()
    queries = judged_queries(gold)
    _check_lengths(queries)
    warnings: list[str] = []
    wanted = relevant_targets(gold)
    requests = _requests(library, queries[0].text, corpora, setups)
    lacking, meant = _absent(library, wanted, _searched(setups, requests), warnings, progress)
    gold = resolved(gold, meant)
    evaluations: list[Evaluation] = []
    used: dict[ModelUse, None] = {}
    levels: dict[str, Level] = {query.text: query.level or gold.level for query in gold.queries}
    for setup, request in zip(setups, requests, strict=True):
        run = _Run(library, corpora, setup, request, levels, len(queries), progress)
        run.warm(queries[0].text)
        done = evaluate(run, gold, measures or DEFAULT_MEASURES, name=setup.name)
        evaluations.append(done)
        warnings += [
            *_shortfalls(done),
            *run.warnings(),
            *depth_warnings(done, run.looked, set(levels.values())),
        ]
        used |= run.used
    first = evaluations[0]
    return Evaluated(
        tuple(evaluations),
        tuple(
            tuple(compare(first, other, measure) for measure in first.measures) for other in evaluations[1:]
        ),
        len(wanted),
        tuple(map(_named, lacking)),
        tuple(dict.fromkeys(warnings)),
        together(list(used)),
    )


class _Run:
    """A set-up's searches, and what they warned of; how many results each ``looked`` at, and the models that they used."""

    def __init__(
        self,
        library: Library,
        corpora: Sequence[str],
        setup: SetUp,
        request: Request,
        levels: Mapping[str, Level],
        total: int,
        progress: Told,
    ) -> None:
        self.total = total
        self.looked: list[int | None] = []
        self.used: dict[ModelUse, None] = {}
        self._request = request
        self._levels = levels
        self._library = library
        self._corpora = corpora
        self._setup = setup
        self._progress = progress
        self._warned: Counter[str] = Counter()

    def __call__(self, query: str) -> SearchResult:
        result = self._search(query)
        # Why a search fell short is said once for all of the set-up's.
        short = shortfall_of(result)
        told = short.reason.split("; ") if short else []
        self._warned.update(
            {text for text in result.warnings if not any(part and part in text for part in told)}
        )
        self.looked.append(looked_at(result, self._request, self._levels[query]))
        if result.model_use:
            self.used[result.model_use] = None
        self._progress(self._setup.name, len(self.looked), self.total)
        return result

    def warm(self, query: str) -> None:
        """Loading an embedder is no part of a search's latency; a reranker, which may cost, is not asked twice."""
        self._search(query, rerank="noop")

    def warnings(self) -> Iterator[str]:
        """Each once, with how many searches gave it."""
        for text, count in self._warned.items():
            yield f"{self._setup.name}: {text} ({count} of {self.total} searches)"

    def _search(self, query: str, **over: Any) -> SearchResult:
        # Nothing of a search that people look at: no previews, so that the time is the ranking's.
        options = {"top_k": DEPTH, "preview_chars": 0, **self._setup.options, **over}
        return self._library.search(
            query, self._corpora, scope=self._setup.scope, **cast("SearchOptions", options)
        )


def _shortfalls(done: Evaluation) -> Iterator[str]:
    if not done.shortfalls:
        return
    (reason, _), *others = done.shortfall_reasons.items()
    more = f", and {len(others)} other reasons" if others else ""
    yield f"{done.name}: {done.shortfall_note}: {reason}{more}"


def _check_lengths(queries: Sequence[GoldQuery]) -> None:
    """Refuse what no search takes, before the first one: a run that stops midway loses all before."""
    if long := [query for query in queries if len(query.text) > MAX_QUERY]:
        more = f", and {len(long) - 1} others are too long" if len(long) > 1 else ""
        raise InputError(
            f"query {long[0].id!r} has {len(long[0].text)} characters{more}", hint=f"use at most {MAX_QUERY}"
        )


def _requests(library: Library, query: str, corpora: Sequence[str], setups: Sequence[SetUp]) -> list[Request]:
    """What each set-up asks for; what makes no sense is refused before any search."""
    asked = [cast("SearchOptions", {"top_k": DEPTH, **setup.options}) for setup in setups]
    return [
        library.outline(query, corpora, scope=setup.scope, **options).request
        for setup, options in zip(setups, asked, strict=True)
    ]


def _searched(setups: Sequence[SetUp], requests: Sequence[Request]) -> dict[tuple[str, ...], list[str]]:
    """The corpora that set-ups search, with the names of these set-ups."""
    found: dict[tuple[str, ...], list[str]] = {}
    for setup, request in zip(setups, requests, strict=True):
        found.setdefault(request.corpora, []).append(setup.name)
    return found


def _absent(
    library: Library,
    wanted: Sequence[Target],
    searched: Mapping[tuple[str, ...], Sequence[str]],
    warnings: list[str],
    progress: Told,
) -> tuple[list[Target], dict[Target, set[Meaning]]]:
    """The targets that no set-up can find, and what each of the others means; for each group of set-ups a warning says what
    is not in its corpora, and another what may mean several things."""
    deep = needs_passages(wanted)
    by_corpus = {
        name: meanings(wanted, _held(library, name, deep=deep, progress=progress))
        for name in dict.fromkeys(name for corpora in searched for name in corpora)
    }
    meant = {
        target: nearest(chain.from_iterable(found[target] for found in by_corpus.values()))
        for target in wanted
    }

    def lacking(corpora: Sequence[str]) -> list[Target]:
        return [
            target
            for target in wanted
            if {each.text for each in meant[target]}.isdisjoint(
                each.text for name in corpora for each in by_corpus[name][target]
            )
        ]

    nowhere = lacking(list(by_corpus))
    if wanted and len(nowhere) == len(wanted):
        raise NotDocumentError(
            f"none of the {len(wanted)} targets is in {_listed(by_corpus)}: {_some([target.shown for target in nowhere])}",
            hint="a target is a path, path#heading, a quotation, or a passage's id, as tamis search --json shows them; name the "
            "corpus with -c",
        )
    for corpora, setups in searched.items():
        if missing := lacking(corpora):
            whose = f"{', '.join(setups)}: " if len(searched) > 1 else ""
            fate = "are not in {} and count" if len(missing) > 1 else "is not in {} and counts"
            warnings.append(
                f"{whose}{len(missing)} of {len(wanted)} targets {fate.format(_listed(corpora))} as not found: {_some([target.shown for target in missing])}"
            )
    if unclear := [target for target in wanted if not target.quoted and len(meant[target]) > 1]:
        named = _some([f"{target.shown} ({len(meant[target])})" for target in unclear])
        warnings.append(
            f"{len(unclear)} of {len(wanted)} targets may mean several files or headings, any of which counts: {named}"
        )
    return nowhere, meant


def _held(library: Library, corpus: str, *, deep: bool, progress: Told) -> Iterator[Held]:
    """A corpus's documents; with what is in them where that is needed."""
    with (
        closing(Truth(Home(library.home).folder(corpus) / "corpus.db")) as truth,
        truth.snapshot() as snapshot,
    ):
        files = list(snapshot.files())
        for done, file in enumerate(files, 1):
            chunks = snapshot.chunks_of(file) if deep else []
            yield Held(
                file.path,
                [f"{corpus}:{chunk.id}" for chunk in chunks],
                {heading for chunk in chunks for heading in chunk.heading_path},
                whole_text(chunks),
                [chunk.text for chunk in chunks],
                file.relative_path,
            )
            progress(f"targets in {corpus}", done, len(files))


def _listed(corpora: Iterable[str]) -> str:
    names = list(corpora)
    return names[0] if len(names) == 1 else f"the corpora {', '.join(names)}"


def _some(shown: Sequence[str]) -> str:
    more = f" and {len(shown) - NAMED} more" if len(shown) > NAMED else ""
    return ", ".join(shown[:NAMED]) + more


def _named(target: Target) -> str:
    return f'"{target.text}"' if target.quoted else target.text

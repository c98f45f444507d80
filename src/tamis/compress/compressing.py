"""Compress: what was found, cut to what a model is to read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from tamis.compress.assemble import Assembler, Body, unit_of
from tamis.compress.budget import check_budget
from tamis.compress.cut import cut
from tamis.compress.extract import extract
from tamis.compress.items import as_items
from tamis.compress.outcome import Outcome
from tamis.compress.sources import StreamSource, TextSource
from tamis.compress.tokenizers import counter as find_counter
from tamis.compress.units import candidates
from tamis.compress.values import FORMS, LEVELS, ORDERS, Compressed, CompressItem, SourceText
from tamis.errors import BudgetError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tamis.compress.items import Compressible
    from tamis.compress.sources import Source
    from tamis.compress.tokenizers import TokenCounter
    from tamis.compress.values import Form, Level, Order
    from tamis.ports import Embedder
    from tamis.types import SearchResult

DEFAULT_MAX_TOKENS = 2_000
# A stream that ends within so many characters is compressed as the text that it is.
HEAD_CHARS = 262_144
CUT_INSTEAD = "no part that answers the query fits the budget: the text is cut instead"


def compress(
    items: Compressible | Compressed | Sequence[Compressible] | SearchResult,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    *,
    query: str | None = None,
    level: Level | None = None,
    tokenizer: str | TokenCounter = "bundled",
    order: Order = "rank",
    form: Form = "text",
    embedder: Embedder | None = None,
) -> Compressed:
    """Cut texts down to ``max_tokens``, counted on the final text with its headers and marks.

    Args:
        items: A text; or texts, hits, passages, items or mappings with a text (``text``, ``content``), best first;
            or the result of a search. Hits of one corpus bring their cosines, which tell in which the answer is.
        max_tokens: The budget. ``tokens_after`` never exceeds it.
        query: What the text is needed for.
        level: ``strip`` leaves out markup that a model does not need. ``truncate`` does that and cuts after the last
            sentence or line that fits (so does ``strip`` where it must, with a warning). ``extract`` keeps the units
            that carry the answer to the query, verbatim, and marks every gap; a single text that fits stays as it is.
            Default: ``extract`` with a query, else ``truncate``.
        tokenizer: ``bundled``, ``o200k``, ``cl100k``, ``chars/4``, the path of a ``tokenizer.json``, or a counter.
        order: ``rank``: as given. ``document``: by document, in reading order. ``lost_in_the_middle``: the best at
            both ends.
        form: ``text`` with ``[1]`` citations and a list of sources, ``markdown``, ``json`` or ``xml``.
        embedder: Adds similarity of meaning to ``extract``'s relevance, of units and of whole items; if it fails, that is a
            warning.

    Compressing a result again under the same budget and query returns it unchanged.

    Raises:
        InputError: An argument is off, or an item has no text.
        BudgetError: Nothing useful fits in the budget.
        ConfigError: The bundled tokenizer is not there.
        MissingExtraError: The tokenizer needs a package that is not installed.
        BackendError: The tokenizer's vocabulary cannot be fetched.
    """
    plan = _Plan.checked(max_tokens, query, level, order, form, find_counter(tokenizer))
    if isinstance(items, Compressed):
        if plan.fits(items):
            return items
        items = items.text
    given = as_items(items)
    bare = len(given) == 1 and given[0] == CompressItem(given[0].text)
    sources = [TextSource(item, plan.counter) for item in given]
    if bare and plan.level == "extract" and form == "text" and sources[0].tokens <= max_tokens:
        return plan.as_it_is(sources[0])
    return plan.run(sources, embedder)


def compress_stream(
    chunks: Iterable[str],
    max_tokens: int = DEFAULT_MAX_TOKENS,
    *,
    path: str | None = None,
    query: str | None = None,
    level: Level | None = None,
    tokenizer: str | TokenCounter = "bundled",
    form: Form = "text",
    embedder: Embedder | None = None,
) -> Compressed:
    """``compress`` for one text that comes in chunks and is never held as a whole.

    Memory grows with the budget alone. Which units come up for selection is decided as the text goes by, with the term
    statistics known by then. ``path`` names the source and, by its ending, the kind of text.
    """
    plan = _Plan.checked(max_tokens, query, level, "rank", form, find_counter(tokenizer))
    head, rest = _head(chunks, HEAD_CHARS)
    if rest is None:
        item = CompressItem(head, path=path)
        return compress(
            item, max_tokens, query=query, level=level, tokenizer=plan.counter, form=form, embedder=embedder
        )
    item = CompressItem("", path=path)
    return plan.run([StreamSource(item, chain([head], rest), plan.counter)], embedder)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The checked arguments."""

    max_tokens: int
    query: str
    level: Level
    order: Order
    form: Form
    counter: TokenCounter

    @staticmethod
    def checked(
        max_tokens: int,
        query: str | None,
        level: Level | None,
        order: Order,
        form: Form,
        counter: TokenCounter,
    ) -> _Plan:
        check_budget(max_tokens)
        query = (query or "").strip()
        level = level or ("extract" if query else "truncate")
        for name, value, known in (("level", level, LEVELS), ("order", order, ORDERS), ("form", form, FORMS)):
            if value not in known:
                raise InputError(f"there is no {name} {value!r}", hint=f"use one of: {', '.join(known)}")
        if level == "extract" and not query:
            raise InputError("level extract needs a query", hint="give a query, or use level truncate")
        return _Plan(max_tokens, query, level, order, form, counter)

    def fits(self, done: Compressed) -> bool:
        """Whether a result is what this plan would make of it."""
        made = (done.level, done.order, done.form, done.tokenizer)
        wanted = (self.level, self.order, self.form, self.counter.name)
        return made == wanted and done.tokens_after <= self.max_tokens

    def run(self, sources: Sequence[Source], embedder: Embedder | None) -> Compressed:
        assembler = Assembler([source.item for source in sources], self.order, self.form)
        if self.level == "extract":
            outcome = self._extracted(sources, assembler, embedder)
        else:
            outcome = cut(sources, self.max_tokens, self.counter, assembler)
        for source in sources:
            source.drain()
        text = assembler.text(outcome.bodies)
        return self._result(sources, outcome, text, assembler.sequence(outcome.bodies))

    def _extracted(
        self, sources: Sequence[Source], assembler: Assembler, embedder: Embedder | None
    ) -> Outcome:
        """What extraction keeps; where it can keep nothing, what truncation does, if the text is still there."""
        try:
            return extract(sources, self.query, self.max_tokens, self.counter, assembler, embedder)
        except BudgetError as error:
            if not all(isinstance(source, TextSource) for source in sources):
                raise
            try:
                outcome = cut(sources, self.max_tokens, self.counter, assembler, headings_do=False)
            except BudgetError:
                raise error from None
        return replace(outcome, warnings=(*outcome.warnings, CUT_INSTEAD))

    def as_it_is(self, source: Source) -> Compressed:
        """A bare text that fits."""
        parts = list(candidates(source.lines(), source.flavour, metadata=True))
        text = source.item.text
        bodies = {0: Body(text, parts[0], parts[-1])} if parts else {}
        outcome = Outcome(bodies, {0: parts} if parts else {}, {0})
        return self._result([source], outcome, text, list(bodies))

    def _result(
        self, sources: Sequence[Source], outcome: Outcome, text: str, sequence: Sequence[int]
    ) -> Compressed:
        before = sum(source.tokens for source in sources)
        after = self.counter.count(text)
        truncated = tuple(item for item in sorted(outcome.parts) if item not in outcome.whole)
        warnings = outcome.warnings
        if self.level == "strip" and (truncated or len(outcome.parts) < len(sources)):
            warnings = (*warnings, "stripped text did not fit the budget and was cut")
        return Compressed(
            text=text,
            units=tuple(
                unit_of(sources[item].item, part, sources[item].content_hash, outcome.scores.get(part))
                for item in sequence
                for part in outcome.parts[item]
            ),
            texts=tuple(
                SourceText(item, outcome.bodies[item].text, item in outcome.whole) for item in sequence
            ),
            tokens_before=before,
            tokens_after=after,
            ratio=after / before if before else 1.0,
            tokenizer=self.counter.name,
            level=self.level,
            order=self.order,
            form=self.form,
            truncated=truncated,
            dropped=tuple(item for item in range(len(sources)) if item not in outcome.parts),
            warnings=warnings,
        )


def _head(chunks: Iterable[str], limit: int) -> tuple[str, Iterator[str] | None]:
    """The first characters of a text, and the rest of it; ``None`` if that was all."""
    iterator = iter(chunks)
    parts: list[str] = []
    size = 0
    for chunk in iterator:
        parts.append(chunk)
        size += len(chunk)
        if size > limit:
            return "".join(parts), iterator
    return "".join(parts), None

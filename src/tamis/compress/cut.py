"""Strip and truncate: leave out markup, then, if that is still too long, everything after a sentence's or line's end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tamis.compress.assemble import Assembler, Body
from tamis.compress.budget import largest_fitting, too_small
from tamis.compress.outcome import Outcome
from tamis.compress.plain import PlainText, read_plain
from tamis.compress.strip import Kept, stripped
from tamis.types import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.sources import Source
    from tamis.compress.tokenizers import TokenCounter
    from tamis.compress.units import Candidate

MARK = "[truncated]"
# Text is read until it is this many tokens over the budget: stripping it again may still shorten it a little.
READ_BEYOND = 64
# So many earlier cuts are tried where one leaves new markup; text that was made to have none may keep some.
MAX_TRIES = 32


def cut(
    sources: Sequence[Source],
    max_tokens: int,
    counter: TokenCounter,
    assembler: Assembler,
    *,
    headings_do: bool = True,
) -> Outcome:
    """The stripped text of all sources, in order, as far as it fits; the one that does not fit whole is marked.

    Raises:
        BudgetError: Not even the first sentence or line fits; or, if headings alone will not do, the first below one.
    """
    texts: list[PlainText] = []
    left = max_tokens + READ_BEYOND
    for index, source in enumerate(sources):
        if left < 0:
            break
        texts.append(read_plain(source, index, left, counter))
        left -= texts[-1].tokens
    return _Cutter(sources, texts, counter, assembler).fit(max_tokens, headings_do)


class _End(NamedTuple):
    """A cut: in which item, after which of its candidates, at which offset."""

    item: int
    place: int
    offset: int


@dataclass(frozen=True, slots=True)
class _Cutter:
    sources: Sequence[Source]
    texts: Sequence[PlainText]
    counter: TokenCounter
    assembler: Assembler

    def fit(self, max_tokens: int, headings_do: bool) -> Outcome:
        if len(self.texts) == len(self.sources) and all(text.complete for text in self.texts):
            whole = self._bodies(None)
            if self._tokens(whole) <= max_tokens:
                return Outcome(whole, self._parts(None), set(range(len(self.sources))))
        ends = [_End(item, *end) for item, text in enumerate(self.texts) for end in text.ends()]
        count = largest_fitting(len(ends), lambda n: self._tokens(self._bodies(ends[n - 1])) <= max_tokens)
        useful = next((n for n, end in enumerate(ends) if headings_do or self._is_useful(end)), 0)
        if count <= useful:
            smallest = self._tokens(self._bodies(ends[useful])) if ends else 1
            raise too_small(max_tokens, smallest, self.counter.name)
        fitting = ends[max(0, count - MAX_TRIES) : count][::-1]
        end = next(filter(self._is_plain, fitting), fitting[0])
        return Outcome(self._bodies(end), self._parts(end), set(range(end.item + self._cuts_nothing(end))))

    def _tokens(self, bodies: dict[int, Body]) -> int:
        return self.counter.count(self.assembler.text(bodies))

    def _is_plain(self, end: _End) -> bool:
        """Whether a cut leaves no markup that was none before it, such as a comment that now ends the text."""
        text = self._marked(end)
        again = stripped([Kept(text, 0, 0)], self.sources[end.item].flavour)
        return sum(len(part.text) for part in again) == len(text)

    def _is_useful(self, end: _End) -> bool:
        """Whether a cut leaves more than headings."""
        return not self.texts[end.item].candidates[end.place].leads

    def _cuts_nothing(self, end: _End) -> bool:
        text = self.texts[end.item]
        return text.complete and end.offset == text.candidates[-1].span.end

    def _bodies(self, end: _End | None) -> dict[int, Body]:
        """All items before a cut and what it leaves of its own; without one, all."""
        bodies = {
            item: Body(text.text(), text.candidates[0], text.candidates[-1])
            for item, text in enumerate(self.texts[: end.item] if end else self.texts)
            if text.candidates
        }
        if end:
            candidates = self.texts[end.item].candidates
            bodies[end.item] = Body(
                self._marked(end), candidates[0], _clipped(candidates[end.place], end.offset)
            )
        return bodies

    def _parts(self, end: _End | None) -> dict[int, list[Candidate]]:
        """What the text of ``_bodies`` is made of."""
        kept = {item: text.candidates for item, text in enumerate(self.texts) if text.candidates}
        if end:
            candidates = kept[end.item]
            kept = {item: candidates for item, candidates in kept.items() if item < end.item}
            kept[end.item] = [*candidates[: end.place], _clipped(candidates[end.place], end.offset)]
        return {
            item: [part for candidate in candidates for part in self.texts[item].slices(candidate)]
            for item, candidates in kept.items()
        }

    def _marked(self, end: _End) -> str:
        """The text up to a cut, its code block closed, and the mark that it was cut."""
        source = self.texts[end.item]
        if self._cuts_nothing(end):
            return source.text()
        last = source.candidates[end.place]
        text = source.text(end.offset)
        if last.fence:
            text = f"{text}\n{last.closing}"
        joint = " " if last.kind == "sentence" else "\n"
        return f"{text}{joint}{MARK}"


def _clipped(candidate: Candidate, end: int) -> Candidate:
    """A candidate as far as an offset."""
    start = candidate.span.start
    return replace(candidate, text=candidate.text[: end - start], span=Span(start, end))

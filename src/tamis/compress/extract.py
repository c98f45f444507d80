"""Extract: keep the units that carry the answer to a query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tamis.compress.assemble import Assembler, Body
from tamis.compress.budget import largest_fitting, too_small
from tamis.compress.dense import with_similarity
from tamis.compress.evidence import heard_first, worth
from tamis.compress.gather import Gatherer
from tamis.compress.layout import body
from tamis.compress.outcome import Outcome
from tamis.compress.selection import GAP_TOKENS, Choice, Kept, Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.gather import Gathered
    from tamis.compress.sources import Source
    from tamis.compress.tokenizers import TokenCounter
    from tamis.compress.units import Candidate
    from tamis.ports import Embedder

# A heading or a table's head says little alone, and comes with what is below it anyway.
LEADING = 0.25
# Selection counts parts one by one and the tokenizer sees them joined; so often it is told what was left over.
MAX_ROUNDS = 4
# Leftover tokens that are not worth another round, and their share of the budget.
SLACK, SLACK_SHARE = 4, 0.01


def extract(
    sources: Sequence[Source],
    query: str,
    max_tokens: int,
    counter: TokenCounter,
    assembler: Assembler,
    embedder: Embedder | None,
) -> Outcome:
    """The most worthy units of all sources that fit, with what they need.

    Raises:
        BudgetError: Not even the smallest unit fits.
    """
    gatherer = Gatherer(query, max_tokens)
    for source in sources:
        gatherer.read(source.item, source.lines(), source.flavour)
    gathered = gatherer.gathered
    if not any(gathered.totals):
        return Outcome({}, {}, set())
    rows, warnings = gatherer.relevances(), list[str]()
    if embedder:
        rows, warning = with_similarity(rows, gathered.matches, query, embedder)
        warnings += [warning] if warning else []
    if not any(map(any, rows)):
        warnings.append("no part of the text matches the query: the first parts of each source are kept")
    drafter = _Drafter(gathered, max_tokens, counter, assembler, _costs(gathered, counter))
    picked = drafter.fill(drafter.choices(rows))
    if not picked:
        raise too_small(max_tokens, drafter.smallest(), counter.name)
    return drafter.outcome(picked, tuple(warnings))


def _costs(gathered: Gathered, counter: TokenCounter) -> dict[Candidate, int]:
    """The tokens of each candidate held and of what those need."""
    parts = [match.candidate for row in gathered.matches for match in row]
    known = dict.fromkeys(parts)
    needed = [need for part in parts for need in part.needs if need not in known]
    every = [*known, *dict.fromkeys(needed)]
    return dict(zip(every, counter.counts([part.text for part in every]), strict=True))


@dataclass(slots=True)
class _Drafter:
    """Tries selections until the final text fits."""

    gathered: Gathered
    max_tokens: int
    counter: TokenCounter
    assembler: Assembler
    costs: dict[Candidate, int]

    def choices(self, rows: Sequence[Sequence[float]]) -> list[Choice]:
        """Every candidate held."""
        parts = [[match.candidate for match in row] for row in self.gathered.matches]
        damped = [
            [score * LEADING if part.leads else score for part, score in zip(row, scores, strict=True)]
            for row, scores in zip(parts, rows, strict=True)
        ]
        worths = worth(damped, [[self.costs[part] for part in row] for row in parts])
        first = {parts[item][place]: rank for rank, (item, place) in enumerate(heard_first(damped))}
        return [
            Choice(part, self.costs[part], value, score, first.get(part))
            for row, values, scores in zip(parts, worths, rows, strict=True)
            for part, value, score in zip(row, values, scores, strict=True)
        ]

    def fill(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """The picks that are worth most among a few tries whose text fits."""
        header, fence = cache(self._header_tokens), cache(self._fence_tokens)
        best: Sequence[Choice] = ()
        aim, tried = max(1, self.max_tokens - self._frame_tokens()), set[int]()
        while aim > 0 and aim not in tried and len(tried) < MAX_ROUNDS:
            tried.add(aim)
            picks = list(Selection(self.costs, self.gathered.totals, header, fence).run(choices, aim))
            left = self.max_tokens - self._tokens(picks)
            fitting = picks if left >= 0 else self._fitting(picks)
            best = max(best, fitting, key=lambda some: sum(each.worth for each in some))
            if 0 <= left <= max(SLACK, SLACK_SHARE * self.max_tokens) or len(picks) == len(choices):
                break
            aim += left
        return best

    def smallest(self) -> int:
        """About what the cheapest candidate needs, with its header and marks."""
        part = min(self.costs, key=lambda each: self.costs[each])
        needs = sum(self.costs[need] for need in part.needs)
        frame = self._header_tokens(part.item) + self._frame_tokens()
        return self.costs[part] + needs + 2 * GAP_TOKENS + frame

    def outcome(self, picks: Sequence[Choice], warnings: tuple[str, ...]) -> Outcome:
        kept = self._kept(picks)
        return Outcome(
            bodies=self._bodies(kept),
            parts=kept,
            whole={item for item, parts in kept.items() if len(parts) == self.gathered.totals[item]},
            scores={pick.candidate: pick.relevance for pick in picks},
            warnings=warnings,
        )

    def _kept(self, picks: Sequence[Choice]) -> dict[int, list[Candidate]]:
        kept = Kept()
        for pick in picks:
            kept.add(pick.candidate)
        return kept.in_order()

    def _fitting(self, picks: Sequence[Choice]) -> Sequence[Choice]:
        """As many of the first picks as fit."""
        return picks[: largest_fitting(len(picks), lambda n: self._tokens(picks[:n]) <= self.max_tokens)]

    def _header_tokens(self, item: int) -> int:
        """What one more item like this adds."""
        two, one = self.counter.counts([self.assembler.headers(item, count) for count in (2, 1)])
        return two - one

    def _frame_tokens(self) -> int:
        """What there is beside all items' own: the title of the list of sources, JSON's outer brackets."""
        return self.counter.count(self.assembler.headers(0, 1)) - self._header_tokens(0)

    def _fence_tokens(self, candidate: Candidate) -> int:
        return sum(self.counter.counts([candidate.fence, candidate.closing]))

    def _bodies(self, kept: dict[int, list[Candidate]]) -> dict[int, Body]:
        return {
            item: Body(body(parts, self.gathered.totals[item]), parts[0], parts[-1])
            for item, parts in kept.items()
        }

    def _tokens(self, picks: Sequence[Choice]) -> int:
        return self.counter.count(self.assembler.text(self._bodies(self._kept(picks))))

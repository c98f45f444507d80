"""Extract: keep the units that carry the answer to a query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from tamis.compress.answering import Fitness
from tamis.compress.assemble import Assembler, Body
from tamis.compress.budget import largest_fitting, too_small
from tamis.compress.dense import with_similarity
from tamis.compress.evidence import HEARD, heard_first, worth
from tamis.compress.gather import Gatherer
from tamis.compress.layout import body
from tamis.compress.outcome import Outcome
from tamis.compress.selection import GAP_TOKENS, Choice, Kept, Selection, with_needs
from tamis.compress.units import Room
from tamis.phrasing import is_statement

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
# Picks that are tried one by one when all together do not fit.
MAX_REFITTED = 32
# Sources are heard before the best one is kept whole as long as the others' headers and headings take no more of the budget.
HEADERS_SHARE = 0.25
# Sentences that are too long are kept in part if nothing that fits whole has this share of such a part's relevance.
FRAGMENTS_FROM = 0.5


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
    overhead = Overhead(assembler, counter)
    gatherer = Gatherer(query, max_tokens)
    for item, source in enumerate(sources):
        room = Room(
            max(1, max_tokens - overhead.frame - overhead.header(item) - 2 * GAP_TOKENS), counter.count
        )
        gatherer.read(source.item, source.lines(), source.flavour, room)
    gathered = gatherer.gathered
    if not any(gathered.totals):
        return Outcome({}, {}, set())
    items = [source.item for source in sources]
    rows, warnings = gatherer.relevances(), list[str]()
    similarities = [item.similarity for item in items]
    if embedder:
        rows, similarities, warning = with_similarity(rows, gathered.matches, items, query, embedder)
        warnings += [warning] if warning else []
    fitness = Fitness(query)
    rows = [
        [score * fitness.of(match.candidate) for match, score in zip(matches, row, strict=True)]
        for matches, row in zip(gathered.matches, rows, strict=True)
    ]
    if not any(map(any, rows)):
        warnings.append(
            "no part of the text has a word of the query: the order of the sources and their likeness decide"
        )
    drafter = _Drafter(gathered, max_tokens, counter, assembler, overhead, _costs(gathered, counter))
    picked = drafter.fill(drafter.choices(rows, similarities, 1.0 if is_statement(query) else HEARD))
    if not picked:
        raise too_small(max_tokens, drafter.smallest(), counter.name)
    if embedder is None and _misses(gathered, picked):
        warnings.append("no part that has a word of the query fits the budget: others are kept")
    return drafter.outcome(picked, tuple(warnings))


def _misses(gathered: Gathered, picked: Sequence[Choice]) -> bool:
    """Whether parts hold words of the query, and none of them was picked."""
    answering = {
        (match.candidate.item, match.candidate.number)
        for row in gathered.matches
        for match in row
        if match.own
    }
    return bool(answering) and not any(
        (each.item, each.number) in answering for pick in picked for each in with_needs(pick.candidate)
    )


def _costs(gathered: Gathered, counter: TokenCounter) -> dict[Candidate, int]:
    """The tokens of each candidate held and of what those need."""
    parts = [match.candidate for row in gathered.matches for match in row]
    known = dict.fromkeys(parts)
    needed = [need for part in parts for need in part.needs if need not in known]
    every = [*known, *dict.fromkeys(needed)]
    return dict(zip(every, counter.counts([part.text for part in every]), strict=True))


class Overhead:
    """What the final text has beside the parts that are kept, in tokens."""

    def __init__(self, assembler: Assembler, counter: TokenCounter) -> None:
        self._assembler = assembler
        self._counter = counter
        self.header = cache(self._header)
        self.fence = cache(self._fence)
        # The title of the list of sources, JSON's outer brackets.
        self.frame = counter.count(assembler.headers(0, 1)) - self.header(0) if assembler.items else 0

    def _header(self, item: int) -> int:
        """What one more item like this adds."""
        two, one = self._counter.counts([self._assembler.headers(item, count) for count in (2, 1)])
        return two - one

    def _fence(self, candidate: Candidate) -> int:
        return sum(self._counter.counts([candidate.fence, candidate.closing])) if candidate.fence else 0


@dataclass(slots=True)
class _Drafter:
    """Tries selections until the final text fits."""

    gathered: Gathered
    max_tokens: int
    counter: TokenCounter
    assembler: Assembler
    overhead: Overhead
    costs: dict[Candidate, int]

    def choices(
        self, rows: Sequence[Sequence[float]], similarities: Sequence[float | None], heard: float
    ) -> list[Choice]:
        """Every candidate held that may come into the result; ``heard`` as for ``heard_first``."""
        parts = [[match.candidate for match in row] for row in self.gathered.matches]
        damped = [
            [score * LEADING if part.leads else score for part, score in zip(row, scores, strict=True)]
            for row, scores in zip(parts, rows, strict=True)
        ]
        worths = worth(damped, [[self.costs[part] for part in row] for row in parts], similarities)
        choices = [
            [
                Choice(part, self.costs[part], value, score)
                for part, value, score in zip(row, values, scores, strict=True)
            ]
            for row, values, scores in zip(parts, worths, rows, strict=True)
        ]
        if not self._needs_fragments(choices):
            choices = [[choice for choice in row if not choice.candidate.fragment] for row in choices]
        self._put_first(choices, heard)
        return [choice for row in choices for choice in row]

    def _needs_fragments(self, choices: Sequence[Sequence[Choice]]) -> bool:
        """Whether parts of sentences that are too long answer much better than all that can be kept whole."""
        best = {True: 0.0, False: -1.0}
        for row in choices:
            for choice in row:
                if choice.candidate.fragment or self._fits(choice.candidate):
                    kind = choice.candidate.fragment
                    best[kind] = max(best[kind], choice.relevance)
        return best[False] < FRAGMENTS_FROM * best[True] or best[False] < 0

    def _put_first(self, choices: Sequence[list[Choice]], heard: float) -> None:
        """Give their place to the choices that come before all others."""
        best = [self._best(row) for row in choices]
        tops = [
            row[place].relevance if place is not None else 0.0
            for row, place in zip(choices, best, strict=True)
        ]
        worths = [
            row[place].worth if place is not None else 0.0 for row, place in zip(choices, best, strict=True)
        ]
        spared = self.max_tokens * HEADERS_SHARE
        for rank, item in enumerate(heard_first(tops, worths, heard)):
            place = best[item]
            if place is None:
                continue
            choice = choices[item][place]
            if not self._fits(choice.candidate, bare=False):  # better without its heading than not at all
                bare = replace(choice.candidate, needs=())
                self.costs[bare] = choice.cost
                choice = replace(choice, candidate=bare)
            spared -= self._beside(choice.candidate) if rank else 0
            if rank == 0 or spared >= 0:
                choices[item][place] = replace(choice, first=rank)

    def _best(self, row: Sequence[Choice]) -> int | None:
        """The place of the most relevant choice that fits and says something."""
        places = [
            place for place, each in enumerate(row) if not each.candidate.leads and self._fits(each.candidate)
        ]
        return max(places, key=lambda place: row[place].relevance, default=None)

    def _fits(self, candidate: Candidate, *, bare: bool = True) -> bool:
        """Whether a candidate could be all that is kept; ``bare``: without what it needs."""
        return self._alone(candidate) + (0 if bare else self._needed(candidate)) <= self.max_tokens

    def _alone(self, candidate: Candidate) -> int:
        """What a candidate costs where it is all that is kept."""
        number, total = candidate.number, self.gathered.totals[candidate.item]
        gaps = GAP_TOKENS * ((number > 0) + (number + 1 < total))
        beside = self.overhead.frame + self.overhead.header(candidate.item) + self.overhead.fence(candidate)
        return self.costs[candidate] + gaps + beside

    def _beside(self, candidate: Candidate) -> int:
        """What a candidate costs beside its own tokens."""
        return self.overhead.header(candidate.item) + self.overhead.fence(candidate) + self._needed(candidate)

    def _needed(self, candidate: Candidate) -> int:
        """What a candidate needs costs, with the gaps between, as ``Selection`` pays it."""
        return sum(self.costs[need] + GAP_TOKENS for need in with_needs(candidate) if need is not candidate)

    def fill(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """The picks that are worth most among a few tries whose text fits."""
        with_text = {choice.candidate.item for choice in choices if not choice.candidate.leads}
        best: Sequence[Choice] = ()
        aim, tried = max(1, self.max_tokens - self.overhead.frame), set[int]()
        while aim > 0 and aim not in tried and len(tried) < MAX_ROUNDS:
            tried.add(aim)
            selection = Selection(
                self.costs, self.gathered.totals, self.overhead.header, self.overhead.fence, with_text
            )
            picks = list(selection.run(choices, aim))
            left = self.max_tokens - self._tokens(picks)
            fitting = picks if left >= 0 else self._fitting(picks, selection.early)
            best = max(best, fitting, key=_value)
            if 0 <= left <= max(SLACK, SLACK_SHARE * self.max_tokens) or len(picks) == len(choices):
                break
            aim += left
        return best

    def smallest(self) -> int:
        """About what the cheapest candidate needs, with its header and marks."""
        parts = [part for part in self.costs if not part.leads] or list(self.costs)
        return min(map(self._alone, parts))

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

    def _fitting(self, picks: Sequence[Choice], early: int) -> Sequence[Choice]:
        """What fits of picks that are too many together: the first ones, and those of the others that fit beside them.

        Where one of the ``early`` ones is left out, so is all that says nothing new.
        """
        count = largest_fitting(len(picks), lambda n: self._tokens(picks[:n]) <= self.max_tokens)
        fitting = list(picks[:count])
        others = picks[count + 1 : early if count < early else len(picks)]
        for pick in others[:MAX_REFITTED]:
            if not pick.candidate.leads and self._tokens([*fitting, pick]) <= self.max_tokens:
                fitting.append(pick)
        return fitting

    def _bodies(self, kept: dict[int, list[Candidate]]) -> dict[int, Body]:
        return {
            item: Body(body(parts, self.gathered.totals[item]), parts[0], parts[-1])
            for item, parts in kept.items()
        }

    def _tokens(self, picks: Sequence[Choice]) -> int:
        return self.counter.count(self.assembler.text(self._bodies(self._kept(picks))))


def _value(picks: Sequence[Choice]) -> tuple[bool, float]:
    """Picks are worth most with the best of all among them."""
    return any(pick.first == 0 for pick in picks), sum(pick.worth for pick in picks)

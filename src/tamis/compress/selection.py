"""Pick candidates under a budget: most worth for each token first, copies once, what does not fit skipped."""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.compress.novelty import Novelty

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from tamis.compress.units import Candidate

# A gap mark's tokens, as good as known: one in every tokenizer that has it in its vocabulary.
GAP_TOKENS = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate, what it costs in tokens, what it is worth, and the relevance behind that.

    ``first`` is its place among those that come before all others, from 0; ``None`` for most.
    """

    candidate: Candidate
    cost: int
    worth: float
    relevance: float = 0.0
    first: int | None = None


@dataclass(slots=True)
class Kept:
    """What has been picked: by item, the kept candidates by number, with those that they need."""

    by_item: dict[int, dict[int, Candidate]] = field(default_factory=dict[int, "dict[int, Candidate]"])
    listings: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])

    def add(self, candidate: Candidate) -> None:
        """Keep a candidate and what it needs."""
        for each in with_needs(candidate):
            self.by_item.setdefault(each.item, {})[each.number] = each
            if each.fence:
                self.listings.add((each.item, each.listing))

    def has(self, candidate: Candidate) -> bool:
        return candidate.number in self.by_item.get(candidate.item, ())

    def in_order(self) -> dict[int, list[Candidate]]:
        """By item, what is kept of it, in reading order."""
        return {item: [kept[number] for number in sorted(kept)] for item, kept in self.by_item.items()}


@dataclass(slots=True)
class Selection:
    """One run of selection.

    Args:
        costs: The tokens of every candidate that there is.
        totals: How many candidates each item has.
        header: The tokens of an item's header, by the item's index; paid with its first candidate.
        fence: The tokens of a candidate's code fences; paid with the first of its listing.
        with_text: The items that hold more than headings.

    ``early`` counts what ``run`` has picked before what says nothing new.
    """

    costs: dict[Candidate, int]
    totals: Sequence[int]
    header: Callable[[int], int]
    fence: Callable[[Candidate], int]
    with_text: AbstractSet[int]
    kept: Kept = field(default_factory=Kept)
    novelty: Novelty = field(default_factory=Novelty)
    early: int = field(init=False, default=0)
    _waiting: dict[tuple[int, int], Choice] = field(init=False)
    _sharing: defaultdict[object, list[Choice]] = field(init=False)
    _heap: list[tuple[int, float, int, int]] = field(init=False)

    def run(self, choices: Sequence[Choice], budget: int) -> Iterator[Choice]:
        """Choices that fit together, in the order in which they are picked.

        What a choice costs depends on what stands beside it: alone it takes a mark for the gap, and one that fills a gap
        saves a mark; the first of an item pays the item's header, the first below a heading pays the heading. So a
        choice is weighed again when something has been picked that makes it cheaper.

        A heading or a table's head alone only fills a gap. What an item says twice, and what says nothing, comes in when
        all else is in.
        """
        self._prepare(choices)
        late: list[Choice] = []
        while self._heap:
            *_, item, number = heapq.heappop(self._heap)
            choice = self._waiting.get((item, number))
            if (
                choice is None
                or (cost := self._cost(choice)) > budget
                or not self._may_stand(choice.candidate)
            ):
                continue
            del self._waiting[item, number]
            copied = self._copied(choice.candidate)
            if copied == item or self._says_nothing(choice):
                late.append(choice)
            elif copied is None:
                budget -= cost
                self._keep(choice)
                self.early += 1
                yield choice
        if all(choice.candidate.leads for choice in self._waiting.values()):
            yield from self._late(late, budget)

    def _prepare(self, choices: Sequence[Choice]) -> None:
        self._waiting = {(c.candidate.item, c.candidate.number): c for c in choices}
        self._sharing = defaultdict(list)
        for choice in choices:
            for shared in self._shared(choice.candidate):
                self._sharing[shared].append(choice)
        self._heap = [self._weighed(choice) for choice in choices]
        heapq.heapify(self._heap)

    def _shared(self, candidate: Candidate) -> Iterator[object]:
        """What a candidate pays for together with others: its item's header, what it needs, its listing's fences."""
        yield candidate.item
        for need in with_needs(candidate):
            if need is not candidate:
                yield need
        if candidate.fence:
            yield candidate.item, candidate.listing

    def _copied(self, candidate: Candidate) -> int | None:
        return None if candidate.leads else self.novelty.copied(candidate)

    def _keep(self, choice: Choice) -> None:
        """Keep a choice, and weigh those again that are cheaper now."""
        candidate = choice.candidate
        added = [each for each in with_needs(candidate) if not self.kept.has(each)]
        self.kept.add(candidate)
        self.novelty.keep(candidate)
        for shared in self._shared(candidate):
            for other in self._sharing.pop(shared, ()):
                self._weigh_again(other.candidate.item, other.candidate.number)
        for each in added:
            self._weigh_again(each.item, each.number - 1)
            self._weigh_again(each.item, each.number + 1)
            self._waiting.pop((each.item, each.number), None)

    def _weigh_again(self, item: int, number: int) -> None:
        if choice := self._waiting.get((item, number)):
            heapq.heappush(self._heap, self._weighed(choice))

    def _says_nothing(self, choice: Choice) -> bool:
        """Whether it is a heading without a match, of an item that has nothing but headings."""
        candidate = choice.candidate
        return (
            candidate.leads
            and not choice.relevance
            and bool(self.with_text)
            and candidate.item not in self.with_text
        )

    def _late(self, late: Sequence[Choice], budget: int) -> Iterator[Choice]:
        """What comes in when all else is in, as far as it fits."""
        for choice in late:
            if (cost := self._cost(choice)) <= budget:
                budget -= cost
                self.kept.add(choice.candidate)
                yield choice

    def _may_stand(self, candidate: Candidate) -> bool:
        """Whether a candidate says something here: what leads, only before what it leads to or at the end."""
        item, after = candidate.item, candidate.number + 1
        if not candidate.leads or item not in self.with_text:
            return True
        kept = self.kept.by_item.get(item, ())
        return bool(kept) and (after in kept or after == self.totals[item])

    def _weighed(self, choice: Choice) -> tuple[int, float, int, int]:
        """Heap order: who is heard first, then most worth for each token, then reading order; what only leads last."""
        candidate = choice.candidate
        at = candidate.item, candidate.number
        if choice.first is not None:
            return 0, choice.first, *at
        return 1 + candidate.leads, -choice.worth / max(0.5, self._cost(choice)), *at

    def _gaps_added(self, candidate: Candidate) -> int:
        """How many more gap marks its item will have; -1 where a gap is filled."""
        kept = self.kept.by_item.get(candidate.item, {})
        number = candidate.number
        left = number > 0 and number - 1 not in kept
        right = number + 1 < self.totals[candidate.item] and number + 1 not in kept
        return left + right - bool(kept)

    def _cost(self, choice: Choice) -> int:
        """What keeping a candidate adds: itself, what it needs, its item's header, gap marks, fences."""
        candidate = choice.candidate
        cost = choice.cost + GAP_TOKENS * self._gaps_added(candidate)
        for need in with_needs(candidate):
            if need is not candidate and not self.kept.has(need):
                cost += self.costs[need] + GAP_TOKENS
        if candidate.item not in self.kept.by_item:
            cost += self.header(candidate.item)
        if candidate.fence and (candidate.item, candidate.listing) not in self.kept.listings:
            cost += self.fence(candidate)
        return cost


def with_needs(candidate: Candidate) -> Iterator[Candidate]:
    """A candidate and what it needs."""
    yield candidate
    for need in candidate.needs:
        yield from with_needs(need)

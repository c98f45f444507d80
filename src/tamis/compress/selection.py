"""Pick candidates under a budget: most worth for each token first, copies once, what does not fit skipped."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.compress.novelty import Novelty

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tamis.compress.units import Candidate

# A gap mark's tokens, as good as known: one in every tokenizer that has it in its vocabulary.
GAP_TOKENS = 1
# Lower than any worth for a token can make a choice's place.
BEFORE_ALL = 1e9


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
    """

    costs: dict[Candidate, int]
    totals: Sequence[int]
    header: Callable[[int], int]
    fence: Callable[[Candidate], int]
    kept: Kept = field(default_factory=Kept)
    novelty: Novelty = field(default_factory=Novelty)

    def run(self, choices: Sequence[Choice], budget: int) -> Iterator[Choice]:
        """Choices that fit together, in the order in which they are picked.

        What a choice costs depends on what stands beside it: alone it takes a mark for the gap, and one that fills a gap
        saves a mark. So a choice is weighed again when its neighbour has been picked.
        """
        waiting = {(c.candidate.item, c.candidate.number): c for c in choices}
        heap = [self._weighed(choice) for choice in choices]
        heapq.heapify(heap)
        while heap and budget > 0:
            *_, item, number = heapq.heappop(heap)
            choice = waiting.pop((item, number), None)
            if choice is None or choice.cost > budget + GAP_TOKENS or self.kept.has(choice.candidate):
                continue
            cost = self._cost(choice)
            if cost > budget or not self.novelty.is_new(choice.candidate.text):
                continue
            budget -= cost
            self.kept.add(choice.candidate)
            self.novelty.keep(choice.candidate.text)
            yield choice
            for place in ((item, number - 1), (item, number + 1)):
                if place in waiting:
                    heapq.heappush(heap, self._weighed(waiting[place]))

    def _weighed(self, choice: Choice) -> tuple[float, int, int]:
        """Heap order: who is heard first, then most worth for each token, then reading order."""
        candidate = choice.candidate
        if choice.first is not None:
            return choice.first - BEFORE_ALL, candidate.item, candidate.number
        cost = max(0.5, choice.cost + GAP_TOKENS * self._gaps_added(candidate))
        return -choice.worth / cost, candidate.item, candidate.number

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

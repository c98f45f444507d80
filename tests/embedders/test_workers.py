from __future__ import annotations

import threading

import pytest

from tamis.embedders.workers import Workers


@pytest.mark.parametrize("count", [0, 1, 4])
def test_results_come_in_the_order_of_the_items(count: int) -> None:
    assert Workers(count).map(lambda x: x * x, range(100)) == [x * x for x in range(100)]
    assert Workers(count).map(lambda x: x, []) == []


def test_as_many_items_run_at_a_time_as_there_are_workers() -> None:
    meeting = threading.Barrier(3, timeout=30)
    assert Workers(3).map(lambda _: meeting.wait() >= 0, range(3)) == [True] * 3


def test_what_was_not_begun_when_one_fails_is_never_begun() -> None:
    begun: list[int] = []
    failed = threading.Event()

    def work(item: int) -> None:
        begun.append(item)
        if item == 0:
            raise ValueError("the first")
        failed.wait(30)

    with pytest.raises(ValueError, match="the first"):
        Workers(2).map(work, range(1000))
    failed.set()
    assert len(begun) <= 3

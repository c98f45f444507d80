"""Whatever a ranking function returns or raises is told of at the first query, with the query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tamis.errors import CorpusBusyError, InputError, TamisError
from tamis.evaluate import Gold, GoldQuery, Target, evaluate, parse_measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GOLD = Gold(tuple(GoldQuery(f"q{n}", f"question {n}", (Target("a"),)) for n in range(3)))
MRR = parse_measure("MRR")


def pieces(query: str) -> Iterator[str]:
    yield "x"
    yield "a"


@pytest.mark.parametrize("run", [pieces, lambda _: ("x", "a"), lambda query: iter(["x", "a"])])
def test_a_ranking_may_come_in_any_ordered_form(run: Callable[[str], Any]) -> None:
    assert evaluate(run, GOLD, [MRR]).mean(MRR) == 0.5


@pytest.mark.parametrize(
    ("returned", "kind"),
    [
        (None, "NoneType"),
        (7, "int"),
        ("a", "str"),
        (b"a", "bytes"),
        ({"a"}, "set"),
        ({"a": 1.0}, "dict"),
        ([None], "NoneType"),
        (["a", 3], "int"),
        ([("a", 0.5)], "tuple"),
        ([b"a"], "bytes"),
    ],
)
def test_what_is_no_ranking_is_refused_at_once(returned: Any, kind: str) -> None:
    asked: list[str] = []

    def run(query: str) -> Any:
        asked.append(query)
        return returned

    with pytest.raises(InputError, match=rf"query 'q0' \(question 0\).* of the type {kind}\b") as refused:
        evaluate(run, GOLD, [MRR])
    assert refused.value.hint
    assert asked == ["question 0"]


def test_an_exception_names_the_query_and_stays_the_cause() -> None:
    def run(query: str) -> list[str]:
        if query == "question 1":
            raise ZeroDivisionError("api key 123")
        return ["a"]

    with pytest.raises(TamisError, match=r"query 'q1' \(question 1\).*ZeroDivisionError") as raised:
        evaluate(run, GOLD, [MRR])
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    assert "123" not in raised.value.message


def test_an_exception_while_a_ranking_comes_names_the_query() -> None:
    def run(query: str) -> Iterator[str]:
        yield "a"
        raise ConnectionResetError(104, "reset by peer")

    with pytest.raises(TamisError, match=r"query 'q0'.*ConnectionResetError: reset by peer"):
        evaluate(run, GOLD, [MRR])


def test_an_error_of_ours_stays_what_it_is() -> None:
    def run(query: str) -> list[str]:
        raise CorpusBusyError("the corpus is being written", hint="wait")

    with pytest.raises(CorpusBusyError, match=r"query 'q0' \(question 0\): the corpus is being") as raised:
        evaluate(run, GOLD, [MRR])
    assert (raised.value.retryable, raised.value.hint) == (True, "wait")


def test_two_queries_of_one_id_are_refused_before_any_is_asked() -> None:
    twice = Gold((*GOLD.queries, GoldQuery("q1", "another", (Target("b"),))))
    with pytest.raises(InputError, match="'q1': question 1 and another"):
        evaluate(lambda _: pytest.fail("asked"), twice, [MRR])

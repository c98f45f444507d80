from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tamis.errors import InputError
from tamis.evaluate import Gold, GoldQuery, Target, evaluate, html_report, parse_measure
from tamis.evaluate.charts import difference_chart, line_chart

GOLD = Gold(
    tuple(GoldQuery(str(n), f"query <b>{n}</b> & more", (Target(f"d{n}"), Target(f"e{n}"))) for n in range(6))
)
BEFORE = evaluate(lambda query: ["x", f"d{query[9]}"], GOLD, name="lexical")
AFTER = evaluate(lambda query: [f"d{query[9]}", f"e{query[9]}"], GOLD, name="hybrid <1>")


class Tags(HTMLParser):
    void = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_report_is_well_formed_and_asks_nothing_of_a_network() -> None:
    page = html_report([BEFORE, AFTER], GOLD)
    tags = Tags()
    tags.feed(page)
    assert not tags.open
    assert "script" not in tags.seen
    assert "http" not in page
    assert tags.seen.count("figure") == 2


def test_the_report_shows_text_from_documents_as_text() -> None:
    page = html_report([BEFORE, AFTER], GOLD, title="<i>")
    assert "<b>" not in page
    assert "<i>" not in page
    assert "hybrid &lt;1&gt;" in page


def test_the_report_has_the_means_and_every_querys_value() -> None:
    page = re.sub(r"<[^>]+>", " ", html_report([BEFORE, AFTER], GOLD))
    for evaluation in (BEFORE, AFTER):
        for mean in evaluation.means().values():
            assert f"{mean:.3f}" in page
    assert "6 won, 0 lost, 0 the same" in page


def test_one_run_alone_can_be_reported() -> None:
    page = html_report([BEFORE], GOLD)
    # Its one chart is drawn as wide as it is shown, so that its letters are as large as others'.
    assert re.findall(r"<figure[^>]*>", page) == ["<figure class=wide>"]
    assert 'class="chart" viewBox="0 0 1000 ' in page


def test_one_query_is_not_several() -> None:
    one = Gold(GOLD.queries[:1])
    runs = [evaluate(run, one) for run in (lambda _: ["x"], lambda _: ["d0"])]
    text = re.sub(r"<[^>]+>", " ", html_report(runs, one))
    assert "1 judged query, document level" in text
    assert "1 query, best gain first" in text
    assert "1 queries" not in text


def test_two_runs_of_one_name_have_a_curve_each() -> None:
    page = html_report([BEFORE, replace(AFTER, name=BEFORE.name)], GOLD)
    assert set(re.findall(r'<line class="line s(\d)"', page)) == {"0", "1"}


@pytest.mark.parametrize(
    ("greatest", "labels"),
    [
        (0.05, ["-0.06", "-0.03", "0", "+0.03", "+0.06"]),
        (0.004, ["-0.004", "-0.002", "0", "+0.002", "+0.004"]),
        (0.1, ["-0.10", "-0.05", "0", "+0.05", "+0.10"]),
        (0.37, ["-0.4", "-0.2", "0", "+0.2", "+0.4"]),
        (1.0, ["-1.0", "-0.5", "0", "+0.5", "+1.0"]),
        (0.0, ["-1.0", "-0.5", "0", "+0.5", "+1.0"]),
    ],
)
def test_an_axis_is_labelled_with_what_its_lines_stand_for(greatest: float, labels: list[str]) -> None:
    chart = difference_chart([("q", greatest), ("r", -greatest / 3)], label="")
    assert re.findall(r'text-anchor="end">([^<]*)<', chart) == labels


def test_eight_set_ups_stand_in_rows_with_a_mark_of_their_own_each() -> None:
    runs = [replace(BEFORE, name=f"set-up {n}") for n in range(8)]
    page = html_report(runs, GOLD)
    means = page[page.index("<h2>Means") : page.index("<h2>Plots")]
    assert means.count("<tr>") == 1 + len(runs)
    keys = set(re.findall(r'class="dot (s\d)" transform="[^"]*" d="([^"]*)"', means))
    assert len(keys) == len(runs)
    # The table of all queries names them by number, so that it is narrow.
    assert "set-up 7" not in re.sub(r"<[^>]+>", " ", page[page.index("<h2>Every query") :])


def test_equal_curves_take_turns_and_none_hides_another() -> None:
    chart = line_chart(
        [1, 10], [("a", [0.5, 1.0]), ("b", [0.5, 1.0]), ("c", [0.1, 0.2])], x_label="", y_label=""
    )
    lines = re.findall(
        r'<line class="line s(\d)"[^>]*?(?:stroke-dasharray="(\d+) (\d+)" stroke-dashoffset="(-?\d+)")?/>',
        chart,
    )
    dashes = {series: tuple(map(int, rest)) for series, *rest in lines if all(rest)}
    (on, off, start), (_, _, later) = dashes["0"], dashes["1"]
    assert dashes.keys() == {"0", "1"}
    assert (off, start - later) == (on, on)
    places = re.findall(r'<path class="dot s\d" transform="translate\(([\d.,]+)\)', chart)
    assert len(set(places)) == 6


def test_nothing_to_report_or_runs_that_differ_are_refused() -> None:
    with pytest.raises(InputError):
        html_report([], GOLD)
    with pytest.raises(InputError):
        html_report([BEFORE, evaluate(lambda _: [], GOLD, [parse_measure("MAP")])], GOLD)


def test_the_recall_curve_is_the_mean_share_found_by_each_cutoff() -> None:
    assert BEFORE.recall_curve([1, 2, 10]) == [0, 0.5, 0.5]
    assert AFTER.recall_curve([1, 2]) == [0.5, 1]


def test_an_evaluation_goes_to_json() -> None:
    record = json.loads(json.dumps(AFTER.to_dict()))
    assert record["means"]["Recall@10"] == 1
    assert record["per_query"][0]["found_ranks"] == [1, 2]

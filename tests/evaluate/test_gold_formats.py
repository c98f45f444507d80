from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tamis.errors import InputError, SourceError
from tamis.evaluate import GoldQuery, LoggedSearch, Target, make_gold, read_gold, read_search_log

if TYPE_CHECKING:
    from pathlib import Path


def written(path: Path, *lines: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8"
    )
    return path


def test_jsonl_lines_of_one_query_add_up_with_their_grades(tmp_path: Path) -> None:
    gold = read_gold(
        written(
            tmp_path / "gold.jsonl",
            {"query": "rotate keys?", "relevant": ["a.md"], "grade": 2},
            "",
            {"query": "who?", "relevant": ["b.md"], "id": "w", "note": "ignored"},
            {"query": "rotate keys?", "relevant": ["c.md"]},
        )
    )
    assert gold.level == "document"
    assert gold.queries == (
        GoldQuery("1", "rotate keys?", (Target("a.md", 2), Target("c.md", 1))),
        GoldQuery("w", "who?", (Target("b.md"),)),
    )


def test_a_line_without_an_id_never_gets_one_that_another_line_has(tmp_path: Path) -> None:
    lines = [{"query": "a", "relevant": ["x"], "id": "2"}, {"query": "b", "relevant": ["y"]}]
    lines += [{"query": "c", "relevant": ["z"]}, {"query": "c", "relevant": ["w"], "id": 7}]
    lines += [{"query": "d", "relevant": ["z"], "id": "line 2"}]
    ids = [query.id for query in read_gold(written(tmp_path / "gold.jsonl", *lines)).queries]
    assert (ids[0], ids[2], ids[3]) == ("2", "7", "line 2")
    assert len(set(ids)) == 4


def test_two_queries_of_one_id_are_refused_with_both_lines(tmp_path: Path) -> None:
    one, other = {"query": "a", "relevant": ["x"], "id": 5}, {"query": "b", "relevant": ["y"], "id": "5"}
    with pytest.raises(InputError, match=r"gold\.jsonl:1 and gold\.jsonl:3") as refused:
        read_gold(written(tmp_path / "gold.jsonl", one, "", other))
    assert refused.value.hint
    # The lines of one query may repeat its id.
    assert read_gold(written(tmp_path / "gold.jsonl", one, one)).queries[0].id == "5"


@pytest.mark.parametrize("identifier", [None, {}, [], True, 1.5, ""])
def test_an_id_is_a_text_or_a_whole_number(tmp_path: Path, identifier: object) -> None:
    with pytest.raises(InputError, match=r"gold\.jsonl:1: id is"):
        read_gold(written(tmp_path / "gold.jsonl", {"query": "a", "relevant": ["x"], "id": identifier}))


@pytest.mark.parametrize("text", ['"every 90 days"', "“every 90 days”", "«every 90 days»"])
def test_a_relevant_in_quotes_is_a_quotation_and_asks_for_passages(tmp_path: Path, text: str) -> None:
    gold = read_gold(written(tmp_path / "gold.jsonl", {"query": "q", "relevant": [text]}))
    assert gold.queries[0].targets == (Target("every 90 days", quoted=True),)
    assert gold.queries[0].level == "passage"
    assert gold.level_note == "passage level"


@pytest.mark.parametrize("target", ["a.md#Top", "notes:4", '"words"'])
def test_what_asks_for_passages_leaves_other_queries_at_document_level(tmp_path: Path, target: str) -> None:
    path = written(
        tmp_path / "g.jsonl",
        {"query": "q", "relevant": ["a.md"]},
        {"query": "r", "relevant": ["b.md", target]},
    )
    gold = read_gold(path)
    assert [query.level or gold.level for query in gold.queries] == ["document", "passage"]
    assert gold.level_note == "1 at document level, 1 at passage level"


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"query": "a\u2028b", "relevant": ["c"]}\r\n', encoding="utf-8")
    assert read_gold(path).queries[0].text == "a\u2028b"


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"relevant": ["a"]}',
        '{"query": " ", "relevant": ["a"]}',
        '{"query": "q"}',
        '{"query": "q", "relevant": "a"}',
        '{"query": "q", "relevant": [1]}',
        '{"query": "q", "relevant": [""]}',
        '{"query": "q", "relevant": ["a"], "grade": -1}',
        '{"query": "q", "relevant": ["a"], "grade": "2"}',
        '{"query": "q", "relevant": ["a"], "grade": true}',
        '{"query": "q", "relevant": ["a"], "grade": 1000001}',
        '{"query": "q", "relevant": ["a"], "grade": 8589934592}',
        '{"query": "q", "relevant": ["a"], "grade": 1000000000000000000000000}',
        '{"query": "q", "relevant": ["a"], "grade": ' + "1" * 5000 + "}",
        '{"query": "q", "relevant": ["a"], "grade": "' + "1" * 5000 + '"}',
        '{"query": "q", "relevant": ["a"], "more": ' + "[" * 5000 + "]" * 5000 + "}",
        "[" * 200_000,
    ],
)
def test_a_malformed_line_is_named_by_its_number(tmp_path: Path, line: str) -> None:
    good = '{"query": "q", "relevant": ["a"]}'
    with pytest.raises(InputError, match=r"gold\.jsonl:2") as refused:
        read_gold(written(tmp_path / "gold.jsonl", good, line))
    assert refused.value.hint
    assert len(refused.value.message) < 200


@pytest.mark.parametrize("qrels", ["qrels.tsv", "qrels/test.tsv"])
def test_a_beir_folder_reads_with_its_qrels_in_either_place(tmp_path: Path, qrels: str) -> None:
    written(tmp_path / "queries.jsonl", {"_id": "1", "text": "one"}, {"_id": "2", "text": "unjudged"})
    written(tmp_path / qrels, "query-id\tcorpus-id\tscore", "1\td 1\t2", "1\td2\t0", "")
    gold = read_gold(tmp_path)
    assert gold.level == "document"
    assert gold.queries == (GoldQuery("1", "one", (Target("d 1", 2), Target("d2", 0))),)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("queries.jsonl", ['{"_id": "1", "text": "one"}']),
        ("queries.tsv", ["1\tone"]),
        ("topics.tsv", ["1\tone"]),
    ],
)
def test_trec_qrels_take_their_texts_from_beside_them(tmp_path: Path, name: str, lines: list[str]) -> None:
    written(tmp_path / name, *lines)
    qrels = written(tmp_path / "qrels.txt", "1 0 d1 3", "1 0 d2 -1", "")
    expected = (GoldQuery("1", "one", (Target("d1", 3), Target("d2", 0))),)
    assert read_gold(qrels).queries == expected
    assert read_gold(qrels, queries=tmp_path / name).queries == expected


def test_trec_qrels_without_texts_are_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read_gold(written(tmp_path / "qrels.txt", "1 0 d1 3"))
    assert "queries.jsonl" in refused.value.hint


def test_a_judged_query_without_a_text_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "queries.tsv", "2\ttwo")
    with pytest.raises(InputError, match="'1'"):
        read_gold(written(tmp_path / "qrels.txt", "1 0 d1 3"))


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"qrels.txt": "1 0 d1"}, "qrels.txt"),
        ({"qrels.txt": "1 0 d1 high"}, "qrels.txt"),
        ({"qrels.txt": "1 0 d1 1", "queries.tsv": "no tab"}, "qrels.txt"),
        ({"qrels.txt": "1 0 d1 1", "queries.jsonl": '{"id": "1"}'}, "qrels.txt"),
        ({"qrels.tsv": "1\td1\t1\t1", "queries.jsonl": ""}, "."),
        ({"qrels.tsv": "1\td1\tbest", "queries.jsonl": ""}, "."),
        ({"queries.jsonl": ""}, "."),
        ({"qrels.tsv": "1\td1\t.5", "queries.jsonl": '{"_id": "1", "text": "one"}'}, "."),
        ({"qrels.tsv": "1\td1\t.9", "queries.jsonl": '{"_id": "1", "text": "one"}'}, "."),
        ({"qrels.txt": "1 0 d1 inf", "queries.tsv": "1\tone"}, "qrels.txt"),
        ({"qrels.txt": "1 0 d1 nan", "queries.tsv": "1\tone"}, "qrels.txt"),
        ({"qrels.txt": "1 0 d1 1e24", "queries.tsv": "1\tone"}, "qrels.txt"),
        ({"qrels.tsv": "1\td1\t1", "queries.jsonl": '{"_id": "1", "text": " "}'}, "."),
        ({"qrels.tsv": "1\td1\t1", "queries.jsonl": '{"_id": "1", "text": null}'}, "."),
        ({"qrels.tsv": "1\td1\t1", "queries.jsonl": '{"_id": "1", "text": ' + "[" * 9999}, "."),
        ({"qrels.tsv": "1\td1\t1", "queries.jsonl": "[]"}, "."),
        ({"qrels.txt": "1 0 d1 1", "queries.tsv": "1\t "}, "qrels.txt"),
    ],
)
def test_malformed_collections_are_refused_with_a_hint(
    tmp_path: Path, files: dict[str, str], place: str
) -> None:
    for name, text in files.items():
        written(tmp_path / name, text)
    with pytest.raises(InputError) as refused:
        read_gold(tmp_path / place)
    assert refused.value.hint


@pytest.mark.parametrize("name", ["g.jsonl", "g.ndjson", "g.JSONL"])
def test_json_lines_go_by_their_ending_and_may_begin_with_a_byte_order_mark(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(b'\xef\xbb\xbf{"query": "q", "relevant": ["a.md"]}\n')
    assert read_gold(tmp_path / name).queries == (GoldQuery("1", "q", (Target("a.md"),)),)


def test_a_collection_may_begin_with_byte_order_marks_and_have_whole_numbers_with_a_point(
    tmp_path: Path,
) -> None:
    (tmp_path / "queries.jsonl").write_bytes(b'\xef\xbb\xbf{"_id": 1, "text": "one"}\n')
    (tmp_path / "qrels.tsv").write_bytes(b"\xef\xbb\xbfquery-id\tcorpus-id\tscore\n1\td1\t2.0\n1\td1\t1\n")
    assert read_gold(tmp_path).queries == (GoldQuery("1", "one", (Target("d1", 2),)),)


def test_a_file_of_queries_is_refused_where_it_would_not_be_read(tmp_path: Path) -> None:
    gold = written(tmp_path / "set" / "gold.jsonl", {"query": "q", "relevant": ["a"]})
    for place in (gold, gold.parent):
        with pytest.raises(InputError, match="has its queries with it") as refused:
            read_gold(place, queries=tmp_path / "none.tsv")
        assert "TREC" in refused.value.hint


def test_a_gold_that_is_not_there_or_not_text_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        read_gold(tmp_path / "none.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"query": "caf\xe9"}')
    with pytest.raises(InputError):
        read_gold(tmp_path / "latin.jsonl")


def test_a_draft_lists_the_most_asked_first_with_what_was_found_and_reads_as_a_gold(tmp_path: Path) -> None:
    draft = make_gold(
        [
            LoggedSearch("once", ("x.md",)),
            LoggedSearch("Key rotation", ("a.md#Keys", "b.md")),
            LoggedSearch("  ", ()),
            LoggedSearch("key  rotation", ("c.md", "b.md")),
        ]
    )
    first, second = map(json.loads, draft.splitlines())
    assert first == {
        "query": "Key rotation",
        "relevant": ["a.md#Keys"],
        "candidates": ["a.md#Keys", "b.md", "c.md"],
    }
    assert second["query"] == "once"
    (tmp_path / "draft.jsonl").write_text(draft, encoding="utf-8")
    assert read_gold(tmp_path / "draft.jsonl").queries[0].targets == (Target("a.md#Keys"),)


def test_a_logged_search_reads_back_and_a_torn_last_line_is_passed_over(tmp_path: Path) -> None:
    log = tmp_path / "searches.jsonl"
    lines = [json.dumps({"query": query, "results": []}, ensure_ascii=False) for query in ("où?", "where?")]
    log.write_text("\n".join([*lines, '{"query": "to']), encoding="utf-8")
    assert read_search_log(log) == [LoggedSearch("où?", ()), LoggedSearch("where?", ())]


@pytest.mark.parametrize(
    "line", [b'{"query": 1}', b"[1]", b"\xff\xfe", b'{"query": "a", "results": "b"}', b"7", b"null", b"{"]
)
def test_a_broken_line_inside_a_log_is_passed_over_and_told_of_with_its_place(
    tmp_path: Path, line: bytes
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'{"query": "p", "results": []}\n' + line + b'\n{"query": "q", "results": ["a"]}\n')
    told: list[str] = []
    assert read_search_log(log, told.append) == [LoggedSearch("p", ()), LoggedSearch("q", ("a",))]
    assert len(told) == 1
    assert told[0].startswith(f"{log}:2 ")


def test_a_draft_can_be_written_whatever_was_asked() -> None:
    draft = make_gold([LoggedSearch("où \udcff", ("a\udc80.md",)), LoggedSearch("où", ("a.md",))])
    first, second = draft.encode().decode().splitlines()
    assert json.loads(first)["query"] == "où \udcff"
    assert "où" in second

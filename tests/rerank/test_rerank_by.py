"""Sorting hits from anywhere: seed behaviour of corpus rerank."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import RerankInputError
from tamis.rerank import RERANK_BY, rerank_by


def hit(path="/notes/a.md", score=1.0, **more):
    return {"id": path, "path": path, "score": score, "chunk_index": 0, **more}


def paths(reordered):
    return [one["path"] for one in reordered.hits]


def test_recency_puts_the_newer_file_first_and_a_missing_one_last(tmp_path):
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    for file, seconds in ((old, 1_000), (new, 2_000)):
        file.write_text("x")
        os.utime(file, (seconds, seconds))
    gone = str(tmp_path / "gone.md")
    result = rerank_by([hit(gone), hit(str(old)), hit(str(new))], "recency")
    assert paths(result) == [str(new), str(old), gone]
    assert [one["rerank_score"] for one in result.hits] == [2_000_000.0, 1_000_000.0, 0.0]


def test_recency_asks_for_each_path_once():
    asked = []

    def stat(path):
        asked.append(path)
        return 5.0

    rerank_by([hit("/a"), hit("/b"), hit("/a"), hit("/a")], "recency", stat=stat)
    assert asked == ["/a", "/b"]


def test_a_path_outside_the_roots_is_not_looked_at_and_counts_as_missing(tmp_path):
    inside = tmp_path / "in.md"
    inside.write_text("x")
    asked = []

    def stat(path):
        asked.append(path)
        return 7.0

    result = rerank_by(
        [hit("/elsewhere/x.md"), hit(str(inside))], "recency", stat=stat, roots=[str(tmp_path)]
    )
    assert asked == [str(inside)]
    assert [one["rerank_score"] for one in result.hits] == [7.0, 0.0]
    assert "outside the allowed roots" in result.warnings[0]
    assert "/elsewhere/x.md" in result.warnings[0]


def test_a_link_or_dots_do_not_lead_out_of_the_roots(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    secret = tmp_path / "secret.md"
    secret.write_text("x")
    (root / "link.md").symlink_to(secret)
    dotted = str(root / ".." / "secret.md")
    result = rerank_by([hit(str(root / "link.md")), hit(dotted)], "recency", roots=[str(root)])
    assert [one["rerank_score"] for one in result.hits] == [0.0, 0.0]
    assert len(result.warnings) == 1


def test_a_root_that_is_itself_a_link_allows_what_is_written_through_it(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (real / "a.md").write_text("x")
    (tmp_path / "link").symlink_to(real)
    result = rerank_by([hit(str(tmp_path / "link" / "a.md"))], "recency", roots=[str(tmp_path / "link")])
    assert result.hits[0]["rerank_score"] > 0
    assert result.warnings == ()


def test_a_sibling_whose_name_begins_like_the_root_is_outside(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes-private").mkdir()
    file = tmp_path / "notes-private" / "a.md"
    file.write_text("x")
    result = rerank_by([hit(str(file))], "recency", roots=[str(tmp_path / "notes")])
    assert result.hits[0]["rerank_score"] == 0.0


def test_a_path_that_no_file_can_have_counts_as_missing():
    assert rerank_by([hit("bad\0name")], "recency").hits[0]["rerank_score"] == 0.0
    assert rerank_by([hit("bad\0name")], "recency", roots=["/"]).hits[0]["rerank_score"] == 0.0


def test_path_specificity_counts_segments_of_both_kinds_of_slash():
    result = rerank_by(
        [hit("/a/b.md"), hit("C:\\x\\y\\z\\w.md"), hit("top.md"), hit("/a//b/c.md")], "path_specificity"
    )
    assert [(one["path"], one["rerank_score"]) for one in result.hits] == [
        ("C:\\x\\y\\z\\w.md", 5.0),
        ("/a//b/c.md", 3.0),
        ("/a/b.md", 2.0),
        ("top.md", 1.0),
    ]


def test_lexical_boost_adds_the_number_of_matched_terms_to_the_score():
    result = rerank_by(
        [
            hit("/1", 0.9, preview="nothing of the kind"),
            hit("/2", 0.5, preview="Rotate the KEY", title="Keys"),
            hit("/3", 0.1, heading_path=["Ops", "key rotation"], title=None),
        ],
        "lexical_boost",
        ["key", "rotate"],
    )
    assert [(one["path"], one["rerank_score"]) for one in result.hits] == [
        ("/2", 2.5),
        ("/3", 1.1),
        ("/1", 0.9),
    ]


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("fix", "prefix", False),
        ("fix", "a FIX.", True),
        ("fix", "fix_it", False),
        ("C++", "use C++, please", True),
        (".NET", "on .NET 9", True),
        ("a.c", "abc", False),
        ("key rotation", "key\n  rotation", True),
        ("straße", "STRASSE", True),
        ("密钥", "每季度轮换密钥一次", True),
        ("café", "cafe\u0301", True),
    ],
)
def test_a_term_is_matched_as_a_word_in_any_case(term, text, found):
    result = rerank_by([hit(score=0.0, preview=text)], "lexical_boost", [term])
    assert result.hits[0]["rerank_score"] == (1.0 if found else 0.0)


def test_a_term_of_two_words_is_not_found_across_two_fields():
    result = rerank_by([hit(score=0.0, title="key", preview="rotation")], "lexical_boost", ["key rotation"])
    assert result.hits[0]["rerank_score"] == 0.0


def test_everything_in_a_hit_is_kept_and_the_hit_itself_is_not_changed():
    given_hit = hit("/a", 0.25, lines=[1, 2], extra={"x": 1})
    before = dict(given_hit)
    result = rerank_by([given_hit], "path_specificity")
    assert result.hits[0] == {**before, "original_rank": 1, "rerank_score": 1.0, "rank": 1}
    assert given_hit == before


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_ranks_count_from_1_and_equal_hits_keep_their_order(depths):
    hits = [hit("/x" * (depth + 1)) | {"id": str(index)} for index, depth in enumerate(depths)]
    result = rerank_by(hits, "path_specificity").hits
    assert [one["rank"] for one in result] == list(range(1, len(hits) + 1))
    expected = sorted(range(len(hits)), key=lambda index: (-depths[index], index))
    assert [one["original_rank"] - 1 for one in result] == expected


@pytest.mark.parametrize(
    ("hits", "mode", "terms", "named"),
    [
        ([], "recency", None, "no hits"),
        ([hit()], "newest", None, "newest"),
        ([hit()], "lexical_boost", None, "lexical_terms"),
        ([hit()], "lexical_boost", [], "lexical_terms"),
        ([hit()], "lexical_boost", [""], "lexical_terms"),
        ([hit(), {"id": "x"}], "recency", None, "hits[1].path"),
        ([hit(score="high")], "recency", None, "hits[0].score"),
        ([hit(score=float("nan"))], "recency", None, "hits[0].score"),
        ([hit(score=True)], "recency", None, "hits[0].score"),
        ([hit() | {"chunk_index": 1.5}], "recency", None, "hits[0].chunk_index"),
        ([hit(heading_path="Ops")], "recency", None, "hits[0].heading_path"),
        ([hit(preview=3)], "recency", None, "hits[0].preview"),
    ],
)
def test_input_that_makes_no_sense_is_refused_and_named(hits, mode, terms, named):
    with pytest.raises(RerankInputError) as caught:
        rerank_by(hits, mode, terms)
    assert named in caught.value.message
    assert caught.value.code == "RERANK_INPUT_INVALID"


def test_terms_are_ignored_by_the_other_modes():
    for mode in RERANK_BY[:2]:
        assert len(rerank_by([hit()], mode, ["x"]).hits) == 1

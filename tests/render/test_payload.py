"""The one schema of results: the names of DESIGN 7, and nothing that does not apply."""

from __future__ import annotations

import json
import math

import pytest

from tamis.render import payload
from tamis.types import Drift, FilterApplied, Passage
from tests.render.samples import HEALTH, INDEXED, PASSAGE, REFRESHED, SUMMARY, found, hit


def test_a_hit_has_the_fields_that_callers_rely_on_and_not_its_whole_text() -> None:
    assert payload(hit()) == {
        "id": "notes:7",
        "corpus": "notes",
        "path": "/home/ann/notes/keys.md",
        "score": 0.03252,
        "chunk_index": 3,
        "char_start": 10,
        "char_end": 10 + len(PASSAGE),
        "lines": [4, 5],
        "heading_path": ["Keys", "Rotation"],
        "chunk_type": "paragraph",
        "title": "Keys",
        "content_hash": "ab" * 32,
        "rank": 1,
        "preview": "Keys are rotated every ninety days.",
        "stale": False,
        "score_breakdown": {"lexical": 7.25, "lexical_rank": 1.0},
    }


def test_a_hit_has_its_whole_text_when_asked() -> None:
    assert payload(found(hit()), text=True)["hits"][0]["text"] == PASSAGE


def test_what_a_reranker_adds_to_a_hit_is_there_when_there_was_one() -> None:
    shown = payload(hit(original_rank=4, rerank_score=0.9, why_matched="it names the interval"))
    assert (shown["original_rank"], shown["rerank_score"], shown["why_matched"]) == (
        4,
        0.9,
        "it names the interval",
    )


def test_a_search_says_weak_reason_and_filter_only_where_they_apply() -> None:
    plain = payload(found(hit()))
    assert set(plain) == {"hits", "corpus_name", "model_version", "total_chunks", "mode", "dense_coverage"}
    nothing = payload(
        found(
            weak=True,
            reason="the filter keeps nothing",
            filter_applied=FilterApplied(42, 0, path_glob="*.rs"),
        )
    )
    assert nothing["weak"] is True
    assert nothing["reason"] == "the filter keeps nothing"
    assert nothing["filter_applied"] == {"total_before": 42, "kept": 0, "path_glob": "*.rs"}


def test_an_index_report_has_the_fields_that_callers_rely_on() -> None:
    shown = payload(INDEXED)
    assert shown.keys() >= {
        "name", "model_version", "documents", "chunks", "total_chars", "reused_chunks", "newly_embedded_chunks",
        "dropped_files", "failed_paths", "embed_model_resolved", "elapsed_ms",
    }  # fmt: skip
    assert shown["failed_paths"] == [
        {"path": "/home/ann/notes/pipe", "reason": "it is a pipe", "code": "SOURCE_UNREADABLE"}
    ]
    assert "warnings" not in shown


def test_a_refresh_report_lists_paths_and_drift() -> None:
    from dataclasses import replace

    shown = payload(replace(REFRESHED, embed_model_resolved_drift=Drift("bge@1", "bge@2")))
    assert shown["added"] == ["/home/ann/notes/new.md"]
    assert shown["missing"] == []
    assert shown["embed_model_resolved_drift"] == {"prior": "bge@1", "current": "bge@2"}
    assert "embed_model_resolved_drift" not in payload(REFRESHED)


def test_health_is_the_list_entry_with_more() -> None:
    shown = payload(HEALTH)
    assert shown.items() >= payload(SUMMARY).items()
    assert shown["staleness_days"] == 2.5
    assert shown["warnings"] == ["1 paths could not be indexed"]
    assert "files" not in shown


def test_names_that_are_not_utf_8_can_still_be_said_in_json() -> None:
    path = b"/tmp/caf\xe9".decode("utf-8", "surrogateescape")
    passage = Passage("notes", path, "t", "x", hit().lines, 0, 1, "ab", stale=True)
    assert json.dumps(payload(passage)["path"]) == r'"/tmp/caf\\xe9"'


def test_numbers_that_json_lacks_are_null() -> None:
    assert payload({"estimate": math.inf, "score": math.nan, "sum": 1.5}) == {
        "estimate": None,
        "score": None,
        "sum": 1.5,
    }


def test_what_is_no_result_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        payload(object())

"""Scores that are kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.rerank import ScoreCache
from tamis.rerank.cache import FILE_NAME, Scorer

SCORER = Scorer("cohere", "1", "rerank-v3.5", "how do we rotate keys?")


@pytest.fixture
def cache(tmp_path):
    return ScoreCache(tmp_path)


def test_a_score_that_was_kept_is_found_again(cache, tmp_path):
    cache.put(SCORER, {"a passage": 0.25, "another": -3.5})
    assert ScoreCache(tmp_path).get(SCORER, ["a passage", "another", "a third"]) == {
        "a passage": 0.25,
        "another": -3.5,
    }


@pytest.mark.parametrize("field", ["driver", "version", "model", "query"])
def test_a_score_belongs_to_its_driver_version_model_and_query(cache, field):
    cache.put(SCORER, {"text": 1.0})
    assert cache.get(replace(SCORER, **{field: "other"}), ["text"]) == {}


@given(st.lists(st.text(), min_size=5, max_size=5), st.lists(st.text(), min_size=5, max_size=5))
def test_two_scores_share_a_key_only_when_everything_is_equal(first, second):
    keys = [Scorer(*parts[:4]).key(parts[4]) for parts in (first, second)]
    assert (keys[0] == keys[1]) == (first == second)


def test_a_new_version_of_a_driver_drops_the_scores_of_the_old_one_and_no_others(cache):
    other = replace(SCORER, driver="voyage")
    cache.put(SCORER, {"a": 1.0, "b": 2.0})
    cache.put(other, {"a": 3.0})
    cache.put(replace(SCORER, version="2"), {"a": 4.0})
    assert len(cache) == 2
    assert cache.get(SCORER, ["a", "b"]) == {}
    assert cache.get(other, ["a"]) == {"a": 3.0}


def test_the_oldest_scores_go_when_there_are_too_many(tmp_path):
    cache = ScoreCache(tmp_path, max_entries=100)
    for turn in range(12):
        cache.put(SCORER, {f"{turn}-{n}": float(n) for n in range(10)})
        assert len(cache) <= 100
    assert cache.get(SCORER, ["11-0"]) == {"11-0": 0.0}
    assert cache.get(SCORER, ["0-0"]) == {}


def test_the_file_stays_as_small_as_the_bound_promises(tmp_path):
    cache = ScoreCache(tmp_path, max_entries=5_000)
    for turn in range(4):
        cache.put(SCORER, {f"{turn}-{n}": 1.0 for n in range(2_500)})
    assert (tmp_path / FILE_NAME).stat().st_size / 5_000 < 100  # bytes an entry


def test_neither_query_nor_text_can_be_read_from_the_file(cache, tmp_path):
    cache.put(SCORER, {"the passage about payroll": 1.0})
    data = (tmp_path / FILE_NAME).read_bytes()
    assert b"payroll" not in data
    assert b"rotate" not in data


def test_more_texts_than_a_statement_takes_are_looked_up(cache):
    cache.put(SCORER, {str(n): float(n) for n in range(1_200)})
    found = cache.get(SCORER, [str(n) for n in range(1_200)])
    assert all(found[str(b)] - found[str(a)] == 1.0 for a, b in pairwise(range(1_200)))


def test_a_damaged_cache_is_started_anew(cache, tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"no database" * 500)
    assert cache.get(SCORER, ["a"]) == {}
    cache.put(SCORER, {"a": 1.0})
    assert cache.get(SCORER, ["a"]) == {"a": 1.0}
    assert cache.trouble is None


def test_a_cache_that_cannot_be_written_is_as_good_as_empty_and_says_why(tmp_path):
    cache = ScoreCache(tmp_path / "no" / "such" / "folder")
    cache.put(SCORER, {"a": 1.0})
    assert cache.get(SCORER, ["a"]) == {}
    assert "score cache" in (cache.trouble or "")


def test_an_empty_cache_makes_no_file_when_it_is_read(cache, tmp_path):
    assert cache.get(SCORER, ["a"]) == {}
    assert list(tmp_path.iterdir()) == []

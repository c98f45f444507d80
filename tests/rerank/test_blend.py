"""How a reranker's scores and the first stage's become one order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.rerank import RerankSettings, create
from tamis.rerank.blend import blended
from tamis.rerank.crossencoder.competence import prose, readable
from tamis.rerank.stage import rerank_candidates

SCORES = st.lists(st.tuples(st.floats(0, 1), st.floats(-20, 20)), min_size=2, max_size=12)
PROSE = "The signing keys are rotated every ninety days, and the old ones are revoked at once."
CODE = (
    "def rotate(self, key: str = '') -> dict[str, int]:\n    return {k: v + 1 for k, v in self._keys.items()}"
)
CLAIM = "Rotating signing keys every ninety days reduces the risk of forged tokens."
RUSSIAN = "Ключи подписи меняют каждые девяносто дней."


def test_the_parts_are_the_scaled_first_score_and_the_distance_below_the_best_in_spans():
    # first stage .9, .5, .1 → 1, .5, 0; reranker 2, 8, -4 → 6, 0 and 12 below the best → 1 - .5, 1, 1 - 1 over a span of 12
    assert blended([0.9, 0.5, 0.1], [2.0, 8.0, -4.0], 0.25, 12.0) == pytest.approx(
        [0.25 * 1.0 + 0.75 * 0.5, 0.25 * 0.5 + 0.75, 0.0]
    )


def test_without_a_span_the_scores_at_hand_give_it():
    assert blended([1.0, 0.0], [3.0, 5.0], 0.5, None) == pytest.approx([0.5, 0.5])


def test_at_share_0_the_rerankers_scores_come_back():
    assert blended([0.9, 0.1], [-3.0, 7.5], 0.0, 12.0) == [-3.0, 7.5]


def test_documents_without_a_first_stage_go_by_the_reranker_alone():
    assert blended([0.0, 0.0, 0.0], [1.0, 3.0, 2.0], 0.9, 12.0) == [1.0, 3.0, 2.0]
    assert blended([], [], 0.5, None) == []


@given(SCORES)
def test_at_share_1_the_first_stages_order_stays(pairs):
    first, scores = zip(*sorted(pairs, reverse=True), strict=True)
    final = blended(first, scores, 1.0, 12.0)
    if first[0] > first[-1]:
        assert final == sorted(final, reverse=True)


@given(SCORES, st.floats(0, 0.99))
def test_a_candidate_that_both_prefer_comes_first(pairs, share):
    first, scores = [*(a for a, _ in pairs), 2.0], [*(b for _, b in pairs), 21.0]
    final = blended(first, scores, share, 12.0)
    assert final.index(max(final)) == len(pairs)


def test_a_reranker_that_finds_all_about_equal_changes_little():
    final = blended([1.0, 0.8, 0.5, 0.2], [-9.0, -8.9, -8.8, -8.7], 0.5, 12.0)
    assert final == sorted(final, reverse=True)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        (PROSE, 1.0, 1.0),
        (CODE, 1.0, 1.0),
        (RUSSIAN, 0.0, 0.0),
        ("签名密钥每季度轮换一次,旧密钥立即吊销。", 0.0, 0.0),
        ("", 1.0, 1.0),
    ],
)
def test_english_and_code_are_told_from_other_scripts(text, least, most):
    assert least <= readable([text]) <= most


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PROSE, 1.0),
        (RUSSIAN, 1.0),
        ("# Title\n\n- **one** [link](page.md), 1,204 of them (92%)\n- two: https://example.org/a/b", 1.0),
        (CODE, 0.0),
        ("", 1.0),
        ("abcdefghij" * 19 + "{};" + "abcdefg", 0.5),  # 3 of 200: half way from .01 to .02
    ],
)
def test_code_is_told_from_prose(text, expected):
    assert prose([text]) == pytest.approx(expected)


def test_most_of_the_passages_decide():
    assert prose([PROSE, CODE, PROSE]) == 1.0
    assert prose([CODE, CODE, PROSE]) == 0.0
    assert prose([]) == 1.0
    assert readable([PROSE, PROSE, RUSSIAN]) == 1.0
    assert readable([RUSSIAN, RUSSIAN, PROSE]) == 0.0
    assert readable([]) == 1.0


def test_code_keeps_its_order_unless_the_model_is_asked_for(candidates):
    code = candidates("x[1] = {}", CODE)
    placed, report = rerank_candidates(
        "rotate the keys", code, create("cross_encoder"), RerankSettings("cross_encoder")
    )
    assert [one.position for one in placed] == [0, 1]
    assert report.blend == 1.0
    assert "are code" in report.warnings[0]


def test_passages_that_the_bundled_model_cannot_read_keep_their_order_and_cost_no_time(candidates):
    driver = create("cross_encoder")
    russian = candidates("Сад нуждается в воде.", "Ключи меняют каждые девяносто дней.")
    placed, report = rerank_candidates(
        "как часто меняют ключи?", russian, driver, RerankSettings("cross_encoder")
    )
    assert [(one.position, one.score) for one in placed] == [(0, None), (1, None)]
    assert (report.blend, report.degraded) == (1.0, False)
    assert "does not read" in report.warnings[0]


def test_a_question_in_a_script_that_the_model_cannot_read_leaves_the_order():
    driver = create("cross_encoder")
    assert driver.blend_for("как часто меняют ключи?", [PROSE], {}) == 1.0
    assert "the query" in driver.warnings[0]
    assert driver.blend_for("504?", [PROSE], {}) == driver.blend


def test_the_share_that_a_user_asks_for_is_taken_as_it_is(candidates):
    settings = RerankSettings("cross_encoder", config={"blend": "0"})
    code = candidates("x = 1", "def rotate(keys): return [k + 1 for k in keys]")
    placed, report = rerank_candidates("rotate the keys", code, create("cross_encoder"), settings)
    assert report.blend == 0.0
    assert [one.position for one in placed] == [1, 0]
    assert [one.score for one in placed] == [one.driver_score for one in placed]


def test_a_model_of_ones_own_is_trusted_with_any_passages():
    driver = create("cross_encoder")
    for query, text in (("when do keys rotate?", RUSSIAN), (CLAIM, PROSE)):
        assert driver.blend_for(query, [text], {"model": "some/model"}) == driver.blend
        assert driver.blend_for(query, [text], {}) > driver.blend


def test_the_bundled_model_says_less_about_claims_than_about_questions():
    driver = create("cross_encoder")
    assert driver.blend_for("when do keys rotate?", [PROSE], {}) == driver.blend
    assert driver.blend < driver.blend_for(CLAIM, [PROSE], {}) < 1.0

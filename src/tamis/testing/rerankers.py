"""What every reranker must do, as tests to inherit.

::

    class TestMine(RerankerConformance):
        def make(self) -> Reranker:
            return Mine()

Set ``config`` when the driver needs one. For a driver that talks to a server, have a fixture start a local one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tamis.types import Candidate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.ports import Reranker
    from tamis.types import Relevance

TOLERANCE = 1e-6
"""Of a score that should be the same in other company."""

PASSAGES = (
    ("Keys", "docs/security/keys.md", "Rotate the signing keys every ninety days, and revoke the old ones."),
    ("Backups", "docs/backups.md", "Backups are taken at night and kept for a month."),
    ("", "notes.txt", "The garden needs water in July."),
    ("Rotation", "docs/ops/rotation/plan.md", "On call rotation: each engineer takes one week."),
    ("Schlüssel", "docs/de/schluessel.md", "Schlüssel werden vierteljährlich erneuert. 密钥每季度轮换一次。"),
    ("Empty", "docs/empty.md", ""),
)


def sample_candidates() -> list[Candidate]:
    """Six passages as a first stage may hand them on: scores falling, one empty, one not in English."""
    return [
        Candidate(
            id=f"sample-{position}",
            text=text,
            title=title,
            path=path,
            heading_path=(title,) if title else (),
            score=1.0 / position,
            rank=position,
        )
        for position, (title, path, text) in enumerate(PASSAGES, 1)
    ]


class RerankerConformance:
    """Laws of the ``Reranker`` port. Inherit, and give ``make``."""

    query: str = "how often do we rotate the signing keys?"
    config: Mapping[str, object] = {}

    def make(self) -> Reranker:
        """A new driver."""
        raise NotImplementedError

    def candidates(self) -> list[Candidate]:
        """What is reranked; override to give candidates vectors or dates."""
        return sample_candidates()

    def test_it_has_a_key_a_name_and_a_version(self) -> None:
        driver = self.make()
        for value in (driver.key, driver.name, driver.version):
            assert value, "a name is missing"
            assert value == value.strip(), f"{value!r} has white space around it"

    def test_its_blend_is_a_share(self) -> None:
        driver = self.make()
        texts = [candidate.text for candidate in self.candidates()]
        shares = (driver.blend_for("when do keys rotate?", given, self.config) for given in (texts, []))
        for share in (driver.blend, *shares):
            assert 0.0 <= share <= 1.0, "blend goes from 0 to 1"

    def test_it_takes_at_least_one_candidate_in_a_call(self) -> None:
        assert self.make().capabilities.max_results >= 1, "max_results is 1 or more"

    def test_it_says_truly_whether_it_costs(self) -> None:
        driver = self.make()
        costs = driver.estimate_cost_cents(1) > 0
        assert costs == driver.capabilities.has_cost, (
            "has_cost holds exactly when one candidate is estimated above 0"
        )

    def test_its_estimate_never_falls_with_more_candidates(self) -> None:
        estimates = [
            self.make().estimate_cost_cents(count, config=self.config) for count in (0, 1, 2, 50, 101)
        ]
        assert estimates[0] == 0, "nothing costs nothing"
        assert estimates == sorted(estimates), f"the estimate falls: {estimates}"

    def test_nothing_comes_of_no_candidates(self) -> None:
        assert len(self.make().rerank(self.query, [], 5, self.config)) == 0, "no candidates, no results"

    def test_nothing_comes_of_a_top_n_that_is_not_above_0(self) -> None:
        for top_n in (0, -1):
            assert len(self.make().rerank(self.query, self.candidates(), top_n, self.config)) == 0, (
                f"top_n {top_n}"
            )

    def test_every_result_is_one_of_the_candidates_and_comes_once(self) -> None:
        ids = [relevance.id for relevance in self._all()]
        known = {candidate.id for candidate in self.candidates()}
        assert len(ids) == len(set(ids)), "a candidate comes twice"
        assert set(ids) <= known, f"unknown: {set(ids) - known}"

    def test_every_score_is_finite_and_the_best_comes_first(self) -> None:
        scores = [relevance.score for relevance in self._all()]
        assert all(math.isfinite(score) for score in scores), f"not finite: {scores}"
        assert scores == sorted(scores, reverse=True), f"not descending: {scores}"

    def test_the_top_is_the_head_of_the_whole_order(self) -> None:
        whole = self._all()
        top = self.make().rerank(self.query, self.candidates(), 2, self.config)
        assert [one.id for one in top] == [one.id for one in whole[:2]], "top_n changes the order"

    def test_it_says_the_same_when_asked_again(self) -> None:
        assert list(self._all()) == list(self._all()), "two calls, two answers"

    def test_a_score_that_may_be_kept_does_not_depend_on_the_company(self) -> None:
        if not self.make().capabilities.cacheable:
            return
        together = {one.id: one.score for one in self._all()}
        for candidate in self.candidates():
            alone = self.make().rerank(self.query, [candidate], 1, self.config)[0].score
            assert math.isclose(alone, together[candidate.id], abs_tol=TOLERANCE), (
                f"{candidate.id}: {alone} alone, {together[candidate.id]} in company"
            )

    def test_it_names_what_its_scores_depend_on(self) -> None:
        driver = self.make()
        assert driver.model(self.config) == self.make().model(self.config), (
            "model() changes between instances"
        )

    def test_the_model_reads_the_passage(self) -> None:
        driver = self.make()
        for candidate in self.candidates():
            assert candidate.text in driver.candidate_text(candidate), "candidate_text drops the passage"

    def test_it_reports_a_cost_exactly_when_it_has_one(self) -> None:
        driver = self.make()
        charged: list[float] = []
        driver.cost_reporter = charged.append
        driver.rerank(self.query, self.candidates(), 3, self.config)
        if driver.capabilities.has_cost:
            assert sum(charged) > 0, "nothing was reported"
        assert driver.capabilities.has_cost or not charged, f"a free driver reported {charged}"
        assert all(math.isfinite(cents) and cents > 0 for cents in charged), f"odd amounts: {charged}"

    def test_it_works_without_a_reporter(self) -> None:
        driver = self.make()
        driver.cost_reporter = None
        assert len(driver.rerank(self.query, self.candidates(), 1, self.config)) <= 1, "more than top_n"

    def test_its_warnings_are_its_own(self) -> None:
        first, second = self.make(), self.make()
        first.warnings.append("mine")
        assert "mine" not in second.warnings, "instances share their warnings"

    def _all(self) -> Sequence[Relevance]:
        candidates = self.candidates()
        return self.make().rerank(self.query, candidates, len(candidates), self.config)

"""Measure any ranking against what ought to be found."""

from __future__ import annotations

from tamis.evaluate.comparing import Comparison, compare
from tamis.evaluate.drafting import LoggedSearch, make_gold, read_search_log
from tamis.evaluate.evaluation import Evaluation, QueryOutcome
from tamis.evaluate.gold import Gold, GoldQuery, Target
from tamis.evaluate.measures import DEFAULT_MEASURES, Measure, parse_measure
from tamis.evaluate.presence import Held, absent, needs_passages, relevant_targets
from tamis.evaluate.reading import read_gold
from tamis.evaluate.report import html_report
from tamis.evaluate.running import evaluate
from tamis.evaluate.shortfall import Shortfall, shortfall_of

__all__ = [
    "DEFAULT_MEASURES",
    "Comparison",
    "Evaluation",
    "Gold",
    "GoldQuery",
    "Held",
    "LoggedSearch",
    "Measure",
    "QueryOutcome",
    "Shortfall",
    "Target",
    "absent",
    "compare",
    "evaluate",
    "html_report",
    "make_gold",
    "needs_passages",
    "parse_measure",
    "read_gold",
    "read_search_log",
    "relevant_targets",
    "shortfall_of",
]

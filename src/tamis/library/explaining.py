"""Saying of the best hits why they matched: by a model where one is configured, else by rule."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tamis.errors import BackendError, ConfigError
from tamis.library.models import tiers, together
from tamis.search.why import explanation

if TYPE_CHECKING:
    from tamis.config import Config
    from tamis.llm import Tier, Tiers
    from tamis.types import Hit, ModelUse, SearchResult

EXPLAINED = 5
"""Hits that are explained at most: each costs a call."""


def explained(result: SearchResult, query: str, config: Config) -> SearchResult:
    """The result with ``why_matched`` for its first hits.

    What a model could not explain in time, or at all, is explained by rule, with one warning.
    """
    models = tiers(config)
    chosen = result.hits[:EXPLAINED]
    if not models or not chosen:
        return _with(result, {hit.id: explanation(hit, query) for hit in chosen})
    chain = models.chain("instant")
    deadline = time.monotonic() + chain[0].timeout
    with ThreadPoolExecutor(len(chosen), thread_name_prefix="tamis-explain") as pool:
        said = list(pool.map(partial(_said, models, chain, query, deadline), chosen))
    reasons = {hit.id: why or explanation(hit, query) for hit, (why, _, _) in zip(chosen, said, strict=True)}
    problems = [problem for _, _, problem in said if problem]
    uses = [use for _, use, _ in said if use]
    result = replace(_with(result, reasons), model_use=together(uses) or result.model_use)
    if not problems:
        return result
    warning = f"{len(problems)} of {len(chosen)} hits are explained by rule: {problems[0]}"
    return replace(result, warnings=(*result.warnings, warning))


def _with(result: SearchResult, reasons: dict[str, str]) -> SearchResult:
    return replace(result, hits=tuple(replace(hit, why_matched=reasons.get(hit.id)) for hit in result.hits))


def _said(
    models: Tiers, chain: list[Tier], query: str, deadline: float, hit: Hit
) -> tuple[str, ModelUse | None, str]:
    """The model's sentence, what it took, and what went wrong."""
    from tamis.llm import explain_messages, read_explanation
    from tamis.llm.explaining import MAX_TOKENS

    heading = " › ".join(dict.fromkeys(filter(None, (hit.title, *hit.heading_path))))
    try:
        reply = models.complete(
            chain, explain_messages(query, heading, hit.text), max_tokens=MAX_TOKENS, deadline=deadline
        )
    except (BackendError, ConfigError) as error:
        return "", None, "; ".join(filter(None, (error.message, error.hint)))
    why = read_explanation(reply.text)
    return why, reply.use, "" if why else f"{reply.use.model} said nothing"

"""The doctor's look at language models: which servers answer, and whether they have what is configured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.errors import TamisError
from tamis.library.check import Check
from tamis.library.models import configured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.config import Config
    from tamis.llm import Tier

TOPIC = "language models"
PROBE = "ollama"
NOTHING = "none is configured: explanations are made by rule, and tamis answer cannot work"
SHOWN = 5


def check_models(config: Config) -> Iterator[Check]:
    """A check for each configured tier; without any, what Ollama has, if it runs."""
    tiers = configured(config)
    for tier in tiers:
        yield _check(tier)
    if not tiers:
        yield Check(TOPIC, "tiers", "note", NOTHING, "name one in tamis.toml: [tiers.workhorse]")
        yield _ollama()


def _check(tier: Tier) -> Check:
    from tamis.llm.listing import has, listed
    from tamis.llm.tiers import missing

    try:
        names = listed(tier)
        if not has(names, tier.model):
            raise missing(tier)
        where = tier.endpoint().shown
    except TamisError as error:
        return Check(TOPIC, tier.name, "failed", error.message, error.hint)
    return Check(TOPIC, tier.name, "ok", f"{tier.model} at {where}")


def _ollama() -> Check:
    from tamis.llm import Tier
    from tamis.llm.listing import listed

    try:
        names = listed(Tier("instant", "ollama", ""), patience=1.0)
    except TamisError:
        return Check(TOPIC, PROBE, "note", "does not answer")
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return Check(
        TOPIC, PROBE, "note", f"answers, with {', '.join(names[:SHOWN]) + more if names else 'no model'}"
    )

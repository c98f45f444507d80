"""The doctor's look at language models: which servers answer, and whether they have what is configured."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tamis.errors import TamisError
from tamis.library.check import Check
from tamis.library.models import configured
from tamis.library.probes import Probe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.config import Config
    from tamis.llm import Tier

TOPIC = "language models"
PROBE = "ollama"
NOTHING = "none is configured: explanations are made by rule, and tamis answer cannot work"
SHOWN = 5


def model_probes(config: Config, patience: float) -> Iterator[Probe]:
    """A probe for each configured tier; without any, what Ollama has, if it runs."""
    tiers = configured(config)
    for tier in tiers:
        yield Probe(TOPIC, tier.name, partial(_check, tier), patience)
    if not tiers:
        yield Probe(TOPIC, "tiers", _nothing, patience)
        yield Probe(TOPIC, PROBE, _ollama, patience, Check(TOPIC, PROBE, "note", "does not answer"))


def _nothing() -> list[Check]:
    return [Check(TOPIC, "tiers", "note", NOTHING, "name one in tamis.toml: [tiers.workhorse]")]


def _check(tier: Tier) -> list[Check]:
    from tamis.llm.listing import has, listed
    from tamis.llm.tiers import missing

    if not has(listed(tier), tier.model):
        raise missing(tier)
    return [Check(TOPIC, tier.name, "ok", f"{tier.model} at {tier.endpoint().shown}")]


def _ollama() -> list[Check]:
    from tamis.llm import Tier
    from tamis.llm.listing import listed

    try:
        names = listed(Tier("instant", "ollama", ""), patience=1.0)
    except TamisError:
        return [Check(TOPIC, PROBE, "note", "does not answer")]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    shown = ", ".join(names[:SHOWN]) + more if names else "no model"
    return [Check(TOPIC, PROBE, "note", f"answers, with {shown}")]

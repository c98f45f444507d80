"""How one search is to be reranked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

INPUT_TOP_N, OUTPUT_TOP_N = 100, 20
DEADLINE_S = 10.0


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """A scope's ``reranker`` table, or what a search's own options make of it.

    ``driver``: a key. ``input_top_n`` of the first stage's hits go in, ``output_top_n`` come out. ``config``: the driver's
    options, and the stage's own: ``blend``, 0 to 1, in place of the driver's, and ``deadline`` in seconds.

    Raises:
        ConfigError: A number is out of its range.
    """

    driver: str
    input_top_n: int = INPUT_TOP_N
    output_top_n: int = OUTPUT_TOP_N
    config: Mapping[str, object] = field(default_factory=dict[str, object])

    def __post_init__(self) -> None:
        if self.input_top_n < 0 or self.output_top_n < 0:
            raise ConfigError("input_top_n and output_top_n can't be negative")
        if self.blend is not None and not 0 <= self.blend <= 1:
            raise ConfigError(
                "blend must be a number from 0 to 1", hint="0 takes the reranker's order as it is"
            )
        if not self.deadline_s > 0:
            raise ConfigError("deadline must be a number of seconds above 0")

    @property
    def blend(self) -> float | None:
        """The share of the first stage that was asked for; ``None`` leaves it to the driver."""
        return self._number("blend")

    @property
    def deadline_s(self) -> float:
        asked = self._number("deadline")
        return DEADLINE_S if asked is None else asked

    def _number(self, name: str) -> float | None:
        value = self.config.get(name)
        if value is None:
            return None
        try:
            return math.nan if isinstance(value, bool) else float(value)  # pyright: ignore[reportArgumentType]
        except (TypeError, ValueError):
            return math.nan

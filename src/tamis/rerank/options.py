"""Reading a driver's ``config``: known names only, every value checked, text accepted where a number is meant."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from tamis.errors import ConfigError
from tamis.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STAGE_OPTIONS = frozenset({"blend", "deadline"})
"""What the stage reads from the same table; drivers pass over it."""

SECRET_OPTION = re.compile(r"(^|_)(key|token|secret|password|authorization)$", re.IGNORECASE)


class Options:
    """A checked view of ``config``.

    Args:
        driver: Whose options they are, for messages.
        config: As it comes from a scope, or as ``k=v`` text from a command line.
        known: The names that the driver takes.

    Raises:
        ConfigError: A name is not known (the hint has the nearest), or would put a secret into a file.
    """

    def __init__(self, driver: str, config: Mapping[str, object], known: Iterable[str]) -> None:
        self._driver = driver
        self._config = config
        names = sorted({*known, *STAGE_OPTIONS})
        for name in config:
            if name in names:
                continue
            if SECRET_OPTION.search(name):
                raise ConfigError(
                    f"{driver}: {name} does not belong in a configuration",
                    hint="keys are read from the environment; name the variable with key_env",
                )
            raise ConfigError(f"{driver} has no option {name}", hint=suggestion(name, names, "it takes"))

    def text(self, name: str, default: str) -> str:
        value = self._config.get(name)
        if value is None:
            return default
        if not isinstance(value, str) or not value.strip():
            raise self._wrong(name, "text")
        return value.strip()

    def choice(self, name: str, default: str, among: Iterable[str]) -> str:
        value = self.text(name, default)
        allowed = tuple(among)
        if value not in allowed:
            raise self._wrong(name, f"one of {', '.join(allowed)}")
        return value

    def number(self, name: str, default: float, *, low: float = 0.0, high: float = math.inf) -> float:
        value = self._config.get(name)
        if value is None:
            return default
        try:
            number = math.nan if isinstance(value, bool) else float(value)  # pyright: ignore[reportArgumentType]
        except (TypeError, ValueError):
            number = math.nan
        if not low <= number <= high:
            raise self._wrong(name, f"a number from {low:g} to {high:g}")
        return number

    def whole(self, name: str, default: int, *, low: int = 1, high: int = 1_000_000) -> int:
        number = self.number(name, default, low=low, high=high)
        if number != int(number):
            raise self._wrong(name, f"a whole number from {low} to {high}")
        return int(number)

    def texts(self, name: str) -> list[str]:
        """A list of texts; one text is split at commas."""
        value = self._config.get(name)
        parts = value.split(",") if isinstance(value, str) else value if value is not None else ()
        if not isinstance(parts, (list, tuple)):
            raise self._wrong(name, "a list of texts")
        words = [part.strip() for part in parts if isinstance(part, str)]  # pyright: ignore[reportUnknownVariableType]
        if len(words) != len(parts):  # pyright: ignore[reportUnknownArgumentType]
            raise self._wrong(name, "a list of texts")
        return [word for word in words if word]

    def _wrong(self, name: str, wanted: str) -> ConfigError:
        return ConfigError(
            f"{self._driver}: {name} must be {wanted}", hint=f"correct {name} in the reranker's config"
        )

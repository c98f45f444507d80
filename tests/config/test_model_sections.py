"""Back ends in the configuration: what is read, what is refused, and what is never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import tamis
from tamis.errors import ConfigError
from tamis.library.settings import settings

if TYPE_CHECKING:
    from pathlib import Path


def opened(tmp_path: Path, text: str) -> tamis.Library:
    file = tmp_path / "tamis.toml"
    file.write_text(text)
    return tamis.open(tmp_path / "home", config=file)


def shown(library: tamis.Library) -> dict[str, tuple[object, str]]:
    return {setting.key: (setting.value, setting.origin) for setting in settings(library)}


@pytest.mark.parametrize(
    ("text", "wrong", "near"),
    [
        ('[tiers.instant]\nmodle = "x"', "tiers.instant.modle", "tiers.instant.model"),
        ('[tiers.workhorze]\nmodel = "x"', "tiers.workhorze", "tiers.workhorse"),
        ("[embedder.ollama]\ntiemout = 3", "embedder.ollama.tiemout", "embedder.ollama.timeout"),
        ("[embedder.olama]\ntimeout = 3", "embedder.olama", "embedder.ollama"),
    ],
)
def test_an_unknown_key_names_the_nearest(tmp_path: Path, text: str, wrong: str, near: str) -> None:
    with pytest.raises(ConfigError, match=f"unknown key {wrong}") as caught:
        opened(tmp_path, text)
    assert near in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "[tiers.instant]\ntimeout = 3",  # no model
        '[tiers.instant]\nmodel = "x"\nbackend = "olama"',
        '[tiers.instant]\nmodel = "x"\ntimeout = 0',
        "[embedder.openai]\nbatch = 0",
    ],
)
def test_a_value_that_makes_no_sense_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError, match="does not hold"):
        opened(tmp_path, text)


def test_the_environment_goes_before_the_file_and_the_origin_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAMIS_TIERS_INSTANT_MODEL", "from-environment")
    monkeypatch.setenv("TAMIS_EMBEDDER_OLLAMA_BATCH", "8")
    values = shown(opened(tmp_path, '[tiers.instant]\nmodel = "from-file"\ntimeout = 9'))
    assert values["tiers.instant.model"] == ("from-environment", "TAMIS_TIERS_INSTANT_MODEL")
    assert values["tiers.instant.timeout"] == (9, str(tmp_path / "tamis.toml"))
    assert values["tiers.instant.backend"] == ("ollama", "default")
    assert values["embedder.ollama.batch"] == (8, "TAMIS_EMBEDDER_OLLAMA_BATCH")


def test_no_secret_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "sk-0123456789")
    library = opened(
        tmp_path,
        """[tiers.deep]
        model = "m"
        url = "https://me:hunter22@example.org/v1"
        key_env = "MY_API_KEY"
        [embedder.openai]
        url = "https://example.org/sk-0123456789"
        [scope.s]
        corpora = ["a"]
        reranker = { driver = "http", config = { api_key = "swordfish" } }
        """,
    )
    values = shown(library)
    assert values["tiers.deep.url"][0] == "https://***@example.org/v1"
    assert values["tiers.deep.key_env"][0] == "MY_API_KEY"
    for secret in ("hunter22", "sk-0123456789", "swordfish"):
        assert secret not in repr(values)

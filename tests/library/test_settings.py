"""The configuration is shown without what may be a secret, wherever a user has put one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import tamis
from tamis.library.settings import settings
from tamis.render.payload import payload
from tamis.render.settings import settings_text
from tamis.render.style import Style

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "hush0123456789"
CONFIG = f"""
[embedder.openai]
url = "https://models.example.org/v1?api_key={SECRET}&version=2"
key_env = "MY_OPENAI_KEY"

[embedder.ollama]
key_env = "sk-{SECRET}"

[tiers.deep]
backend = "openai"
model = "gpt-4o"
url = "https://user:{SECRET}@models.example.org/v1"

[scope.token]
corpora = ["notes"]
reranker_budget_cents = 5

[scope.s]
corpora = ["notes", "papers"]

[scope.s.reranker]
driver = "http"

[scope.s.reranker.config]
url = "https://rerank.example.org/v1/rerank#{SECRET}"
headers = {{Authorization = "Bearer {SECRET}", X-Number = 12345678, X-Plain = "{SECRET}"}}
extra_headers = ["X-Plain: {SECRET}"]
api_key = "{SECRET}"
auth = {{user = "{SECRET}"}}
cookie = "{SECRET}"
bearer = "{SECRET}"
db_password = 12345678
client_secret = "{SECRET}"
fallbacks = [{{url = "https://x.example.org/?key={SECRET}", access_token = "{SECRET}"}}]
note = "send Bearer {SECRET} along"
model = "rerank-2"
author = "Ann"
max_tokens = 512
"""


def shown(tmp_path: Path) -> tuple[dict[str, object], str]:
    file = tmp_path / "tamis.toml"
    file.write_text(CONFIG)
    with tamis.open(tmp_path / "home", config=file) as library:
        found = settings(library)
    return {item.key: item.value for item in found}, settings_text(found, Style()) + json.dumps(
        payload(found)
    )


def test_no_secret_is_shown_as_text_or_as_json(tmp_path: Path) -> None:
    _, text = shown(tmp_path)
    assert SECRET not in text
    assert "12345678" not in text


def test_what_is_no_secret_is_shown(tmp_path: Path) -> None:
    values, _ = shown(tmp_path)
    config = "scope.s.reranker.config"
    assert values["embedder.openai.url"] == "https://models.example.org/v1?***"
    assert values["embedder.openai.key_env"] == "MY_OPENAI_KEY"
    assert values["embedder.ollama.key_env"] == "***", "a key in place of a variable's name"
    assert values["tiers.deep.url"] == "https://***@models.example.org/v1"
    assert values[f"{config}.headers.Authorization"] == "***"
    assert values[f"{config}.note"] == "send Bearer *** along"
    assert values[f"{config}.model"] == "rerank-2"
    assert values[f"{config}.author"] == "Ann"
    assert values[f"{config}.max_tokens"] == 512
    assert values["scope.token.corpora"] == ["notes"], "the name of a scope says nothing"
    assert values["scope.token.reranker_budget_cents"] == 5

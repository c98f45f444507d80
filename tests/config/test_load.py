"""What the configuration refuses, what it lets pass, and where it says that a fault comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tamis.config import load
from tamis.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SCOPE = '[scope.work]\ncorpora = ["notes", "papers"]\n'


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a configuration file."""

    def write(text: str) -> Path:
        path = tmp_path / "tamis.toml"
        path.write_text(text)
        return path

    return write


def test_an_empty_variable_for_the_file_counts_as_unset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load(environment={"TAMIS_CONFIG": ""}).origins == {}


def test_a_file_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(environment={"TAMIS_CONFIG": str(tmp_path / "none.toml")})
    assert "none.toml" in caught.value.message


@pytest.mark.parametrize(
    ("variable", "text"),
    [("TAMIS_SEARCH_TOP_K", "abc"), ("TAMIS_INDEX_CHUNK_CHARS", "7"), ("TAMIS_SEARCH_B", "2")],
)
def test_a_value_of_a_variable_that_does_not_hold_names_the_variable(
    file: Callable[[str], Path], variable: str, text: str
) -> None:
    path = file("[search]\nk1 = 1.0\n")
    with pytest.raises(ConfigError) as caught:
        load(path, {variable: text})
    assert variable in caught.value.hint
    assert str(path) not in caught.value.hint


def test_a_value_of_the_file_that_does_not_hold_names_the_file(file: Callable[[str], Path]) -> None:
    path = file('[search]\ntop_k = "abc"\n')
    with pytest.raises(ConfigError) as caught:
        load(path, {"TAMIS_SEARCH_B": "0.5"})
    assert str(path) in caught.value.hint


@pytest.mark.parametrize(
    ("wrong", "near"), [("serach", "search"), ("scop", "scope"), ("nope", None), ("x", None), ("port", None)]
)
def test_only_a_key_that_is_near_is_suggested(
    file: Callable[[str], Path], wrong: str, near: str | None
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(file(f"{wrong} = 1\n"), {})
    assert caught.value.hint.startswith(f"did you mean {near!r}?" if near else "known here: ")


@pytest.mark.parametrize(
    ("wrong", "near"), [("TAMIS_SEARCH_TOPK", "TAMIS_SEARCH_TOP_K"), ("TAMIS_FOO", None), ("TAMIS_X_Y", None)]
)
def test_only_a_variable_that_is_near_is_suggested(
    file: Callable[[str], Path], wrong: str, near: str | None
) -> None:
    with pytest.raises(ConfigError) as caught:
        load(file(""), {wrong: "1"})
    assert caught.value.hint == (f"did you mean {near!r}?" if near else "see the README for the names")


@pytest.mark.parametrize(("given", "held"), [("50", 20), ("0.5", 1), ("-3", 1), ("inf", 20), ("7", 7)])
def test_the_over_fetch_of_a_scope_is_kept_between_1_and_20(
    file: Callable[[str], Path], given: str, held: float
) -> None:
    loaded = load(file(f"{SCOPE}over_fetch = {given}\n"), {})
    assert loaded.config.scope["work"].over_fetch == held


@pytest.mark.parametrize("given", ['"many"', "true", "nan"])
def test_an_over_fetch_that_is_no_number_is_refused(file: Callable[[str], Path], given: str) -> None:
    with pytest.raises(ConfigError):
        load(file(f"{SCOPE}over_fetch = {given}\n"), {})


def test_a_weight_of_a_corpus_that_is_not_in_the_scope_is_refused_with_the_nearest(
    file: Callable[[str], Path],
) -> None:
    with pytest.raises(ConfigError, match=r"scope\.work\.corpus_weights .*'paper'") as caught:
        load(file(f"{SCOPE}corpus_weights = {{ notes = 2, paper = 1 }}\n"), {})
    assert caught.value.hint == "did you mean 'papers'?"


def test_a_weight_of_a_corpus_that_is_like_none_names_those_there_are(file: Callable[[str], Path]) -> None:
    with pytest.raises(ConfigError) as caught:
        load(file(f"{SCOPE}corpus_weights = {{ zebra = 1 }}\n"), {})
    assert caught.value.hint == "its corpora: notes, papers"

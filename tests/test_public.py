"""The public surface is short and known; importing it is light; every error is documented."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import tamis
from tamis import errors, types
from tamis.errors import TamisError

HEAVY = (
    "numpy",
    "onnxruntime",
    "tokenizers",
    "turbovec",
    "tantivy",
    "sqlite3",
    "rich",
    "httpx",
    "pydantic",
    "mcp",
    "click",
)


def all_errors(of: type[TamisError] = TamisError) -> list[type[TamisError]]:
    return [of, *(found for child in of.__subclasses__() for found in all_errors(child))]


def own_errors() -> list[type[TamisError]]:
    return [found for found in dict.fromkeys(all_errors()) if found.__module__ == "tamis.errors"]


def test_every_public_name_is_there_and_there_are_about_a_dozen() -> None:
    assert len(tamis.__all__) <= 14
    for name in tamis.__all__:
        assert getattr(tamis, name) is not None


def test_importing_tamis_loads_nothing_heavy() -> None:
    script = f"import sys, tamis; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_type_is_there_under_the_package_and_only_the_parts_asked_for_are_loaded() -> None:
    folder = Path(types.__file__).parent
    homes = [import_module(f"tamis.types.{path.stem}") for path in folder.glob("[a-z]*.py")]
    defined = {name for home in homes for name, value in vars(home).items() if _is_from(value, home.__name__)}
    assert defined | {"Kind", "ChunkType", "Mode", "MODES", "Vectors"} == set(types.__all__)
    for name in defined:
        assert getattr(types, name).__name__ == name
    script = "import sys; from tamis.types import Span; print([m for m in sys.modules if m.startswith('tamis.types.')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['tamis.types.documents']"


def _is_from(value: object, module: str) -> bool:
    return isinstance(value, type) and value.__module__ == module


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    drawn = dict(re.findall(r"(\w+Error)\s+([A-Z_]+)", errors.__doc__ or ""))
    assert drawn == {found.__name__: found.code for found in own_errors()}


def test_every_error_code_is_explained_in_the_documentation() -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "errors.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE))
    assert explained == {found.code for found in own_errors()}

"""The public surface is short and known; importing it is light; every error is documented."""

from __future__ import annotations

import ast
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
    assert done.stdout.strip() == "['tamis.types.files']"


def _is_from(value: object, module: str) -> bool:
    return isinstance(value, type) and value.__module__ == module


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    drawn = dict(re.findall(r"(\w+Error)\s+([A-Z_]+)", errors.__doc__ or ""))
    assert drawn == {found.__name__: found.code for found in own_errors()}


def emitted_codes() -> set[str]:
    """Every code in the sources: given as ``code``, or to the HTTP guard's refusals, as it is or by a module's constant."""
    found: set[str] = set()
    for file in Path(tamis.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        constants = _constants(tree)
        for node in ast.walk(tree):
            for given in _codes(node):
                found |= {
                    item.value
                    for item in ast.walk(given)
                    if re.fullmatch("[A-Z_]+", str(getattr(item, "value", "")))
                }
                found |= {
                    constants[item.id] for item in ast.walk(given) if getattr(item, "id", "") in constants
                }
    return found


def _codes(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_refused":
        return node.args[1:2]
    if isinstance(node, ast.Call):
        return [keyword.value for keyword in node.keywords if keyword.arg == "code"]
    if isinstance(node, ast.ClassDef):
        named = [item for item in node.body if isinstance(item, (ast.Assign, ast.AnnAssign)) and item.value]
        return [item.value for item in named if ast.unparse(item).startswith(("code =", "code: str ="))]
    return []


def _constants(tree: ast.Module) -> dict[str, str]:
    """Strings that the module gives a name, also several at a time."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            (target,), value = node.targets, node.value
            names, values = (getattr(item, "elts", [item]) for item in (target, value))
            pairs = zip(names, values, strict=False)
            found |= {
                name.id: item.value for name, item in pairs if isinstance(getattr(item, "value", 0), str)
            }
    return found


def test_every_error_code_is_explained_in_the_documentation() -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "errors.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE)
    emitted = emitted_codes()
    assert {"INTERNAL", "BACKEND_TIMEOUT", "CANCELLED", "JOB_NOT_FOUND", "HOST_NOT_ALLOWED"} <= emitted
    assert sorted(explained) == sorted(emitted)
    assert {found.code for found in own_errors()} <= emitted

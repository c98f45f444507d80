"""What is not imported does not take time: each command loads what it needs and no more."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {"numpy", "onnxruntime", "tokenizers", "turbovec", "rich", "httpx", "pydantic", "mcp", "markdown_it",
         "charset_normalizer", "pathspec", "stamina", "tamis.indexing"}  # fmt: skip
RUN = "import sys; from tamis.__main__ import main; sys.argv[0] = 'tamis'; status = main(); sys.stderr.write(' '.join(sys.modules)); sys.exit(status)"


def loaded_by(*arguments: str) -> set[str]:
    """Names of the modules that a command loads, and of the packages that they are in."""
    done = subprocess.run([sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


def test_the_version_is_told_before_anything_is_loaded() -> None:
    loaded = loaded_by("--version")
    assert {name for name in loaded if name.startswith("tamis.")} == {"tamis.__main__"}
    assert not loaded & (HEAVY | {"click", "dataclasses", "msgspec", "sqlite3"})


def test_help_loads_no_command_and_no_library() -> None:
    loaded = loaded_by("-h")
    assert "tamis.library" not in loaded
    assert not {name for name in loaded if name.startswith("tamis.cli.commands.")}
    assert not loaded & (HEAVY | {"msgspec", "sqlite3"})


def test_a_search_by_words_loads_no_model_and_no_array(indexed: Path) -> None:
    loaded = loaded_by("search", "keys", "-m", "lexical")
    assert loaded & HEAVY == set()
    commands = {name for name in loaded if name.startswith("tamis.cli.commands.")}
    assert commands == {"tamis.cli.commands.search"}


def test_the_list_and_the_text_of_a_document_load_no_model_and_no_array(indexed: Path) -> None:
    assert loaded_by("list") & HEAVY == set()
    assert loaded_by("get", str(indexed / "keys.md")) & HEAVY == set()

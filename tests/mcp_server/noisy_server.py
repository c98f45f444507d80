"""``tamis mcp`` with an embedder that prints, warns and writes below Python, and that waits while a file is there.

python noisy_server.py GATE ARGUMENT…
"""

from __future__ import annotations

import ctypes
import logging
import os
import subprocess
import sys
import time
import warnings
from typing import TYPE_CHECKING

from tamis import embedders
from tamis.__main__ import main
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.types import Embedded, Vectors

GATE = sys.argv[1]


class Noisy(HashEmbedder):
    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        noise()
        while os.path.exists(GATE):
            time.sleep(0.02)  # a model that is slow
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> Vectors:
        noise()
        return super().embed_query(text)


def noise() -> None:
    print("NOISE from print")  # noqa: T201 the point
    sys.stdout.write("NOISE from stdout\n")
    sys.stdout.flush()
    os.write(1, b"NOISE from the descriptor\n")
    libc = ctypes.CDLL(None)
    libc.puts(b"NOISE from C")
    libc.fflush(None)
    subprocess.run(["echo", "NOISE from a child"], check=True)
    warnings.warn("NOISE from a warning", stacklevel=1)
    logging.getLogger("noisy").warning("NOISE from a log")


embedders.register("noisy")(lambda model, config: Noisy())
sys.argv[1:] = sys.argv[2:]
sys.exit(main())

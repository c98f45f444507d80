"""``python -m benchmarks.lexical FOLDER``: nDCG@10 beside bm25s and tantivy; latency beside tantivy.

The collections are BEIR-style, a document is a chunk. The halves are those of ``benchmarks.quality``: defaults were chosen on one.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from benchmarks.lexical.latency import latency
from benchmarks.lexical.quality import quality
from benchmarks.quality.halves import HALVES


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.lexical",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="where the collections are")
    parser.add_argument("--only", nargs="*", default=[], metavar="SET", help="collections; all when left out")
    parser.add_argument("--half", choices=HALVES, nargs="*", default=list(HALVES), help="of the queries")
    parser.add_argument("--chunks", nargs="*", type=int, default=[10_000, 100_000], help="for the latencies")
    asked = parser.parse_args()
    os.environ.setdefault("TQDM_DISABLE", "1")
    quality(asked.folder, asked.only, asked.half)
    for chunks in asked.chunks:
        latency(asked.folder, chunks)


if __name__ == "__main__":
    main()

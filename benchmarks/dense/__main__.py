"""``python -m benchmarks.dense``: scan at 10,000 and 100,000 vectors, encoder; ``--quality FOLDER`` and ``--context FOLDER`` for nDCG@10."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import platformdirs

from benchmarks.dense.bits import bits
from benchmarks.dense.context import context
from benchmarks.dense.encoder import encoder
from benchmarks.dense.quality import quality
from benchmarks.dense.scan import scan


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dense", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000], help="numbers of vectors")
    parser.add_argument("--million", action="store_true", help="a million vectors as well; takes 4 GB")
    parser.add_argument("--bits", action="store_true", help="compare codes of two, three and four bits")
    parser.add_argument("--no-encoder", action="store_true", help="leave the encoder out")
    parser.add_argument(
        "--quality", type=Path, metavar="FOLDER", help="test collections for nDCG@10; takes minutes"
    )
    parser.add_argument(
        "--context", type=Path, metavar="FOLDER", help="passages alone and under their headings; takes longer"
    )
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these collections")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--cache", type=Path, default=Path(platformdirs.user_cache_dir("tamis-benchmarks")))
    asked = parser.parse_args()
    for size in [*asked.sizes, *([1_000_000] if asked.million else [])]:
        print(*scan(size), sep="\n", flush=True)
        if asked.bits:
            print(*bits(size), sep="\n", flush=True)
    if not asked.no_encoder:
        print(*encoder(asked.cache, asked.threads), sep="\n", flush=True)
    if asked.quality:
        for line in quality(asked.quality, asked.cache, asked.only):
            print(line, flush=True)
    if asked.context:
        for line in context(asked.context, asked.cache, asked.only):
            print(line, flush=True)


if __name__ == "__main__":
    main()

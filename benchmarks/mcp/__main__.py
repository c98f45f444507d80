"""``python -m benchmarks.mcp [CHUNKS …]``: latency of corpus_search over stdio, and its start beside the SDK's import.

The query's embedding is left out: its vector costs microseconds. The library's own time for the same queries stands beside.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import anyio

import tamis
from benchmarks.mcp.pipes import Pipes
from benchmarks.scale.corpus import RandomEmbedder, Text, write_files
from benchmarks.scale.measuring import Row, System, measured, show
from mcp import Client, StdioServerParameters, stdio_client
from tamis import embedders

QUERIES = 200
STARTS = 11
SDK = "mcp.server.lowlevel.server, mcp.server.stdio"
SERVER = [sys.executable, "-m", "benchmarks.mcp.server"]
MODES = ("lexical", "hybrid")


def library_rows(home: Path, folder: Path, queries: list[str]) -> list[Row]:
    embedders.register("random")(lambda *_: RandomEmbedder())
    with tamis.open(home) as library:
        corpus = library.index("scale", [folder], embedder="random")
        return measured(
            [System(f"library, {mode}", 0, partial(corpus.search, mode=mode)) for mode in MODES], queries
        )


def pipe_rows(queries: list[str]) -> list[Row]:
    client = Pipes([*SERVER, "mcp"])
    systems = [System(f"stdio, {mode}", 0, partial(client.search, mode=mode)) for mode in MODES]
    rows = measured(systems, queries)
    client.close()
    return rows


async def client_row(queries: list[str]) -> Row:
    """The same through the SDK's own client, which checks each answer against the output schema."""
    parameters = StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], "mcp"], env=dict(os.environ))
    times: list[float] = []
    async with Client(stdio_client(parameters)) as client:
        for query in [*queries[:20], *queries]:
            start = time.perf_counter()
            await client.call_tool("corpus_search", {"corpus": "scale", "query": query})
            times.append((time.perf_counter() - start) * 1000)
    own = times[20:]
    return Row(
        "stdio, hybrid, the SDK's client", statistics.median(own), statistics.quantiles(own, n=20)[18], 0
    )


def starts() -> tuple[list[float], list[float]]:
    """Milliseconds from the start of ``tamis mcp`` to its list of tools, and for the SDK's server to be imported alone."""
    served: list[float] = []
    imported: list[float] = []
    for _ in range(STARTS):
        start = time.perf_counter()
        client = Pipes([sys.executable, "-m", "tamis", "mcp"])
        client.ask("tools/list")
        served.append((time.perf_counter() - start) * 1000)
        client.close()
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", f"import {SDK}"], check=True)
        imported.append((time.perf_counter() - start) * 1000)
    return served, imported


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chunks", nargs="*", type=int, default=[10_000])
    options = parser.parse_args()
    os.environ["TAMIS_CONFIG"] = os.devnull
    for chunks in options.chunks:
        with tempfile.TemporaryDirectory() as scratch:
            home, folder = Path(scratch) / "home", Path(scratch) / "docs"
            os.environ["TAMIS_HOME"] = str(home)
            write_files(folder, chunks)
            queries = Text.make().queries(QUERIES)
            rows = library_rows(home, folder, queries) + pipe_rows(queries) + [anyio.run(client_row, queries)]
            served, imported = starts()
            show(f"corpus_search, {chunks:,} chunks, top 10", rows)
            print(
                f"\nstart to tools/list: {min(served):.0f} ms at best, {statistics.median(served):.0f} in the middle of {STARTS}; "
                f"a process that only imports the SDK's server: {min(imported):.0f}, {statistics.median(imported):.0f}"
            )


if __name__ == "__main__":
    main()

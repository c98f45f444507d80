"""Compare tamis with its peers on test collections: ``python -m benchmarks.quality FOLDER``."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from benchmarks.quality.collection import collections
from benchmarks.quality.halves import HALVES, in_half
from benchmarks.quality.systems import SYSTEMS
from benchmarks.quality.table import latencies, markdown
from tamis.evaluate import Gold, evaluate, html_report, parse_measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.quality.collection import Collection
    from tamis.evaluate import Evaluation, Measure


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    measures = [parse_measure(text) for text in asked.measures.split(",")]
    results: dict[str, dict[str, Evaluation]] = {}
    for collection in collections(asked.folder, asked.only):
        results[collection.name] = _measure(collection, asked, measures)
        told = ", ".join(
            f"{system} {run.mean(measures[0]):.3f}" for system, run in results[collection.name].items()
        )
        print(f"{collection.name}: {told}", file=sys.stderr, flush=True)
    print(markdown(results, measures[0], asked.reference))
    print()
    print(latencies(results))
    if asked.json:
        record = {
            name: {system: run.to_dict() for system, run in runs.items()} for name, runs in results.items()
        }
        asked.json.write_text(json.dumps(record), encoding="utf-8")
    return 0


def _measure(
    collection: Collection, asked: argparse.Namespace, measures: Sequence[Measure]
) -> dict[str, Evaluation]:
    keep = partial(in_half, asked.half)
    gold = Gold(tuple(query for query in collection.gold.queries if keep(query.id)), collection.gold.level)
    runs: dict[str, Evaluation] = {}
    for name in asked.systems:
        try:
            run = SYSTEMS[name](collection, asked.cache)
        except ImportError as error:
            print(f"{name}: not installed ({error})", file=sys.stderr)
            continue
        run(gold.queries[0].text)  # whatever is loaded at first use is not a query's latency
        runs[name] = evaluate(run, gold, measures, name=name)
    if asked.html:
        asked.html.mkdir(parents=True, exist_ok=True)
        page = html_report(list(runs.values()), gold, title=f"Retrieval quality: {collection.name}")
        (asked.html / f"{collection.name}.html").write_text(page, encoding="utf-8")
    return runs


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder of BEIR-style sets, or one of them")
    parser.add_argument("--only", nargs="*", default=[], metavar="SET", help="sets to run; all when left out")
    parser.add_argument(
        "--systems", nargs="*", default=list(SYSTEMS), choices=list(SYSTEMS), metavar="SYSTEM"
    )
    parser.add_argument(
        "--half", choices=HALVES, default="all", help="tuned: the half that defaults were chosen on"
    )
    parser.add_argument("--measures", default="nDCG@10,Recall@10,Recall@100,MRR@10")
    parser.add_argument("--reference", default="tamis hybrid", help="the system that the marks compare with")
    parser.add_argument("--cache", type=Path, default=Path(platformdirs.user_cache_dir("tamis-benchmarks")))
    parser.add_argument("--json", type=Path, help="write every query's values here")
    parser.add_argument("--html", type=Path, help="write a report for each set into this folder")
    return parser


if __name__ == "__main__":
    sys.exit(main())

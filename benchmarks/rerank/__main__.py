"""What each local reranker does to a hybrid ranking: ``python -m benchmarks.rerank FOLDER``.

Prints nDCG@10 of the hybrid and of the hybrid reranked at several depths, then seconds a query and memory. Scores are
kept in the cache folder, so that a second run is quick; times are taken without it.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING

import platformdirs

from benchmarks.quality.collection import collections
from benchmarks.quality.halves import HALVES, in_half
from benchmarks.rerank.first_stage import FirstStage, hybrid
from tamis.evaluate import Gold, evaluate, parse_measure
from tamis.rerank import RerankSettings, ScoreCache, StageContext, create
from tamis.rerank.stage import rerank_candidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.quality.collection import Collection
    from tamis.types import Candidate

MEASURE = parse_measure("nDCG@10")
PATIENCE_S = 600
TIMED_QUERIES = 5


@dataclass(frozen=True, slots=True)
class Setup:
    """A row of the table: a driver with its options."""

    name: str
    driver: str
    config: tuple[tuple[str, object], ...] = ()

    def settings(self, depth: int) -> RerankSettings:
        options = {**dict(self.config), "deadline": PATIENCE_S}
        return RerankSettings(self.driver, input_top_n=depth, output_top_n=depth, config=options)


SETUPS = (
    Setup("keyword", "keyword"),
    Setup("lexical_boost", "lexical_boost"),
    Setup("mmr", "mmr"),
    Setup("cross_encoder, replacing", "cross_encoder", (("blend", 0),)),
    Setup("cross_encoder", "cross_encoder"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    rows: dict[tuple[str, int], dict[str, float]] = {}
    seconds: dict[str, dict[str, float]] = {}
    for collection in collections(asked.folder, asked.only):
        stage = _first_stage(collection, asked)
        rows.setdefault(("hybrid", 0), {})[stage.name] = _quality(stage, None, 0, asked.cache)
        for setup in SETUPS:
            for depth in asked.top:
                rows.setdefault((setup.name, depth), {})[stage.name] = _quality(
                    stage, setup, depth, asked.cache
                )
            if asked.times:
                seconds.setdefault(setup.name, {})[stage.name] = _seconds(stage, setup, max(asked.top))
        print(f"{stage.name}: done, {len(stage.queries)} queries", file=sys.stderr, flush=True)
    _print_quality(rows)
    if asked.times:
        _print_seconds(seconds, max(asked.top))
    print(f"\npeak memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0


def _first_stage(collection: Collection, asked: argparse.Namespace) -> FirstStage:
    judged = sorted(collection.gold.queries, key=lambda query: query.id)
    random.Random(asked.seed).shuffle(judged)
    kept = [query for query in judged[: asked.queries] if in_half(asked.half, query.id)]
    return hybrid(collection, kept, asked.cache)


def _quality(stage: FirstStage, setup: Setup | None, depth: int, cache_folder: Path) -> float:
    folder = cache_folder / "rerank" / stage.name
    folder.mkdir(parents=True, exist_ok=True)
    cache = ScoreCache(folder)

    def run(query: str) -> list[str]:
        candidates = stage.top(query)
        return _ids(query, candidates, setup, depth, cache) if setup else [one.id for one in candidates]

    return evaluate(run, Gold(stage.queries), [MEASURE], name="").mean(MEASURE)


def _ids(
    query: str, candidates: Sequence[Candidate], setup: Setup, depth: int, cache: ScoreCache | None
) -> list[str]:
    context = StageContext(cache_of=lambda _: cache)
    placed, report = rerank_candidates(
        query, candidates, create(setup.driver), setup.settings(depth), context
    )
    if report.degraded:
        raise SystemExit(f"{setup.name}: {report.degrade_reason}")
    return [candidates[one.position].id for one in placed] + [one.id for one in candidates[depth:]]


def _seconds(stage: FirstStage, setup: Setup, depth: int) -> float:
    """Median seconds to rerank, without the cache and after a first query that loads the model."""
    times: list[float] = []
    for query in stage.queries[: TIMED_QUERIES + 1]:
        candidates = stage.top(query.text)
        started = time.perf_counter()
        _ids(query.text, candidates, setup, depth, None)
        times.append(time.perf_counter() - started)
    return median(times[1:])


def _print_quality(rows: dict[tuple[str, int], dict[str, float]]) -> None:
    base = rows["hybrid", 0]
    print("| nDCG@10 | top | " + " | ".join(base) + " | mean |")
    print("|---|---|" + "---|" * (len(base) + 1))
    for (name, depth), values in rows.items():
        plain = name == "hybrid"
        cells = [f"{values[one]:.3f}" if plain else f"{values[one] - base[one]:+.3f}" for one in base]
        mean = fmean(values.values()) if plain else fmean(values[one] - base[one] for one in base)
        print(f"| {name} | {depth or ''} | " + " | ".join(cells) + f" | {mean:{'' if plain else '+'}.4f} |")


def _print_seconds(seconds: dict[str, dict[str, float]], depth: int) -> None:
    sets = list(next(iter(seconds.values())))
    print(f"\n| seconds a query, top {depth} | " + " | ".join(sets) + " |")
    print("|---|" + "---|" * len(sets))
    for name, values in seconds.items():
        print(f"| {name} | " + " | ".join(f"{values[one]:.4f}" for one in sets) + " |")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rerank", description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder of BEIR-style sets, or one of them")
    parser.add_argument("--only", nargs="*", default=[], metavar="SET", help="sets to run; all when left out")
    parser.add_argument(
        "--top", nargs="*", type=int, default=[20, 30, 50], metavar="N", help="how many to rerank"
    )
    parser.add_argument("--queries", type=int, default=60, metavar="N", help="queries of each set")
    parser.add_argument("--seed", type=int, default=7, help="which ones")
    parser.add_argument(
        "--half", choices=HALVES, default="all", help="tuned: the half that the blend was chosen on"
    )
    parser.add_argument("--times", action="store_true", help="time them too")
    parser.add_argument("--cache", type=Path, default=Path(platformdirs.user_cache_dir("tamis-benchmarks")))
    return parser


if __name__ == "__main__":
    sys.exit(main())

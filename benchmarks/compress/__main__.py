"""How much evidence survives compression: ``python -m benchmarks.compress FOLDER``.

The context of a question is the 20 passages that plain BM25 finds for it, best first; the budget is a share of the
context's tokens. Evidence is the data set's spans (chunking-eval), the answer's words (xquad-en; beside the passages in
locomo-sessions), else the whole judged passages. Only evidence inside the context counts.

"tamis, hits" has the cosines that a search of a corpus gives with its hits, which are made before the clock runs; "tamis,
hits, dense" embeds sentences as well, and their time counts.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.compress.cases import Case, cases
from benchmarks.compress.cosines import with_cosines
from benchmarks.compress.methods import bm25_sentences, head, random_sentences, tamis, tokens_of
from benchmarks.compress.survival import has_answer, span_share
from benchmarks.quality.halves import HALVES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.compress.methods import Span
    from tamis.ports import Embedder

SETS = ("chunking-eval", "claude-docs", "locomo-sessions", "xquad-en", "scifact")
METHODS: dict[str, Callable[[], Callable[[Case, int], Sequence[Span]]]] = {
    "head": lambda: head,
    "random sentences": lambda: random_sentences,
    "BM25 sentences": lambda: bm25_sentences,
    "tamis": tamis,
    "tamis, cited": lambda: tamis(cited=True),
}


HITS, DENSE = "tamis, hits", "tamis, hits, dense"


@cache
def encoder() -> Embedder:
    import platformdirs

    from tamis.embedders import get

    return get("bundled", cache=Path(platformdirs.user_cache_dir("tamis-benchmarks")))


METHODS[HITS] = lambda: tamis(hits=True)
METHODS[DENSE] = lambda: tamis(hits=True, embedder=encoder())


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    methods = {name: METHODS[name]() for name in asked.methods}
    columns: list[str] = []
    table: dict[str, list[str]] = {name: [] for name in methods}
    speed: dict[str, list[float]] = {name: [0.0, 0.0] for name in methods}
    for name in asked.only:
        chosen = list(cases(asked.folder / name, asked.half))
        if asked.sample and len(chosen) > asked.sample:
            chosen = random.Random(0).sample(chosen, asked.sample)
        if methods.keys() & {HITS, DENSE}:
            chosen = with_cosines(chosen, encoder())
        for method, compress in methods.items():
            for share in asked.budgets:
                values = _measure(chosen, compress, share, speed[method])
                for what, (mean, count) in values.items():
                    heading = f"{name} {what} ({count}) {share:.0%}"
                    if heading not in columns:
                        columns.append(heading)
                    table[method].append(f"{mean:.3f}")
            print(f"{name}: {method} done", file=sys.stderr, flush=True)
    _show(columns, table, len(asked.budgets))
    print("\n| method | context tokens a second |\n|---|---|")
    for method, (tokens, seconds) in speed.items():
        print(f"| {method} | {tokens / seconds:,.0f} |")
    return 0


def _measure(
    chosen: Sequence[Case], compress: Callable[[Case, int], Sequence[Span]], share: float, speed: list[float]
) -> dict[str, tuple[float, int]]:
    """Mean survival and number of questions for each kind of evidence."""
    values: defaultdict[str, list[float]] = defaultdict(list)
    for case in chosen:
        tokens = tokens_of(case)
        started = time.perf_counter()
        kept = compress(case, int(tokens * share))
        speed[1] += time.perf_counter() - started
        speed[0] += tokens
        if case.spans:
            values["spans"].append(span_share(case, kept))
        if case.answers:
            values["answers"].append(float(has_answer(case, kept)))
    return {what: (sum(each) / len(each), len(each)) for what, each in sorted(values.items(), reverse=True)}


def _show(columns: Sequence[str], table: dict[str, list[str]], budgets: int) -> None:
    """A table for each set and kind of evidence: methods down, budgets across."""
    kinds = list(dict.fromkeys(column.rsplit(" ", 1)[0] for column in columns))
    order = {column: place for place, column in enumerate(columns)}
    print(
        "| evidence | method | "
        + " | ".join(c.rsplit(" ", 1)[1] for c in columns[:: _stride(columns, budgets)][:budgets])
        + " |"
    )
    print("|---|---|" + "---|" * budgets)
    for kind in kinds:
        places = [order[column] for column in columns if column.rsplit(" ", 1)[0] == kind]
        best = [max(row[place] for row in table.values()) for place in places]
        for method, row in table.items():
            cells = (
                f"**{row[place]}**" if row[place] == top else row[place]
                for place, top in zip(places, best, strict=True)
            )
            print(f"| {kind} | {method} | " + " | ".join(cells) + " |")


def _stride(columns: Sequence[str], budgets: int) -> int:
    """How far apart the columns of one kind are in the first set."""
    first = columns[0].rsplit(" ", 1)[0]
    places = [place for place, column in enumerate(columns) if column.rsplit(" ", 1)[0] == first]
    return places[1] - places[0] if budgets > 1 else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compress", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the sets")
    parser.add_argument("--only", nargs="*", default=SETS, metavar="SET")
    parser.add_argument(
        "--methods",
        nargs="*",
        default=[name for name in METHODS if name != DENSE],
        choices=METHODS,
    )
    parser.add_argument("--budgets", nargs="*", type=float, default=[0.5, 0.25, 0.1], metavar="SHARE")
    parser.add_argument(
        "--half", choices=HALVES, default="held-back", help="tuned: what the constants were chosen on"
    )
    parser.add_argument("--sample", type=int, default=0, help="at most so many questions of a set")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())

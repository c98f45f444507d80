"""Who leaves the vectors for later is not surprised by them: only what asks for vectors makes them, and then they go on."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

import tamis
from tamis.errors import ConfigError, UnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tamis.types import Embedded
    from tests.library.conftest import CountingEmbedder

    Writer = Callable[[str, str], Path]
    Counting = dict[str, CountingEmbedder]


class StopError(Exception):
    """What cancels a run."""


def embedded(counting: Counting) -> int:
    return len(counting["one"].texts) if "one" in counting else 0


def test_neither_refresh_nor_index_starts_to_embed_what_was_to_wait(
    library: tamis.Library, notes: Path, write: Writer, counting: Counting
) -> None:
    corpus = library.index("notes", notes, dense=False)
    before = corpus.health().generation
    assert corpus.refresh().no_op
    assert corpus.health().generation == before
    write("new.md", "# New\n\nA pelican.\n")
    assert corpus.refresh().dense_coverage == 0.0
    assert library.index("notes", notes).summary().dense_coverage == 0.0
    assert embedded(counting) == 0


@pytest.mark.parametrize("how", ["embed", "refresh", "index"])
def test_once_vectors_are_asked_for_later_runs_make_them(
    library: tamis.Library, notes: Path, write: Writer, how: str
) -> None:
    corpus = library.index("notes", notes, dense=False)
    if how == "embed":
        corpus.embed()
    elif how == "refresh":
        assert not corpus.refresh(dense=True).no_op
    else:
        library.index("notes", notes, dense=True)
    assert corpus.summary().dense_coverage == 1.0
    write("new.md", "# New\n\nA pelican.\n")
    assert corpus.refresh().reembedded_chunks == 1
    before = corpus.health().generation
    assert corpus.refresh(dense=True).no_op
    assert corpus.refresh(dense=False).no_op
    assert corpus.health().generation == before


def test_vectors_that_there_are_stay_when_new_ones_are_to_wait(
    library: tamis.Library, notes: Path, write: Writer, counting: Counting
) -> None:
    library.index("notes", notes)
    done = embedded(counting)
    write("new.md", "# New\n\nA pelican.\n")
    corpus = library.index("notes", notes, dense=False)
    assert 0 < corpus.summary().dense_coverage < 1
    assert corpus.refresh().no_op
    write("newer.md", "# Newer\n\nA heron.\n")
    corpus.refresh(dense=False)
    corpus.refresh()
    assert embedded(counting) == done
    assert corpus.embed().newly_embedded_chunks == 2


@pytest.mark.parametrize("how", ["embed", "refresh", "index"])
@pytest.mark.parametrize("begun", ["index", "embed"])
def test_embedding_that_was_interrupted_is_gone_on_with(
    library: tamis.Library, notes: Path, write: Writer, counting: Counting, how: str, begun: str
) -> None:
    for number in range(40):
        write(f"{number}.md", f"Note {number}.\n")

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == "embed" and done:
            raise StopError

    if begun == "embed":
        library.index("notes", notes, dense=False)
    run = partial(library.index, "notes", notes) if begun == "index" else library.corpus("notes").embed
    with pytest.raises(StopError):
        run(progress=stop)
    corpus = library.corpus("notes")
    assert 0 < corpus.summary().dense_coverage < 1
    if how == "index":
        library.index("notes", notes)
    else:
        getattr(corpus, how)()
    assert corpus.summary().dense_coverage == 1.0
    assert len(set(counting["one"].texts)) == len(counting["one"].texts)


def test_embedding_that_could_not_begin_is_made_up_for_by_a_refresh(
    library: tamis.Library, notes: Path, counting: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.index("warm", notes)

    def fail(texts: Sequence[str]) -> Embedded:
        raise UnreachableError("no server", hint="start it")

    with monkeypatch.context() as patched:
        patched.setattr(counting["one"], "embed_passages", fail)
        corpus = library.index("notes", notes)
        assert corpus.summary().dense_coverage == 0.0
    corpus.refresh()
    assert corpus.summary().dense_coverage == 1.0


def test_an_embed_that_cannot_be_is_no_wish_for_later(
    library: tamis.Library, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.index("notes", notes, dense=False)
    monkeypatch.delitem(tamis.embedders.registry._factories, "hash")
    with tamis.open(library.home) as later:
        corpus = later.corpus("notes")
        with pytest.raises(ConfigError):
            corpus.embed()
        assert corpus.refresh().no_op


def test_progress_comes_after_a_few_texts(library: tamis.Library, notes: Path, write: Writer) -> None:
    for number in range(200):
        write(f"{number}.md", f"Note {number}.\n")
    told: list[int] = []
    library.index(
        "notes", notes, progress=lambda stage, done, total: told.append(done) if stage == "embed" else None
    )
    assert told[0] == 0
    assert told[1] <= 16
    assert max(after - before for before, after in pairwise(told)) <= 128
    assert told[-1] == 204

"""Long work, slow models, many calls at once."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import pytest

from tamis.mcp_server.jobs import CancelledError, Jobs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import tamis

pytestmark = pytest.mark.anyio


async def test_progress_rises_and_is_told_before_the_reply(connect: Callable[..., Any], notes: Path) -> None:
    steps: list[tuple[float, float | None, str | None]] = []

    async def seen(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, total, message))

    async with connect(mode="legacy") as client:
        asked = {"name": "notes", "paths": [str(notes)]}
        answer = await client.call_tool("corpus_index", asked, progress_callback=seen)
        told = list(steps)
    assert not answer.is_error
    assert told
    assert [step[0] for step in told] == sorted({step[0] for step in told})
    assert told[-1][2].startswith("making vectors")
    # That a stage begins is told, however short the one before it was.
    assert any(message.startswith("making vectors: 0 of") for _, _, message in told)


async def test_a_cancelled_index_run_stops_and_leaves_the_corpus_whole(
    connect: Callable[..., Any], notes: Path, model: Any, library: tamis.Library
) -> None:
    model.gate.clear()
    async with connect(mode="legacy") as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "corpus_index", {"name": "notes", "paths": [str(notes)]})
            await anyio.to_thread.run_sync(model.reached.wait, 10)
            group.cancel_scope.cancel()
        model.gate.set()
        # The same connection goes on, and so does the work where it stopped.
        words = await client.call_tool(
            "corpus_search", {"corpus": "notes", "query": "rotated", "mode": "lexical"}
        )
        again = await client.call_tool("corpus_refresh", {"name": "notes"})
    assert words.structured_content["result"]["hits"]
    assert not again.is_error, again.content[0].text
    health = library.corpus("notes").health()
    assert health.summary.dense_coverage == 1.0
    assert health.summary.write_complete


async def test_a_long_index_run_goes_on_in_the_background(
    connect: Callable[..., Any], notes: Path, model: Any
) -> None:
    model.gate.clear()
    asked = {"name": "notes", "paths": [str(notes)], "background": True}
    async with connect() as client:
        started = (await client.call_tool("corpus_index", asked)).structured_content["result"]
        assert (started["state"], started["corpus"]) == ("running", "notes")
        busy = await client.call_tool("corpus_index", asked)
        assert busy.structured_content["code"] == "CORPUS_BUSY"
        assert started["job_id"] in busy.structured_content["message"]
        await anyio.to_thread.run_sync(model.reached.wait, 10)
        model.gate.set()
        job: dict[str, Any] = {"state": "running"}
        with anyio.fail_after(20):
            while job["state"] == "running":
                health = (
                    await client.call_tool("corpus_health", {"job_id": started["job_id"]})
                ).structured_content
                (job,) = health["result"]["jobs"]
        by_name = (await client.call_tool("corpus_health", {"name": "notes"})).structured_content["result"]
        everything = (await client.call_tool("corpus_health", {})).structured_content["result"]
    assert job["state"] == "done"
    assert job["result"]["documents"] == 3
    assert by_name["jobs"] == everything["jobs"] == [job]


async def test_a_job_that_fails_says_why(connect: Callable[..., Any], notes: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("x")
    async with connect() as client:
        asked = {"name": "other", "paths": [str(outside)], "background": True}
        job = (await client.call_tool("corpus_index", asked)).structured_content["result"]
        with anyio.fail_after(20):
            while job["state"] == "running":
                health = (await client.call_tool("corpus_health", {"name": "other"})).structured_content
                (job,) = health["result"]["jobs"]
    assert (job["state"], job["error"]["code"]) == ("failed", "PATH_NOT_ALLOWED")


async def test_a_jobs_report_is_short_however_many_paths_it_names(
    connect: Callable[..., Any], notes: Path
) -> None:
    for number in range(60):
        (notes / f"{number}.md").write_text(f"# {number}\n")
    async with connect() as client:
        await client.call_tool("corpus_index", {"name": "notes", "paths": [str(notes)], "dense": False})
        asked = {"name": "notes", "dense": False, "background": True}
        job = (await client.call_tool("corpus_refresh", asked)).structured_content["result"]
        with anyio.fail_after(20):
            while job["state"] == "running":
                health = (await client.call_tool("corpus_health", {"name": "notes"})).structured_content
                (job,) = health["result"]["jobs"]
    assert len(job["result"]["unchanged"]) == 20
    assert job["result"]["cut"] == {"unchanged": 63}


def test_the_end_of_the_server_stops_jobs_at_their_next_step() -> None:
    jobs, begun, seen = Jobs(), threading.Event(), []

    def work(progress: Any) -> None:
        begun.set()
        while True:
            try:
                progress("embed", 1, 2)
            except CancelledError:
                seen.append("stopped")
                raise

    job = jobs.start("notes", "index", work)
    assert begun.wait(10)
    jobs.stop(10)
    assert (job.state, seen) == ("cancelled", ["stopped"])


async def test_a_model_that_does_not_answer_holds_up_no_other_call(
    connect: Callable[..., Any], indexed: Path, model: Any
) -> None:
    model.gate.clear()
    async with connect() as client, anyio.create_task_group() as group:
        answers: list[Any] = []

        async def search() -> None:
            answers.append(await client.call_tool("corpus_search", {"corpus": "notes", "query": "keys"}))

        for _ in range(40):
            group.start_soon(search)
        await anyio.to_thread.run_sync(model.reached.wait, 10)
        with anyio.fail_after(10):
            listed = await client.call_tool("corpus_list", {})
            words = await client.call_tool(
                "corpus_search", {"corpus": "notes", "query": "keys", "mode": "lexical"}
            )
        assert not answers
        model.gate.set()
    assert listed.structured_content["result"][0]["name"] == "notes"
    assert words.structured_content["result"]["hits"]
    assert len(answers) == 40
    assert all(answer.structured_content["result"]["hits"] for answer in answers)


async def test_fifty_calls_at_once_each_get_their_own_answer(
    connect: Callable[..., Any], library: tamis.Library, notes: Path
) -> None:
    for number in range(50):
        (notes / f"{number}.md").write_text(f"# Note {number}\n\nThe word is quagga{number}x.\n")
    library.index("notes", [notes])
    found: dict[int, str] = {}

    async with connect(mode="legacy") as client:

        async def search(number: int) -> None:
            asked = {
                "corpus": "notes",
                "query": f"quagga{number}x",
                "mode": "hybrid" if number % 2 else "lexical",
                "top_k": 1,
            }
            answer = await client.call_tool("corpus_search", asked)
            found[number] = answer.structured_content["result"]["hits"][0]["path"]

        async with anyio.create_task_group() as group:
            for number in range(50):
                group.start_soon(search, number)
    assert found == {number: str(notes / f"{number}.md") for number in range(50)}


async def test_the_model_is_made_when_it_is_first_needed_and_once(
    connect: Callable[..., Any], notes: Path, model: Any, library: tamis.Library
) -> None:
    library.index("notes", [notes], dense=False)
    made = model.made
    async with connect() as client:
        await client.list_tools()
        await client.call_tool("corpus_list", {})
        await client.call_tool("corpus_search", {"corpus": "notes", "query": "keys", "mode": "lexical"})
        assert model.made == made == 0
        await client.call_tool("corpus_refresh", {"name": "notes", "dense": True})
        for _ in range(3):
            await client.call_tool("corpus_search", {"corpus": "notes", "query": "keys", "mode": "semantic"})
    assert model.made == 1


async def test_structured_content_and_its_text_are_json_and_text(
    connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect(mode="legacy") as client:
        answer = await client.call_tool("corpus_search", {"corpus": "notes", "query": "keys"})
    json.dumps(answer.structured_content, allow_nan=False)
    assert [block.type for block in answer.content] == ["text"]

"""Memories, ``{content, id?, title?, date?, tags?, path?}``, from files, from JSON and from corpora."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

from tamis.errors import InputError, SourceError, TamisError
from tamis.library.passages import whole_text
from tamis.library.paths import resolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tamis.library.wiring import Wired

    Memory = dict[str, Any]

MAX_BYTES: Final = 100_000_000
TEXTS: Final = ("content", "text", "snippet", "body")
"""Keys that a memory's text may stand under: the memories' own, ours, rerankers' and servers'."""
LISTS: Final = ("memories", "documents", "docs", "hits", "result")
"""Keys that a list of memories may stand under; with the last two, what ``tamis search --json --text`` prints."""
SHAPE: Final = 'give JSON or JSON lines of {"content": "...", "id"?, "title"?, "date"?, "tags"?}'


def from_json(data: bytes, name: str) -> list[Memory]:
    """Memories of a JSON text: a list, an object with one, or an object or a text a line.

    Args:
        name: What to call the text in errors.

    Raises:
        InputError: It is none of these; the message has the line.
    """
    if len(data) > MAX_BYTES:
        raise InputError(f"{name} has more than {MAX_BYTES:,} bytes", hint="make a corpus of it: tamis index")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8", hint="convert it to UTF-8") from error
    try:
        whole: object = json.loads(text)
    except ValueError:
        return [
            _memory(_line(line, f"{name}:{number}"), f"{name}:{number}")
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip()
        ]
    return [_memory(each, f"{name}[{index}]") for index, each in enumerate(_listed(whole))]


def of_paths(paths: Sequence[str]) -> tuple[list[Memory], list[str]]:
    """A memory for each text file under the paths, and for each entry of a JSON file that is named; and what could not be read.

    Raises:
        SourceError: A path is not there.
        InputError: A JSON file is malformed.
    """
    found: list[Memory] = []
    problems: list[str] = []
    for path in paths:
        if not os.path.lexists(os.path.expanduser(path)):
            raise SourceError(f"no such file or folder: {path}", hint="check the path")
        if path.lower().endswith((".json", ".jsonl", ".ndjson")):
            with open(os.path.expanduser(path), "rb") as file:
                found += from_json(file.read(MAX_BYTES + 1), path)
        else:
            found += _of_files(resolved(path), problems)
    return found, problems


def of_corpus(wired: Wired) -> Iterator[Memory]:
    """A memory for each document of a corpus; its date is the file's."""
    with wired.truth.snapshot() as snapshot:
        for file in list(snapshot.files()):
            yield {
                "id": f"{snapshot.manifest.name}:{file.relative_path}",
                "title": file.title,
                "content": whole_text(snapshot.chunks_of(file)),
                "date": _date(file.stat.mtime_ns),
                "path": file.path,
            }


def _of_files(root: str, problems: list[str]) -> Iterator[Memory]:
    from tamis.chunking import chunk
    from tamis.readers import read, walk

    found = walk([root], allowed_roots=[os.path.realpath(root)])
    for source in found:
        try:
            document = read(source)
        except TamisError as error:
            problems.append(f"{source.path} was left out: {error.message}")
            continue
        yield {
            "id": document.path,
            "title": chunk(document).title,
            "content": document.text,
            "date": _date((document.stat or source.stat).mtime_ns),
            "path": document.path,
        }
    problems += [f"{failed.path} was left out: {failed.reason}" for failed in found.failed]


def _date(mtime_ns: int) -> str:
    return datetime.fromtimestamp(mtime_ns / 1e9, UTC).isoformat(timespec="seconds")


def _line(line: str, place: str) -> object:
    try:
        return json.loads(line)
    except ValueError as error:
        raise InputError(f"{place} is not JSON: {error}", hint=SHAPE) from error


def _listed(whole: object) -> list[object]:
    if isinstance(whole, dict):
        record = cast("dict[str, object]", whole)
        for key in LISTS:
            if isinstance(inner := record.get(key), (dict, list)):
                return _listed(cast("object", inner))
    return cast("list[object]", whole) if isinstance(whole, list) else [whole]


def _memory(value: object, place: str) -> Memory:
    if isinstance(value, str):
        return {"content": value}
    record = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    key = next((key for key in TEXTS if isinstance(record.get(key), str)), None)
    if key is None:
        raise InputError(f"{place} has no content", hint=SHAPE)
    return {"content": record[key], **{name: value for name, value in record.items() if name != key}}

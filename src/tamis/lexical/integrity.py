"""Whether the files of an index are the ones that were written.

The engine writes a checksum into each file and does not read it back. Reading all files would take a second a gigabyte at every start, so
it is done for those that were modified after the commit that names them: files of an index are written once, before it.
"""

from __future__ import annotations

import json
import struct
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

META = "meta.json"
# At the end of each file: a JSON object with the checksum, its length, a magic number.
_TAIL = struct.Struct("<II")
_MAGIC = 1337
_BLOCK = 1 << 20


def sound(folder: Path) -> bool:
    """Whether the index in ``folder`` can be trusted, as far as can be told without the engine."""
    try:
        committed = (folder / META).stat().st_mtime_ns
        stems = {segment["segment_id"].replace("-", "") for segment in _meta(folder)["segments"]}
        files = [path for path in folder.iterdir() if path.name.partition(".")[0] in stems]
        return all(_whole(path) for path in files if path.stat().st_mtime_ns > committed)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _meta(folder: Path) -> dict[str, Any]:
    return json.loads((folder / META).read_bytes())


def _whole(path: Path) -> bool:
    """Whether the file's checksum is right; the engine checks the rest of the ending itself."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if size < _TAIL.size:
            return False
        file.seek(size - _TAIL.size)
        length, magic = _TAIL.unpack(file.read(_TAIL.size))
        end = size - _TAIL.size - length
        if magic != _MAGIC or end < 0:
            return False
        file.seek(end)
        expected = json.loads(file.read(length))["crc"]
        file.seek(0)
        found = 0
        while end > 0:
            block = file.read(min(end, _BLOCK))
            found, end = zlib.crc32(block, found), end - len(block)
    return found == expected

"""What a run found and did, and what it has to say about files that are not as on disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.readers import is_within
from tamis.types import FailedPath

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from tamis.storage import Snapshot
    from tamis.types import FileRow, Settings

SHOWN = 3  # of a list of paths


class Kept:
    """Files that stay in a corpus although the disk did not show their text.

    Args:
        failed: Paths of files, and of folders with all that lies in them, that could not be read.
        missing: Named paths that are not there. What was indexed of such a folder is kept: a disk may not be mounted.

    Attributes:
        unread: Files whose old text, which was once the disk's, is kept because of ``failed``.
        amended: Files whose amended text is kept, for either reason.
        absent: How many files are kept of each of ``missing``.
    """

    def __init__(self, failed: Collection[str] = (), missing: Sequence[str] = ()) -> None:
        self._failed = failed
        self.unread: list[str] = []
        self.amended: list[str] = []
        self.absent = dict.fromkeys(missing, 0)

    def holds(self, row: FileRow) -> bool:
        """Whether the file is to be kept; if so, it is counted."""
        root = next((root for root in self.absent if row.path != root and is_within(row.path, root)), None)
        if root is None and not self._is_unread(row.path):
            return False
        if root is not None:
            self.absent[root] += 1
        elif not row.amended:
            self.unread.append(row.path)
        if row.amended:
            self.amended.append(row.path)
        return True

    def remarks(self) -> list[str]:
        """A line for each thing that a user should know of it."""
        lines = [
            f"not there: {root}"
            + (f"; what was indexed of it is kept: {count(files, 'file')}" if files else "")
            for root, files in self.absent.items()
        ]
        if self.unread:
            lines.append(
                f"old text kept of {count(len(self.unread), 'file')} that cannot be read: {some(self.unread)}"
            )
        if self.amended:
            lines.append(f"amended text is still in place of the disk's: {some(self.amended)}")
        return lines

    @property
    def possible(self) -> bool:
        """Whether there may be such files."""
        return bool(self._failed or self.absent)

    def __bool__(self) -> bool:
        return bool(self.unread or self.amended or any(self.absent.values()))

    def _is_unread(self, path: str) -> bool:
        if not self._failed:
            return False
        while path not in self._failed:
            if path in {"", "/"}:
                return False
            path = path.rpartition("/")[0] or "/"
        return True


@dataclass(slots=True)
class Changes:
    """What a reconciliation found and did. Paths are absolute. ``kept``: what stays without having been found."""

    added: list[str] = field(default_factory=list[str])
    changed: list[str] = field(default_factory=list[str])
    unchanged: list[str] = field(default_factory=list[str])
    dropped: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])
    failed: list[FailedPath] = field(default_factory=list[FailedPath])
    retried: list[str] = field(default_factory=list[str])
    machine_made: list[str] = field(default_factory=list[str])
    kept: Kept = field(default_factory=Kept)
    dropped_chunks: int = 0
    skipped_binary: int = 0
    wrote: bool = False


def remarks(changes: Changes, settings: Settings) -> list[str]:
    """What is worth a warning in what a run found and did."""
    lines: list[str] = []
    found = len(changes.added) + len(changes.changed) + len(changes.unchanged)
    if found == 0 and not changes.kept:
        lines.append(_nothing(len(changes.dropped), settings))
    lines += changes.kept.remarks()
    if made := changes.machine_made:
        are = "is" if len(made) == 1 else "are"
        lines.append(f"{count(len(made), 'machine-made file')} {are} searched by words only: {some(made)}")
    return lines


def not_embedded(snapshot: Snapshot) -> list[str]:
    """A line on the passages that the model in use could not embed; none when there are none."""
    manifest = snapshot.manifest
    if manifest.model_id is None:
        return []
    failed = snapshot.failed_passages(manifest.model_id, SHOWN)
    if not failed:
        return []
    number = snapshot.failed_text_count(manifest.model_id)
    shown = "; ".join(f"{path}, passage {index + 1}: {reason}" for path, index, reason in failed)
    more = " …" if number > len(failed) else ""
    told = f"{count(number, 'passage')} could not be embedded, to be found by words only: {shown}{more}"
    return [f"{told}; tamis refresh {manifest.name} --retry-failed tries again"]


def count(number: int, noun: str) -> str:
    """``1 file``, ``12,042 files``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def some(paths: Sequence[str]) -> str:
    """The first few of them."""
    return _joined(paths[:SHOWN]) + (" …" if len(paths) > SHOWN else "")


def _nothing(dropped: int, settings: Settings) -> str:
    lost = f", and {count(dropped, 'document')} dropped" if dropped else ""
    globs = "; ".join(
        f"{name}: {_joined(patterns)}"
        for name, patterns in (("include", settings.include), ("exclude", settings.exclude))
        if patterns
    )
    stay = f" ({globs}), which stay until others are given," if globs else ""
    return (
        f"no files matched: nothing is indexed{lost}; check the paths, the globs{stay} and the ignore files"
    )


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)

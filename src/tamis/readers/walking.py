"""From the paths that somebody names to the files that are there to be read."""

from __future__ import annotations

import os
import stat
from operator import attrgetter
from typing import TYPE_CHECKING

from tamis.errors import NotRegularError, SourceError, SymlinkError, TooLargeError, UnreadableError
from tamis.readers.binary import UNREAD_SUFFIXES
from tamis.readers.filters import GlobFilter
from tamis.readers.ignoring import Ignores, inherited
from tamis.readers.opening import MAX_BYTES, special, too_large, unreadable
from tamis.readers.registry import reader_for
from tamis.readers.roots import is_utf8, printable, resolve
from tamis.readers.suffixes import suffixes_of
from tamis.types import FailedPath, FileStat, Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NEVER_ENTERED = frozenset({".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", ".pijul", "CVS"})


def walk(
    roots: Sequence[str],
    *,
    allowed_roots: Sequence[str],
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    left_out: Sequence[str] = (),
    max_bytes: int = MAX_BYTES,
) -> Walk:
    """The files that ``roots`` name, themselves or by the folder that they lie in.

    Left out of a folder are hidden files, what its ignore files rule out (``tamis.readers.ignoring``), what the globs
    leave out (``tamis.readers.filters``) and the innards of version control. A file that is named itself is taken, even
    if it is hidden or ignored; globs apply to it all the same, by its name.

    Args:
        roots: Paths of files and folders; ``~`` is not expanded.
        allowed_roots: Resolved absolute paths; nothing outside them is read.
        include: Globs; without any, every file is included.
        exclude: Globs.
        left_out: Resolved paths that are passed over where a walk meets them.
        max_bytes: A larger file fails.

    Raises:
        InputError: A glob is blank.
    """
    return Walk(roots, allowed_roots, GlobFilter(include, exclude), left_out, max_bytes)


class Walk:
    """An iterable of the files, each once, as ``Source``; every iteration walks anew.

    In a folder files come first, sorted by name, then its folders. Nothing is opened but ignore files. Memory is
    bounded by the largest folder.

    Attributes:
        failed: What should have been found and could not be taken, in this iteration so far.
        missing: Named paths, resolved, that are not there.
        skipped_binary: Number of files whose names say that they are no text, or in a format that no reader takes.
            Those that only their bytes give away are found by ``read``.
    """

    def __init__(
        self,
        roots: Sequence[str],
        allowed_roots: Sequence[str],
        globs: GlobFilter,
        left_out: Sequence[str],
        max_bytes: int,
    ) -> None:
        self._roots = tuple(roots)
        self._allowed_roots = tuple(allowed_roots)
        self._globs = globs
        self._left_out = frozenset(left_out)
        self._max_bytes = max_bytes
        self._named: dict[str, os.stat_result] = {}
        self.failed: list[FailedPath] = []
        self.missing: list[str] = []
        self.skipped_binary = 0

    def __iter__(self) -> Iterator[Source]:
        self.failed, self.missing, self.skipped_binary = [], [], 0
        self._named = self._find_named()
        for path, found in self._named.items():
            name = os.path.basename(path)
            if stat.S_ISDIR(found.st_mode):
                yield from self._below(path)
            elif not self._globs.excludes(path, name, folder=False) and self._globs.includes(path, name):
                yield from self._take(path, name, found)

    def _find_named(self) -> dict[str, os.stat_result]:
        named: dict[str, os.stat_result] = {}
        for root in self._roots:
            try:
                path = resolve(root, self._allowed_roots)
            except SourceError as error:
                self._fail(root, error)
                continue
            try:
                named[path] = os.lstat(path)
            except (FileNotFoundError, NotADirectoryError):
                self.missing.append(path)
            except OSError as error:
                self._fail(path, UnreadableError(unreadable(error)))
        return named

    def _below(self, root: str) -> Iterator[Source]:
        start = len(root.rstrip("/")) + 1
        waiting = [(root, inherited(root, self._allowed_roots, self._fail))]
        while waiting:
            folder, ignores = waiting.pop()
            entries = self._entries(folder)
            ignores = ignores.extended(folder, {entry.name for entry in entries}, self._fail)
            folders: list[str] = []
            for entry in entries:
                is_folder = entry.is_dir(follow_symlinks=False)
                if self._leaves_out(entry, entry.path[start:], is_folder, ignores):
                    continue
                if is_folder:
                    folders.append(entry.path)
                else:
                    yield from self._take_entry(entry, entry.path[start:])
            waiting += [(path, ignores) for path in reversed(folders) if self._is_storable(path)]

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=attrgetter("name"))
        except FileNotFoundError:
            return []
        except OSError as error:
            self._fail(folder, UnreadableError(unreadable(error)))
            return []

    def _leaves_out(self, entry: os.DirEntry[str], relative: str, is_folder: bool, ignores: Ignores) -> bool:
        return (
            entry.name in _NEVER_ENTERED
            or entry.path in self._named
            or entry.path in self._left_out
            or ignores.skip(entry.path, entry.name, folder=is_folder)
            or self._globs.excludes(entry.path, relative, folder=is_folder)
        )

    def _take_entry(self, entry: os.DirEntry[str], relative: str) -> Iterator[Source]:
        included = self._globs.includes(entry.path, relative)
        # A link to a folder might lead to what is included: better to report it than to pass it over.
        if included or (entry.is_symlink() and entry.is_dir()):
            try:
                found = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                return
            except OSError as error:
                self._fail(entry.path, UnreadableError(unreadable(error)))
            else:
                yield from self._take(entry.path, entry.name, found)

    def _take(self, path: str, name: str, found: os.stat_result) -> Iterator[Source]:
        if self._is_binary(name):
            self.skipped_binary += 1
        elif stat.S_ISLNK(found.st_mode):
            self._fail(path, SymlinkError("it is a symbolic link"))
        elif not stat.S_ISREG(found.st_mode):
            self._fail(path, NotRegularError(special(found.st_mode)))
        elif found.st_size > self._max_bytes:
            self._fail(path, TooLargeError(too_large(found.st_size, self._max_bytes)))
        elif self._is_storable(path):
            yield Source(path, FileStat(found.st_size, found.st_mtime_ns))

    def _is_binary(self, name: str) -> bool:
        return not UNREAD_SUFFIXES.isdisjoint(suffixes_of(name.lower())) and reader_for(name) is None

    def _is_storable(self, path: str) -> bool:
        if is_utf8(path):
            return True
        self._fail(path, UnreadableError("its name is not UTF-8"))
        return False

    def _fail(self, path: str, error: SourceError) -> None:
        self.failed.append(FailedPath(printable(path), error.message, error.code))

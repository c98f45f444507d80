"""Which rules of ignore files hold where."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tamis.errors import SourceError
from tamis.readers.gitignore import IgnoreRules
from tamis.readers.opening import read_bytes
from tamis.readers.roots import is_within

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

_GIT = ".gitignore"
_OWN = ".tamisignore"
_MAX_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class Ignores:
    """The rules that hold in a folder: of ``.gitignore`` and of ``.tamisignore`` files, outermost first.

    What a ``.tamisignore`` says goes before what any ``.gitignore`` says, so that a corpus may leave out what is under
    version control and take in what is not, hidden files too. Among files of one name the nearest goes first.
    """

    git: tuple[IgnoreRules, ...] = ()
    own: tuple[IgnoreRules, ...] = ()

    def skip(self, path: str, name: str, *, folder: bool) -> bool:
        """Whether an entry is left out, be it by a rule or because it is hidden."""
        verdict = _nearest(self.own, path, name, folder)
        if verdict is None:
            return name.startswith(".") or bool(_nearest(self.git, path, name, folder))
        return verdict

    def extended(
        self, folder: str, names: Collection[str], fail: Callable[[str, SourceError], None]
    ) -> Ignores:
        """With the rules of the ignore files in ``folder``, whose entries are ``names``.

        ``fail`` is told of each one that cannot be read.
        """
        git, own = (_rules(folder, name, fail) if name in names else () for name in (_GIT, _OWN))
        return Ignores(self.git + git, self.own + own) if git or own else self


def inherited(root: str, allowed_roots: Sequence[str], fail: Callable[[str, SourceError], None]) -> Ignores:
    """The rules that a named folder has from the folders above it, up to the top of its git working tree.

    None outside a working tree or where its top is outside the allowed roots; none either when they would leave out
    the named folder itself: to name it is to want it.
    """
    line = [root]
    while not _is_there(line[0], ".git"):
        parent = os.path.dirname(line[0])
        if parent == line[0] or not any(is_within(parent, allowed) for allowed in allowed_roots):
            return Ignores()
        line.insert(0, parent)
    ignores = Ignores()
    for folder, below in pairwise(line):
        ignores = ignores.extended(folder, [name for name in (_GIT, _OWN) if _is_there(folder, name)], fail)
        if ignores.skip(below, os.path.basename(below), folder=True):
            return Ignores()
    return ignores


def _is_there(folder: str, name: str) -> bool:
    return os.path.lexists(os.path.join(folder, name))


def _rules(folder: str, name: str, fail: Callable[[str, SourceError], None]) -> tuple[IgnoreRules, ...]:
    path = os.path.join(folder, name)
    try:
        data, _ = read_bytes(path, max_bytes=_MAX_BYTES)
    except SourceError as error:
        fail(path, error)
        return ()
    # As the system's file names are decoded, so that rules for names that are not UTF-8 find them.
    return (IgnoreRules(folder, data.decode("utf-8", "surrogateescape")),)


def _nearest(stack: tuple[IgnoreRules, ...], path: str, name: str, folder: bool) -> bool | None:
    for rules in reversed(stack):
        verdict = rules.ignores(path, name, folder=folder)
        if verdict is not None:
            return verdict
    return None

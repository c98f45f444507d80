"""The paths that a caller names, resolved and checked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, overload

from tamis.errors import InputError, RootError, SourceError, UnreadableError
from tamis.readers import is_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Named: TypeAlias = str | os.PathLike[str]

OWN = ("corpora", "cache", "costs.db", "searches.jsonl", "searches.old.jsonl")


def resolved(path: str | os.PathLike[str]) -> str:
    """Absolute, with ``~`` expanded and the folder's own symlinks followed; the last part is left as it is, so that a symlink
    that was named is seen as one.

    Raises:
        UnreadableError: No corpus can hold a path of that name.
    """
    if not storable(os.fspath(path)):
        fault = "has a NUL in it" if "\0" in os.fspath(path) else "is not UTF-8"
        raise UnreadableError(f"the name {os.fspath(path)!r} {fault}", hint="rename it to index it")
    absolute = Path(os.path.abspath(os.path.expanduser(path)))
    return os.path.join(os.path.realpath(absolute.parent), absolute.name)


def storable(name: str) -> bool:
    """Whether a name can stand in the truth: no byte that is not UTF-8, no NUL."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in name


@overload
def listed(names: str | Iterable[str]) -> tuple[str, ...]: ...


@overload
def listed(names: Named | Iterable[Named]) -> tuple[Named, ...]: ...


def listed(names: Named | Iterable[Named]) -> tuple[Named, ...]:
    """The names; one that came without a list around it is one, and not the letters that it has."""
    return (names,) if isinstance(names, str | os.PathLike) else tuple(names)


def own_paths(home: str | os.PathLike[str]) -> tuple[str, ...]:
    """What a walk passes over: the home of a library, and where somebody named that, what the library keeps in it."""
    folder = os.path.realpath(home)
    return (folder, *(os.path.join(folder, name) for name in OWN))


def allowed_roots(configured: Iterable[str]) -> tuple[str, ...]:
    """The home folder and the configured roots, resolved."""
    return tuple(os.path.realpath(os.path.expanduser(root)) for root in ("~", *configured))


def named(paths: Sequence[str | os.PathLike[str]], roots: Sequence[str] | None) -> tuple[str, ...]:
    """Resolve the paths to index; each once, in the order given.

    Args:
        roots: Folders that they must be inside of; ``None`` when a person named them.

    Raises:
        InputError: There are none.
        RootError: One is outside the roots.
        SourceError: None of them exists.
    """
    found = tuple(dict.fromkeys(resolved(path) for path in paths))
    if not found:
        raise InputError("no path was given", hint="name at least one file or folder")
    if roots is not None:
        for path in found:
            require_within(os.path.realpath(path), roots)
    if not any(os.path.lexists(path) for path in found):
        raise SourceError(f"no such file or folder: {', '.join(found)}", hint="check the path")
    return found


def require_within(path: str, roots: Iterable[str]) -> None:
    """Refuse a path outside the roots.

    Raises:
        RootError: It is outside.
    """
    if not any(is_within(path, root) for root in roots):
        raise RootError(
            f"{path} is outside the allowed folders",
            hint="add its folder to TAMIS_ALLOWED_ROOTS or allowed_roots, or index it on the command line",
        )


def require_no_folder(path: str) -> None:
    """Refuse a path at which something is that is no file; nothing needs to be there.

    Raises:
        InputError: It is a folder, a pipe or a device.
    """
    if os.path.isdir(path):
        raise InputError(f"{path} is a folder", hint="name the file whose text is to be replaced")
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{path} is no regular file", hint="name the file whose text is to be replaced")

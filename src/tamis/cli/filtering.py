"""The options that say which files take part in a search, for the commands that search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from tamis.types import Filter

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., Any]")


def filter_options(function: Function) -> Function:
    """``--path-glob`` and ``--since``."""
    since = click.option(
        "--since", metavar="TIME", help="Only files modified since this date or time (ISO 8601)."
    )
    glob = click.option(
        "--path-glob", metavar="GLOB", help="Only files whose path matches; ** crosses folders."
    )
    return glob(since(function))


def asked_filter(path_glob: str | None, since: str | None) -> Filter | None:
    """The filter, ``None`` where neither option was given; an empty one was, and is refused by the search."""
    return None if path_glob is None and since is None else Filter(path_glob=path_glob, since=since)

"""Whether the set-up on this machine can work, check by check."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.config import config_file
from tamis.errors import TamisError
from tamis.library.check import Check
from tamis.library.library import Library, open
from tamis.library.model_checks import check_models
from tamis.library.wiring import Embedders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# Below this an index run of some tens of thousands of files may not fit.
LOW_DISK = 1_000_000_000
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*(?:;.*extra\s*==\s*['\"]([^'\"]+)['\"])?")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """``works``: no check failed. A warning is something to know, not a failure."""

    works: bool
    checks: tuple[Check, ...]


def diagnose(
    home: str | os.PathLike[str] | None = None, *, config: str | os.PathLike[str] | None = None
) -> Diagnosis:
    """Look at everything that tamis needs; nothing is changed, and no problem raises."""
    checks = list(_installed())
    try:
        with open(home, config=config) as library:
            checks += _configuration(library, config)
            for look in CHECKS:
                checks += look(library)
    except TamisError as error:
        checks.append(Check("configuration", "tamis.toml", "failed", error.message, error.hint))
    return Diagnosis(all(check.status != "failed" for check in checks), tuple(checks))


def _installed() -> Iterator[Check]:
    topic = "installed"
    yield Check(topic, "python", "ok", f"{platform.python_version()} on {platform.platform(terse=True)}")
    needed: list[str] = []
    extras: dict[str, bool] = {}
    for requirement in importlib.metadata.requires("tamis") or ():
        match = _REQUIREMENT.match(requirement)
        if match is None:
            continue
        name, extra = match.groups()
        version = _version(name)
        if extra is not None:
            extras[extra] = extras.get(extra, True) and version is not None
        elif version is None:
            yield Check(topic, name, "failed", "not installed", f"pip install {name}")
        else:
            needed.append(f"{name} {version}")
    yield Check(topic, "tamis", "ok", _version("tamis") or "not as a package")
    yield Check(topic, "libraries", "ok", ", ".join(needed))
    present = ", ".join(name for name, there in extras.items() if there) or "none"
    absent = ", ".join(name for name, there in extras.items() if not there)
    yield Check(topic, "extras", "note", f"{present}; not installed: {absent}" if absent else present)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _configuration(library: Library, config: str | os.PathLike[str] | None) -> Iterator[Check]:
    path = config_file() if config is None else config
    there = os.path.exists(path)
    detail = f"{path}" if there else f"{path} is not there: the defaults hold"
    yield Check("configuration", "tamis.toml", "ok" if there else "note", detail)
    for key, origin in library.config_origins.items():
        if origin != str(path):
            yield Check("configuration", key, "note", f"set by {origin}")


def _embedder(library: Library) -> Iterator[Check]:
    name = library.config.index.embedder
    try:
        found = Embedders(library.home, library.config)(name).fingerprint
    except TamisError as error:
        yield Check("embedder", name, "failed", error.message, error.hint)
    else:
        yield Check("embedder", name, "ok", f"{found.version}, {found.dimensions} dimensions")


def _models(library: Library) -> Iterator[Check]:
    yield from check_models(library.config)


def _storage(library: Library) -> Iterator[Check]:
    there = _existing(library.home)
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        yield Check("storage", "home", "ok", str(library.home))
    else:
        hint = "set TAMIS_HOME to a folder that you may write to"
        yield Check("storage", "home", "failed", f"{library.home} cannot be written to", hint)
    free = shutil.disk_usage(there).free
    enough = free >= LOW_DISK
    yield Check(
        "storage",
        "disk",
        "ok" if enough else "warning",
        f"{free / 1e9:,.1f} GB free",
        "" if enough else "an index takes about as much again as its text, and 1 KB a passage for vectors",
    )


def _existing(path: Path) -> Path:
    """The path, or the nearest folder above it that exists."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _roots(library: Library) -> Iterator[Check]:
    for root in library.allowed_roots:
        there = os.path.isdir(root)
        hint = "" if there else "nothing can be read there; mend TAMIS_ALLOWED_ROOTS or allowed_roots"
        yield Check(
            "allowed roots", root, "ok" if there else "warning", "" if there else "not a folder", hint
        )


def _corpora(library: Library) -> Iterator[Check]:
    for name in library.names():
        try:
            report = library.corpus(name).health()
        except TamisError as error:
            yield Check("corpora", name, "failed", error.message, error.hint)
            continue
        line = report.summary
        detail = (
            f"documents: {line.documents:,}, chunks: {line.chunks:,}, {line.model_version or 'no vectors'}"
        )
        yield Check(
            "corpora", name, "warning" if report.warnings else "ok", detail, "; ".join(report.warnings)
        )


CHECKS: tuple[Callable[[Library], Iterator[Check]], ...] = (_embedder, _models, _storage, _roots, _corpora)

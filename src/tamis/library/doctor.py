"""Whether the set-up on this machine can work, check by check."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tamis.config import config_file
from tamis.errors import TamisError
from tamis.library.check import Check
from tamis.library.library import Library, open
from tamis.library.model_checks import model_probes
from tamis.library.probes import Probe, look_at_all, slow
from tamis.library.wiring import Embedders
from tamis.storage import Home, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


PATIENCE_S = 5.0
# Loading a model into this process waits for nothing but the disk; it ends.
LOADING_FACTOR = 4
# Below this an index run of some tens of thousands of files may not fit.
LOW_DISK = 1_000_000_000
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)[^;]*(?:;.*extra\s*==\s*['\"]([^'\"]+)['\"])?")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """``works``: no check failed. A warning is something to know, not a failure."""

    works: bool
    checks: tuple[Check, ...]


def diagnose(
    home: str | os.PathLike[str] | None = None,
    *,
    config: str | os.PathLike[str] | None = None,
    patience: float = PATIENCE_S,
) -> Diagnosis:
    """Look at everything that tamis needs; nothing is changed, and no problem raises.

    What may be slow (servers, models, disks) is looked at all at once, and reported as slow after ``patience`` seconds.
    """
    checks = list(_installed())
    try:
        with open(home, config=config) as library:
            checks += _configuration(library, config)
            checks += look_at_all(
                [
                    _embedder(library, patience),
                    *model_probes(library.config, patience),
                    Probe("storage", "home", lambda: list(_storage(library)), patience),
                    Probe("allowed roots", "folders", lambda: list(_roots(library)), patience),
                    *_corpora(library, patience),
                ]
            )
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


def _embedder(library: Library, patience: float) -> Probe:
    topic, name = "embedder", library.config.index.embedder

    def look() -> list[Check]:
        found = Embedders(library.home, library.config)(name).fingerprint
        return [Check(topic, name, "ok", f"{found.version}, {found.dimensions} dimensions")]

    served = hasattr(library.config.embedder, name.partition(":")[0])
    return Probe(topic, name, look, patience if served else LOADING_FACTOR * patience)


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


def _corpora(library: Library, patience: float) -> Iterator[Probe]:
    for name in library.names():
        yield Probe("corpora", name, partial(_corpus, library, name, patience), LOADING_FACTOR * patience)


def _corpus(library: Library, name: str, patience: float) -> list[Check]:
    """The corpus's line, and what may be wrong with it, for which its embedder is asked."""
    corpus = library.corpus(name)
    line = corpus.summary()
    detail = f"documents: {line.documents:,}, chunks: {line.chunks:,}, {line.model_version or 'no vectors'}"

    def look() -> list[Check]:
        warnings = corpus.health().warnings
        return [Check("corpora", name, "warning" if warnings else "ok", detail, "; ".join(warnings))]

    late = slow("corpora", name, patience, f"{detail}; its embedder")
    return [*look_at_all([Probe("corpora", name, look, patience, late)]), *_old_vectors(library, name)]


def _old_vectors(library: Library, name: str) -> Iterator[Check]:
    truth = Truth(Home(library.home).folder(name) / "corpus.db")
    with closing(truth), truth.snapshot() as snapshot:
        old = snapshot.old_vectors()
    if old:
        sets = ", ".join(f"{count:,} of {fingerprint.version}" for fingerprint, count in old)
        hint = f"to have the room: tamis reembed {name} --drop-old"
        yield Check("corpora", name, "note", f"old vectors, kept for a way back: {sets}", hint)

"""Where the configuration comes from: defaults, then ``tamis.toml``, then the environment."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args, get_origin

import msgspec

from tamis.config.schema import LEAST_OVER_FETCH, MOST_OVER_FETCH, Config
from tamis.errors import ConfigError
from tamis.suggestions import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PREFIX = "TAMIS_"
# What has a meaning of its own and is no key of the file.
RESERVED = ("TAMIS_HOME", "TAMIS_CONFIG", "TAMIS_TOKEN", "TAMIS_ALLOWED_ROOTS")
# Alike enough to be one key misspelt: two letters swapped in five have .8, "nope" and "scope" .67.
NEAR = 0.75


@dataclass(frozen=True, slots=True)
class Loaded:
    """The configuration and where each value that is not a default came from (dotted key → a file or a variable)."""

    config: Config
    origins: dict[str, str]


def home_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """``TAMIS_HOME``, or the platform's folder for a user's data."""
    if named := environment.get("TAMIS_HOME"):
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("tamis", appauthor=False)


def config_file(environment: Mapping[str, str] = os.environ) -> Path:
    """``TAMIS_CONFIG``, or ``tamis.toml`` in the platform's folder for a user's configuration."""
    if named := environment.get("TAMIS_CONFIG"):
        return Path(named).expanduser()
    from platformdirs import user_config_path

    return user_config_path("tamis", appauthor=False) / "tamis.toml"


def load(file: Path | None = None, environment: Mapping[str, str] = os.environ) -> Loaded:
    """Read the configuration; a file that is not there is an empty one, unless it was named.

    Environment variables are ``TAMIS_`` and the dotted key in capitals with underscores: ``TAMIS_INDEX_CHUNK_CHARS``.
    ``TAMIS_ALLOWED_ROOTS`` holds folders separated as in ``PATH``.

    Raises:
        ConfigError: The file cannot be read, a key is unknown (names the nearest) or a value is not allowed.
    """
    path = file or config_file(environment)
    values = _read(path, named=file is not None or bool(environment.get("TAMIS_CONFIG")))
    origins = {key: str(path) for key, _ in _leaves(values)}
    _check_names(values, Config, str(path))
    for variable, key, text in _variables(environment):
        _set(values, key, text)
        origins[".".join(key)] = variable
    _clamp(values)
    try:
        config = msgspec.convert(values, Config, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"the configuration does not hold: {error}", hint=f"it comes from {_origin(error, origins, path)}"
        ) from error
    _check_weights(config, path)
    return Loaded(config, origins)


def _read(path: Path, *, named: bool) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if named:
            raise ConfigError(f"no such configuration file: {path}", hint="check TAMIS_CONFIG") from None
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}", hint="mend the file or move it away") from error


def _origin(error: msgspec.ValidationError, origins: Mapping[str, str], path: Path) -> str:
    """Where the value that an error is about came from."""
    key = str(error).rpartition("`$.")[2].rstrip("`")
    return next(
        (origin for dotted, origin in origins.items() if key == dotted or key.startswith(f"{dotted}[")),
        str(path),
    )


def _clamp(values: Mapping[str, Any]) -> None:
    """Bring the over-fetch factors of scopes between their bounds; what is no number is left to be refused."""
    scopes = values.get("scope")
    for scope in cast("dict[str, Any]", scopes).values() if isinstance(scopes, dict) else ():
        factor = cast("dict[str, Any]", scope).get("over_fetch") if isinstance(scope, dict) else None
        if isinstance(factor, (int, float)) and not isinstance(factor, bool):
            scope["over_fetch"] = min(max(factor, LEAST_OVER_FETCH), MOST_OVER_FETCH)


def _check_weights(config: Config, path: Path) -> None:
    for name, scope in config.scope.items():
        for corpus in scope.corpus_weights:
            if corpus not in scope.corpora:
                near = _near(corpus, scope.corpora)
                hint = f"did you mean {near!r}?" if near else f"its corpora: {', '.join(scope.corpora)}"
                raise ConfigError(
                    f"scope.{name}.corpus_weights in {path} names {corpus!r}, which is not a corpus of the scope",
                    hint=hint,
                )


def _near(name: str, known: Iterable[str]) -> str | None:
    """The known name that was meant, where one is near enough to be it."""
    return nearest(name, known, alike=NEAR)


def _leaves(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _leaves(cast("dict[str, Any]", value), f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _fields(section: type) -> dict[str, Any]:
    return {field.encode_name: field.type for field in msgspec.structs.fields(section)}


def _section(kind: Any) -> type | None:
    """The table that a field holds, itself or under names of the user's choice."""
    for candidate in (kind, *get_args(kind)):
        if isinstance(candidate, type) and issubclass(candidate, msgspec.Struct):
            return candidate
    return None


def _named(kind: Any) -> bool:
    """Whether a field holds tables under names of the user's choice."""
    return get_origin(kind) is dict


def _check_names(values: Mapping[str, Any], section: type, where: str, prefix: str = "") -> None:
    fields = _fields(section)
    for key, value in values.items():
        if key not in fields:
            near = _near(key, fields)
            hint = f"did you mean {prefix + near!r}?" if near else f"known here: {', '.join(sorted(fields))}"
            raise ConfigError(f"unknown key {prefix}{key} in {where}", hint=hint)
        inner = _section(fields[key])
        if inner is None or not isinstance(value, dict):
            continue
        table = cast("dict[str, Any]", value)
        tables = table.items() if _named(fields[key]) else [("", table)]
        for name, held in tables:
            if isinstance(held, dict):
                _check_names(
                    cast("dict[str, Any]", held), inner, where, f"{prefix}{key}.{name}{'.' if name else ''}"
                )


def _keys(section: type, prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, kind in _fields(section).items():
        inner = _section(kind)
        if inner is None:
            yield (*prefix, name)
        elif not _named(kind):
            yield from _keys(inner, (*prefix, name))


def _variables(environment: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    known = {PREFIX + "_".join(key).upper(): key for key in _keys(Config)}
    if roots := environment.get("TAMIS_ALLOWED_ROOTS"):
        yield (
            "TAMIS_ALLOWED_ROOTS",
            ("index", "allowed_roots"),
            [part for part in roots.split(os.pathsep) if part],
        )
    for variable, text in sorted(environment.items()):
        if not variable.startswith(PREFIX) or variable in RESERVED:
            continue
        if variable not in known:
            near = _near(
                variable.removeprefix(PREFIX), (one.removeprefix(PREFIX) for one in (*known, *RESERVED))
            )
            hint = f"did you mean {PREFIX + near!r}?" if near else "see the README for the names"
            raise ConfigError(f"unknown environment variable {variable}", hint=hint)
        yield variable, known[variable], text


def _set(values: dict[str, Any], key: tuple[str, ...], value: Any) -> None:
    for name in key[:-1]:
        inner = values.setdefault(name, {})
        if not isinstance(inner, dict):
            return  # msgspec says what is wrong with it
        values = cast("dict[str, Any]", inner)
    values[key[-1]] = value

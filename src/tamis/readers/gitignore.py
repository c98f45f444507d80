"""Rules of ignore files, as git applies them (gitignore(5); the matching of names is git's wildmatch).

A rule is asked about an entry itself, never about what lies below it: whoever walks leaves an ignored folder out as a
whole, which is also why a negation cannot bring back what lies in an ignored folder. Names are compared by code point
where git compares bytes: ``?`` is one character, not one byte of it.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from tamis.readers.globs import join_groups, segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CHARACTER = "[^/]"
_NEVER = "(?!)"
_NAMED_CLASS = re.compile(r"\[:([^\]]*):\]")
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class IgnoreRules:
    """The rules of one ignore file.

    Args:
        folder: Where the file stands; its rules speak of what lies below.
        text: What it says.
    """

    def __init__(self, folder: str, text: str) -> None:
        lines = text.removeprefix("\ufeff").split("\n")
        rules = [rule for number, line in enumerate(lines) if (rule := _parse(line, number))]
        rules.reverse()
        self._prefix = len(folder.rstrip("/")) + 1
        self._of_names = _LastMatch(rule for rule in rules if not rule.whole_path)
        self._of_paths = _LastMatch(rule for rule in rules if rule.whole_path)

    def ignores(self, path: str, name: str, *, folder: bool) -> bool | None:
        """Whether the rules ignore an entry: the last rule that matches decides; ``None`` when none does.

        Args:
            path: The entry's absolute path.
            name: Its last segment.
            folder: Whether it is one.
        """
        end = "/" if folder else ""
        by_name = self._of_names.find(name + end)
        by_path = self._of_paths.find(path[self._prefix :] + end)
        if by_name is None or by_path is None:
            rule = by_name or by_path
        else:
            rule = max(by_name, by_path, key=attrgetter("line"))
        return None if rule is None else not rule.negated


class _Rule(NamedTuple):
    line: int
    expression: str
    negated: bool
    whole_path: bool


class _LastMatch:
    """Finds the first of the rules that matches, the last line coming first: an alternation, a group for each rule."""

    def __init__(self, rules: Iterable[_Rule]) -> None:
        self._rules = tuple(rules)
        expressions = "|".join(f"({rule.expression})" for rule in self._rules)
        self._fullmatch = re.compile(expressions, re.DOTALL).fullmatch if self._rules else None

    def find(self, subject: str) -> _Rule | None:
        if self._fullmatch is None:
            return None
        found = self._fullmatch(subject)
        return None if found is None or found.lastindex is None else self._rules[found.lastindex - 1]


def _parse(line: str, number: int) -> _Rule | None:
    pattern = _trim(line.removesuffix("\r"))
    if pattern.startswith("#"):
        return None
    negated = pattern.startswith("!")
    pattern = pattern[negated:]
    only_folders = pattern.endswith("/")
    pattern = pattern[:-1] if only_folders else pattern
    if not pattern:
        return None
    expression = _translate(list(_pieces(pattern.removeprefix("/"))))
    return _Rule(number, expression + ("/" if only_folders else "/?"), negated, "/" in pattern)


def _trim(line: str) -> str:
    """Without its trailing spaces, but for one that a backslash keeps."""
    bare = line.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return line[: len(bare) + 1] if backslashes % 2 else bare


def _pieces(pattern: str) -> Iterator[str]:
    """``/``, runs of stars, and the expressions of everything else; ``_NEVER`` for what git finds malformed."""
    at = 0
    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character == "*":
            end = at
            while pattern.startswith("*", end):
                end += 1
            yield pattern[at - 1 : end]
            at = end
        elif character == "[":
            expression, at = _character_class(pattern, at)
            yield expression
        elif character == "\\":
            yield re.escape(pattern[at]) if at < len(pattern) else _NEVER
            at += 1
        elif character == "?":
            yield _CHARACTER
        else:
            yield character if character == "/" else re.escape(character)


def _translate(pieces: list[str]) -> str:
    groups: list[list[str]] = [[]]
    start = 0
    for end in [*(place for place, piece in enumerate(pieces) if piece == "/"), len(pieces)]:
        name = pieces[start:end]
        if len(name) == 1 and len(name[0]) > 1 and set(name[0]) == {"*"}:
            groups.append([])
        else:
            # Between two slashes there is no name that could match.
            groups[-1].append(segment(name, _CHARACTER) if name else _NEVER)
        start = end + 1
    return join_groups(groups, "/", _CHARACTER)


def _character_class(pattern: str, at: int) -> tuple[str, int]:
    """The expression of the class whose ``[`` stands before ``at``, and where it ends."""
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    members: list[str] = []
    previous = ""
    first = True
    while first or not pattern.startswith("]", at):
        first = False
        if named := _NAMED_CLASS.match(pattern, at):
            if named[1] not in _CLASSES:
                return _NEVER, len(pattern)
            members.append(_CLASSES[named[1]])
            previous, at = "", named.end()
            continue
        ranged = bool(previous) and pattern[at : at + 1] == "-" and pattern[at + 1 : at + 2] not in ("", "]")
        at += ranged
        at += pattern.startswith("\\", at)
        if at >= len(pattern):
            return _NEVER, len(pattern)
        character = pattern[at]
        at += 1
        if not ranged:
            members.append(re.escape(character))
        elif previous <= character:
            members.append(f"{re.escape(previous)}-{re.escape(character)}")
        previous = "" if ranged else character
    sign = "^" if negated else ""
    if members:
        return f"(?!/)[{sign}{''.join(members)}]", at + 1
    return _CHARACTER if negated else _NEVER, at + 1

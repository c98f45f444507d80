"""Lines to blocks: the coarse structure of Markdown, plain text and code, in one pass and in bounded memory.

A block is a run of whole lines of one kind. Nothing is parsed further than it takes to know which lines belong
together, so a 50 MB file streams through, and the blocks' texts in order are the text, character for character.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

BlockKind = Literal[
    "blank",
    "frontmatter",
    "comment",
    "noise",
    "rule",
    "heading",
    "paragraph",
    "list_item",
    "table_head",
    "table_row",
    "fence_open",
    "code",
    "fence_close",
]
Flavour = Literal["markdown", "rst", "text", "code"]

# A block longer than this goes on in parts, at a line's end: memory stays bounded where no blank line ever comes.
MAX_BLOCK_CHARS = 16_384
# Front matter and comments that go on for longer are something else: a document between two rules, an open "<!--".
MAX_META_LINES = 200
# Code is kept or left in groups of lines. A group ends at a blank line once it is this long (a short listing stays
# whole), and at any line once it is four times as long.
CODE_GROUP_CHARS = 400

_FENCE = re.compile(r"(?:[ \t]*>)*[ \t]*(?:[-*+] +)?(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t\r]|$)", re.MULTILINE)
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t\r]*$", re.MULTILINE)
_RST_RULE = re.compile(r"([=\-`:'\"~^_*+#<>.])\1{2,}[ \t\r]*$", re.MULTILINE)
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t\r]*$", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*(?:[-*+•◦‣▪●]|\d{1,9}[.)])[ \t]+\S")
_ITEM_IN_PARAGRAPH = re.compile(r"[ \t]*(?:[-*+•◦‣▪●]|1[.)])[ \t]+\S")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t\r]*$", re.MULTILINE)
_METADATA = re.compile(r"[\w.\"'-][\w .\"'-]*[:=]|- |[#\[\]}\s]|$")
_REFERENCE = re.compile(
    r" {0,3}\[[^\]\n]+\]:[ \t]*\S+[ \t]*(?:\"[^\"\n]*\"|'[^'\n]*'|\([^)\n]*\))?[ \t\r]*$", re.MULTILINE
)
_IMAGE = r"!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])"
_LINKED_IMAGE = rf"\[{_IMAGE}\](?:\([^)\n]*\)|\[[^\]\n]*\])"
_IMAGES = re.compile(rf"[ \t]*(?:(?:{_LINKED_IMAGE}|{_IMAGE})[ \t]*)+\r?$", re.MULTILINE)
_BADGE_WORD = re.compile(r"badge|shields\.io|/workflows/|codecov|coveralls", re.IGNORECASE)
_TAGS = re.compile(
    r"[ \t]*(?:</?(?:a|img|p|div|br|hr|picture|source|span|center|sub|sup|h[1-6])\b[^<>\n]*>[ \t]*)+\r?$",
    re.MULTILINE,
)
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines of one kind.

    ``start`` is the offset of the first line in the text, ``line`` its number, counted from 0; ``level`` is a
    heading's depth from 1, else 0.
    """

    kind: BlockKind
    text: str
    start: int
    line: int
    level: int = 0


def blocks(lines: Iterable[str], flavour: Flavour) -> Iterator[Block]:
    """The blocks of a text given as lines that keep their ends. Holds a few hundred lines at most."""
    return _Scanner(_Lines(iter(lines)), flavour).run()


@dataclass(slots=True)
class _Lines:
    """Lines with look-ahead, offset and number."""

    source: Iterator[str]
    ahead: deque[str] = field(default_factory=deque[str])
    offset: int = 0
    number: int = 0

    def peek(self, index: int = 0) -> str | None:
        if len(self.ahead) <= index:
            self.ahead.extend(islice(self.source, index + 1 - len(self.ahead)))
        return self.ahead[index] if len(self.ahead) > index else None

    def take(self, kind: BlockKind, count: int, level: int = 0) -> Block:
        """The next ``count`` lines as a block."""
        taken = [self.ahead.popleft() for _ in range(count)]
        block = Block(kind, "".join(taken), self.offset, self.number, level)
        self.offset += len(block.text)
        self.number += block.text.count("\n")
        return block

    def count(self, belongs: Callable[[str], bool], first: int = 0, limit: int = MAX_BLOCK_CHARS) -> int:
        """How many lines a block has that starts with ``first`` lines and goes on while ``belongs``."""
        index, chars = first, sum(len(self.peek(i) or "") for i in range(first))
        while chars < limit and (line := self.peek(index)) is not None and belongs(line):
            chars += len(line)
            index += 1
        return index


@dataclass(slots=True)
class _Scanner:
    lines: _Lines
    flavour: Flavour
    fence: str = ""  # the characters that opened the code block that we are in
    after: BlockKind = "blank"  # the kind of the block before
    in_list: bool = False
    underlines: list[str] = field(default_factory=list[str])  # reStructuredText's, in order of first use

    def run(self) -> Iterator[Block]:
        if self.flavour == "markdown" and (count := _frontmatter(self.lines)):
            yield self.lines.take("frontmatter", count)
        while (line := self.lines.peek()) is not None:
            block = self._next(line)
            if block.kind != "blank":
                self.in_list = block.kind == "list_item" or (self.in_list and block.text[0] in " \t")
            self.after = block.kind
            yield block

    def _next(self, line: str) -> Block:
        if self.fence:
            return self._in_fence(line)
        if self.flavour == "code":
            return self._code(lambda _: True)
        if not line.strip():
            return self.lines.take("blank", self.lines.count(lambda each: not each.strip()))
        if self.flavour == "text":
            return self._prose(line)
        return self._special(line) or self._prose(line)

    def _special(self, line: str) -> Block | None:
        """A block that shows by how its first line starts."""
        if fence := _FENCE.match(line):
            self.fence = fence[1]
            return self.lines.take("fence_open", 1)
        if self.flavour == "markdown" and (marks := _ATX.match(line)):
            return self.lines.take("heading", 1, len(marks[1]))
        if _INDENTED.match(line) and self.after in ("blank", "heading", "code") and not self.in_list:
            return self._code(lambda each: not each.strip() or bool(_INDENTED.match(each)))
        if count := _comment(self.lines):
            return self.lines.take("comment", count)
        if _is_noise(line):
            return self.lines.take("noise", 1)
        return self._heading_or_rule(line) or self._table(line)

    def _heading_or_rule(self, line: str) -> Block | None:
        below = self.lines.peek(1) or ""
        if self.flavour == "rst":
            if (rule := _RST_RULE.match(below)) and len(below.rstrip()) >= len(line.rstrip()):
                if rule[1] not in self.underlines:
                    self.underlines.append(rule[1])
                return self.lines.take("heading", 2, self.underlines.index(rule[1]) + 1)
            return self.lines.take("rule", 1) if _RST_RULE.match(line) else None
        if _RULE.match(line):
            return self.lines.take("rule", 1)
        if (rule := _SETEXT.match(below)) and self.after != "paragraph" and not _starts_other(line):
            return self.lines.take("heading", 2, 1 if rule[1][0] == "=" else 2)
        return None

    def _table(self, line: str) -> Block | None:
        if "|" not in line:
            return None
        below = self.lines.peek(1) or ""
        if "|" in below and _DELIMITER.match(below):
            return self.lines.take("table_head", 2)
        if self.after in ("table_head", "table_row") or line.lstrip().startswith("|"):
            return self.lines.take("table_row", 1)
        return None

    def _prose(self, line: str) -> Block:
        if _ITEM.match(line):
            return self.lines.take(
                "list_item", self.lines.count(lambda each: _goes_on(each) and not _ITEM.match(each), 1)
            )
        return self.lines.take("paragraph", self.lines.count(_goes_on, 1))

    def _in_fence(self, line: str) -> Block:
        if self._closes(line):
            self.fence = ""
            return self.lines.take("fence_close", 1)
        return self._code(lambda each: not self._closes(each))

    def _closes(self, line: str) -> bool:
        marks = line.lstrip("> \t").rstrip()
        return len(marks) >= len(self.fence) and not marks.strip(self.fence[0])

    def _code(self, belongs: Callable[[str], bool]) -> Block:
        """Lines of code up to a blank line, or past it while the group is short; with the blank lines before them."""
        chars = 0

        def grows(line: str) -> bool:
            nonlocal chars
            if chars >= CODE_GROUP_CHARS and not line.strip():
                return False
            chars += len(line.strip())
            return belongs(line)

        return self.lines.take("code", max(1, self.lines.count(grows, 0, 4 * CODE_GROUP_CHARS)))


def _goes_on(line: str) -> bool:
    """Whether a line continues the paragraph or list item above it."""
    return bool(line.strip()) and not _starts_other(line)


def _starts_other(line: str) -> bool:
    start = line.lstrip()[:1]
    if start.isalpha():
        return False
    return bool(
        _ITEM_IN_PARAGRAPH.match(line)
        or _FENCE.match(line)
        or _ATX.match(line)
        or start == "|"
        or (start in "*_" and _RULE.match(line))
        or (start == "<" and (line.lstrip().startswith("<!--") or _TAGS.match(line)))
    )


def _is_noise(line: str) -> bool:
    """Badges, lines of nothing but layout tags, and definitions of link targets."""
    match line.lstrip()[:1]:
        case "[":
            return bool(_REFERENCE.match(line) or _IMAGES.match(line))
        case "!":
            return bool(_IMAGES.match(line) and _BADGE_WORD.search(line))
        case "<":
            return bool(_TAGS.match(line))
        case _:
            return False


def _frontmatter(lines: _Lines) -> int:
    """How many lines of front matter a text starts with: YAML between ``---``, TOML between ``+++``."""
    first = (lines.peek() or "").lstrip("\ufeff").rstrip()
    if first not in ("---", "+++"):
        return 0
    for index in range(1, MAX_META_LINES):
        line = lines.peek(index)
        if line is None:
            return 0
        if index > 1 and line.rstrip() in (first, "..."):
            return index + 1
        if not _METADATA.match(line):
            return 0
    return 0


def _comment(lines: _Lines) -> int:
    """How many lines a comment has that starts here and has its lines to itself, else 0."""
    if not (lines.peek() or "").lstrip().startswith("<!--"):
        return 0
    for index in range(MAX_META_LINES):
        line = lines.peek(index)
        if line is None:
            return 0
        _, mark, rest = line.partition("-->")
        if mark:
            return 0 if rest.strip() else index + 1
    return 0

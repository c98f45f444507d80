"""Paragraphs to sentences, with exact offsets.

``sentencex`` (Wikimedia) does the languages that mark the end of a sentence: it keeps offsets, knows abbreviations,
and reads 50 MB a second. Thai and Lao mark it with a space, which also parts clauses, names and numbers; there is no
light splitter that keeps offsets for them, so the rules below choose among the spaces.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import sentencex

from tamis.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A unit longer than this is cut again, at a weaker mark: one run-on sentence must not be all or nothing.
MAX_SENTENCE_CHARS = 480

# The first letter of these ranges that shows up picks the splitter's rules; Latin text has no range.
_SCRIPTS = (
    ("ru", "\u0400", "\u052f"),
    ("el", "\u0370", "\u03ff"),
    ("hy", "\u0530", "\u058f"),
    ("ar", "\u0600", "\u06ff"),
    ("hi", "\u0900", "\u097f"),
    ("bn", "\u0980", "\u09ff"),
    ("th", "\u0e00", "\u0eff"),
    ("my", "\u1000", "\u109f"),
    ("am", "\u1200", "\u137f"),
    ("km", "\u1780", "\u17ff"),
    ("ja", "\u3040", "\u30ff"),
    ("zh", "\u3400", "\u9fff"),
    ("ko", "\uac00", "\ud7af"),
)
_LETTER = re.compile(
    "|".join(f"(?P<{language}>[{first}-{last}])" for language, first, last in _SCRIPTS)
    + r"|(?P<en>[A-Za-z\u00c0-\u024f])"
)

# Khmer and Tibetan end a sentence with a mark of their own that sentencex lets pass; a line break ends one nowhere.
_EXTRA_STOP = re.compile(r"(?<=[។៕།])\s*(?=\S)")

_THAI = r"[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd]"
_THAI_SPACE = re.compile(rf"(?<={_THAI}|[\])\"”’ฯๆ%])[ \t\u00a0]+(?=[\"“‘(]?{_THAI})")
# Words that open a new clause: pronouns and conjunctions. Words that close one: the polite and final particles.
_OPENS = re.compile(
    "แต่|ดังนั้น|เพราะ|นอกจาก|อย่างไรก็|เมื่อ|ถ้า|หาก|ต่อมา|จากนั้น|ทั้งนี้|เรา|ฉัน|ผม|เขา|เธอ|มัน|คุณ|พวก|นี่|นั่น|"
    "ແຕ່|ດັ່ງນັ້ນ|ເພາະ|ຂ້ອຍ|ພວກ|ລາວ"
)
_CLOSES = re.compile("(?:ครับ|ค่ะ|คะ|นะ|แล้ว|เลย|ไหม|มั้ย|ด้วย|ແລ້ວ|ບໍ)$")
# Never apart: a number and its classifier, a title and its name, a preposition and what it leads to.
_HOLDS = re.compile(r"(?:[0-9๐-๙]|นาย|นาง|นางสาว|ดร\.|และ|หรือ|คือ|ว่า|ของ|ที่|โดย|ใน|ได้แก่|เช่น)$")
# Words that lean on the clause before them: relative pronouns, prepositions, "and".
_LEANS = re.compile("ซึ่ง|ที่|และ|หรือ|โดย|เพื่อ|ใน|จาก|กับ|ของ|รวม|ได้แก่|เช่น|พร้อม|คือ|ครั้ง|ปี|คน|เป็น|จึง|ก็")
_SHORT_CLAUSE, _LONG_CLAUSE = 8, 48

_TERMINAL = re.compile(r"[.!?…:;。！？؟۔।॥][\"'”’)\]*_]*\s*$")
_SPEAKER = re.compile(r"(?:\*\*|\[)?[^\W\d_][\w .'()-]{0,30}(?:\*\*|\])?:\s")
# ASCII marks part clauses before white space only: there are times, URLs and numbers. Full-width ones always do.
_SPACE = re.compile(r"\s+")
# Between two parts of data or markup that was written without white space.
_JOINT = re.compile(r"(?<=[,;}\])>])\s*(?=[\"'{\[<])")
_WEAK_BREAKS = (
    re.compile(r"(?<=[;:؛])\s+|(?<=[；：])\s*"),
    re.compile(r"(?<=[,،])\s+|(?<=[，、])\s*"),
    _SPACE,
    _JOINT,
)
_CODE_BREAKS = (_JOINT, re.compile(r"(?<=[;{}])\s*|(?<=,)\s+"), _SPACE, re.compile(r"(?<=,)"))

_DATA = re.compile(r"[\[{]\s*[\"{\[]|<[\w!?]")

# How a line of a log begins: a date, a time, a number in brackets, an address, a level.
_RECORD = re.compile(
    r"[\s\[(<]*(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\d{1,2}:\d{2}\b|\d{9,}\b|\d{1,3}(?:\.\d{1,3}){3}\b"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}|(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b)"
)
# So many of a paragraph's lines begin alike if it is a list of records.
_RECORDS_SHARE = 0.8
_MIN_RECORDS = 3
_DIGITS = re.compile(r"\d+")


def sentences(text: str) -> list[Span]:
    """The sentences of a paragraph, in order, trimmed of white space; nothing else is left out.

    A line break ends a sentence where the line was not wrapped: the next word would have fitted (transcripts, verse,
    lists of settings). Where lines begin alike, as those of a log do, each line is one.
    """
    if records := _records(text):
        return [part for line in records for part in bounded(text, trimmed(text, line))]
    return [
        part
        for line in _unwrapped(text)
        for sentence in _split(text, line)
        for part in bounded(text, trimmed(text, sentence))
    ]


def language_of(text: str) -> str:
    """The language whose rules fit the text's script: that of most letters in its first few hundred characters."""
    if text.isascii():
        return "en"
    counts: dict[str, int] = {}
    for match in _LETTER.finditer(text, 0, 400):
        language = match.lastgroup or "en"
        counts[language] = counts.get(language, 0) + 1
    if not counts:
        return "en"
    if "ja" in counts and "zh" in counts:
        return "ja"
    return max(counts, key=lambda language: counts[language])


def trimmed(text: str, span: Span) -> Span:
    """The span without white space at its ends; where it starts if it holds nothing else."""
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip())
    return Span(start, max(start, span.start + len(part.rstrip())))


def _unwrapped(text: str) -> Iterator[Span]:
    """Runs of lines that were one line before they were wrapped."""
    body = text.rstrip("\n")
    if "\n" not in body:
        yield Span(0, len(text))
        return
    lines = body.split("\n")
    width = max(map(len, lines))
    start = offset = 0
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        offset += len(line) + 1
        words = below.split(None, 1)
        fits = bool(words) and len(line) + 1 + len(words[0]) <= width
        if fits or _TERMINAL.search(line) or _SPEAKER.match(below):
            yield Span(start, min(offset, len(text)))
            start = offset
    if start < len(text):
        yield Span(start, len(text))


def _split(text: str, span: Span) -> Iterator[Span]:
    part = text[span.start : span.end]
    language = language_of(part)
    cuts = [0]
    for boundary in sentencex.get_sentence_boundaries(language, part):
        first = boundary["start_index"]
        if language in ("km", "my"):
            cuts.extend(first + m.end() for m in _EXTRA_STOP.finditer(boundary["text"]))
        elif language == "th":
            cuts.extend(first + cut for cut in _thai_cuts(boundary["text"]))
        cuts.append(boundary["end_index"])
    for start, end in zip(cuts, [*cuts[1:], len(part)], strict=True):
        if part[start:end].strip():
            yield Span(span.start + start, span.start + end)


def _thai_cuts(text: str) -> Iterator[int]:
    """Offsets of the spaces that end a clause long enough to stand alone."""
    spaces = list(_THAI_SPACE.finditer(text))
    start = 0
    for index, space in enumerate(spaces):
        before = text[start : space.start()]
        following = spaces[index + 1].start() if index + 1 < len(spaces) else len(text)
        ahead = following - space.end()
        marked = len(space[0]) > 1 or _OPENS.match(text, space.end()) or _CLOSES.search(before)
        if not marked and (_HOLDS.search(before) or _LEANS.match(text, space.end())):
            continue
        enough = _SHORT_CLAUSE if marked else _LONG_CLAUSE
        if len(before) >= enough and ahead >= min(enough, 16):
            yield space.end()
            start = space.end()


def bounded(text: str, span: Span, limit: int = MAX_SENTENCE_CHARS, *, code: bool = False) -> list[Span]:
    """The span, cut at weaker and weaker marks until no part is longer than ``limit``; never inside a word.

    A part stays longer where there is nothing to cut at. ``code``, and data in prose, is rather cut at its marks than at white space.
    """
    if span.end - span.start <= limit:
        return [span] if span.end > span.start else []
    breaks = _CODE_BREAKS if code or _DATA.match(text, span.start) else _WEAK_BREAKS
    parts: list[Span] = []
    start = span.start
    while span.end - start > limit:
        cut = _last_break(text, start, start + limit, breaks)
        if cut is None:
            later = (mark.search(text, start + limit, span.end) for mark in breaks)
            cut = min((match.end() for match in later if match), default=span.end)
            if cut >= span.end:
                break
        parts.append(trimmed(text, Span(start, cut)))
        start = cut
    parts.append(trimmed(text, Span(start, span.end)))
    return [part for part in parts if part.end > part.start]


def _last_break(text: str, start: int, end: int, breaks: Sequence[re.Pattern[str]]) -> int | None:
    """The last break of the strongest kind in the second half of a stretch."""
    middle = (start + end) // 2
    for mark in breaks:
        cuts = [match.end() for match in mark.finditer(text, middle, end) if match.end() > middle]
        if cuts:
            return cuts[-1]
    return None


def _records(text: str) -> list[Span]:
    """The lines, if nearly all begin like a log's, or alike; else none."""
    lines = text.split("\n")
    starts = [words[0] for line in lines if (words := line.split(None, 1))]
    if len(starts) < _MIN_RECORDS:
        return []
    enough = _RECORDS_SHARE * len(starts)
    words = Counter(_DIGITS.sub("0", start) for start in starts if any(map(str.isalnum, start)))
    alike = max(words.values(), default=0)
    if alike < enough and sum(bool(_RECORD.match(line)) for line in lines) < max(_MIN_RECORDS, enough / 2):
        return []
    spans: list[Span] = []
    offset = 0
    for line in lines:
        if line.strip():
            spans.append(Span(offset, offset + len(line)))
        offset += len(line) + 1
    return spans

"""What people read: compact, safe, and with the words that were asked for in sight."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tamis.library.doctor import Check, Diagnosis
from tamis.library.settings import Setting
from tamis.render import Style
from tamis.render.cells import width
from tamis.render.corpora import health_text, history_text, list_text
from tamis.render.diagnosis import diagnosis_text
from tamis.render.hits import hits_text
from tamis.render.passage import passage_text
from tamis.render.reports import amend_text, embed_text, index_text, refresh_text
from tamis.render.settings import settings_text
from tamis.types import AmendedPath, AmendReport, EmbedReport, Lines, Passage
from tests.render.samples import HEALTH, INDEXED, PASSAGE, REFRESHED, SUMMARY, found, hit

PLAIN = Style(cwd="/home/ann/notes", home="/home/ann")
COLOUR = replace(PLAIN, colour=True)
NOW = datetime(2026, 1, 3, 12, tzinfo=UTC)
SGR = re.compile(r"\x1b\[[\d;]*m")


def test_a_hit_is_its_place_score_headings_and_preview() -> None:
    assert hits_text(found(hit()), "rotate", PLAIN) == (
        "1. keys.md:4-5  0.03252\n   Keys › Rotation\n   │ Keys are rotated every ninety days. …"
    )


def test_a_hit_of_one_line_names_one_line_and_a_changed_file_is_told() -> None:
    shown = hits_text(found(hit(lines=Lines(9, 9), stale=True)), "", PLAIN)
    assert shown.startswith("1. keys.md:9  0.03252  changed since\n")


def test_hits_of_several_corpora_name_theirs() -> None:
    shown = hits_text(found(hit(), hit(corpus="docs", rank=2)), "", PLAIN)
    assert "1. [notes] keys.md" in shown
    assert "2. [docs] keys.md" in shown


def test_without_previews_there_are_none_and_whole_passages_come_when_asked() -> None:
    assert "│" not in hits_text(found(hit(preview=None)), "", PLAIN)
    whole = hits_text(found(hit()), "", PLAIN, whole=True)
    assert all(line in whole for line in PASSAGE.split("\n"))


def test_an_explained_score_names_its_parts() -> None:
    shown = hits_text(found(hit()), "", PLAIN, explain=True)
    assert "lexical\u00a07.25 · lexical_rank\u00a01" in shown


def test_headings_give_way_in_the_middle_and_a_title_that_is_the_files_name_is_not_repeated() -> None:
    deep = hit(
        title="keys.md", heading_path=("Keys", *(f"A heading of level {n}" for n in range(9)), "The last")
    )
    shown = hits_text(found(deep), "", PLAIN).split("\n")[1]
    assert shown.startswith("   Keys › … › A heading of level ")
    assert shown.endswith(" › The last")
    assert width(shown) <= PLAIN.width


def test_code_keeps_its_lines() -> None:
    code = "def rotate():\n    return 1\n"
    shown = hits_text(found(hit(text=code, preview=code, chunk_type="code")), "", PLAIN)
    assert shown.endswith("   │ def rotate():\n   │     return 1")


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_titles_and_previews_fit_the_width(columns: int) -> None:
    long = hit(preview="鑰匙 " * 90, text="鑰匙 " * 100, heading_path=("A long heading " * 12,))
    shown = hits_text(found(long), "", replace(PLAIN, width=columns))
    assert all(width(line) <= columns for line in shown.split("\n")[1:])


def test_colour_only_adds_colour() -> None:
    result = found(hit(stale=True), hit(rank=2, chunk_type="code"))
    painted = hits_text(result, "rotated keys", COLOUR, explain=True)
    assert "\x1b[" in painted
    assert SGR.sub("", painted) == hits_text(result, "rotated keys", PLAIN, explain=True)


def test_a_document_cannot_steer_the_terminal() -> None:
    evil = "\x1b]0;owned\x07\x9b2J\r\u202e"
    bad = hit(
        path=f"/x/{evil}", title=evil, heading_path=(evil,), text=evil * 2, preview=evil, why_matched=evil
    )
    shown = hits_text(found(bad, bad), evil, PLAIN, explain=True) + hits_text(
        found(bad), "", PLAIN, whole=True
    )
    shown += passage_text(Passage("notes", evil, evil, evil, Lines(1, 1), 0, 1, "h"), verbatim=False)
    shown += settings_text([Setting("a", evil, evil)], PLAIN)
    shown += diagnosis_text(Diagnosis(False, (Check("t", evil, "failed", evil, evil),)), PLAIN)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", shown)


def test_an_index_run_is_told_in_full() -> None:
    assert index_text(INDEXED, PLAIN) == (
        "notes: 3 documents, 1,042 chunks, 912 k characters in 1 min 05 s\n"
        "  vectors  42 new, 1,000 reused, 100% of the corpus\n"
        "  model    bge@1\n"
        "  skipped  2 binary files\n"
        "  dropped  1 file\n"
        "  failed   1 path\n"
        "  ! pipe: it is a pipe"
    )


def test_a_refresh_lists_what_changed() -> None:
    assert refresh_text(REFRESHED, PLAIN) == (
        "notes: 1 added, 1 deleted, 1 unchanged in 120 ms\n"
        "  vectors  4 new, 0 reused, 100% of the corpus\n"
        "  dropped  2 chunks\n"
        "  + new.md\n"
        "  - old.md"
    )


def test_a_refresh_without_a_change_is_one_line() -> None:
    nothing = replace(REFRESHED, added=(), deleted=(), no_op=True)
    assert refresh_text(nothing, PLAIN) == "notes: up to date, 1 file in 120 ms"


def test_a_long_list_of_paths_is_cut_and_counted() -> None:
    many = replace(REFRESHED, added=tuple(f"/home/ann/notes/{n}.md" for n in range(1200)))
    assert "  + … 1,190 more" in refresh_text(many, PLAIN)


def test_embedding_and_amending_are_told_in_a_line() -> None:
    assert embed_text(EmbedReport("notes", 1, 0, 0, 0.5, "bge@1", 1500), PLAIN) == (
        "notes: 1 new vector, 50% of the corpus in 1.5 s\n  model  bge@1"
    )
    assert amend_text(AmendReport("notes", "/home/ann/notes/a.md", 2, 3, "bge@1"), PLAIN) == (
        "notes: a.md, 2 → 3 chunks"
    )


def test_corpora_stand_in_a_table() -> None:
    assert list_text([SUMMARY], PLAIN, NOW) == (
        "NAME   DOCUMENTS  CHUNKS  CHARS  ON DISK  VECTORS  INDEXED\n"
        "notes          3   1,042  912 k   2.4 MB      99%  2 days ago  amended, 1 failed"
    )


def test_health_says_what_is_wrong() -> None:
    assert health_text(HEALTH, PLAIN, NOW) == (
        "notes: needs attention\n"
        "  documents  3 in 1,042 chunks, 912 k characters\n"
        "  on disk    2.4 MB\n"
        "  indexed    2 days ago\n"
        "  vectors    99% of the chunks  bge@1\n"
        "  indexes    generation 9, words 9, vectors 8\n"
        "  from       ~/notes\n"
        "  ! 1 paths could not be indexed\n"
        "  x pipe: it is a pipe"
    )
    assert health_text(replace(HEALTH, warnings=()), PLAIN, NOW).startswith("notes: healthy\n")


def test_history_says_what_is_in_effect() -> None:
    amends = (
        AmendedPath("/home/ann/notes/a.md", "2026-01-01T10:00:00+00:00", 2, 3, "2026-01-02T11:30:00+00:00"),
        AmendedPath("/home/ann/b.md", "2026-01-03T10:00:00+00:00", 0, 1),
    )
    assert history_text(amends, PLAIN) == (
        "AMENDED (UTC)     CHUNKS  RESTORED (UTC)    PATH\n"
        "2026-01-01 10:00  2 → 3   2026-01-02 11:30  a.md\n"
        "2026-01-03 10:00  0 → 1   in effect         ~/b.md"
    )


def test_a_diagnosis_puts_the_remedy_under_what_is_wrong() -> None:
    diagnosis = Diagnosis(
        False,
        (
            Check("installed", "python", "ok", "3.13"),
            Check("embedder", "bundled", "failed", "the model is not there", "reinstall it"),
        ),
    )
    assert diagnosis_text(diagnosis, PLAIN) == (
        "installed\n"
        "  ✓ python   3.13\n"
        "embedder\n"
        "  ✗ bundled  the model is not there\n"
        "             → reinstall it"
    )


def test_text_for_a_program_is_verbatim() -> None:
    passage = Passage("notes", "p", "t", "a\x1b[1m\r\nb\n", Lines(1, 2), 0, 9, "h")
    assert passage_text(passage, verbatim=True) == "a\x1b[1m\r\nb"
    assert passage_text(passage, verbatim=False) == "a␛[1m\nb"

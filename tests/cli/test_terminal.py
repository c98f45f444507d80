"""What a terminal gets that a pipe does not: colour, its width, and a bar."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tamis.cli.progress import Bars
from tamis.cli.terminal import style_for, write

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 60


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "asked", "environment", "colour"),
    [
        (Screen(), None, {}, True),
        (io.StringIO(), None, {}, False),
        (Screen(), None, {"NO_COLOR": "1"}, False),
        (Screen(), None, {"NO_COLOR": ""}, True),
        (Screen(), None, {"TERM": "dumb"}, False),
        (Screen(), False, {}, False),
        (io.StringIO(), True, {"NO_COLOR": "1"}, True),
        (None, None, {}, False),
    ],
)
def test_colour_is_for_terminals_unless_someone_says_otherwise(
    stream: io.StringIO | None, asked: bool | None, environment: dict[str, str], colour: bool
) -> None:
    assert style_for(stream, asked, environment).colour is colour


@pytest.mark.parametrize(
    ("columns", "width"), [("100", 100), ("5", 40), ("400", 120), ("wide", 80), ("", 80)]
)
def test_the_width_is_the_terminals_within_reason(columns: str, width: int) -> None:
    assert style_for(io.StringIO(), None, {"COLUMNS": columns}).width == width


def test_signs_that_an_encoding_lacks_are_replaced_and_letters_spelled_out() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    write(stream, "a › b … │ é")
    assert stream.buffer.getvalue() == b"a > b ... | \\xe9\n"


def on_a_terminal(*arguments: str | Path) -> tuple[int, str]:
    """Run a command with a terminal for its three streams; the status and all that was written to it."""
    main, side = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tamis", *map(str, arguments)],
        stdin=side,
        stdout=side,
        stderr=side,
        env=environment,
    )
    os.close(side)
    written = b""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and select.select([main], [], [], SECONDS)[0]:
        try:
            part = os.read(main, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        written += part
    os.close(main)
    return process.wait(SECONDS), written.decode()


def test_a_person_sees_matches_in_colour_and_no_control_characters_of_documents(own: Path) -> None:
    (own / "evil.md").write_text("# Evil\n\nzebra \x1b]0;owned\x07 stripes\n")
    assert on_a_terminal("refresh", "notes", "--no-dense")[0] == 0
    status, shown = on_a_terminal("search", "zebra", "-m", "lexical")
    assert status == 0
    assert "\x1b[1;31mzebra\x1b[0m" in shown
    assert "\x1b]" not in shown
    status, shown = on_a_terminal("get", own / "evil.md")
    assert (status, "\x1b" in shown) == (0, False)


def test_bars_show_each_stage_with_its_count(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "100")
    bars = Bars(plain=True)
    bars("embed", 0, 200)
    bars("embed", 128, 200)
    bars.stop()
    assert "making vectors" in screen.getvalue()
    assert "128/200" in screen.getvalue()


def test_reading_that_is_over_at_once_shows_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    bars = Bars()
    bars("read", 1, None)
    bars.stop()
    assert capsys.readouterr().err == ""

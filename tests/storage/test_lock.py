"""DESIGN law 3: writers queue, and one that waits too long is told who is at work."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tamis.errors import CorpusBusyError
from tamis.storage import CorpusLock

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import sys
from pathlib import Path
from tamis.storage import CorpusLock
with CorpusLock(Path(sys.argv[1]), "write").hold(5):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_holder_is_told_the_first_ones_pid_and_since_when(tmp_path: Path) -> None:
    lock = CorpusLock(tmp_path, "write")
    with lock.hold(0), pytest.raises(CorpusBusyError) as caught, lock.hold(0):
        pass
    assert f"process {os.getpid()}, since 20" in caught.value.message
    assert caught.value.retryable
    with lock.hold(0):
        pass


def test_the_locks_of_writing_and_embedding_do_not_exclude_each_other(tmp_path: Path) -> None:
    with CorpusLock(tmp_path, "write").hold(0), CorpusLock(tmp_path, "embed").hold(0):
        assert {path.name for path in tmp_path.glob("*.holder.json")} == {
            "write.holder.json",
            "embed.holder.json",
        }


def test_the_lock_of_a_killed_process_is_free_at_once(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with (
            pytest.raises(CorpusBusyError, match=f"process {holder.pid}"),
            CorpusLock(tmp_path, "write").hold(0),
        ):
            pass
        holder.kill()
        holder.wait()
        with CorpusLock(tmp_path, "write").hold(0):
            pass

"""``tamis completion``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.errors import InputError

if TYPE_CHECKING:
    from tamis.cli.session import Session

SHELLS = ("bash", "zsh", "fish")
ZSH_HINT = "add to ~/.zshrc, before compinit: fpath=(~/.zfunc $fpath)"


@tamis_command("completion", examples="tamis completion --install\ntamis completion fish | source")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.option("--install", is_flag=True, help="Write it where the shell looks for it.")
def command(session: Session, shell: str | None, install: bool) -> None:
    """Print or install completion for a shell.

    SHELL is the one that you use (from SHELL) when left out. No start-up file of yours is changed.
    """
    chosen = shell or _current()
    script = _script(chosen)
    if not install:
        session.show({"shell": chosen, "script": script}, lambda _: script)
        return
    place = _place(chosen)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(script + "\n", encoding="utf-8")
    session.show(
        {"shell": chosen, "installed": str(place)}, lambda style: f"installed {style.path(str(place))}"
    )
    session.note(ZSH_HINT if chosen == "zsh" else "it works in shells that are started from now on")


def _current() -> str:
    name = Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        raise InputError(f"cannot tell your shell from SHELL={name}", hint=f"name it: {', '.join(SHELLS)}")
    return name


def _script(shell: str) -> str:
    from click.shell_completion import get_completion_class

    from tamis.cli.group import cli
    from tamis.cli.main import COMPLETE, PROGRAM

    kind = get_completion_class(shell)
    if kind is None:
        raise InputError(f"no completion for {shell}", hint=f"shells: {', '.join(SHELLS)}")
    # Not kind.source(), which for bash starts a bash to see how old it is.
    completion = kind(cli, {}, PROGRAM, COMPLETE)
    return (completion.source_template % completion.source_vars()).strip()


def _place(shell: str) -> Path:
    """Where the shell looks for a user's completions."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return {
        "bash": data / "bash-completion" / "completions" / "tamis",
        "zsh": Path.home() / ".zfunc" / "_tamis",
        "fish": settings / "fish" / "completions" / "tamis.fish",
    }[shell]

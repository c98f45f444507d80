"""``tamis doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.cli.command import command as tamis_command
from tamis.render.diagnosis import diagnosis_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command("doctor", examples="tamis doctor\ntamis doctor --json")
def command(session: Session) -> int:
    """Check that everything works on this machine.

    Looks at what is installed, the configuration, the embedder, the language models, disk room, the folders that may be read, and every corpus.
    The exit status is 1 when something cannot work.
    """
    from tamis.library.doctor import diagnose

    diagnosis = diagnose(session.home, config=session.config)
    session.show(diagnosis, lambda style: diagnosis_text(diagnosis, style))
    return 0 if diagnosis.works else 1

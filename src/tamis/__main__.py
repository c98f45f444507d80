"""``tamis`` and ``python -m tamis``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; returns the exit status."""
    if sys.argv[1:] == ["--version"]:
        # Before anything is imported that takes time: installers and shells ask for it often.
        from tamis import __version__

        sys.stdout.write(f"tamis {__version__}\n")
        return 0
    try:
        from tamis.cli.main import main as run
    except KeyboardInterrupt:
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())

"""The parts of a file's name that tell its format."""

from __future__ import annotations


def name_of(path: str) -> str:
    """The last segment, in lower case."""
    return path[path.rfind("/") + 1 :].lower()


def suffixes_of(name: str) -> tuple[str, ...]:
    """The endings of a name, longest of at most two parts first: ``.tar.gz``, ``.gz``. A leading dot begins none."""
    last = name.rfind(".")
    if last <= 0:
        return ()
    both = name.rfind(".", 1, last)
    return (name[last:],) if both <= 0 else (name[both:], name[last:])

"""What to say of a name that is not there: the one that was probably meant, and those that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

ALIKE: Final = 0.6
"""Of difflib's ratio, 0 to 1: one letter too many in five has .9, "nope" and "scope" have .67, "corpora" and "corpus" .62."""

SOMEWHAT_ALIKE: Final = 0.5
"""For names that a person made up, or a model guesses."""


def nearest(name: str, known: Iterable[str], *, alike: float = ALIKE) -> str | None:
    """The known name that is most like this one, where one is enough like it."""
    # Not at the top: nearly every run has all its names right.
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1, cutoff=alike)
    return near[0] if near else None


def suggestion(
    name: str, known: Iterable[str], listed: str = "there are", *, prefix: str = "", alike: float = ALIKE
) -> str:
    """A hint: ``did you mean 'keyword'? there are: keyword, mmr``.

    Args:
        name: The name that is not known.
        known: The names that are, in the order to list them.
        listed: What stands before the list.
        prefix: Stands before the suggested name: the path to it.
        alike: As for ``nearest``.
    """
    names = list(known)
    near = nearest(name, names, alike=alike)
    there = f"{listed}: {', '.join(names) or 'none'}"
    return f"did you mean {prefix + near!r}? {there}" if near else there

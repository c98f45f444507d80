"""Items as texts to read once: from memory, or from a stream that is metered as it goes by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tamis.compress.items import flavour_of, text_hash
from tamis.compress.lines import Meter, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tamis.compress.blocks import Flavour
    from tamis.compress.tokenizers import TokenCounter
    from tamis.compress.values import CompressItem


class Source(Protocol):
    """``tokens`` and ``content_hash`` are those of the whole text once ``drain`` has returned."""

    item: CompressItem
    flavour: Flavour

    def lines(self) -> Iterator[str]:
        """The lines of the text; may be called once."""
        ...

    def drain(self) -> None:
        """Read whatever of the text has not been read."""
        ...

    @property
    def tokens(self) -> int: ...

    @property
    def content_hash(self) -> str: ...


class TextSource:
    """An item whose text is in memory."""

    def __init__(self, item: CompressItem, counter: TokenCounter) -> None:
        self.item = item
        self.flavour: Flavour = flavour_of(item)
        self.tokens = counter.count(item.text)

    def lines(self) -> Iterator[str]:
        return lines_of(self.item.text)

    def drain(self) -> None:
        return

    @property
    def content_hash(self) -> str:
        return self.item.content_hash or text_hash(self.item.text)


class StreamSource:
    """An item whose text comes in chunks and is never held as a whole; ``item.text`` is empty."""

    def __init__(self, item: CompressItem, chunks: Iterable[str], counter: TokenCounter) -> None:
        self.item = item
        self.flavour: Flavour = flavour_of(item)
        self._meter = Meter(counter)
        self._lines = self._meter.lines(chunks)

    def lines(self) -> Iterator[str]:
        return self._lines

    def drain(self) -> None:
        for _ in self._lines:
            pass

    @property
    def tokens(self) -> int:
        return self._meter.tokens

    @property
    def content_hash(self) -> str:
        return self.item.content_hash or self._meter.content_hash

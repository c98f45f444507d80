"""The best place to end a passage: at a block or blank line, else at a sentence, a word, a grapheme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.chunking.boundaries import (
    Cut,
    blank_line_cuts,
    edge_cuts,
    grapheme_cut,
    line_cuts,
    sentence_cuts,
    space_cuts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tamis.chunking.blocks import Block

MAX_WHOLE_CHARS = 8000
# What a passage has to fill of its room to be cut short at a paragraph or line (a quarter) or at a sentence (a half):
# below that the better boundary costs more than it is worth. What is left over has to be a quarter, too.
_PARAGRAPH_SHARE = 4
_SENTENCE_SHARE = 2


class Cutter:
    """Ends the passages of one section.

    Args:
        text: The document's text.
        blocks: The section's blocks, its headings first.
        chars: Longest passage; longer are only code blocks that are kept whole (up to twice that and
            ``MAX_WHOLE_CHARS``, the headings above them included) and single graphemes.
    """

    def __init__(self, text: str, blocks: Sequence[Block], chars: int) -> None:
        self._text = text
        self._chars = chars
        self._whole = min(2 * chars, MAX_WHOLE_CHARS)
        self.blocks = [self._cuttable(block) for block in blocks]
        self.last = self.blocks[-1].end

    def cut(self, first: int, fresh: int, room: int) -> Cut | None:
        """Where the passage ends that begins at ``fresh``, in ``blocks[first]``; ``None``: it takes all that is left.

        ``room`` leaves space for an overlap, which gives way where there is no good boundary otherwise.
        """
        far = fresh + self._chars
        if self.last <= far:
            return None
        cut = self._beside_code(first, fresh, far)
        if not cut:
            code = self._whole_block(first, far)
            far = far if code is None else self._before(code).end
            high = min(fresh + room, far, self.last - self._chars // _PARAGRAPH_SHARE)
            cut = self._good(first, fresh, high, far) or self._word(first, fresh, high, far)
            cut = cut or grapheme_cut(self._text, fresh, far)
        return cut if cut.start < self.last else None

    def _beside_code(self, first: int, fresh: int, far: int) -> Cut | None:
        """A cut that headings or whole code at the passage's start leave no choice about."""
        body = first
        while body < len(self.blocks) and self.blocks[body].type == "heading":
            body += 1
        if self._whole_block(first, far) == body:
            fits = body == first or self.blocks[body].end - fresh <= self._whole
            return self._before(body + 1 if fits else body)
        if first < body < len(self.blocks) and far - self._chars // 2 < self.blocks[body].start <= far:
            return self._before(body)  # so long a heading stands alone
        return None

    def _good(self, first: int, fresh: int, high: int, far: int) -> Cut | None:
        quarter = fresh + (high - fresh) // _PARAGRAPH_SHARE
        half = fresh + (high - fresh) // _SENTENCE_SHARE
        # Up to ``high`` there is room for the whole overlap, beyond it for less.
        return (
            self._paragraph(first, quarter, high)
            or self._sentence(first, fresh, half, high)
            or self._paragraph(first, high, far)
            or self._sentence(first, fresh, high, far)
            or self._sentence(first, fresh, quarter, half)
            or self._paragraph(first, fresh, quarter)
        )

    def _paragraph(self, first: int, low: int, high: int) -> Cut | None:
        """The least indented boundary between blocks, paragraphs, items or lines; the last of those."""
        best = min(
            self._structure(first, low, high), key=lambda rated: (rated[0], -rated[1].end), default=None
        )
        return best[1] if best else None

    def _structure(self, first: int, low: int, high: int) -> Iterator[tuple[int, Cut]]:
        for number in range(first + 1, len(self.blocks)):
            before = self.blocks[number - 1]
            if before.end > high:
                break
            if before.end > low and before.type != "heading":
                yield 0, self._before(number)
        for block in self._insides(first, low, high):
            start, stop = max(low, block.start), min(high, block.end - 1)
            if block.form == "prose":
                yield from ((0, cut) for cut in blank_line_cuts(self._text, start, stop))
            else:
                yield from line_cuts(self._text, start, stop, items=block.form == "items")

    def _sentence(self, first: int, anchor: int, low: int, high: int) -> Cut | None:
        return self._inside(first, low, high, lambda a, b: sentence_cuts(self._text, a, b, anchor))

    def _word(self, first: int, fresh: int, high: int, far: int) -> Cut | None:
        text = self._text
        half = fresh + (high - fresh) // _SENTENCE_SHARE

        def lines(low: int, high: int) -> Iterator[Cut]:
            return (cut for _, cut in line_cuts(text, low, high, items=False))

        def spaces(low: int, high: int) -> Iterator[Cut]:
            return space_cuts(text, low, high, fresh)

        def unspaced(low: int, high: int) -> Iterator[Cut]:
            return edge_cuts(text, low, high, fresh, unspaced=True)

        def edges(low: int, high: int) -> Iterator[Cut]:
            return edge_cuts(text, low, high, fresh, unspaced=False)

        return (
            self._inside(first, half, high, lines)
            or self._inside(first, half, high, spaces)
            or self._inside(first, half, high, unspaced)
            or self._inside(first, fresh, half, spaces)
            or self._inside(first, high, far, spaces)
            or self._inside(first, fresh, far, edges)
        )

    def _inside(
        self, first: int, low: int, high: int, cuts: Callable[[int, int], Iterable[Cut]]
    ) -> Cut | None:
        """The last of the ``cuts`` of a window, looked for where blocks may be cut."""
        found = None
        for block in self._insides(first, low, high):
            for cut in cuts(max(low, block.start), min(high, block.end - 1)):
                found = cut
        return found

    def _insides(self, first: int, low: int, high: int) -> Iterator[Block]:
        """The blocks that reach into the window and may be cut."""
        for number in range(first, len(self.blocks)):
            block = self.blocks[number]
            if block.start >= high:
                break
            short_heading = block.type == "heading" and block.end - block.start <= self._chars
            if block.end - 1 > low and block.form != "whole" and not short_heading:
                yield block

    def _whole_block(self, first: int, at: int) -> int | None:
        """The block that has to stay whole and runs across ``at``."""
        for number in range(first, len(self.blocks)):
            block = self.blocks[number]
            if block.end > at:
                return number if block.form == "whole" and block.start <= at else None
        return None

    def _before(self, number: int) -> Cut:
        if number == len(self.blocks):
            return Cut(self.last, self.last)
        return Cut(self.blocks[number - 1].end, self.blocks[number].start)

    def _cuttable(self, block: Block) -> Block:
        if block.form == "whole" and block.end - block.start > self._whole:
            return block._replace(form="lines")
        return block

"""Numbers as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.render.quantities import ago, count, duration, scaled, share, size


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (count(1, "file"), "1 file"),
        (count(12_042, "chunk"), "12,042 chunks"),
        (count(2, "corpus", "corpora"), "2 corpora"),
        (scaled(999), "999"),
        (scaled(1000), "1.0 k"),
        (scaled(9_949), "9.9 k"),
        (scaled(9_951), "10 k"),
        (scaled(999_600), "1.0 M"),
        (size(412), "412 B"),
        (size(41_000_000), "41 MB"),
        (duration(12.3), "12 ms"),
        (duration(999.6), "1.0 s"),
        (duration(59_960), "1 min 00 s"),
        (duration(125_000), "2 min 05 s"),
        (duration(3_720_000), "1 h 02 min"),
        (share(0), "0%"),
        (share(0.0001), "1%"),
        (share(0.9999), "99%"),
        (share(1), "100%"),
        (ago(0), "just now"),
        (ago(60), "1 minute ago"),
        (ago(43_200), "12 hours ago"),
        (ago(3.9 * 86_400), "3 days ago"),
    ],
)
def test_quantities_read_well(shown: str, expected: str) -> None:
    assert shown == expected


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_all_and_none_are_never_said_of_some(part: float) -> None:
    assert share(part) not in ("0%", "100%")

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.embedders.assemble import assemble, assemble_query
from tamis.errors import EmbedCountError, EmbedDimensionError, EmbedError

finite = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(st.lists(st.lists(finite, min_size=3, max_size=3), max_size=5))
def test_a_row_becomes_a_unit_in_its_direction_or_a_failure(rows: list[list[float]]) -> None:
    embedded = assemble(rows, len(rows), 3)
    assert embedded.vectors.shape == (len(rows), 3)
    assert embedded.vectors.dtype == np.float32
    for i, row in enumerate(rows):
        length = np.linalg.norm(np.array(row, np.float64))
        if i in embedded.failures:
            assert length == 0
            assert not embedded.vectors[i].any()
        else:
            np.testing.assert_allclose(embedded.vectors[i], np.array(row, np.float64) / length, atol=1e-6)


def test_three_and_four_become_point_six_and_point_eight() -> None:
    np.testing.assert_allclose(assemble([[3, 4]], 1, 2).vectors, [[0.6, 0.8]], rtol=1e-6)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ([0.0, 0.0], "zero"),
        ([float("nan"), 1.0], "not finite"),
        ([float("inf"), 1.0], "not finite"),
        ([None, 1.0], "other than numbers|not finite"),
        (["a", 1.0], "other than numbers"),
        (None, "no vector"),
    ],
)
def test_an_unusable_row_fails_alone_with_its_reason(row: list[float] | None, reason: str) -> None:
    embedded = assemble([[1.0, 0.0], row, [0.0, 2.0]], 3, 2, truncated=[2])
    assert list(embedded.failures) == [1]
    np.testing.assert_array_equal(embedded.vectors, [[1, 0], [0, 0], [0, 1]])
    assert embedded.truncated == (2,)
    with pytest.raises(EmbedError, match=reason):
        assemble_query(row, 2)


def test_what_failed_before_is_not_looked_at() -> None:
    embedded = assemble([[1.0, 0.0], None], 2, 2, failures={1: "the server refused it"})
    assert embedded.failures == {1: "the server refused it"}


@pytest.mark.parametrize("rows", [[], [[1.0, 0.0]] * 3])
def test_another_number_of_vectors_than_texts_is_an_error_of_the_whole(rows: list[list[float]]) -> None:
    with pytest.raises(EmbedCountError, match=f"2 texts went in and {len(rows)}"):
        assemble(rows, 2, 2)


def test_a_row_of_another_width_is_an_error_of_the_whole() -> None:
    with pytest.raises(EmbedDimensionError, match="3 dimensions, not 2"):
        assemble([[1.0, 0.0], [1.0, 0.0, 0.0]], 2, 2)

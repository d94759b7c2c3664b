"""Bit tricks: two ways to pick a bit, and what Python itself says."""

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from lostcities.kernel import _jit
from lostcities.kernel._jit import borrow, copy_row, ctz, njit, popcount, row_of, select_bit
from lostcities.kernel._jit import select_bit_portable as portable

_WORDS = [1, 2, 3, 1 << 63, (1 << 64) - 1, 0x8000000000000001, 0x5555555555555555] + [
    random.Random(number).getrandbits(64) & random.Random(-number).getrandbits(64)
    for number in range(40)
]


@njit
def _count(word: np.uint64) -> tuple[Any, Any]:
    return popcount(word), ctz(word)


@njit
def _copied(out: npt.NDArray[np.float32], rows: npt.NDArray[np.float32]) -> None:
    copy_row(row_of(borrow(out), 1), np.uint64(1), rows, np.uint64(2), 3)


@pytest.mark.parametrize("word", [word for word in _WORDS if word])
def test_the_bits_of_a_word(word: int) -> None:
    assert _count(np.uint64(word)) == (word.bit_count(), (word & -word).bit_length() - 1)
    bits = [bit for bit in range(64) if word >> bit & 1]
    for rank, bit in enumerate(bits):
        assert int(portable(np.uint64(word), np.uint64(rank))) == 1 << bit
        assert int(select_bit(np.uint64(word), np.uint64(rank))) == 1 << bit


def test_no_bit_is_behind_the_last() -> None:
    assert _count(np.uint64(0)) == (0, 64)
    assert [int(popcount(np.uint64(7))), int(ctz(np.uint64(8))), int(ctz(np.uint64(0)))] == [
        3,
        3,
        64,
    ]


def test_a_row_is_copied_where_it_belongs() -> None:
    out = np.zeros((3, 6), np.float32)
    _copied(out, np.arange(9, dtype=np.float32).reshape(3, 3))
    assert out.tolist() == [[0] * 6, [0, 6, 7, 8, 0, 0], [0] * 6]


@njit
def _sum_of_views(count: int) -> float:
    """Make views of arrays that live only here, again and again."""
    total = 0.0
    for number in range(count):
        table = np.full((2, 100), np.float32(number))
        view = row_of(borrow(table), 1)
        total += view[0] + view[99]
        view[0] = np.float32(7)
        total += table[1, 0]
    return total


def test_a_view_is_the_array_itself() -> None:
    assert _sum_of_views(1000) == 2 * sum(range(1000)) + 7 * 1000


def test_the_instruction_is_used_where_it_is_fast() -> None:
    assert _jit.has_fast_pdep(("x86_64-unknown-linux-gnu", "znver3", "+avx2,+bmi2"))
    assert not _jit.has_fast_pdep(("x86_64-unknown-linux-gnu", "znver2", "+avx2,+bmi2"))
    assert not _jit.has_fast_pdep(("x86_64-unknown-linux-gnu", "generic", "-bmi2,+bmi"))
    assert not _jit.has_fast_pdep(("aarch64-unknown-linux-gnu", "generic", "+bmi2"))

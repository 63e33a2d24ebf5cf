"""How components ended."""

from __future__ import annotations

import numpy as np

from workbench.run.show.endings import Ending, Endings, ending_of


def chunk(first: int, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    numbers = np.arange(first, first + count)
    return np.column_stack([numbers, np.full(count, 1), numbers])


def test_the_latest_are_kept_and_what_was_read_stays() -> None:
    endings, read = Endings(kept=5), []
    for first in range(0, 60, 3):
        endings.add(chunk(first, 3))
        read.append(endings.latest())
    assert [found[:, 0].tolist() for found in read] == [
        list(range(max(0, end - 5), end)) for end in range(3, 63, 3)
    ]  # fmt: skip
    assert not any(found.flags.writeable for found in read)


def test_room_does_not_grow_without_end() -> None:
    endings = Endings(kept=100)
    for first in range(0, 100_000, 50):
        endings.add(chunk(first, 50))
    assert len(endings._room) <= 2 * (100 + 50)


def test_who_took_it_in_and_what_is_not_known() -> None:
    endings = np.array([[4, -1, 2], [9, 0, 3]])
    assert ending_of(endings, 2) == Ending(4, None)
    assert ending_of(endings, 3) == Ending(9, 0)
    assert ending_of(endings, 0) is None

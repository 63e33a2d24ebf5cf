"""How many samples are learned in one call: many enough to be fast, few enough to react to commands soon."""

from __future__ import annotations

from workbench.run.pace import LONGEST_CHUNK

CHUNK_SECONDS = 0.032
"""Work between two looks at the command queue, most of it without the interpreter lock. With 0.01 s a watched learner
lost a third of its speed to waiting for the window's thread. It is longer than a frame, so every chunk is shown."""
BLOCK, BLOCK_SECONDS = 64, 0.1
"""In many dimensions, engines learn blocks of 64 samples: a chunk may take up to 0.1 s to fill one."""


class ChunkSize:
    """Samples of the next chunk, fitted to the time of the last one.

    >>> size = ChunkSize(1)
    >>> size.fit(1, 0.001), size.fit(4, 0.004), size.fit(1, 0.5)
    (4, 16, 1)
    """

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def fit(self, count: int, seconds: float) -> int:
        """Choose as many samples as take `CHUNK_SECONDS`, at most four times as many as before."""
        if count:
            each = max(seconds / count, 1e-12)
            wanted = CHUNK_SECONDS / each
            if wanted < BLOCK and BLOCK * each < BLOCK_SECONDS:
                wanted = BLOCK
            self.rows = int(max(1, min(wanted, 4 * self.rows, LONGEST_CHUNK)))
        return self.rows

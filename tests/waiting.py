"""Waiting for other threads where there is no event loop."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 60.0
"""Seconds: a test that waits for longer has failed, however busy the machine is."""
PAUSE = 0.001


def wait_until(
    condition: Callable[[], object],
    meanwhile: Callable[[], object] = lambda: None,
    told: Callable[[], object] = lambda: "",
) -> None:
    """Look again and again until something holds.

    Parameters
    ----------
    condition : what is waited for
    meanwhile : called before every look, to take what the threads have left
    told : what to say where it never comes
    """
    deadline = time.monotonic() + PATIENCE
    meanwhile()
    while not condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE:g} s in vain: {told()}"
        time.sleep(PAUSE)
        meanwhile()

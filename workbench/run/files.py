"""Files that are written whole or not at all: what was there before stays until the new one is complete."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_safely(path: str | Path, write: Callable[[Path], Any]) -> None:
    """Let `write` fill a file beside `path`, then put it in its place; on any error nothing is changed.

    The name given to `write` has the suffix of `path`.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: give the name of a file in it")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path.parent} is not a folder: choose one that exists")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
    except OSError as error:
        raise type(error)(f"{path} cannot be written ({error.strerror}): choose another folder") from error
    os.close(handle)
    new = Path(name)
    try:
        write(new)
        new.chmod(0o666 & ~_umask())
        new.replace(path)
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise OSError(f"{path} cannot be written (the disk is full): make room, or choose another folder") from error
    finally:
        new.unlink(missing_ok=True)


def _umask() -> int:
    """What a file made in the ordinary way would be denied; mkstemp denies more."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

"""Atomic file writes: an existing file is replaced only when the new one is complete."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
TEMPORARY = re.compile(r"\.figmn-(\d+)-[0-9a-f]{16}(\..*)?")
"""Names of our temporary files: the id of the process that writes it, and a random part."""
STALE_SECONDS = 3600
"""A temporary file is deleted if it was not written to for this long and its process no longer runs."""


def write_safely(path: str | os.PathLike[str], write: Callable[[Path], Any]) -> None:
    """Let `write` fill a temporary file beside `path`, then rename it to `path`; on any error nothing is changed.

    A replaced file keeps its permissions, and symbolic links are followed. The name passed to `write` has the suffix of
    `path`. Temporary files that a killed process left in the folder are deleted.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_safely(f"{folder}/a.txt", lambda new: new.write_text("whole"))
    ...     Path(f"{folder}/a.txt").read_text()
    'whole'
    """
    path = Path(path)
    target = _target(path)
    _clear_stale(target.parent)
    new = target.with_name(f".figmn-{os.getpid()}-{secrets.token_hex(8)}{target.suffix}")
    try:
        _create(new, path)
        write(new)
        _keep(new, target)
        new.replace(target)
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise OSError(f"{path} cannot be written (the disk is full): make room, or choose another folder") from error
    finally:  # after any exception, Ctrl+C included
        new.unlink(missing_ok=True)


def _target(path: Path) -> Path:
    """The file to replace, with links resolved; raises `OSError` if it cannot be written."""
    try:
        target = path.resolve()
        mode = target.stat().st_mode if target.exists() else stat.S_IFREG
    except (OSError, RuntimeError, ValueError) as error:  # circular links; a name too long or with a NUL
        raise OSError(f"{path} cannot be written ({_reason(error)}): choose another name") from error
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{path} is a folder: give the name of a file in it")
    if not stat.S_ISREG(mode):
        raise OSError(f"{path} is a device or pipe, not a file: choose another name")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{target.parent} is not a folder: choose one that exists")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(f"{path} is read-only: choose another name, or make it writable")
    return target


def _create(new: Path, path: Path) -> None:
    """Create an empty file that only this user can read."""
    try:
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise type(error)(f"{path} cannot be written ({error.strerror}): choose another folder") from error


def _keep(new: Path, target: Path) -> None:
    """Flush the new file to disk, and give it the owner and permissions of the one it replaces."""
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    if not target.exists():
        new.chmod(0o666 & ~_umask())
        return
    before = target.stat()
    with contextlib.suppress(OSError, AttributeError):  # only root can give a file away; Windows has no owners
        os.chown(new, before.st_uid, before.st_gid)
    new.chmod(stat.S_IMODE(before.st_mode))


def _clear_stale(folder: Path) -> None:
    """Delete our stale temporary files, if their process no longer runs."""
    oldest = time.time() - STALE_SECONDS
    with contextlib.suppress(OSError):  # a folder that cannot be listed, a file that another process removed
        for entry in os.scandir(folder):
            found = TEMPORARY.fullmatch(entry.name)
            if found and entry.stat(follow_symlinks=False).st_mtime < oldest and not _is_running(int(found[1])):
                Path(entry.path).unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    if os.name != "posix":  # on Windows, signal 0 would end the process
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _umask() -> int:
    """The umask of the process: permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

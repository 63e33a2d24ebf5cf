"""Compilation of the loops of `figmn.kernels`, and the cache of compiled code on disk.

Numba writes its cache beside the source or under the user's home, and raises if it can write to neither. Here a
read-only cache beside the source is used as well (an image built by root, run by another user), a private temporary
folder is the last choice, and no error of a disk or a file ever stops a call: the code is compiled instead.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from numba import njit
from numba.core import caching

QUIET = "FIGMN_QUIET"
"""Environment variable: any value but 0 hides the message about compiling."""
SECONDS = 5
"""Typical compile time for one engine."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO

Function = TypeVar("Function", bound=Callable[..., Any])
FAST = {"contract", "reassoc", "nsz", "arcp"}
"""Sums may be reordered for vector instructions; infinities and NaN keep their meaning."""
SETTINGS: dict[str, Any] = {"nogil": True, "fastmath": FAST, "error_model": "numpy"}
INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: Function) -> Function:
    """Decorator for functions called from Python: compiled at the first call, or loaded from the cache."""
    dispatcher: Any = njit(**SETTINGS)(function)
    dispatcher._cache = KeptCode(function)  # in place of `enable_caching`, which raises if no folder is writable
    found: Function = dispatcher
    return found


def part(function: Function) -> Function:
    """Decorator for functions called only by compiled code, where the cost of a call is negligible.

    Without an entry point for Python they take less time to compile.
    """
    found: Function = njit(**SETTINGS, **INNER)(function)
    return found


def inlined(function: Function) -> Function:
    """Decorator for small functions that run for every sample: passing the arrays would take as long as the work."""
    found: Function = njit(**SETTINGS, **INNER, inline="always")(function)
    return found


class KeptCode:
    """Cache of one function's compiled code on disk, with the interface that numba's dispatchers expect."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def cache_path(self) -> str | None:
        """Folder that new code is written to; None if none is writable."""
        return None if self._written is None else str(self._written.cache_path)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Compiled code from the cache, or None after announcing that it will be compiled now."""
        for files in (self._written, self._shipped):
            # Damaged files can raise anything that pickle and LLVM raise; they are overwritten after compiling.
            with suppress(Exception):
                found = files and files.load_overload(signature, context)
                if found is not None:
                    return found
        announce(self.cache_path)
        return None

    def save_overload(self, signature: Any, code: Any) -> None:
        """Write compiled code to the cache; errors are ignored."""
        if self._written is None:
            return
        try:
            self._written.save_overload(signature, code)
        except Exception:  # noqa: BLE001 (a damaged index is replaced; on a full disk nothing is cached)
            with suppress(Exception):
                self._written.flush()
                self._written.save_overload(signature, code)

    def flush(self) -> None:
        """Delete the cached files."""
        if self._written is not None:
            self._written.flush()

    @cached_property
    def _written(self) -> Files | None:
        return _files(FirstWritable, self._function)

    @cached_property
    def _shipped(self) -> Files | None:
        # An explicitly configured folder is the only one used.
        return None if os.environ.get("NUMBA_CACHE_DIR") else _files(BesideTheSource, self._function)


def _files(place: type[caching.CompileResultCacheImpl], function: Callable[..., Any]) -> Files | None:
    try:
        return Files(place, function)
    except (RuntimeError, OSError):  # no usable folder, or the source cannot be read
        return None


class Files(caching.FunctionCache):
    """Numba's cache files for one function: with a checksum, and stale if anything that is compiled in has changed."""

    def __init__(self, place: type[caching.CompileResultCacheImpl], function: Callable[..., Any]) -> None:
        self._impl_class = place
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp(), _compiled_in(function)
        self._cache_file = CheckedFiles(self._cache_path, self._impl.filename_base, stamp)


def _compiled_in(function: Callable[..., Any]) -> str:
    """Fingerprint of what a function may have compiled in from other files: numba checks its own file only.

    It covers the sources of the compiled functions that it calls, numbers, and the fields of named tuples.
    """
    found: dict[str, Any] = {}
    modules: list[dict[str, Any]] = []
    waiting = [function.__globals__]
    while waiting:
        names = waiting.pop()
        if any(names is known for known in modules):
            continue
        modules.append(names)
        for name, value in names.items():
            if isinstance(value, int | float):
                found[f"{names['__name__']}.{name}"] = value
            elif isinstance(value, type) and issubclass(value, tuple):
                found[f"{value.__module__}.{name}"] = getattr(value, "_fields", ())
            elif hasattr(value, "py_func"):
                waiting.append(value.py_func.__globals__)
    sources = {str(names["__name__"]): _size_and_time(names.get("__file__")) for names in modules}
    settings = sorted((name, value) for name, value in SETTINGS.items() if name != "fastmath")
    return repr((sorted(found.items()), sorted(sources.items()), sorted(FAST), settings))


def _size_and_time(path: str | None) -> tuple[int, float] | None:
    """Size and modification time of a source file, as numba compares them; None if it cannot be read."""
    try:
        found = Path(path or "").stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime


class CheckedFiles(caching.IndexDataCacheFile):
    """Files that end in a checksum, so that corrupted machine code is never run."""

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        return data + hashlib.sha256(data).digest()

    def _load_data(self, name: str) -> Any:
        whole = Path(self._data_path(name)).read_bytes()
        size = len(whole) - hashlib.sha256().digest_size
        if size < 0 or hashlib.sha256(whole[:size]).digest() != whole[size:]:
            raise ValueError(f"{name} is damaged")
        return pickle.loads(whole[:size])  # noqa: S301 (from a folder that is this user's or the source's own)


class PrivateFolder(caching.UserWideCacheLocator):
    """A temporary folder private to this user: code is run from it, so nobody else may write to it."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        super().__init__(function, source)
        self._cache_path = str(private_folder() / self.get_suitable_cache_subpath(source))

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
        """The folder, or None if there is no private one."""
        try:
            return super().from_function(py_func, py_file)
        except OSError:
            return None


def private_folder() -> Path:
    """The temporary folder of this user, created if missing; raises `PermissionError` if others can write to it.

    Not `platformdirs`: its cache folder is under the home, and this one is for users who cannot write there; its
    runtime folder is not checked for its owner.

    >>> oct(private_folder().stat().st_mode & 0o777) if os.name == "posix" else "0o700"
    '0o700'
    """
    if os.name != "posix":
        raise PermissionError("whose folder it is cannot be told on this system")
    folder = Path(tempfile.gettempdir()) / f"figmn-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found, around = folder.lstat(), folder.parent.stat()
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & OTHERS
    # Without the sticky bit, anyone with write access to the parent can replace the folder.
    is_fixed = bool(around.st_mode & stat.S_ISVTX) or not around.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    # The owner of the parent can do so in any case.
    if not (is_ours and is_fixed and around.st_uid in {0, os.getuid()}):
        raise PermissionError(f"{folder} is not private")
    return folder


class FirstWritable(caching.CompileResultCacheImpl):
    """Where numba would write: NUMBA_CACHE_DIR, beside the source, under the home; a private folder comes last."""

    _locator_classes = [*caching.CacheImpl._locator_classes, PrivateFolder]  # noqa: RUF012 (numba's list)


class InTree(caching.InTreeCacheLocator):
    """Beside the source, whether or not that is writable."""

    def ensure_cache_path(self) -> None:
        """Nothing to create: the folder is only read."""


class BesideTheSource(caching.CompileResultCacheImpl):
    """Beside the source, where an installer may have compiled it."""

    _locator_classes = [InTree]  # noqa: RUF012 (numba's list)


def announce(folder: str | None) -> None:
    """Announce on stderr that the loops are being compiled, once per process; `QUIET` suppresses it."""
    if _ANNOUNCED.is_set():
        return
    _ANNOUNCED.set()
    if os.environ.get(QUIET, "0") not in {"", "0"} or sys.stderr is None:
        return
    later = "later starts load them" if folder else "nothing can be kept, as no folder for it is writable"
    with suppress(OSError, ValueError):  # closed, or a broken pipe
        sys.stderr.write(f"figmn: compiling its loops, about {SECONDS} s; {later} ({QUIET}=1 hides this line)\n")
        sys.stderr.flush()


_ANNOUNCED = threading.Event()

"""Cache of the last patterns of missing values, valid as long as the mixture does not change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from threading import Lock

from figmn.answers.inference import Mixture, Pattern
from figmn.system.arrays import Bools
from figmn.system.tuning import KEPT_BYTES, KEPT_PATTERNS


class KeptPatterns:
    """Cache of patterns of one version of a mixture; the least recently used are evicted first.

    Every change of the mixture replaces the cache, so a late `put` from another thread goes to the old one. Copies and
    pickles of it are empty.

    >>> from figmn import FastIGMN
    >>> model = FastIGMN(delta=1, beta=0, scale=[1.0, 1.0]).learn([[0, 0], [1, 2]])
    >>> _ = model.recall([[1.5, float("nan")], [2.5, float("nan")]])
    >>> len(model._kept), len(model.learn([[2, 4]])._kept)
    (1, 0)
    """

    def __init__(self, n_patterns: int = KEPT_PATTERNS, n_bytes: int = KEPT_BYTES) -> None:
        self._most, self._room = n_patterns, n_bytes
        self._kept: OrderedDict[bytes, tuple[Pattern, int]] = OrderedDict()
        """Patterns with their sizes in bytes, by missing dimensions; the most recently used is last."""
        self._lock = Lock()
        self.n_bytes = 0
        """Memory of all patterns."""

    def __len__(self) -> int:
        return len(self._kept)

    def __reduce__(self) -> tuple[type[KeptPatterns], tuple[int, int]]:
        return KeptPatterns, (self._most, self._room)

    def clear(self) -> None:
        """Remove all patterns."""
        with self._lock:
            self._kept.clear()
            self.n_bytes = 0

    def find(self, missing: Bools) -> Pattern | None:
        """The cached pattern of these missing dimensions, or None."""
        with self._lock:
            found = self._kept.get(missing.tobytes())
        return None if found is None else found[0]

    def put(self, pattern: Pattern) -> None:
        """Add a pattern, or update the size of a cached one, and evict what exceeds the limits."""
        key, n_bytes = pattern.missing.tobytes(), pattern.n_bytes
        with self._lock:
            self.n_bytes -= self._kept.pop(key, (pattern, 0))[1]
            if n_bytes > self._room:
                return
            self.n_bytes += n_bytes
            self._kept[key] = pattern, n_bytes
            while self._kept and (len(self._kept) > self._most or self.n_bytes > self._room):
                self.n_bytes -= self._kept.popitem(last=False)[1][1]


class Asked:
    """The `Patterns` of one query: from the cache, else from a mixture that is made when first needed."""

    def __init__(self, kept: KeptPatterns, make_mixture: Callable[[], Mixture], n_components: int) -> None:
        self.n_components = n_components
        self._kept, self._make_mixture = kept, make_mixture

    @cached_property
    def mixture(self) -> Mixture:
        """See `Questions._mixture`; it may cost a factorisation of every component."""
        return self._make_mixture()

    def pattern(self, missing: Bools) -> Pattern:
        """See `Patterns`."""
        return self._kept.find(missing) or self.mixture.pattern(missing)

    def keep(self, pattern: Pattern) -> None:
        """See `Patterns`."""
        self._kept.put(pattern)

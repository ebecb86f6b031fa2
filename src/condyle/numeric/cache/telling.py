"""One line in a terminal about what is being compiled, how far it is, and that it happens once."""

from __future__ import annotations

import sys
import time
from typing import Any

WIDTH = 100


def reached(function: Any) -> set[Any]:
    """The functions with kept code that a function calls, directly or not, by the names that its code mentions."""
    seen, kept, waiting = {function}, set(), [function]
    while waiting:
        here = waiting.pop()
        for value in map(here.__globals__.get, here.__code__.co_names):
            inner = getattr(value, "py_func", None)
            if inner is not None and inner not in seen:
                seen.add(inner)
                waiting.append(inner)
                if getattr(value, "merged", "") != "always":
                    kept.add(inner)
    return kept


class Line:
    """The line; nothing is shown where standard error is no terminal."""

    def __init__(self) -> None:
        self._what, self._total, self._done, self._begun = "", 0, 0, 0.0

    @property
    def _shown(self) -> bool:
        return sys.stderr is not None and sys.stderr.isatty()

    def missing(self, function: Any, name: str) -> None:
        """A function was not kept, and is compiled now: the first such is what the line speaks of."""
        if self._shown and not self._what:
            self._what, self._total, self._done, self._begun = name, 1 + len(reached(function)), 0, time.monotonic()
            self._show()

    def compiled(self, name: str) -> None:
        """A function was compiled."""
        self._done += 1
        if not self._what or not self._shown:
            return
        if name == self._what:
            self._end()
        else:
            self._show()

    def _show(self) -> None:
        part = min(99, 100 * self._done // self._total)
        name = self._what.rsplit(".", 1)[-1]
        words = f"condyle: compiling {name} for this processor, {part} %; it is kept for later starts"
        print(f"\r{words:{WIDTH}}", end="", file=sys.stderr, flush=True)

    def _end(self) -> None:
        name, seconds = self._what.rsplit(".", 1)[-1], time.monotonic() - self._begun
        words = f"condyle: compiled {name} in {seconds:.1f} s; later starts find it"
        print(f"\r{words:{WIDTH}}", file=sys.stderr, flush=True)
        self._what = ""


LINE = Line()

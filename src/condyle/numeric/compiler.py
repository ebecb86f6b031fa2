"""The decorators that turn plain Python into machine code, and the switch that leaves it plain.

`kernel` marks a function that kernels call; `inlined` a tiny one, always inlined; `entry` one that Python calls.
With CONDYLE_COMPILE=0 in the environment all three return the function itself: same results, for coverage and
debugging. Only `contract`, `nsz` and `arcp` of the fast-math flags are ever used: the others delete NaN checks and
break range reduction.
"""

from __future__ import annotations

import os

__all__ = ["COMPILED", "FLAGS", "entry", "inlined", "kernel"]

COMPILED = os.environ.get("CONDYLE_COMPILE", "1") != "0"
FLAGS = ("contract", "nsz", "arcp")

if COMPILED:
    from numba import njit

    from .cache import KernelCache

    _OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": set(FLAGS)}

    def kernel(function):
        """A function called by other kernels: compiled once per number type and kept on disk."""
        compiled = njit(**_OPTIONS)(function)
        compiled._cache = KernelCache(function)  # type: ignore[attr-defined]
        return compiled

    def inlined(function):
        """A small function that is always merged into its caller."""
        return njit(forceinline=True, **_OPTIONS)(function)

    entry = kernel  # a kernel that Python calls

else:

    def _plain(function):
        """The function itself."""
        return function

    kernel = inlined = entry = _plain

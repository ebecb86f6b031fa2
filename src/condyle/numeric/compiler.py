"""The decorators that turn plain Python into machine code, and the switch that leaves it plain.

`kernel` marks a function that kernels call; `inlined` a tiny one, always inlined; `seldom` one that most states do not
need, never inlined; `entry` one that Python calls.
With CONDYLE_COMPILE=0 or NUMBA_DISABLE_JIT=1 in the environment all four leave the function plain: same results, for
coverage and debugging. Only `contract`, `nsz` and `arcp` of the fast-math flags are ever used: the others delete
NaN checks and break range reduction.
"""

from __future__ import annotations

import os


def _wanted() -> bool:
    """Whether kernels are compiled; where the environment says no, Numba is not even loaded."""
    disabled = os.environ.get("NUMBA_DISABLE_JIT", "").strip()
    if os.environ.get("CONDYLE_COMPILE", "1") == "0" or (disabled.isdecimal() and int(disabled)):
        return False
    from numba import config

    return not getattr(config, "DISABLE_JIT", 0)


COMPILED = _wanted()
FLAGS = ("contract", "nsz", "arcp")

if COMPILED:
    from numba import njit
    from numba.core.registry import CPUDispatcher

    from .cache import keep
    from .linked_code import EntryCompiler, InnerCompiler, SeldomCompiler

    _OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": set(FLAGS), "no_cfunc_wrapper": True}
    # (wrappers that nobody calls are a quarter of the compiler's work)

    class _Inner(CPUDispatcher):
        """A function without a wrapper, which Python must not call."""

        def __call__(self, *args, **kwargs):
            raise TypeError(f"{self.py_func.__qualname__} is for kernels only: call it from a function marked @entry")

    def _inner(function, **options):
        inner = {"no_cpython_wrapper": True, "pipeline_class": InnerCompiler, "forceinline": False}
        options = {**_OPTIONS, **inner, **options}
        compiled = njit(**options)(function)  # type: ignore[call-overload]
        compiled.__class__ = _Inner
        return compiled

    def entry(function):
        """A function that Python calls."""
        return keep(njit(**_OPTIONS, pipeline_class=EntryCompiler)(function))

    def kernel(function):
        """A function called by entries and other kernels."""
        return keep(_inner(function))

    def seldom(function):
        """A kernel that most states do not need: never merged into its caller, which stays small and fast."""
        return keep(_inner(function, pipeline_class=SeldomCompiler))

    def inlined(function):
        """A small function that is always merged into its caller."""
        return _inner(function, forceinline=True)

else:
    from functools import wraps

    import numpy as np

    def _plain(function):
        """The function itself."""
        return function

    def _silent(function):
        """The function itself, silent about infinities and NaN as compiled code is: its status tells of them."""

        @wraps(function)
        def called(*arguments, **named):
            with np.errstate(all="ignore"):
                return function(*arguments, **named)

        return called

    kernel = seldom = inlined = _plain
    entry = _silent

"""The decorators that turn plain Python into machine code, or leave it plain (`entries/code_source.py`).

`kernel` marks a function that kernels call; `inlined` a tiny one, always inlined; `seldom` one that most states do
not need, never inlined; `entry` one that Python calls, `ahead` names its larger parts.
"""

# pyright: reportRedeclaration=false, reportAssignmentType=false
# (one of two branches is taken when the module is loaded)

from __future__ import annotations

from .entries.code_source import COMPILED

if COMPILED:
    from .entries.entry import ALWAYS, NEVER, Ahead, Entry, Inner, Toolchain, use_toolchain

    def _begin_parts(name, ahead, arguments):
        from .cache.parallel_compilation import begin_parts

        begin_parts(name, ahead, arguments)

    def _jit():
        from . import jit

        return jit

    use_toolchain(Toolchain(_begin_parts, _jit))

    def entry(function):
        """A function that Python calls."""
        return Entry(function)

    def kernel(function):
        """A function called by entries and other kernels."""
        return Inner(function)

    def seldom(function):
        """A kernel that most states do not need: never merged into its caller, which stays small and fast."""
        return Inner(function, NEVER)

    def inlined(function):
        """A small function that is always merged into its caller."""
        return Inner(function, ALWAYS)

    def ahead(*kernels, pair=1):
        """For an entry: kernels (z, pair) that call its larger parts, which two processes can compile at once."""

        def mark(function):
            function.ahead = Ahead(kernels, pair)
            return function

        return mark

    def call_for(function, *arguments):
        """The native call of an entry for arguments of the types of these; it answers NotImplemented for others."""
        return function.call_for(*arguments)

    def bound_call(function, bound, *others, keeps_lock=False, made=None):
        """The native call of an entry whose first arguments are `bound`, for others of the types of these."""
        return function.bound_call(bound, *others, keeps_lock=keeps_lock, made=made)

else:
    from functools import partial, wraps

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

    def ahead(*kernels, pair=1):
        """Nothing: nothing is compiled."""
        return _plain

    def _kind(x) -> tuple:
        return (type(x), x.dtype, x.ndim, x.flags.c_contiguous) if isinstance(x, np.ndarray) else (type(x),)

    def call_for(function, *arguments):
        """The function, which answers NotImplemented for arguments of other types than these, as native calls do."""
        wanted = [*map(_kind, arguments)]

        def called(*given):
            return function(*given) if [*map(_kind, given)] == wanted else NotImplemented

        return called

    def bound_call(function, bound, *others, keeps_lock=False, made=None):
        """The function with its first arguments given, which answers NotImplemented for others of other types."""
        call = partial(call_for(function, *bound, *others), *bound)
        return made.making(call) if made else call

    kernel = seldom = inlined = _plain
    entry = _silent

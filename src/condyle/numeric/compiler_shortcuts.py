"""Shortcuts through Numba's compiler: the same code for a third less work.

Most of the time that a kernel takes to compile goes into Numba's own Python. While `shortcuts` is in force, what Numba
would find again and again is remembered, and what it would make only to throw away is not made. Each of these says
what Numba does instead; `tests/numeric/test_compiler_shortcuts.py` compares the machine code of both ways.
"""

# pyright: reportAttributeAccessIssue=false
# (numba is not typed)

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import ffi
from numba.core import types
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.runtime.context import NRTContext
from numba.core.transforms import canonicalize_cfg
from numba.core.types.functions import BaseFunction

LOCK_LISTENERS = ffi.lib._lock._cblist  # told of every call of LLVM; Numba's add up how long its lock was held


def _remembering(resolve: Callable) -> Callable:
    """The type of a call, looked for once for each function and types: Numba tries every meaning of `a + b` each time.

    Types that are not yet known to the end are not remembered: what they become is found later.
    """
    found: dict[tuple, Any] = {}

    def resolved(self: Any, context: Any, args: tuple, kws: dict[str, Any]) -> Any:
        key = (self, context, tuple(args), tuple(kws.items()))
        signature = found.get(key)
        if signature is None:
            signature = resolve(self, context, args, kws)
            if signature is not None and all(x.is_precise() for x in (signature.return_type, *signature.args)):
                found[key] = signature
        return signature

    return resolved


_meminfos, _post_process = NRTContext.get_meminfos, PostProcessor.run
_counted: dict[types.Type, bool] = {}  # whether values of a type hold references that are counted


def _no_needless_meminfos(self: Any, builder: Any, ty: types.Type, val: Any) -> list:
    """The counted references in a value: Numba takes every tuple apart to its numbers, to find that there are none."""
    if ty not in _counted:
        _counted[ty] = self._context.data_model_manager[ty].contains_nrt_meminfo()
    return _meminfos(self, builder, ty, val) if _counted[ty] else []


def _post_process_lazily(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """What follows a change of a function: Numba finds lifetimes of variables each time, for the last to use."""
    if emit_dels or self.func_ir.is_generator:
        _post_process(self, emit_dels, extend_lifetimes)
        return
    self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
    self.func_ir.variable_lifetime = VariableLifetime(self.func_ir.blocks)
    self.func_ir.generator_info = None


REPLACED = (
    (BaseFunction, "get_call_type", _remembering(BaseFunction.get_call_type)),
    (types.Dispatcher, "get_call_type", _remembering(types.Dispatcher.get_call_type)),
    (NRTContext, "get_meminfos", _no_needless_meminfos),
    (PostProcessor, "run", _post_process_lazily),
)


@contextmanager
def shortcuts() -> Iterator[None]:
    """Compile with shortcuts."""
    usual = [(place, name, vars(place)[name]) for place, name, _ in REPLACED]
    listeners = LOCK_LISTENERS[:]
    for place, name, shorter in REPLACED:
        setattr(place, name, shorter)
    LOCK_LISTENERS.clear()
    try:
        yield
    finally:
        LOCK_LISTENERS[:] = listeners
        for place, name, function in usual:
            setattr(place, name, function)

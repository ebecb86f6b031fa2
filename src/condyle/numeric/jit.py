"""Numba's compiler for kernels: loaded when something must be compiled, or read from the cache of what was."""

# pyright: reportReturnType=false
# (numba is not typed)

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from numba import njit, typeof, types
from numba.core.registry import CPUDispatcher
from numba.extending import typeof_impl

from . import dual_lanes as dual_lanes
from . import function_overloads as function_overloads
from . import lane_tables as lane_tables
from . import memory_overloads as memory_overloads
from . import slope_numbers as slope_numbers
from .cache.kernel_cache import keep
from .cache.parallel_compilation import compile_parts, entry_name, wait_for
from .call_wrapper import CalledCompiler
from .call_wrapper import address_of_call as address_of_call
from .compiler_shortcuts import shortcuts
from .entries.entry import ALWAYS, NEVER, NOTHING, Ahead, Entry, Inner
from .lanes import FLAGS
from .linked_code import EntryCompiler, InnerCompiler, SeldomCompiler

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": set(FLAGS), "no_cfunc_wrapper": True}
# (wrappers that nobody calls are a quarter of the compiler's work)


def called_dispatcher(function: Any) -> CPUDispatcher:
    """What compiles an entry with a call of condyle's own."""
    return keep(njit(**_OPTIONS, pipeline_class=CalledCompiler)(function))


def wrapped_dispatcher(function: Any) -> CPUDispatcher:
    """What compiles an entry, and calls it, as Numba does: for types that condyle's calls do not know."""
    return keep(njit(**_OPTIONS, pipeline_class=EntryCompiler)(function))


def inner_dispatcher(function: Any, merged: str) -> CPUDispatcher:
    """What compiles a function that only kernels call.

    That it is not forced into its callers is said, because Numba passes on that order from an inlined function to all
    that it calls and compiles first.
    """
    compiler = SeldomCompiler if merged == NEVER else InnerCompiler
    options = {**_OPTIONS, "no_cpython_wrapper": True, "pipeline_class": compiler, "forceinline": merged == ALWAYS}
    dispatcher = njit(**options)(function)
    return dispatcher if merged == ALWAYS else keep(dispatcher)


@typeof_impl.register(Entry)
@typeof_impl.register(Inner)
def _typeof_function(value, context):
    return types.Dispatcher(value.dispatcher)


def type_of(x: Any) -> types.Type:
    """The type of an argument; arrays count as writable, so that read-only ones need no code of their own."""
    if isinstance(x, tuple):
        kind = type(x) if hasattr(x, "_fields") else None
        return types.BaseTuple.from_types([type_of(each) for each in x], kind)
    found = typeof(x)
    return found.copy(readonly=False) if isinstance(found, types.Array) else found


@contextmanager
def compiling() -> Iterator[None]:
    """With shortcuts, and without the search for garbage: the compiler makes millions of objects that stay in use."""
    searches = gc.isenabled()
    gc.disable()
    try:
        with shortcuts():
            yield
    finally:
        if searches:
            gc.enable()


def compiled(dispatcher: CPUDispatcher, arguments: tuple, ahead: Ahead = NOTHING) -> Any:
    """The code of an entry for the types of some arguments, compiled if need be, the parts that it names first."""
    kinds = tuple(map(type_of, arguments))
    wait_for(entry_name(dispatcher))
    with compiling():
        if ahead.parts:
            compile_parts(dispatcher, kinds, ahead, arguments)
        compile_whole(dispatcher, kinds)
    return (
        dispatcher.overloads.get(kinds) or [*dispatcher.overloads.values()][-1]
    )  # classes of scripts return as others


def compile_whole(dispatcher: CPUDispatcher, kinds: tuple) -> None:
    """Compile for some types, again if an exception of a signal handler was lost inside LLVM.

    What a handler raises while LLVM hands over machine code cannot pass through it: Python drops the exception, and
    Numba finds no code. Nothing is kept of such an attempt.
    """
    try:
        dispatcher.compile(kinds)
    except RuntimeError as error:
        if "no compiled object" not in str(error):
            raise
        dispatcher.compile(kinds)


def compile_told(told: IO[bytes]) -> None:
    """What another process does (`cache/parallel_compilation.py`): compile parts for the types of arguments."""
    parts, arguments = pickle.load(told)
    kinds = tuple(map(type_of, arguments))
    with compiling():
        for part in parts:
            part.dispatcher.compile(kinds)
    os._exit(0)  # to take apart what was made would last half a second, and somebody waits

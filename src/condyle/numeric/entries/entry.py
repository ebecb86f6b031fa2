"""`Entry`, what `@entry` makes of a function, and `Inner`, what `@kernel` makes of one; neither loads the compiler.

An entry has native calls, each for arguments of certain types (`call_wrapper`). They come from the library that the
package carries, else from the cache of compiled code, else from the compiler.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property, lru_cache, partial, update_wrapper
from importlib import import_module
from operator import attrgetter
from threading import RLock
from typing import Any, NamedTuple

import numpy as np

from .python_objects import CLASSES, MAKING, constants, known, new_array, slot_offset

FASTCALL = 0x80
ALWAYS, NEVER = "always", "never"
LETTERS = {float: "d", np.float64: "d", int: "i", np.int64: "i", bool: "b", complex: "z", np.complex128: "z"}
ARRAYS = {np.dtype(float): "D", np.dtype(np.int64): "I", np.dtype(complex): "Z", np.dtype(bool): "B"}
_lock = RLock()  # one thread looks for code at a time


def _by_name(function: Callable) -> tuple | None:
    """How pickles name a function of a module; None for one that was made in another function."""
    return None if "<" in function.__qualname__ else (_named, (function.__module__, function.__qualname__))


def _named(module: str, name: str) -> Any:
    return attrgetter(name)(import_module(module))


class Inner:
    """A function that only kernels call.

    Parameters
    ----------
    function : callable
        The function in Python.
    merged : str, optional
        ALWAYS or NEVER into its caller; by default as the compiler sees fit.
    """

    def __init__(self, function: Callable, merged: str = "") -> None:
        self.py_func, self.merged = function, merged
        update_wrapper(self, function)

    @cached_property
    def dispatcher(self) -> Any:
        """What compiles it."""
        return _toolchain().jit().inner_dispatcher(self.py_func, self.merged)

    def __call__(self, *arguments: object, **named: object) -> Any:
        raise TypeError(f"{self.py_func.__qualname__} is for kernels only: call it from a function marked @entry")

    def __reduce__(self) -> tuple:
        return _by_name(self.py_func) or (Inner, (self.py_func, self.merged))


class Ahead(NamedTuple):
    """Kernels (z, pair) that an entry is made of, and which of its arguments the pair of tables is."""

    parts: tuple[Inner, ...] = ()
    pair: int = 1


NOTHING = Ahead()


class Toolchain(NamedTuple):
    """What entries need of the compiler, which is built on them: it says so itself, and is loaded when it is needed."""

    begin_parts: Callable[[str, Ahead, tuple], None]  # of an entry, in another process, before Numba is loaded here
    jit: Callable[[], Any]  # the module that compiles


_toolchains: list[Toolchain] = []


def use_toolchain(toolchain: Toolchain) -> None:
    """Compile with these."""
    _toolchains[:] = [toolchain]


def _toolchain() -> Toolchain:
    return _toolchains[0]


class Entry:
    """A function that Python calls.

    Parameters
    ----------
    function : callable
        The function in Python.
    """

    def __init__(self, function: Callable) -> None:
        self.py_func = function
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.calls: list[Callable] = []
        self.kinds: dict[str, Callable] = {}
        self.compiled: dict[str, Any] = {}
        self.addresses: dict[str, int] = {}
        self.ahead = NOTHING
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        for call in self.calls:
            found = call(*arguments)
            if found is not NotImplemented:
                return found
        found = self.call_for(*arguments)(*arguments)
        return self.numba(*arguments) if found is NotImplemented else found  # a class of the same name, but another

    def __reduce__(self) -> tuple:
        return _by_name(self.py_func) or (Entry, (self.py_func,))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "dispatcher":
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    @cached_property
    def dispatcher(self) -> Any:
        """What compiles it, with calls of condyle's own where they are possible."""
        jit = _toolchain().jit()
        return (jit.called_dispatcher if known() else jit.wrapped_dispatcher)(self.py_func)

    @cached_property
    def numba(self) -> Any:
        """What compiles and calls it as Numba does, for arguments that native calls do not know."""
        return _toolchain().jit().wrapped_dispatcher(self.py_func)

    def call_for(self, *arguments: Any) -> Callable:
        """The native call for arguments of the types of these, looked for or compiled if need be.

        It answers NotImplemented for others. Where native calls do not know a type it is Numba's function, which takes
        any.
        """
        kinds = kinds_of(arguments) if known() else None
        if kinds is None:
            return self.numba
        with _lock:
            return self.kinds.get(kinds) or self._found(kinds, arguments)

    def bound_call(self, bound: tuple, *others: Any, keeps_lock: bool = False, made: Made | None = None) -> Callable:
        """The call for arguments of the types of `bound` and `others`, with the first of them given once and for all.

        They live as long as the call. One that takes a microsecond is cheaper if it keeps the lock of the interpreter.
        With `made` it makes the last argument itself, and returns it.
        """
        arguments = (*bound, *others)
        call, kinds = self.call_for(*arguments), kinds_of(arguments)
        if kinds not in self.addresses:
            return made.making(partial(call, *bound)) if made else partial(call, *bound)
        here = made if made and made.is_native else None
        found = native(self.name, self.addresses[kinds], classes_of(arguments), Binding(bound, keeps_lock, here))
        return made.making(found) if made and not here else found

    def _found(self, kinds: str, arguments: tuple) -> Callable:
        """The call for these types, from the library, the cache or the compiler."""
        from .shipped import shipped_address

        address = shipped_address(self.name, kinds)
        if not address:
            _toolchain().begin_parts(self.name, self.ahead, arguments)
            jit = _toolchain().jit()
            self.compiled[kinds] = found = jit.compiled(self.dispatcher, arguments, self.ahead)
            address = jit.address_of_call(found)
        call = native(self.name, address, classes_of(arguments)) if address else self.numba
        self.kinds[kinds] = call
        if address:
            self.addresses[kinds] = address
            self.calls = [*self.calls, call]
        return call


def kinds_of(x: Any) -> str | None:
    """The types of arguments as text; None if native calls do not know one of them."""
    if isinstance(x, tuple):
        name = f"{type(x).__module__}.{type(x).__qualname__}" if hasattr(x, "_fields") else ""
        parts = [kinds_of(each) for each in x] if name or type(x) is tuple else [None]
        return None if None in parts else f"{name}({','.join(map(str, parts))})"
    if type(x) is np.ndarray:
        return _array_kind(x)
    return "n" if x is None else LETTERS.get(type(x)) or ("l" if type(x).__name__ == "LaneZero" else None)


def _array_kind(x: np.ndarray) -> str | None:
    letter = ARRAYS.get(x.dtype) if x.flags.aligned and x.dtype is np.dtype(x.dtype.type) else None
    layout = "C" if x.flags.c_contiguous else ("F" if x.flags.f_contiguous else "A")
    return letter and f"{letter}{x.ndim}{layout}"


def classes_of(x: Any) -> list[type]:
    """The NamedTuple classes of arguments, in the order in which a call meets them."""
    if not isinstance(x, tuple):
        return []
    own = [type(x)] if hasattr(x, "_fields") else []
    return own + [kind for each in x for kind in classes_of(each)]


class _Method(ctypes.Structure):
    """How Python describes a native function (PyMethodDef)."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@lru_cache(maxsize=1)
def _new_function() -> Any:
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return make


class Made(NamedTuple):
    """What a call makes in place of its last argument, an array, and returns where it would return 0; else it is None.

    Only entries whose last argument is a float64 array and that return a whole number can.
    """

    shape: tuple[int, ...]
    kind: type | None = None  # of the object around the array; None returns the array itself
    slot: str = ""  # where that object has it; its other slots stay empty

    def new(self) -> tuple[np.ndarray, Any]:
        """A new array, and what is returned with it."""
        array = np.empty(self.shape)
        if self.kind is None:
            return array, array
        around = object.__new__(self.kind)
        vars(self.kind)[self.slot].__set__(around, array)
        return array, around

    def making(self, call: Callable) -> Callable:
        """A call, in Python, that makes the last argument of another."""

        def made(*arguments: object) -> object:
            array, around = self.new()
            status = call(*arguments, array)
            return around if type(status) is int and status == 0 else None

        return made

    @property
    def offset(self) -> int:
        """Where the object around the array keeps it [bytes]; 0 if there is none, or that is not found."""
        return slot_offset(self.kind, self.slot) if self.kind else 0

    @property
    def is_native(self) -> bool:
        """Whether native calls can make it."""
        return bool(new_array() and (self.kind is None or self.offset))

    def words(self, shape: np.ndarray) -> tuple[int, ...]:
        """How native calls are told; the array of the shape must live as long as they do."""
        return len(shape), shape.ctypes.data, new_array(), id(self.kind) if self.kind else 0, self.offset


class Binding(NamedTuple):
    """Arguments that a call is given beforehand, whether it keeps the lock of the interpreter, and what it makes."""

    arguments: tuple = ()
    keeps_lock: bool = False
    made: Made | None = None


class _Constants(np.ndarray):
    """The `self` of a native function: what it compares with; it keeps alive what the function refers to."""

    kept: tuple


UNBOUND = Binding()


def native(name: str, address: int, classes: list[type], binding: Binding = UNBOUND) -> Callable:
    """A native function at an address as a function of Python."""
    method = _Method(name.encode(), address, FASTCALL, None)
    bound = np.array([id(x) for x in binding.arguments], dtype=np.int64)
    shape = np.array(binding.made.shape if binding.made else (), dtype=np.int64)
    makes = binding.made.words(shape) if binding.made else (0,) * len(MAKING)
    _, *others = constants()
    answer = id(None if binding.made else NotImplemented)  # to arguments of other types
    known_here = (answer, *others, bound.ctypes.data, len(bound), binding.keeps_lock, *makes, *map(id, classes))
    assert len(known_here) == CLASSES + len(classes)
    addresses = np.array(known_here, dtype=np.int64).view(_Constants)
    addresses.kept = (method, classes, bound, shape, binding)
    return _new_function()(ctypes.addressof(method), addresses, None)

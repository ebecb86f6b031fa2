"""What native calls know of Python's objects: where NumPy keeps the fields of an array, and addresses to compare with.

Both are looked at once in this very process (`known`): where they are not as expected, Numba's own calls are used.
"""

from __future__ import annotations

import ctypes
import sys
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from ..number_types import LaneZero


class ArrayFields(NamedTuple):
    """Offsets in bytes of the fields of an array object."""

    kind: int = 8
    data: int = 16
    ndim: int = 24
    shape: int = 32
    strides: int = 40
    dtype: int = 56
    flags: int = 64


ARRAY = ArrayFields()
FLAG_C, FLAG_F = 0x1, 0x2
DTYPES = {"float64": np.float64, "int64": np.int64, "complex128": np.complex128, "bool": np.bool_, "aligned": 0x100}
NAMES = (
    *("other", "none", "true", "false", "error", "tuple", "float", "float64", "int", "int64", "complex", "complex128"),
    *("lanes", "ndarray", "dtype float64", "dtype int64", "dtype complex128", "dtype bool"),
)
BINDING = ("bound", "bound count", "keeps the lock")  # of one call: arguments that it is given beforehand
MAKING = ("made axes", "made shape", "new array", "made class", "made slot")  # and the result that it makes; or zeros
PLACES = {name: place for place, name in enumerate((*NAMES, *BINDING, *MAKING))}
CLASSES = len(PLACES)


EMPTY = 184  # in NumPy's table of functions: PyArray_Empty(axes, shape, dtype, 0), which takes over the dtype


@lru_cache(maxsize=1)
def new_array() -> int:
    """The address of NumPy's function that makes an array; 0 if it is not where it should be."""
    try:
        core = import_module("numpy._core._multiarray_umath")
    except ImportError:
        return 0
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = (ctypes.c_void_p * (EMPTY + 1)).from_address(pointer(core._ARRAY_API, None))
    if table[2] != id(np.ndarray):  # PyArray_Type
        return 0
    kinds = ctypes.c_int, ctypes.c_void_p, ctypes.py_object, ctypes.c_int
    make, shape, dtype = ctypes.PYFUNCTYPE(ctypes.py_object, *kinds)(table[EMPTY]), np.array([2, 3]), np.dtype(float)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(dtype))
    made = make(2, shape.ctypes.data, dtype, 0)
    good = type(made) is np.ndarray and made.shape == (2, 3) and made.dtype is dtype and made.flags.c_contiguous
    return table[EMPTY] or 0 if good else 0


def slot_offset(kind: type, name: str) -> int:
    """Where objects of a class keep the value of a slot [bytes]; 0 if that is not found."""
    thing, value = object.__new__(kind), object()
    vars(kind)[name].__set__(thing, value)
    words = (ctypes.c_int64 * (kind.__basicsize__ // 8)).from_address(id(thing))
    return 8 * list(words).index(id(value)) if list(words).count(id(value)) == 1 else 0


@lru_cache(maxsize=1)
def constants() -> tuple[int, ...]:
    """The addresses that every call compares with, in the order of NAMES."""
    things: tuple[Any, ...] = (
        *(NotImplemented, None, True, False, RuntimeError, tuple, float, np.float64, int, np.int64, complex),
        *(np.complex128, LaneZero, np.ndarray, np.dtype(float), np.dtype(np.int64), np.dtype(complex), np.dtype(bool)),
    )
    return tuple(map(id, things))


@lru_cache(maxsize=1)
def known() -> bool:
    """Whether objects of this process are laid out as calls expect: an array is read field by field and compared."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8 or object.__basicsize__ != 16:
        return False
    x = np.zeros((3, 5))[:, ::2]

    def at(offset: int, kind: Any = ctypes.c_int64) -> int:
        return kind.from_address(id(x) + offset).value

    def words(offset: int) -> tuple[int, ...]:
        return tuple((ctypes.c_int64 * 2).from_address(at(offset)))

    return (
        (at(ARRAY.kind), at(ARRAY.data), at(ARRAY.dtype)) == (id(np.ndarray), x.ctypes.data, id(x.dtype))
        and at(ARRAY.ndim, ctypes.c_int32) == 2
        and (words(ARRAY.shape), words(ARRAY.strides)) == (x.shape, x.strides)
        and at(ARRAY.flags, ctypes.c_int32) == x.flags.num
    )

"""Number types, the compiler, its cache, and threads."""

from .blocks import pack, unpack
from .compiler import COMPILED, entry, inlined, kernel
from .numbers import (
    LANES,
    arctan,
    finite,
    floor,
    gather,
    gather4,
    less,
    load,
    locate,
    magnitude,
    row_start,
    scratch,
    select,
    sincos,
    sqrt,
    store,
    width,
)

if COMPILED:
    from . import overloads as overloads

__all__ = [
    "COMPILED",
    "LANES",
    "arctan",
    "entry",
    "finite",
    "floor",
    "gather",
    "gather4",
    "inlined",
    "kernel",
    "less",
    "load",
    "locate",
    "magnitude",
    "pack",
    "row_start",
    "scratch",
    "select",
    "sincos",
    "sqrt",
    "store",
    "unpack",
    "width",
]

"""Number types, the compiler, its cache, and threads."""

from .blocks import pack, unpack
from .compiler import COMPILED, entry, inlined, kernel
from .numbers import (
    LANE_WIDTH,
    LANES,
    arctan,
    finite,
    floor,
    gather,
    gather4,
    give_back,
    less,
    load,
    locate,
    magnitude,
    passed,
    row_start,
    scratch,
    select,
    sincos,
    some,
    sqrt,
    store,
    tables,
    width,
)
from .threads import run_chunks, thread_count

if COMPILED:
    from . import overloads as overloads

__all__ = [
    "COMPILED",
    "LANES",
    "LANE_WIDTH",
    "arctan",
    "entry",
    "finite",
    "floor",
    "gather",
    "gather4",
    "give_back",
    "inlined",
    "kernel",
    "less",
    "load",
    "locate",
    "magnitude",
    "pack",
    "passed",
    "row_start",
    "run_chunks",
    "scratch",
    "select",
    "sincos",
    "some",
    "sqrt",
    "store",
    "tables",
    "thread_count",
    "unpack",
    "width",
]

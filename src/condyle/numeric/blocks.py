"""States to interleaved numbers and back: row first + l of a table of states is lane l."""

from .compiler import inlined
from .numbers import width

__all__ = ["pack", "unpack"]


@inlined
def pack(z, states, first, stop, x):
    """Copy rows first, first + 1, … of `states` into the interleaved x; lanes past the end repeat the last state."""
    w = width(z)
    for l in range(w):
        row = min(first + l, stop - 1)
        for k in range(states.shape[1]):
            x[k * w + l] = states[row, k]


@inlined
def unpack(z, x, states, first, stop):
    """Copy the interleaved x into rows first, first + 1, … of `states`."""
    w = width(z)
    for l in range(min(w, stop - first)):
        for k in range(states.shape[1]):
            states[first + l, k] = x[k * w + l]

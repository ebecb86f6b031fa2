"""What kernels are compiled to with shortcuts through the compiler is what Numba makes of them by itself."""

from __future__ import annotations

import re
from contextlib import nullcontext

import numpy as np
import pytest

from condyle.numeric import COMPILED, LANES, inlined, kernel, load, pick, release, scratch, sqrt, store, width
from condyle.numeric.number_types import Tables

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def made_anew():
    """An entry with what kernels are made of: lanes, named tuples, scratch, branches, loops, calls in levels."""

    @inlined
    def length(x):
        return sqrt(x[0] * x[0] + x[1] * x[1])

    @kernel
    def shifted(z, tables, at, x):
        if tables.codes[at] > 2:
            return x[0] + tables.numbers[at], x[1]
        return x[0], x[1] - tables.numbers[at]

    @kernel
    def summed(z, tables, room, count):
        total = z
        for k in range(count):
            x = shifted(z, tables, k % 3, (load(z, room, k), load(z, room, k + 1)))
            total = total + length(x)
        return total

    def entry(z, codes, numbers, out):
        tables, room = Tables(codes, numbers), scratch(z, 9)
        for k in range(9):
            store(z, room, k, z + 0.5 * k)
        store(z, room, 0, summed(z, tables, room, 8))
        for l in range(width(z)):
            out[l] = pick(z, room, 0, l)
        release(room)
        return len(codes)

    return entry


def machine_code(function, arguments, way):
    """What a function is compiled to, with the names of functions replaced by numbers."""
    from numba import njit

    from condyle.numeric import jit
    from condyle.numeric.call_wrapper import CalledCompiler

    dispatcher = njit(**jit._OPTIONS, pipeline_class=CalledCompiler)(function)
    with way():
        dispatcher.compile(tuple(map(jit.type_of, arguments)))
    (found,) = dispatcher.overloads.values()
    names: dict[str, str] = {}
    return re.sub(
        r"(?:\.const\.|NumbaEnv)?\w*_ZN[\w.$]+|\.L\w+",
        lambda m: names.setdefault(m[0], str(len(names))),
        found.library.get_asm_str(),
    )


@pytest.mark.parametrize("z", [0.0, LANES], ids=["float", "lanes"])
def test_the_machine_code_is_that_of_the_compiler_alone(z, monkeypatch):
    """Oracle: Numba without shortcuts."""
    from condyle.numeric import jit
    from condyle.numeric.compiler_shortcuts import shortcuts

    monkeypatch.setattr(jit, "keep", lambda dispatcher: dispatcher)  # what one way compiled, the other must not find
    arguments = z, np.arange(3), np.ones(3), np.empty(8)
    plain = machine_code(made_anew(), arguments, nullcontext)
    assert len(plain.splitlines()) > 100
    assert machine_code(made_anew(), arguments, shortcuts) == plain


def test_numba_is_as_it_was_afterwards_even_if_compiling_fails():
    """Oracle: the very functions that stood there before."""
    from condyle.numeric.compiler_shortcuts import LOCK_LISTENERS, REPLACED, shortcuts

    def found():
        return [vars(place)[name] for place, name, _ in REPLACED], LOCK_LISTENERS[:]

    before = found()
    with shortcuts():
        assert found() == ([shorter for *_, shorter in REPLACED], [])

    def fail():
        with shortcuts():
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert found() == before

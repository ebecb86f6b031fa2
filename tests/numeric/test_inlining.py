"""What is merged into its caller is what was marked so, whoever compiles it first."""

import pytest
from numba import float64

from condyle.numeric import COMPILED, inlined, kernel, seldom

pytestmark = pytest.mark.skipif(not COMPILED, reason="kernels are plain Python")


@kernel
def twice(x):
    return 2.0 * x


@seldom
def thrice(x):
    return 3.0 * x


@inlined
def five_times(x):
    return twice(x) + thrice(x)


def attributes(function):
    """What LLVM was told about a compiled function."""
    (result,) = function.dispatcher.overloads.values()
    return str(list(result.library._final_module.get_function(result.fndesc.llvm_func_name).attributes))


def test_what_an_inlined_function_calls_is_not_forced_inline_itself():
    """Oracle: the compiler's own record of what it must and must not merge."""
    five_times.dispatcher.compile((float64,))  # not through an entry: that may come from the cache
    assert "alwaysinline" not in attributes(twice)
    assert "noinline" in attributes(thrice)
    assert "alwaysinline" in attributes(five_times)

"""A NaN inside a kernel is seen, whatever the number type: fast-math flags that assume there is none are never used."""

import math
import re

import numpy as np
import pytest

from condyle.numeric import COMPILED, LANE_WIDTH, LANES, entry, width
from support.numeric_probes import UNARY, run_unary, unary, zero_over_zero

BAD = (math.nan, math.inf, -math.inf)


@entry
def differs_from_itself(a):
    return a != a, math.isnan(a - a)


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("lane", range(LANE_WIDTH))
def test_a_bad_number_is_seen_in_its_lane_and_in_no_other(bad, lane):
    """Oracle: numpy.isfinite."""
    x = np.linspace(0.1, 3.0, LANE_WIDTH)
    x[lane] = bad
    assert np.array_equal(run_unary(LANES, x)["finite"], np.isfinite(x).astype(float))


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_float_is_seen(bad):
    """Oracle: numpy.isfinite."""
    assert np.array_equal(run_unary(0.0, [bad, 1.0])["finite"], [0.0, 1.0])


@pytest.mark.parametrize("bad", [complex(math.nan, 1.0), complex(1.0, math.nan), complex(math.inf, 0.0)])
def test_a_bad_complex_number_is_seen_in_either_part(bad):
    """Oracle: numpy.isfinite."""
    assert np.array_equal(run_unary(0j, [bad, 1.0 + 0j])["finite"], [0.0, 1.0])


@pytest.mark.parametrize("z", [0.0, LANES])
def test_a_nan_made_inside_a_kernel_is_seen(z):
    """0/0 and ∞ − ∞: a compiler allowed to assume there is no NaN would fold them to 1 and 0."""
    x, out = np.linspace(1.0, 3.0, LANE_WIDTH), np.ones(LANE_WIDTH)
    zero_over_zero(z, x, out, LANE_WIDTH // width(z))
    assert np.all(out == 0.0)
    assert np.all(run_unary(z, x)["nan"] == 0.0)


def test_comparison_with_itself_tells_nan_and_infinity():
    """x ≠ x is how code asks for NaN; ∞ − ∞ is NaN."""
    assert differs_from_itself(math.nan) == (True, True)
    assert differs_from_itself(math.inf) == (False, True)
    assert differs_from_itself(1.0) == (False, False)


@pytest.mark.parametrize("z", [0.0, LANES])
def test_nan_goes_through_every_function(z):
    """A NaN in gives a NaN out, not a number that looks right."""
    found = run_unary(z, [math.nan] * LANE_WIDTH)
    for name in ("sine", "cosine", "root", "arctan", "floor", "magnitude", "below", "ratio"):
        assert np.isnan(found[name]).all(), name


@pytest.mark.skipif(not COMPILED, reason="plain Python has no flags")
@pytest.mark.parametrize("z", [0.0, LANES])
def test_the_machine_code_has_only_harmless_flags(z):
    """Oracle: the LLVM code: nnan and ninf delete NaN checks, reassoc breaks range reduction, fast is all of them."""
    from numba.core.caching import NullCache

    fresh = entry(unary.py_func)
    fresh.dispatcher._cache = NullCache()  # what comes from the cache has no text
    x = np.ones(LANE_WIDTH)
    fresh(z, x, np.empty(len(UNARY) * LANE_WIDTH), LANE_WIDTH // width(z))
    (code,) = fresh.inspect_llvm().values()
    used = re.findall(r"= f(?:add|sub|mul|div|neg|cmp)((?: [a-z]+)*) (?:double|<\d+ x double>)", code)
    flags = {word for words in used for word in words.split()}
    assert len(used) > 20 and "contract" in flags
    assert not flags & {"fast", "nnan", "ninf", "reassoc", "afn"}

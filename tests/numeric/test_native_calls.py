"""How Python calls machine code: a native call for each set of types, which refuses all others by itself."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import weakref
from typing import NamedTuple

import numpy as np
import pytest

from condyle.numeric import COMPILED, LANES, Made, bound_call, call_for, entry, kernel

pytestmark = pytest.mark.skipif(not COMPILED, reason="plain functions take anything")


class Pair(NamedTuple):
    """Two vectors."""

    a: np.ndarray
    b: np.ndarray


class Other(NamedTuple):
    """Two vectors of another meaning."""

    a: np.ndarray
    b: np.ndarray


@kernel
def product(x, y):
    """x y."""
    return x * y


@entry
def weighed(z, pair, x, k):
    """Σ a x + k, and the first of b."""
    total = 0.0
    for i in range(x.shape[0]):
        total += product(pair.a[i], x[i])
    return total + k, pair.b[0]


X = np.arange(4.0)
GOOD = (0.0, Pair(X, X + 1.0), X, 3)
ANSWER = (14.0 + 3, 1.0)


def strided(x):
    return np.repeat(x, 2)[::2]


@pytest.mark.parametrize(
    "wrong",
    [
        (0, *GOOD[1:]),
        (LANES, *GOOD[1:]),
        (0.0, Other(X, X), X, 3),
        (0.0, (X, X), X, 3),
        (0.0, GOOD[1], strided(X), 3),
        (0.0, GOOD[1], X[None], 3),
        (0.0, GOOD[1], X.astype(np.float32), 3),
        (0.0, GOOD[1], X.astype(">f8"), 3),
        (0.0, GOOD[1], X.view(np.matrix), 3),
        (0.0, GOOD[1], list(X), 3),
        (0.0, GOOD[1], None, 3),
        (0.0, GOOD[1], X, 3.0),
        (0.0, GOOD[1], X, True),
        GOOD[:3],
        (*GOOD, 1),
    ],
)
def test_a_call_refuses_what_it_was_not_made_for(wrong):
    """Oracle: the answer by hand for what it was made for; never a crash, never a number for the rest."""
    call = call_for(weighed, *GOOD)
    assert call(*GOOD) == ANSWER
    assert call(*wrong) is NotImplemented


def test_read_only_arrays_and_numbers_of_numpy_are_taken_as_they_are():
    """Oracle: the answer by hand, by the same call."""
    call, sealed = call_for(weighed, *GOOD), X.copy()
    sealed.flags.writeable = False
    assert call(np.float64(0.0), GOOD[1], sealed, np.int64(3)) == ANSWER
    assert weighed(0.0, GOOD[1], strided(X), 3) == ANSWER  # another type: another call


def test_a_whole_number_of_more_than_64_bits_is_pythons_own_error():
    with pytest.raises(OverflowError):
        weighed(*GOOD[:3], 2**70)


def test_a_call_leaks_nothing():
    """Oracle: the counts of references before and after a thousand calls that are answered and refused."""
    call, name = call_for(weighed, *GOOD), Pair(X, X)
    call(0.0, name, X, 3), call(0.0, name, None, 3)
    before = sys.getrefcount(X), sys.getrefcount(name), sys.getrefcount(NotImplemented)
    for _ in range(1000):
        call(0.0, name, X, 3), call(0.0, name, None, 3)
    after = sys.getrefcount(X), sys.getrefcount(name), sys.getrefcount(NotImplemented)
    assert max(abs(a - b) for a, b in zip(after, before, strict=True)) < 5


def test_where_objects_are_laid_out_otherwise_numba_calls(monkeypatch):
    """Oracle: the answer by hand."""
    from condyle.numeric.entries import entry as module

    monkeypatch.setattr(module, "known", lambda: False)
    fresh = entry(weighed.py_func)
    assert fresh(*GOOD) == ANSWER and not fresh.calls


def test_another_class_of_the_same_name_is_answered_by_numba():
    """Oracle: the answer by hand; a class that was defined again is not the one that a call was made for."""
    weighed(*GOOD)

    class Again(NamedTuple):
        a: np.ndarray
        b: np.ndarray

    Again.__qualname__ = Pair.__qualname__
    assert weighed(0.0, Again(X, X + 1.0), X, 3) == ANSWER


def test_entries_and_kernels_go_through_pickle():
    """Oracle: the very same objects come back, so that code is not compiled again."""
    assert pickle.loads(pickle.dumps(weighed)) is weighed and pickle.loads(pickle.dumps(product)) is product


@pytest.mark.parametrize("value", ["quick", "0"])
def test_an_unknown_source_of_kernels_is_refused_by_name(value):
    done = subprocess.run(
        [sys.executable, "-c", "import condyle.numeric"],
        env={**os.environ, "CONDYLE_KERNELS": value, "CONDYLE_COMPILE": "1"},
        capture_output=True,
        text=True,
    )
    assert "CONDYLE_KERNELS must be one of aot, jit, plain" in done.stderr and value in done.stderr


def test_the_switch_says_plain():
    """Oracle: Numba is not loaded, and nothing is compiled."""
    code = "import sys, condyle.numeric as n; print(n.COMPILED, 'numba' in sys.modules)"
    env = {**os.environ, "CONDYLE_KERNELS": "plain", "CONDYLE_COMPILE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("keeps_lock", [False, True])
def test_a_bound_call_has_its_first_arguments_and_looks_at_the_others(keeps_lock):
    """Oracle: the answer by hand, before and after all else that names the bound arguments is gone."""
    call = bound_call(weighed, (0.0, Pair(X.copy(), X + 1.0)), X, 3, keeps_lock=keeps_lock)
    gc.collect()
    assert call(X, 3) == ANSWER
    assert call(X[None], 3) is NotImplemented and call(X) is NotImplemented and call(*GOOD) is NotImplemented


def test_what_is_bound_lives_as_long_as_its_call():
    """Oracle: a weak reference to the bound array."""
    bound = np.arange(4.0)
    seen, call = weakref.ref(bound), bound_call(weighed, (0.0, Pair(bound, X)), X, 3)
    del bound
    assert seen() is not None and call(X, 3)[0] == ANSWER[0]
    del call
    gc.collect()
    assert seen() is None


@entry
def doubled(x, factor, out):
    """out = 2 factor x; 1 if it is not wanted."""
    for k in range(x.shape[0]):
        out[k] = 2.0 * factor * x[k]
    return 0 if factor > 0.0 else 1


class Box:
    """An object around an array."""

    __slots__ = ("__weakref__", "before", "held")


@pytest.mark.parametrize("keeps_lock", [False, True])
def test_a_call_makes_its_result(keeps_lock):
    """Oracle: NumPy; two results share no memory; what is refused, or has a status, is None."""
    call = bound_call(doubled, (X,), 1.0, np.empty(4), keeps_lock=keeps_lock, made=Made((4,)))
    one, other = call(1.0), call(3.0)
    assert type(one) is np.ndarray and one.flags.owndata and one.flags.writeable
    np.testing.assert_array_equal([one, other], [2.0 * X, 6.0 * X])
    assert call(-1.0) is None and call("a") is None and call() is None and call(1.0, one) is None


def test_a_call_puts_its_result_into_an_object():
    """Oracle: NumPy; other slots stay empty, and with the object goes its array."""
    call = bound_call(doubled, (X,), 1.0, np.empty(4), made=Made((4,), Box, "held"))
    box = call(0.5)
    assert type(box) is Box and not hasattr(box, "before") and gc.is_tracked(box)
    np.testing.assert_array_equal(box.held, X)
    held = sys.getrefcount(box.held)  # one by the box, one by the argument
    assert held == 2 and call(-1.0) is None
    seen = weakref.ref(box)
    del box
    assert seen() is None


def test_results_that_are_made_do_not_pile_up():
    """Oracle: references to the dtype and the class that results share, after many calls, good and refused."""
    call = bound_call(doubled, (X,), 1.0, np.empty(4), made=Made((4,), Box, "held"))
    counts = [sys.getrefcount(thing) for thing in (X.dtype, Box, None)]
    for _ in range(1000):
        call(1.0), call(-1.0), call("a")
    after = [sys.getrefcount(thing) for thing in (X.dtype, Box, None)]
    assert np.abs(np.subtract(after, counts)).max() < 50


def test_results_are_made_in_python_where_they_cannot_be_natively(monkeypatch):
    """Oracle: the same answers."""
    monkeypatch.setattr("condyle.numeric.entries.entry.new_array", lambda: 0)
    call = bound_call(doubled, (X,), 1.0, np.empty(4), made=Made((4,), Box, "held"))
    np.testing.assert_array_equal(call(2.0).held, 4.0 * X)
    assert call(-1.0) is None and call("a") is None

"""A compilation from which a signal handler's exception was lost."""

import pytest

from condyle.numeric import COMPILED


class Dispatcher:
    """Raises what Numba raises, as often as it is told."""

    def __init__(self, words, times):
        self.words, self.left, self.calls = words, times, 0

    def compile(self, kinds):
        self.calls += 1
        if self.left:
            self.left -= 1
            raise RuntimeError(self.words)


@pytest.mark.skipif(not COMPILED, reason="kernels are plain Python")
@pytest.mark.parametrize(("times", "calls"), [(0, 1), (1, 2)])
def test_code_that_was_lost_is_compiled_again(times, calls):
    """Oracle: a count of calls; the error is the one that Numba raised when an alarm fell into LLVM's callback."""
    from condyle.numeric.jit import compile_whole

    found = Dispatcher("no compiled object yet for <Library 'muscle_steps'>", times)
    compile_whole(found, ())  # type: ignore[arg-type]
    assert found.calls == calls


@pytest.mark.skipif(not COMPILED, reason="kernels are plain Python")
@pytest.mark.parametrize(("words", "times"), [("no compiled object yet", 2), ("something else", 1)])
def test_what_fails_again_or_otherwise_is_raised(words, times):
    """Oracle: the error itself."""
    from condyle.numeric.jit import compile_whole

    with pytest.raises(RuntimeError, match=words):
        compile_whole(Dispatcher(words, times), ())  # type: ignore[arg-type]

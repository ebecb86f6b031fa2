"""Many cases that are alike: a few in `make test`, the rest in `make slow`."""

import pytest

__all__ = ["slow_but"]


def slow_but(quick, cases):
    """The cases, all marked slow but those in `quick`, which must be among them."""
    cases = list(cases)
    assert set(quick) <= set(cases), set(quick) - set(cases)
    return [case if case in quick else pytest.param(*_several(case), marks=pytest.mark.slow) for case in cases]


def _several(case):
    return case if isinstance(case, tuple) else (case,)

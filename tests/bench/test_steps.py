"""The study of step sizes."""

from benchmarks.steps import largest_good


def test_a_longer_step_that_passes_by_luck_does_not_count():
    """Oracle: by hand; steps given in any order, one that fails between two that pass."""
    good = {0.1: True, 0.05: False, 0.01: True, 0.005: True}
    assert largest_good(good, good.get) == 0.01
    assert largest_good([0.1, 0.2], lambda h: True) == 0.2
    assert largest_good([0.1, 0.2], lambda h: h > 0.15) is None

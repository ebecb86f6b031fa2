"""Speed beside another checkout: what is kept of several processes, and how it is told."""

import sys

from benchmarks.beside.__main__ import least, line, measure


def test_the_least_time_counts_and_an_error_is_told():
    """Oracle: by hand."""
    runs = [{"poses": 3e-3, "log": "AttributeError: log"}, {"poses": 2e-3, "log": "AttributeError: log"}]
    assert least(runs, "poses") == 2e-3
    assert line("poses", 2e-3, 3e-3).split()[1:] == ["2.000", "3.000", "1.50", "slower"]
    assert "slower" not in line("poses", 2e-3, 2.05e-3)
    assert line("log", least(runs, "log"), 1e-3).endswith("AttributeError: log")


def test_a_fresh_process_times_what_it_is_asked_for():
    """Oracle: the names that were asked for; seconds of a call are above zero, a name that is none has words."""
    found = measure(sys.executable, 0.0, ["SE3 products, 20,000", "nothing"])
    assert isinstance(found["SE3 products, 20,000"], float) and found["SE3 products, 20,000"] > 0.0
    assert "KeyError" in str(found["nothing"])

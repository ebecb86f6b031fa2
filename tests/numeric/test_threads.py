"""Batches over threads: whole blocks, each number once, errors told."""

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from condyle.errors import BadValue
from condyle.numeric import run_chunks, thread_count
from condyle.numeric.threads import chunks


@given(st.integers(1, 500), st.sampled_from([1, 4, 8]), st.integers(1, 9), st.integers(1, 5))
def test_chunks_cover_every_number_once_in_whole_blocks(count, block, threads, grain):
    """Oracle: the definition."""
    pieces = chunks(count, block, threads, grain)
    assert [i for a, b in pieces for i in range(a, b)] == list(range(count))
    assert len(pieces) <= threads
    assert all(a % block == 0 for a, _ in pieces)
    assert len(pieces) == 1 or all(b - a > (grain - 1) * block for a, b in pieces)
    assert max(b - a for a, b in pieces) - min(b - a for a, b in pieces) < 2 * block


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_number_is_worked_on_once(threads):
    """Oracle: a count."""
    seen = np.zeros(1000, dtype=int)

    def call(start, stop):
        seen[start:stop] += 1

    run_chunks(call, 1000, 8, threads)
    assert np.all(seen == 1)


def test_one_chunk_runs_in_the_callers_thread():
    """A small batch should not pay for a thread."""
    names = []
    run_chunks(lambda a, b: names.append(threading.current_thread()), 8, 8, 4)
    run_chunks(lambda a, b: names.append(threading.current_thread()), 80, 8, 1)
    run_chunks(lambda a, b: names.append(threading.current_thread()), 80, 8, 4, grain=10)
    assert names == [threading.current_thread()] * 3


def test_chunks_run_at_the_same_time():
    """Each chunk waits for the others: in turn, they would wait for ever."""
    meeting = threading.Barrier(3, timeout=120)
    run_chunks(lambda a, b: meeting.wait(), 24, 8, 3)
    assert not meeting.broken


def test_nothing_to_do_calls_nothing():
    """An empty batch is a batch."""
    run_chunks(lambda a, b: pytest.fail("called"), 0, 8, 4)


@pytest.mark.parametrize("bad", [0, 16])
def test_an_exception_comes_out_after_all_chunks_have_ended(bad):
    """The first chunk runs in the caller's thread, the others in the pool: both must tell."""
    ended = []

    def call(start, stop):
        ended.append(start)
        if start == bad:
            raise RuntimeError(f"chunk {start}")

    with pytest.raises(RuntimeError, match=f"chunk {bad}"):
        run_chunks(call, 32, 8, 4)
    assert sorted(ended) == [0, 8, 16, 24]


def test_threads_may_call_threads():
    """A user's own pool of workers, each with a batch."""
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(lambda n: total_by_chunks(100 * n), range(1, 9)))
    assert sums == [sum(range(100 * n)) for n in range(1, 9)]


def total_by_chunks(count, threads=4):
    parts = []
    run_chunks(lambda a, b: parts.append(sum(range(a, b))), count, 8, threads)
    return sum(parts)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_makes_threads_of_its_own():
    """The child inherits the pool's object but not its threads: it would wait for ever."""
    meeting = threading.Barrier(4, timeout=120)
    run_chunks(lambda a, b: meeting.wait(), 32, 8, 4)  # three threads of the pool, idle from now on
    time.sleep(0.05)
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # a child that waits for ever is ended, and fails the test
        os._exit(0 if total_by_chunks(100, threads=2) == sum(range(100)) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_the_argument_goes_before_the_environment_and_that_before_the_cores(monkeypatch):
    """Oracle: the operating system's own count."""
    monkeypatch.setenv("CONDYLE_THREADS", "3")
    assert thread_count(2) == 2
    assert thread_count(np.int64(5)) == 5
    assert thread_count() == 3
    monkeypatch.setenv("CONDYLE_THREADS", "")
    assert thread_count() == len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@pytest.mark.parametrize("bad", [0, -1, 2.0, "2", True, 257])
def test_a_bad_number_of_threads_is_refused(bad):
    with pytest.raises(BadValue, match=r"threads must be a whole number from 1 to 256; got threads = "):
        thread_count(bad)


@pytest.mark.parametrize("bad", ["0", "-1", "two", "1.5", "²"])
def test_a_bad_environment_is_refused_by_name(monkeypatch, bad):
    monkeypatch.setenv("CONDYLE_THREADS", bad)
    with pytest.raises(BadValue, match=rf"CONDYLE_THREADS must be a whole number from 1 to 256; got .*{bad}"):
        thread_count()

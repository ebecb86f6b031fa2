"""Small matrices leave the other threads of the BLAS asleep."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, os, sys
import numpy as np
import condyle as cd
from condyle import design
from condyle.ik.search import off_saddles, polished
from condyle.ik.problem import Problem

sys.path[:0] = {tests!r}
import test_markers


def other_threads():
    "Processor time [s] of all threads but this one."
    ticks = 0
    for task in os.listdir("/proc/self/task"):
        if int(task) != os.getpid():
            fields = open(f"/proc/self/task/{{task}}/stat").read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def used(run):
    run()  # compiled, cached
    before = other_threads()
    for _ in range(3):
        run()
    return other_threads() - before


model = test_markers.person()
q, at, xyz = test_markers.recording(model, 0.01, 2)
problem = Problem.of(model, test_markers.targets(model, at, xyz), (2,), True)
p = np.random.default_rng(0).uniform(size=(200, 2))
poses = np.tile(np.eye(4), (200, 1, 1))
poses[:, :2, 3] = p
H = np.eye(96) + np.random.default_rng(1).normal(size=(96, 96))
found = {{
    "newton": used(lambda: (polished(problem, q), off_saddles(problem, q))),
    "surface": used(lambda: design.fit_surface(poses, p, shape=(7, 7)).cross_validated),
    "lapack": used(lambda: [np.linalg.eigh(H + H.T) for _ in range(10)]),
}}
print(json.dumps(found))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processor times of threads are read from /proc")
def test_newtons_method_and_surfaces_use_no_other_thread():
    """Oracle: the processor times of the process's threads; LAPACK's own eigenvalues wake them, ours do not."""
    here = Path(__file__).parent
    tests = [str(here), str(here.parent)]
    free = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    environment = free | {"CONDYLE_THREADS": "1", "OPENBLAS_NUM_THREADS": "4"}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(tests=tests)], capture_output=True, text=True, env=environment, check=False
    )
    assert run.returncode == 0, run.stderr
    seconds = json.loads(run.stdout)
    if seconds["lapack"] < 0.05:
        pytest.skip("this BLAS does not wake its threads for small eigenproblems")
    assert seconds["newton"] <= 0.02 and seconds["surface"] <= 0.02

"""Code that another process compiles: it is waited for, found in the cache, and not needed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from condyle.numeric import COMPILED
from condyle.numeric.cache import parallel_compilation
from condyle.numeric.cache.parallel_compilation import begin_apart, wait_for

FIRST_CALL = """
import numpy as np
import condyle as cd
from condyle.numeric.cache import parallel_compilation as p
rod = cd.Inertia(1.0, (0, 0, -0.5), 0.1 * np.eye(3))
model = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=rod).build()
if {broken}:
    p.START = "raise SystemExit(1)"
found = []
begin = p._other_process
p._other_process = lambda parts, kinds: found.append(len(parts)) or begin(parts, kinds)
print(repr(float(cd.forward_dynamics(model, np.array([0.3]), np.zeros(1))[0])), found)
"""


def test_whoever_needs_an_entry_waits_for_the_process_that_compiles_it(tmp_path, monkeypatch):
    """Oracle: a file that the process writes before it ends."""
    monkeypatch.setattr(parallel_compilation, "_may_start", lambda: True)
    code = f"import time; time.sleep(0.5); open({str(tmp_path / 'done')!r}, 'w').close()"
    begin_apart([sys.executable, "-c", code], ["one", "two"])
    wait_for("another")
    wait_for("two")
    assert (tmp_path / "done").exists()
    wait_for("one")
    wait_for("one")


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize("broken", [False, True])
def test_a_first_call_is_the_same_with_another_process_and_when_that_fails(tmp_path, broken):
    """Oracle: the acceleration by hand, −m g l sin q / (I + m l²)."""
    env = {**os.environ, "CONDYLE_CACHE_DIR": str(tmp_path), "CONDYLE_THREADS": "2", "CONDYLE_KERNELS": "jit"}
    code = FIRST_CALL.format(broken=broken)
    done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
    value, found = done.stdout.split(maxsplit=1)
    assert float(value) == pytest.approx(-9.81 * 0.5 * 0.29552020666133955 / 0.35, rel=1e-12)
    assert found.strip() == "[1]"

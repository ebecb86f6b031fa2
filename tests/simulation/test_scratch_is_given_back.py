"""Compiled code frees what it allocates, whatever is computed and however often."""

import os
import subprocess
import sys

import pytest

from condyle.numeric import COMPILED

ROUNDS = """
import numpy as np
from numba.core.runtime import rtsys
import condyle as cd
from condyle.gallery import leg

def linked():
    b = cd.ModelBuilder()
    rod = cd.Inertia.box(1.0, (0.1, 0.1, 1.0))
    b.add_body("a", joint=cd.joints.revolute("y"), inertia=rod)
    b.add_body("b", parent="a", joint=cd.joints.revolute("y"), inertia=rod)
    b.add_constraint(cd.constraints.point("b", (0.0, 0.0, 0.0), None, (0.0, 0.0, 0.0)))
    return b.build()

def round(model, held):
    q, v = np.zeros((9, 3)), np.ones((9, 3))
    for state in (q, v), (q[0], v[0]):
        cd.forward_dynamics(model, *state)
        cd.inverse_dynamics(model, *state, state[1])
        cd.forward_kinematics(model, state[0])
        for integrator in ("euler", "rk4", "variational", "adaptive"):
            cd.simulate(model, *state, duration=0.01, step=1e-3, integrator=integrator)
    for integrator in ("rk4", "adaptive"):
        cd.simulate(held, [0.1, 0.0], duration=0.01, step=1e-3, integrator=integrator)
    cd.project(held, [0.1, 0.2])
    model.bodies[1].joint.pose([0.3]), model.bodies[1].joint.hessian([0.3])

def alive():
    s = rtsys.get_allocation_stats()
    return s.alloc - s.free, s.alloc

model, held = leg(), linked()
round(model, held)
before, first = alive()
for _ in range(3):
    round(model, held)
after, last = alive()
print(after - before, last - first)
"""


@pytest.mark.skipif(not COMPILED, reason="plain Python has nothing to free")
@pytest.mark.slow
def test_nothing_allocated_by_kernels_is_kept():
    """Oracle: the counts of the compiler's own runtime."""
    env = {**os.environ, "NUMBA_NRT_STATS": "1"}
    out = subprocess.run([sys.executable, "-c", ROUNDS], env=env, capture_output=True, text=True, check=True).stdout
    kept, allocated = map(int, out.split())
    assert allocated > 100
    assert kept == 0

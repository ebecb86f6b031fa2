"""Kernels mean the same without the compiler."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from condyle.skeleton import Skeleton

from .dense import GRAPHS, random_dense
from .test_elastic import sprung

SCRIPT = """
import json
from tests.skeleton.test_plain_python import numbers
print(json.dumps(numbers()))
"""


def numbers():
    """Accelerations, reactions and short motions of rings under gravity: with friction, with springs and limits."""
    dense, out = random_dense(*GRAPHS["a mixed ring"], friction=0.3, gravity=(0, 0, -9.81)), []
    for skeleton in (Skeleton.from_arrays(**dense.arrays), sprung("a mixed ring", damping=0.4)[1]):
        a = skeleton.accelerations()
        out += [a.linear.tolist(), a.point_forces.tolist()]
        for integrator in ("variational", "rk4", "printed"):
            out.append(skeleton.simulate(duration=0.03, integrator=integrator).last.positions.tolist())
    return out


@pytest.mark.slow
def test_plain_python_gives_the_compiled_numbers():
    """Oracle: the same kernels as plain Python functions, in a process of their own."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "CONDYLE_COMPILE": "0", "PYTHONPATH": str(root)}
    ran = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", SCRIPT],
        cwd=root, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    for plain, compiled in zip(json.loads(ran.stdout), numbers(), strict=True):
        assert np.array(plain) == pytest.approx(np.array(compiled), rel=1e-11, abs=1e-11)

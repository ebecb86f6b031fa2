"""(h) Import, first call with an empty cache, first call with a full one: whole processes by the clock."""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

from ..table import Row

__all__ = ["measure"]

FIRST_CALL = """
import numpy as np
import condyle as cd
b = cd.ModelBuilder()
rod = cd.Inertia(1.0, (0, 0, -0.5), 0.1 * np.eye(3))
b.add_body("rod", parent=None, joint=cd.joints.revolute((0, 1, 0)), inertia=rod)
cd.forward_dynamics(b.build(), [0.3], [0.0])
"""

DEMONSTRATION = "from condyle.cli.main import main; main(['demo', 'leg', '--out', {out!r}, '--json'])"


def clock(code, cache):
    """Seconds of one fresh process, which may use all cores, as a person's does."""
    env = {name: value for name, value in os.environ.items() if name != "CONDYLE_THREADS"}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=env | {"CONDYLE_CACHE_DIR": cache})
    return time.perf_counter() - start


def measure():
    with tempfile.TemporaryDirectory() as cache:
        clock("import condyle", cache)  # the files of the package are read once before
        imported = np.median([clock("import condyle", cache) for _ in range(7)])
        cold = clock(FIRST_CALL, cache)
        warm = np.median([clock(FIRST_CALL, cache) for _ in range(7)])
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as out:
        demonstration = clock(DEMONSTRATION.format(out=out), cache)
    yield Row("h", "import condyle, process included", float(imported), "s", 1.0, at_most=True)
    yield Row("h", "first forward_dynamics, empty cache", cold, "s", 8.0, at_most=True)
    yield Row("h", "condyle demo leg, empty cache", demonstration, "s", 20.0, at_most=True)
    yield Row("h", "first forward_dynamics, warm", float(warm), "s", 2.5, at_most=True)

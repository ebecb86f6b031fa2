"""With CONDYLE_COMPILE=0 the same kernels run as plain Python and give the same numbers."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from condyle.numeric import COMPILED, LANES
from support.numeric_probes import run_lookup, run_unary

PROBES = Path(__file__).parents[1] / "support" / "numeric_probes.py"


def run_plain(folder, kind, **arrays):
    np.savez(folder / "given.npz", **arrays)
    command = [sys.executable, str(PROBES), "given.npz", "found.npz", kind]
    subprocess.run(command, cwd=folder, env={**os.environ, "CONDYLE_COMPILE": "0"}, check=True)
    return np.load(folder / "found.npz")


@pytest.mark.parametrize(("kind", "z"), [("float", 0.0), ("lanes", LANES), ("complex", 0j)])
def test_plain_python_gives_the_same_numbers(tmp_path, kind, z):
    """Oracle: the compiled kernels; only the library's sine and the contraction of a·b + c may differ."""
    x = np.concatenate([np.random.default_rng(0).uniform(0.01, 40.0, 92), [1e8, 1e300, 0.5, 2.0]])
    x = x + 1e-20j if kind == "complex" else x
    q, breaks = np.array([np.nan, -1.0, 0.0, 0.2, 0.5, 0.7, 1.0, 1e300]), np.array([0.0, 0.5, 0.6, 1.0])
    plain = run_plain(tmp_path, kind, x=x, q=q, breaks=breaks)
    assert plain["width"] == 1
    assert np.array_equal(plain["rows"], run_lookup(LANES, q, breaks))
    for name, values in run_unary(z, x).items():
        assert np.allclose(plain[name].real, values.real, rtol=4e-16, atol=4e-16), name
        assert np.allclose(plain[name].imag, values.imag, rtol=1e-14, atol=1e-35), name


@pytest.mark.parametrize("switch", [{"CONDYLE_COMPILE": "0"}, {"NUMBA_DISABLE_JIT": "1"}])
def test_plain_python_never_loads_the_compiler(switch):
    """The switch is for coverage and debugging on machines where the compiler is in the way."""
    code = "import sys, condyle.numeric; print('numba' in sys.modules)"
    env = {**os.environ, "CONDYLE_COMPILE": "1", **switch}
    done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"


MASSLESS = """
import condyle as cd
b = cd.ModelBuilder().add_body("tip", joint=cd.joints.revolute("x"), inertia=cd.Inertia.massless())
try:
    cd.forward_dynamics(b.build(), [0.0], [0.0])
except cd.errors.RankLost as error:
    print(error)
"""


def test_plain_python_divides_by_zero_as_compiled_code_does():
    """Oracle: the named error of a body without inertia, where warnings of numpy are errors."""
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", MASSLESS]
    env = {**os.environ, "CONDYLE_COMPILE": "0"}
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    assert "'tip'" in done.stdout


@pytest.mark.skipif(not COMPILED, reason="plain functions can be called by anyone")
def test_a_kernel_called_from_python_says_what_to_do():
    """It has no wrapper for Python's numbers, so the call must not reach it."""
    from condyle.spatial.kernels.logarithm import rotation_log

    with pytest.raises(TypeError, match=r"rotation_log is for kernels only.*@entry"):
        rotation_log(0.0, (1.0,) * 9)


@pytest.mark.parametrize("how", ["os.environ['NUMBA_DISABLE_JIT'] = '1'", "import numba; numba.config.DISABLE_JIT = 1"])
def test_a_numba_that_is_switched_off_leaves_kernels_plain(how):
    """Oracle: the logarithm of a quarter turn about x, by hand."""
    code = f"import os; {how}\nimport condyle as cd; from condyle.numeric import COMPILED; "
    code += "print(cd.SE3.exp([1.5, 0, 0, 0, 0, 0]).log()[0], COMPILED)"
    env = {**os.environ, "CONDYLE_COMPILE": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True)
    value, compiled = done.stdout.split()
    assert float(value) == pytest.approx(1.5, abs=1e-12) and compiled == "False"

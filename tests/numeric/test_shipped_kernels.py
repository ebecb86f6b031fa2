"""Compiled kernels that a wheel carries: which are chosen, when they are refused, and that they give the same bits."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from condyle.numeric import COMPILED
from condyle.numeric.entries import shipped

ROOT = Path(__file__).resolve().parents[2]
V2 = ["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"]
V3 = ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"]
V4 = ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]


@pytest.mark.parametrize(
    ("flags", "best"),
    [
        ([], None),
        (V2, "x86-64-v2"),
        (V2 + V3, "x86-64-v3"),
        (V2 + V3[1:], "x86-64-v2"),
        (V2 + V3 + V4, "x86-64-v4"),
        (V2 + V4, "x86-64-v2"),
    ],
)
def test_the_best_instruction_set_that_a_processor_has(flags, best):
    """Oracle: the levels of the x86-64 psABI."""
    assert next(iter(shipped.supported(set(flags))), None) == best


def test_flags_are_read_from_the_system(tmp_path):
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nflags\t\t: fpu avx2 fma\n\nprocessor\t: 1\nflags\t\t: fpu\n")
    assert shipped.processor_flags(tmp_path / "cpuinfo") == {"fpu", "avx2", "fma"}
    assert shipped.processor_flags(tmp_path / "missing") == set()


@pytest.fixture
def carried(tmp_path, monkeypatch):
    """A folder with a library that is only a name, and a list that fits it."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    (folder / "x86-64-v2.so").write_bytes(b"no library")
    source = "numeric/number_types.py"
    said = {
        "format": shipped.FORMAT,
        "calls": {},
        "sha256": shipped._hash(folder / "x86-64-v2.so"),
        "sources": {source: shipped._hash(shipped.PACKAGE / source)},
    }
    monkeypatch.setattr(shipped, "FOLDER", folder)
    monkeypatch.setattr(shipped, "processor_flags", lambda: set(V2))
    monkeypatch.setattr("condyle.numeric.compiler.SOURCE", "aot")
    shipped.shipped_library.cache_clear()
    yield folder, said
    shipped.shipped_library.cache_clear()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 99}, "format is 99"),
        ({"sha256": "0" * 64}, "x86-64-v2.so is not whole"),
        ({"sources": {"numeric/number_types.py": "0" * 64}}, "number_types.py is not the file"),
        ({"sources": {"numeric/gone.py": "0" * 64}}, "gone.py"),
        ({}, "x86-64-v2.so"),  # not a library
        (None, "Expecting value"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="libraries are for Linux")
def test_a_library_that_does_not_fit_is_not_used_and_says_why(carried, change, words):
    """Oracle: the warning; kernels are then compiled as from a clone."""
    folder, said = carried
    (folder / "x86-64-v2.json").write_text("" if change is None else json.dumps(said | change))
    with pytest.warns(UserWarning, match="compiled here instead") as told:
        assert shipped.shipped_address("any", "(d)") == 0
    assert words in str(told[0].message)


def test_a_package_without_libraries_says_nothing(carried, recwarn):
    folder, _ = carried
    shutil.rmtree(folder)
    assert shipped.shipped_address("any", "(d)") == 0 and not recwarn.list


CHECK = """
import sys, hashlib
import numpy as np
import condyle as cd
from condyle.cli.commands.warmup import _arm, _states
model, (q, v) = _arm(), _states(19)
found = [cd.forward_dynamics(model, q, v, v), cd.forward_dynamics(model, q[3], v[3])]
nan = v.copy(); nan[5, 2] = 1e200
found.append(np.nan_to_num(cd.forward_dynamics(model, q, nan, on_failure="nan"), nan=-7.0))
found.append(cd.forward_dynamics(model, q[:0], v[:0]))
print(hashlib.sha256(b"".join(x.tobytes() for x in found)).hexdigest(), "numba" in sys.modules, cd.__file__)
"""


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED or sys.platform != "linux" or platform.machine() != "x86_64", reason="no wheel here")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler links the library")
def test_a_wheel_in_a_new_environment_computes_without_a_compiler_and_to_the_bit(tmp_path):
    """Builds the wheel for this processor with one group of calls, installs it, and compares.

    Oracle: the same calls compiled just in time for the same instruction set, in a batch, alone, with a state that
    overflows, and of no state; and that Numba was not loaded.
    """
    best = shipped.supported(shipped.processor_flags())[0]
    make = [sys.executable, ROOT / "packaging/make_wheel.py", "--sets", best, "--steps", "forward dynamics"]
    subprocess.run([*make, "--out", tmp_path], check=True)
    (wheel,) = tmp_path.glob("condyle-*-linux_x86_64.whl")
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    shutil.unpack_archive(wheel, fresh, "zip")

    def asked(**env):
        environment = {**os.environ, "PYTHONPATH": str(fresh), "CONDYLE_COMPILE": "1", **env}
        done = subprocess.run(
            [sys.executable, "-c", CHECK], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        )
        digest, numba, where = done.stdout.split()
        assert Path(where).is_relative_to(fresh)
        return digest, numba

    nothing = str(tmp_path / "empty")
    shipped_answer = asked(CONDYLE_KERNELS="aot", CONDYLE_CACHE_DIR=nothing)
    compiled_answer = asked(CONDYLE_KERNELS="jit", NUMBA_CPU_NAME=best, NUMBA_CPU_FEATURES="")
    assert shipped_answer == (compiled_answer[0], "False") and compiled_answer[1] == "True"

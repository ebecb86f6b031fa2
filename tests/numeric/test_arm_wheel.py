"""A wheel for 64-bit ARM, built on another processor: well-formed, and under an emulator it computes the same."""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.cli.everyday_calls import arm, states
from condyle.numeric import COMPILED

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = "condyle/numeric/entries/libraries/aarch64"
LINKER = shutil.which("aarch64-linux-gnu-gcc") or importlib.util.find_spec("ziglang")
EMULATED = os.environ.get("CONDYLE_ARM_PYTHON", "")  # a command that runs Python with NumPy and SciPy for ARM

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not COMPILED or sys.platform != "linux" or not LINKER, reason="nothing links for ARM here"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """A wheel for ARM with forward dynamics alone."""
    folder = tmp_path_factory.mktemp("arm")
    make = [sys.executable, ROOT / "packaging/make_wheel.py", "--sets", "aarch64", "--steps", "forward dynamics"]
    subprocess.run([*make, "--out", folder], check=True)
    (found,) = folder.glob("condyle-*.whl")
    return found


def test_the_wheel_is_named_for_arm_and_whole(wheel):
    """Oracle: the format of wheels (tags, hashes in RECORD), and the head of an ELF file (183 is 64-bit ARM)."""
    assert wheel.name.endswith("-py3-none-linux_aarch64.whl")
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        (about,) = (name for name in names if name.endswith(".dist-info/WHEEL"))
        tags = file.read(about).decode().split("\n")
        assert "Tag: py3-none-linux_aarch64" in tags and "Root-Is-Purelib: false" in tags
        record = about.replace("WHEEL", "RECORD")
        rows = {name: digest for name, digest, _ in csv.reader(file.read(record).decode().splitlines())}
        assert rows.pop(record) == "" and rows.keys() == names - {record}
        for name, digest in rows.items():
            found = base64.urlsafe_b64encode(hashlib.sha256(file.read(name)).digest()).rstrip(b"=").decode()
            assert digest == f"sha256={found}", name
        code, said = file.read(f"{LIBRARY}.so"), json.loads(file.read(f"{LIBRARY}.json"))
    assert code[:4] == b"\x7fELF" and int.from_bytes(code[18:20], "little") == 183
    assert said["calls"] and all(symbol.encode() in code for symbol in said["calls"].values())


CHECK = """
import platform, sys
import numpy as np
import condyle as cd
import condyle.numeric.entries.shipped as shipped
from condyle.cli.everyday_calls import arm, states
shipped.processor_flags = lambda: {"fp", "asimd"}  # an emulator shows the host's processor
model, (q, v) = arm(), states(19)
np.savez(sys.argv[1], batch=cd.forward_dynamics(model, q, v, v), one=cd.forward_dynamics(model, q[3], v[3]))
print(platform.machine(), shipped.shipped_library().name, "numba" in sys.modules)
"""


@pytest.mark.skipif(not EMULATED, reason="CONDYLE_ARM_PYTHON names no Python for ARM")
def test_accelerations_on_arm_are_those_of_this_processor(wheel, tmp_path):
    """Oracle: the same calls here, with the code of another processor, to 1e-12 of the largest."""
    shutil.unpack_archive(wheel, tmp_path / "fresh", "zip")
    given = os.pathsep.join([str(tmp_path / "fresh"), *filter(None, [os.environ.get("CONDYLE_ARM_PATH")])])
    environment = {**os.environ, "PYTHONPATH": given, "CONDYLE_KERNELS": "aot", "CONDYLE_CACHE_DIR": str(tmp_path)}
    command = [*shlex.split(EMULATED), "-c", CHECK, str(tmp_path / "arm.npz")]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["aarch64", "aarch64", "False"]
    model, (q, v) = arm(), states(19)
    there = np.load(tmp_path / "arm.npz")
    for found, expected in (
        (there["batch"], cd.forward_dynamics(model, q, v, v)),
        (there["one"], cd.forward_dynamics(model, q[3], v[3])),
    ):
        assert np.abs(found - expected).max() < 1e-12 * np.abs(expected).max()

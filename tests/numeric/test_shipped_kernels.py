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
from condyle.numeric.cache.folder import cache_base
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
        (["fp", "asimd", "evtstrm", "aes"], "aarch64"),
    ],
)
def test_the_best_instruction_set_that_a_processor_has(flags, best):
    """Oracle: the levels of the x86-64 psABI; floating point and vectors, which every 64-bit ARM has."""
    assert next(iter(shipped.supported(set(flags))), None) == best


def test_flags_are_read_from_the_system(tmp_path):
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nflags\t\t: fpu avx2 fma\n\nprocessor\t: 1\nflags\t\t: fpu\n")
    assert shipped.processor_flags(tmp_path / "cpuinfo") == {"fpu", "avx2", "fma"}
    (tmp_path / "arm").write_text("processor\t: 0\nBogoMIPS\t: 100.00\nFeatures\t: fp asimd aes\n\nprocessor\t: 1\n")
    assert shipped.processor_flags(tmp_path / "arm") == {"fp", "asimd", "aes"}
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
    monkeypatch.setattr("condyle.numeric.entries.code_source.SOURCE", "aot")
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
from condyle.cli.everyday_calls import arm, states
model, (q, v) = arm(), states(19)
found = [cd.forward_dynamics(model, q, v, v), cd.forward_dynamics(model, q[3], v[3])]
nan = v.copy(); nan[5, 2] = 1e200
found.append(np.nan_to_num(cd.forward_dynamics(model, q, nan, on_failure="nan"), nan=-7.0))
found.append(cd.forward_dynamics(model, q[:0], v[:0]))
if len(sys.argv) > 1:  # what a wheel with more groups carries
    for one in (slice(None), 3):
        found += [cd.inverse_dynamics(model, q[one], v[one], v[one]), cd.mass_matrix(model, q[one])]
        found += [cd.body_jacobian(model, q[one], "link6"), cd.forward_kinematics(model, q[one]).as_matrix()]
    found.append(cd.simulate(model, q[3], v[3], duration=0.1, step=1e-3, integrator="rk4").q)
print(hashlib.sha256(b"".join(x.tobytes() for x in found)).hexdigest(), "numba" in sys.modules, cd.__file__)
"""


GROUPS = "forward dynamics,inverse dynamics,kinematics,mass matrix and energy,demonstration"
BEST = next(iter(shipped.supported(shipped.processor_flags())), "")
carries_kernels = pytest.mark.skipif(
    not COMPILED or sys.platform != "linux" or platform.machine() != "x86_64" or shutil.which("cc") is None,
    reason="no wheel with kernels is built here",
)


def built(folder: Path, sets: str, steps: str) -> Path:
    """A wheel with libraries for some instruction sets and groups of calls."""
    make = [sys.executable, ROOT / "packaging/make_wheel.py", "--sets", sets, "--steps", steps, "--out", folder]
    subprocess.run(make, check=True)
    (wheel,) = folder.glob("condyle-*-linux_x86_64.whl")
    return wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The Python of a new environment in which pip has installed the wheel; what condyle needs is found beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel, home = built(folder, BEST, GROUPS), folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    python = home / "bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], check=True)
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = subprocess.run([python, "-c", where], check=True, capture_output=True, text=True).stdout.strip()
    beside = [p for p in sys.path if any(Path(p, name).is_dir() for name in ("numpy", "numba", "pytest", "click"))]
    Path(packages, "beside.pth").write_text("\n".join(beside))  # no package is fetched
    return python


def asked(python: Path | str, folder: Path, code: str = CHECK, *arguments: str, **env: str) -> str:
    """What a script says, run where no source of condyle is."""
    nothing = {"CONDYLE_CACHE_DIR": str(folder / "empty")} if env["CONDYLE_KERNELS"] == "aot" else {}
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {**inherited, "CONDYLE_COMPILE": "1", **nothing, **env}
    done = subprocess.run([python, "-c", code, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@carries_kernels
def test_a_wheel_in_a_new_environment_computes_without_a_compiler_and_to_the_bit(installed, tmp_path):
    """Oracle: the same calls compiled just in time for the same instruction set, in a batch, alone, with a state that
    overflows, and of no state; and that Numba was not loaded.
    """
    digest, numba, where = asked(installed, tmp_path, CHECK, "all", CONDYLE_KERNELS="aot").split()
    assert numba == "False" and Path(where).is_relative_to(installed.parents[1])
    set_of_wheel = {"NUMBA_CPU_NAME": BEST, "NUMBA_CPU_FEATURES": ""}
    again = asked(installed, tmp_path, CHECK, "all", CONDYLE_KERNELS="jit", **set_of_wheel).split()
    assert again[:2] == [digest, "True"]


@pytest.mark.slow
@carries_kernels
def test_quick_tests_pass_from_an_installed_wheel_without_a_compiler(installed, tmp_path):
    """Oracle: the tests' own; no code was compiled, and the package was that of the wheel."""
    shutil.copy(ROOT / "tests/dynamics/test_evaluator.py", tmp_path)
    code = """
import sys
import pytest
code = pytest.main(["-q", "-c", "/dev/null", "--rootdir", ".", "-p", "no:cacheprovider", "test_evaluator.py"])
import condyle
print("ended", int(code), "numba" in sys.modules, condyle.__file__)
"""
    last = asked(installed, tmp_path, code, CONDYLE_KERNELS="aot").strip().splitlines()[-1].split()
    assert last[:3] == ["ended", "0", "False"] and Path(last[3]).is_relative_to(installed.parents[1])


FOLDERS = "spatial", "splines", "joints", "dynamics", "simulation"
WHOLE_FOLDERS = """
import sys
import pytest
quick = "not slow and not peers and not site"
code = pytest.main(["-q", "-n", "0", "-p", "no:cacheprovider", "-m", quick, *sys.argv[1:]])
import condyle
from condyle.numeric.entries.entry import Entry
entries = {id(x): x for m in [*sys.modules.values()] for x in list(vars(m).values()) if isinstance(x, Entry)}.values()
compiled = sum(len(x.compiled) for x in entries)
print("ended", int(code), sum(len(x.addresses) for x in entries) - compiled, compiled, condyle.__file__)
"""


@pytest.mark.slow
@carries_kernels
def test_whole_folders_of_quick_tests_pass_from_an_installed_wheel(installed, tmp_path):
    """Oracle: the tests' own, in a folder without the package; calls came from the wheel's library.

    What the library lacks is taken from the user's cache, or compiled.
    """
    shutil.copytree(ROOT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    folders, kept = [f"tests/{name}" for name in FOLDERS], str(cache_base())
    said = asked(installed, tmp_path, WHOLE_FOLDERS, *folders, CONDYLE_KERNELS="aot", CONDYLE_CACHE_DIR=kept)
    code, carried, _, where = said.strip().splitlines()[-1].split()[1:]
    assert code == "0" and int(carried) >= 10 and Path(where).is_relative_to(installed.parents[1]), said[-3000:]


@pytest.mark.slow
@carries_kernels
def test_the_demonstration_compiles_nothing(installed, tmp_path):
    """Oracle: the folder of compiled code, which stays empty; the files that it leaves."""
    code = "from condyle.cli.main import main; main(['demo', 'leg', '--out', 'demo', '--json'])"
    asked(installed, tmp_path, code, CONDYLE_KERNELS="aot")
    assert not [*(tmp_path / "empty").rglob("*.nb?")]
    assert (tmp_path / "demo/leg.html").stat().st_size > 10_000


@pytest.mark.slow
@carries_kernels
def test_the_library_of_an_older_processor_is_taken_there_and_gives_the_same(tmp_path):
    """Oracle: what is compiled just in time for that instruction set, to the bit."""
    older = "x86-64-v2"
    shutil.unpack_archive(built(tmp_path, older, "forward dynamics"), tmp_path / "fresh", "zip")
    before = f"import condyle.numeric.entries.shipped as s; s.processor_flags = lambda: set(s.SETS['{older}'])\n"
    place = {"PYTHONPATH": str(tmp_path / "fresh")}
    digest, numba, where = asked(sys.executable, tmp_path, before + CHECK, CONDYLE_KERNELS="aot", **place).split()
    assert numba == "False" and Path(where).is_relative_to(tmp_path / "fresh")
    again = asked(
        sys.executable, tmp_path, CHECK, CONDYLE_KERNELS="jit", NUMBA_CPU_NAME=older, NUMBA_CPU_FEATURES="", **place
    )
    assert again.split()[0] == digest


ANYWHERE = """
import sys
from pathlib import Path
import numpy as np
from condyle.numeric.entries.build import Optimizer
from condyle.numeric.entries.recorded_code import recorded, recorded_parts, recording
from condyle.view.kernels.triangle_fill import fill_triangles
folder = Path(sys.argv[1])
with recording(folder):
    fill_triangles(np.zeros((0, 3, 3)), np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2), int), np.zeros((2, 2, 2)))
(entry,) = recorded(folder)
for name in sys.argv[2:]:
    code = Optimizer(name, recorded_parts(folder)).object_code(entry)
    print(int.from_bytes(code[18:20], "little"), entry.symbol.encode() in code)
"""


@pytest.mark.skipif(not COMPILED or sys.platform != "linux", reason="code is made for Linux")
def test_machine_code_is_made_for_other_processors_too(tmp_path):
    """Oracle: the processor that the headers of ELF files name, 62 for x86-64 and 183 for 64-bit ARM."""
    settings = {"CONDYLE_KERNELS": "jit", "CONDYLE_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_OPT": "0"}
    (tmp_path / "code").mkdir()
    where = str(tmp_path / "code")
    said = asked(sys.executable, tmp_path, ANYWHERE, where, "x86-64-v2", "aarch64", **settings)
    assert said.split() == ["62", "True", "183", "True"]

"""Compiled kernels are kept between runs, and never a stale one."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import condyle
from condyle.numeric import cache

PACKAGE = Path(condyle.__file__).parent
FILES = {
    "__init__.py": "",
    "constants.py": "BASE = 10.0\n",
    "callee.py": "from .numeric import inlined\n\n\n@inlined\ndef factor(x):\n    return 2.0 * x\n",
    "caller.py": (
        "from .callee import factor\nfrom .constants import BASE\nfrom .numeric import entry\n\n\n"
        "@entry\ndef answer(z):\n    return factor(z + BASE)\n"
    ),
}
ASK = "print(answer(0.0), sum(answer.stats.cache_hits.values()))"


@pytest.fixture
def probe(tmp_path):
    """A package with condyle's own compiler and cache, whose kernel calls a callee in another file."""
    package = tmp_path / "probe"
    shutil.copytree(PACKAGE / "numeric", package / "numeric", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE / "errors.py", package)
    for name, text in FILES.items():
        (package / name).write_text(text)
    return package


def ask(probe, cache_dir, question=ASK):
    """The answer of a fresh process, and how often it was loaded from the cache."""
    env = {**os.environ, "CONDYLE_CACHE_DIR": str(cache_dir), "PYTHONDONTWRITEBYTECODE": "1", "CONDYLE_COMPILE": "1"}
    code = f"from probe.caller import answer; {question}"
    done = subprocess.run([sys.executable, "-c", code], cwd=probe.parent, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer, hits = done.stdout.split()
    return float(answer), int(hits)


def test_a_kernel_kept_for_other_types_is_not_taken(probe, tmp_path):
    """Two processes that save at once can leave one's types with the other's file: here the files are swapped."""
    folder = tmp_path / "cache"
    ask(probe, folder)
    ask(probe, folder, "print(answer(0j).real, 0)")
    kept = sorted(folder.rglob("*answer*.nbc"))
    first, second = (path.read_bytes() for path in kept)
    kept[0].write_bytes(second)
    kept[1].write_bytes(first)
    assert ask(probe, folder) == (20.0, 0)
    assert ask(probe, folder, "print(answer(0j).real, 0)") == (20.0, 0)
    assert ask(probe, folder) == (20.0, 1)


def test_an_edited_callee_or_constant_changes_the_answer(probe, tmp_path):
    """Numba's own cache answers 20 for ever: it looks at the caller's file only."""
    folder = tmp_path / "cache"
    assert ask(probe, folder) == (20.0, 0)
    assert ask(probe, folder) == (20.0, 1)
    (probe / "callee.py").write_text(FILES["callee.py"].replace("2.0", "3.0"))
    assert ask(probe, folder) == (30.0, 0)
    (probe / "constants.py").write_text("BASE = 11.0\n")
    assert ask(probe, folder) == (33.0, 0)
    assert ask(probe, folder) == (33.0, 1)


def test_an_unwritable_folder_falls_back_to_a_temporary_one(probe, tmp_path, monkeypatch):
    """A folder below a file cannot be made, not even by root."""
    (tmp_path / "file").write_text("")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    assert ask(probe, tmp_path / "file" / "cache") == (20.0, 0)
    assert ask(probe, tmp_path / "file" / "cache") == (20.0, 1)


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """cache_folder without its memory, with a temporary folder of its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return cache.cache_folder.__wrapped__


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes are of POSIX")
def test_a_temporary_folder_that_others_can_write_to_is_not_trusted(fresh, tmp_path, monkeypatch):
    """What the cache holds is run."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CONDYLE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    shared = tmp_path / f"condyle-{os.getuid()}"
    private = fresh()
    assert private.parent == shared
    shared.chmod(0o777)
    assert fresh().parent != shared
    assert fresh().parent.stat().st_mode & 0o077 == 0


def test_only_folders_of_kernels_are_forgotten(fresh, tmp_path, monkeypatch):
    """A user may point the cache at a folder that holds other things."""
    monkeypatch.setenv("CONDYLE_CACHE_DIR", str(tmp_path))
    old, mine, recent = (tmp_path / n for n in ("kernels-" + "0" * 20, "exactly-20-letters--", "kernels-" + "1" * 20))
    for folder in (old, mine, recent):
        folder.mkdir()
    for folder in (old, mine):
        os.utime(folder, (time.time() - 1e7,) * 2)
    assert fresh().is_dir()
    assert not old.exists() and mine.exists() and recent.exists()


def test_imports_of_every_form_are_followed(tmp_path):
    """Oracle: the files, named by hand."""
    package = tmp_path / "p"
    (package / "low").mkdir(parents=True)
    names = ("__init__", "a", "b", "c", "d", "kernels", "unrelated", "low/__init__", "low/e")
    for name in names:
        (package / f"{name}.py").write_text("")
    (package / "kernels.py").write_text(
        "from .a import X\nfrom . import (\n    b,\n    c as see,\n)\nfrom .low.e import (\n    Y,\n)\n\n"
        "@inlined\ndef f(): ..."
    )
    (package / "a.py").write_text("from . import d\n")
    found = {p.relative_to(package).as_posix() for p in cache.kernel_sources(package)}
    assert found == {"a.py", "b.py", "c.py", "d.py", "kernels.py", "low/e.py"}

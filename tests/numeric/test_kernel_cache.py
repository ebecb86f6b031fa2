"""Compiled kernels are kept between runs, and never a stale one."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import condyle
from condyle.numeric.cache.folder import cache_folder
from condyle.numeric.cache.sources import kernel_sources

PACKAGE = Path(condyle.__file__).parent
FILES = {
    "__init__.py": "",
    "kernels/__init__.py": "",
    "kernels/constants.py": "BASE = 10.0\n",
    "kernels/callee.py": "from ..numeric import inlined\n\n\n@inlined\ndef factor(x):\n    return 2.0 * x\n",
    "kernels/caller.py": (
        "from .callee import factor\nfrom .constants import BASE\nfrom ..numeric import entry\n\n\n"
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
    (package / "kernels").mkdir()
    for name, text in FILES.items():
        (package / name).write_text(text)
    return package


def ask(probe, cache_dir, question=ASK, module="probe.kernels.caller"):
    """The answer of a fresh process, and how often it was loaded from the cache."""
    env = {**os.environ, "CONDYLE_CACHE_DIR": str(cache_dir), "PYTHONDONTWRITEBYTECODE": "1", "CONDYLE_COMPILE": "1"}
    code = f"from {module} import answer; {question}"
    done = subprocess.run([sys.executable, "-c", code], cwd=probe.parent, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer, hits = done.stdout.split()
    return float(answer), int(hits)


@pytest.mark.slow
def test_a_kernel_kept_for_other_types_is_not_taken(probe, tmp_path):
    """Oracle: the answer by hand, after the files of two number types were swapped."""
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


@pytest.mark.slow
def test_an_edited_callee_or_constant_changes_the_answer(probe, tmp_path):
    """Numba's own cache answers 20 for ever: it looks at the caller's file only."""
    folder = tmp_path / "cache"
    assert ask(probe, folder) == (20.0, 0)
    assert ask(probe, folder) == (20.0, 1)
    (probe / "kernels/callee.py").write_text(FILES["kernels/callee.py"].replace("2.0", "3.0"))
    assert ask(probe, folder) == (30.0, 0)
    (probe / "kernels/constants.py").write_text("BASE = 11.0\n")
    assert ask(probe, folder) == (33.0, 0)
    assert ask(probe, folder) == (33.0, 1)


@pytest.mark.slow
def test_an_edit_recompiles_only_what_can_see_it(probe, tmp_path):
    """Oracle: the compiler's own count of kernels that it loaded."""
    folder = tmp_path / "cache"
    (probe / "kernels/stranger.py").write_text(FILES["kernels/callee.py"])
    assert ask(probe, folder) == (20.0, 0)
    (probe / "kernels/stranger.py").write_text(FILES["kernels/callee.py"].replace("2.0", "5.0"))
    assert ask(probe, folder) == (20.0, 1)
    (probe / "numeric/more.py").write_text("KIND = 'a new number type'\n")
    assert ask(probe, folder) == (20.0, 0)


@pytest.mark.slow
def test_a_person_at_a_terminal_is_told_what_is_compiled_and_that_it_is_kept(probe, tmp_path):
    """Oracle: what a pseudo-terminal shows at the first start (two entries, a line for each) and at the second."""
    pty = pytest.importorskip("pty")
    question = "print(answer(0.0)); print(answer(0j))"
    env = {**os.environ, "CONDYLE_CACHE_DIR": str(tmp_path / "cache"), "CONDYLE_COMPILE": "1"}
    shown = []
    for _ in range(2):
        ours, theirs = pty.openpty()
        code = f"from probe.kernels.caller import answer; {question}"
        subprocess.run(
            [sys.executable, "-c", code], cwd=probe.parent, env=env, stdout=subprocess.DEVNULL, stderr=theirs
        )
        os.close(theirs)
        os.set_blocking(ours, False)
        try:
            shown.append(os.read(ours, 10_000).decode())
        except OSError:  # nothing was written
            shown.append("")
        os.close(ours)
    lines = shown[0].splitlines()
    assert shown[0].count("\n") == 2 and all("answer" in line for line in lines if line)
    assert "compiling" in shown[0] and "%" in shown[0] and "kept" in shown[0] and shown[1] == ""


@pytest.mark.slow
def test_kernels_unused_for_a_month_are_forgotten(probe, tmp_path):
    """Oracle: the files that are left after a new version was compiled."""
    folder = tmp_path / "cache"
    ask(probe, folder)
    (old,) = folder.rglob("*answer*.nbc")
    os.utime(old, (time.time() - 1e7,) * 2)
    (probe / "kernels/constants.py").write_text("BASE = 11.0\n")
    assert ask(probe, folder) == (22.0, 0)
    assert not old.exists() and len(list(folder.rglob("*answer*.nbc"))) == 1


@pytest.mark.slow
def test_a_kernel_of_a_user_follows_the_files_and_constants_it_calls(probe, tmp_path):
    """Oracle: the answers by hand, after edits of a helper and of a constant in other files."""
    helper = "from probe.numeric import inlined\n\n\n@inlined\ndef factor(x):\n    return 2.0 * x\n"
    own = "from probe.numeric import entry\nfrom helper import factor\nfrom constants import BASE\n\n\n"
    own += "@entry\ndef answer(z):\n    return factor(z + BASE)\n"
    folder = tmp_path / "cache"
    for name, text in {"helper.py": helper, "constants.py": "BASE = 10.0\n", "own.py": own}.items():
        (tmp_path / name).write_text(text)
    assert ask(probe, folder, module="own") == (20.0, 0)
    assert ask(probe, folder, module="own") == (20.0, 1)
    (tmp_path / "helper.py").write_text(helper.replace("2.0", "3.0"))
    assert ask(probe, folder, module="own") == (30.0, 0)
    (tmp_path / "constants.py").write_text("BASE = 11.0\n")
    assert ask(probe, folder, module="own") == (33.0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["package", "script"])
def test_an_edit_of_a_kernel_that_another_file_closes_over_changes_the_answer(probe, tmp_path, where):
    """Oracle: the answers by hand, (z + 3) times the factor, after two edits of the factor's file alone, and back."""
    factory = (
        "from probe.numeric import kernel\n\n\ndef times(inner):\n    @kernel\n    def scaled(x):\n"
        "        return inner(x + 3.0)\n\n    return scaled\n"
    )
    law = "from probe.numeric import inlined\n\n\n@inlined\ndef factor(x):\n    return 2.0 * x\n"
    caller = (
        "from {0}factory import times\nfrom {0}{1}law import factor\nfrom probe.numeric import entry\n\n\n"
        "def closed(kernel):\n    @entry\n    def answer(z):\n        return kernel(z)\n\n    return answer\n\n\n"
        "answer = closed(times(factor))\n"
    )
    inside = where == "package"
    folder = probe / "kernels" if inside else tmp_path
    laws = folder / "laws" if inside else folder
    laws.mkdir(exist_ok=True)
    (folder / "factory.py").write_text(factory)
    (folder / "own.py").write_text(caller.format("probe.kernels.", "laws.") if inside else caller.format("", ""))
    module, cache = "probe.kernels.own" if inside else "own", tmp_path / "cache"
    for slope in (2.0, 5.0, 7.0):
        (laws / "law.py").write_text(law.replace("2.0", str(slope)))
        assert ask(probe, cache, module=module) == (3 * slope, 0)
    (laws / "law.py").write_text(law)
    assert ask(probe, cache, module=module) == (6.0, 1)


def test_a_file_in_a_folder_below_kernels_is_hashed(tmp_path):
    """Oracle: the list of files by hand."""
    for name in ("kernels/laws/spring.py", "kernels/law.py", "numeric/lanes.py", "numeric/cache/folder.py", "plain.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    names = [path.relative_to(tmp_path).as_posix() for path in kernel_sources(tmp_path)]
    assert names == ["kernels/law.py", "kernels/laws/spring.py", "numeric/lanes.py"]


def test_a_docstring_a_comment_or_an_error_recompiles_nothing(probe, tmp_path):
    """Oracle: the compiler's own count of kernels that it loaded."""
    folder = tmp_path / "cache"
    assert ask(probe, folder) == (20.0, 0)
    callee = FILES["kernels/callee.py"].replace("def factor(x):\n", 'def factor(x):\n    """Twice x."""  # exactly\n')
    (probe / "kernels/callee.py").write_text(callee)
    (probe / "errors.py").write_text((probe / "errors.py").read_text().replace("must be", "has to be"))
    (probe / "joint.py").write_text("TITLE = 'a new joint kind'\n")
    assert ask(probe, folder) == (20.0, 1)


def test_kernels_import_only_kernels_and_numbers():
    """Oracle: the imports in the syntax tree of every hashed file, resolved here."""
    hashed = set(kernel_sources())
    assert len(hashed) < 220
    for path in hashed:
        if "kernels" in path.parts:
            assert imported_files(path) <= hashed, path


def test_every_kernel_is_hashed():
    """Oracle: the decorators in the text of all files; one in a folder below `kernels` would be kept when edited."""
    marked = re.compile(r"^@(kernel|entry|inlined|seldom)\b", re.MULTILINE)
    assert {p for p in PACKAGE.rglob("*.py") if marked.search(p.read_text())} <= set(kernel_sources())


def imported_files(path):
    """The files of the package that a module names in its import statements."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, ast.ImportFrom) or node.level or not node.module.startswith("condyle")
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            inner = [base / f"{alias.name}.py" for alias in node.names]
            modules = [*inner, base.with_suffix(".py")]
            found |= {p for p in modules if p.is_file()} or {base / "__init__.py"}
    return found


@pytest.mark.slow
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
    return cache_folder.__wrapped__


def test_only_folders_of_kernels_are_forgotten(fresh, tmp_path, monkeypatch):
    """A user may point the cache at a folder that holds other things."""
    monkeypatch.setenv("CONDYLE_CACHE_DIR", str(tmp_path))
    old, mine, recent = (tmp_path / n for n in ("kernels-" + "0" * 20, "exactly-20-letters--", "kernels-" + "1" * 20))
    for folder in (old, mine, recent):
        folder.mkdir()
    note = tmp_path / ("sources-" + "0" * 20)
    note.write_text("1" * 20)
    for path in (old, mine, note):
        os.utime(path, (time.time() - 1e7,) * 2)
    assert fresh().is_dir()
    assert not old.exists() and not note.exists() and mine.exists() and recent.exists()

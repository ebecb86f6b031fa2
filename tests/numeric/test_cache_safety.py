"""What the kernel cache holds is run, so it reads only what nobody else can have written, and only if it is whole."""

import os
import pickle
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from test_kernel_cache import probe  # noqa: F401

from condyle.errors import CondyleWarning
from condyle.numeric import COMPILED
from support.thinning import slow_but

if not COMPILED:
    pytest.skip("without the compiler there is no cache", allow_module_level=True)

from numba import njit

from condyle.numeric.cache import private_files
from condyle.numeric.cache.folder import cache_folder
from condyle.numeric.cache.kernel_cache import KernelCache, _checked
from condyle.numeric.cache.private_files import flaw_of, make_private, read_private, write_private

posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes are of POSIX")
STRANGER = 65_534


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """cache_folder without its memory, with a temporary folder of its own."""
    (tmp_path / "temporary").mkdir(mode=0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return cache_folder.__wrapped__


def give_away(path, monkeypatch):
    """Make a path belong to another user; who is not root can only pretend."""
    if os.getuid() == 0:
        os.chown(path, STRANGER, -1, follow_symlinks=False)
        return
    gone, trusted = os.lstat(path), private_files._trusted_owner
    pretended = lambda found: trusted(found) and not os.path.samestat(found, gone)  # noqa: E731
    monkeypatch.setattr(private_files, "_trusted_owner", pretended)


@posix
@pytest.mark.parametrize("mode", slow_but([0o775, None], [0o775, 0o757, None]))
@pytest.mark.parametrize(
    ("variable", "inside"), [("CONDYLE_CACHE_DIR", ""), ("XDG_CACHE_HOME", "condyle"), ("HOME", ".cache/condyle")]
)
@pytest.mark.parametrize("where", slow_but([""], ["", ".."]))
def test_a_folder_that_others_could_change_is_not_used(fresh, tmp_path, monkeypatch, variable, inside, mode, where):
    """Oracle: the folder that is used instead, for this user alone; the warning names the flawed one."""
    for name in ("CONDYLE_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    planted = tmp_path / "parent" / "planted"
    planted.mkdir(parents=True)
    monkeypatch.setenv(variable, str(planted))
    base = planted / inside
    base.mkdir(parents=True, exist_ok=True)
    flawed = Path(os.path.normpath(base / where))
    if mode is None:
        give_away(flawed, monkeypatch)
    else:
        flawed.chmod(mode)
    with pytest.warns(CondyleWarning, match=re.escape(str(flawed))):
        used = fresh()
    assert used.parent.parent == tmp_path / "temporary"
    assert used.stat().st_mode & 0o077 == 0 and used.parent.stat().st_mode & 0o077 == 0


@posix
def test_a_folder_of_ones_own_is_used_without_a_word(fresh, tmp_path, monkeypatch):
    """Oracle: the folder; no warning. A parent like /tmp, open to all but with the sticky bit, does no harm."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv("CONDYLE_CACHE_DIR", str(shared / "mine"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fresh().parent == shared / "mine"
    shared.chmod(0o777)
    with pytest.warns(CondyleWarning, match="0777"):
        assert fresh().parent.parent == tmp_path / "temporary"


@posix
def test_where_no_folder_is_safe_nothing_is_kept(fresh, tmp_path, monkeypatch):
    """Oracle: no folder, and two warnings: for the one wished for and for the temporary ones."""
    monkeypatch.setenv("CONDYLE_CACHE_DIR", str(tmp_path / "temporary" / "cache"))
    (tmp_path / "temporary").chmod(0o777)
    with pytest.warns(CondyleWarning) as told:
        assert fresh() is None
    assert len(told) == 2


@posix
def test_links_of_others_are_not_followed(tmp_path, monkeypatch):
    """Oracle: the owner of each link on the way; the last name must be a folder, not a link."""
    real, link = tmp_path / "real", tmp_path / "link"
    make_private(real / "cache" / "kernels")
    link.symlink_to("real/cache")
    assert flaw_of(link / "kernels") is None
    assert str(link) in flaw_of(link)
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(OSError):
        flaw_of(tmp_path / "round" / "x")
    give_away(link, monkeypatch)
    assert f"{link} belongs to user" in flaw_of(link / "kernels")


@posix
@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o777])
def test_folders_and_files_are_for_one_user_whatever_the_umask(tmp_path, umask):
    """Oracle: the modes on disk."""
    before = os.umask(umask)
    try:
        make_private(tmp_path / "a" / "b")
        write_private(tmp_path / "a" / "b" / "file", b"x")
    finally:
        os.umask(before)
    assert [(tmp_path / p).stat().st_mode & 0o777 for p in ("a", "a/b")] == [0o700, 0o700]
    assert (tmp_path / "a/b/file").stat().st_mode & 0o177 == 0
    assert [p.name for p in (tmp_path / "a/b").iterdir()] == ["file"]


@posix
def test_files_of_others_are_not_read(tmp_path, monkeypatch):
    """Oracle: the bytes that were written, or None."""
    path, link = tmp_path / "file", tmp_path / "link"
    write_private(path, b"bytes")
    link.symlink_to(path)
    assert read_private(path) == b"bytes" and read_private(link) is None and read_private(tmp_path) is None
    for mode in (0o620, 0o602):
        path.chmod(mode)
        assert read_private(path) is None
    path.chmod(0o600)
    os.mkfifo(tmp_path / "pipe")
    assert read_private(tmp_path / "pipe") is None
    give_away(path, monkeypatch)
    assert read_private(path) is None


class Planted:
    """Unpickled, it makes a file."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (str(self.marker),)


def thrice(x):
    return 3.0 * x


def compiled(folder):
    """A fresh Numba function with condyle's cache in a folder."""
    function = njit(thrice)
    function._cache = KernelCache(thrice, folder)
    return function


def loaded(folder):
    """The answer of a fresh function, and how often it came from the cache."""
    function = compiled(folder)
    return function(2.0), sum(function.stats.cache_hits.values())


def test_a_planted_file_is_not_run(tmp_path):
    """Oracle: the marker that unpickling would make; 3 · 2 = 6."""
    marker = tmp_path / "marker"
    make_private(tmp_path / "cache")
    assert loaded(tmp_path / "cache") == (6.0, 0)
    (kept,) = (tmp_path / "cache").glob("*thrice*")
    pickle.loads(pickle.dumps(Planted(marker)))
    marker.rmdir()
    for head in (b"", b"\0" * 32, kept.read_bytes()[:32]):
        kept.write_bytes(head + pickle.dumps(Planted(marker)))
        assert loaded(tmp_path / "cache") == (6.0, 0)
    assert not marker.exists()
    assert loaded(tmp_path / "cache") == (6.0, 1)


def damages(data):
    """An empty file, cut ones, and one with a flipped bit in every part."""
    random = np.random.default_rng(0)
    yield b""
    yield from (data[:k] for k in (1, 31, 32, 33, len(data) // 2, len(data) - 1))
    yield data + b"\0"
    for place in [0, 31, 32, len(data) - 1, *random.integers(0, len(data), 100)]:
        changed = bytearray(data)
        changed[place] ^= 1 << random.integers(8)
        yield bytes(changed)


def test_damaged_files_are_compiled_again_and_replaced(tmp_path):
    """Oracle: 3 · 2 = 6; the cache's own count."""
    assert loaded(tmp_path) == (6.0, 0) and loaded(tmp_path) == (6.0, 1)
    (kept,) = tmp_path.glob("*thrice*")
    data = kept.read_bytes()
    for k, damaged in enumerate(damages(data)):
        kept.write_bytes(damaged)
        assert _checked(kept) is None
        if k < 10:
            assert loaded(tmp_path) == (6.0, 0) and loaded(tmp_path) == (6.0, 1)
    kept.unlink()
    assert loaded(tmp_path) == (6.0, 0)


def test_what_cannot_be_rebuilt_is_compiled_again(tmp_path):
    """Oracle: 6. A file may be whole and yet of no use: here it holds something else, with a right checksum."""
    from condyle.numeric.cache.kernel_cache import _digest

    assert loaded(tmp_path) == (6.0, 0)
    (kept,) = tmp_path.glob("*thrice*")
    for payload in (b"no pickle", pickle.dumps(3), pickle.dumps((1, 2, 3))):
        kept.write_bytes(_digest(kept, payload) + payload)
        assert loaded(tmp_path) == (6.0, 0)
    assert loaded(tmp_path) == (6.0, 1)


FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"


@posix
def test_a_full_disk_under_the_cache_stops_no_kernel(probe, tmp_path):  # noqa: F811
    """Oracle: 20, in a process that may write no byte to any file; one warning; no half-written file is left."""
    env = {**os.environ, "CONDYLE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    code = f"{FULL}\nfrom probe.kernels.caller import answer\nprint(answer(0.0), answer(0j).real)"
    done = subprocess.run([sys.executable, "-c", code], cwd=probe.parent, env=env, capture_output=True, text=True)
    assert done.stdout.split() == ["20.0", "20.0"], done.stderr
    assert "CondyleWarning" in done.stderr and done.stderr.count("cannot be kept") == 1
    assert [p for p in (tmp_path / "cache").rglob("*") if p.is_file()] == []


def test_a_kernel_typed_at_a_prompt_is_compiled_and_not_kept(probe, tmp_path):  # noqa: F811
    """Oracle: 2 · 3 = 6; there is no file whose edits could be noticed, so nothing is kept."""
    env = {**os.environ, "CONDYLE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    code = "from probe.numeric import entry\n@entry\ndef typed(z):\n    return 2.0 * z\nprint(typed(3.0))"
    done = subprocess.run([sys.executable, "-c", code], cwd=probe.parent, env=env, capture_output=True, text=True)
    assert done.stdout.strip() == "6.0", done.stderr
    assert list((tmp_path / "cache").rglob("*typed*")) == []


def test_a_relative_folder_stays_where_it_is(fresh, tmp_path, monkeypatch):
    """Oracle: the folder, after the program went elsewhere."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONDYLE_CACHE_DIR", "cache")
    assert fresh().parent == tmp_path / "cache"

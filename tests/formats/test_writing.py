"""Writing files: what was there before is never lost, and what is no plain file is left in its place."""

import os
import signal
import stat
import subprocess
import sys
import threading

import pytest

import condyle as cd
from condyle.errors import BadFile
from condyle.formats.writing import require_writable, write_bytes, write_text


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_a_file_keeps_its_permissions(mode, tmp_path):
    """Oracle: the mode bits before."""
    path = tmp_path / "j.toml"
    path.write_text("old")
    path.chmod(mode)
    cd.save(cd.joints.ball(), path)
    assert stat.S_IMODE(path.stat().st_mode) == mode and "ball" in path.read_text()


def test_a_new_file_has_the_permissions_of_the_umask(tmp_path):
    """Oracle: the umask of a process of its own."""
    code = (
        "import os, sys; os.umask(0o027); from condyle.formats.writing import write_text; write_text(sys.argv[1], 'x')"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "x")], check=True)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


@pytest.mark.parametrize("exists", [True, False])
def test_what_a_link_points_at_is_written(exists, tmp_path):
    """Oracle: the link is still one, its target has the text; also where the target is yet to be made."""
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "j.txt", tmp_path / "j.txt"
    if exists:
        target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink() and target.read_text() == "new" and not target.is_symlink()
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["j.txt", "j.txt", "real"]


def test_a_link_that_points_at_itself_is_refused(tmp_path):
    """Oracle: the class and the name."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(BadFile, match="loop: cannot be written"):
        write_text(tmp_path / "loop", "x")


def test_a_read_only_file_is_refused_and_stays(tmp_path):
    """Oracle: the bytes; also for a user whom the system lets write everywhere."""
    path = tmp_path / "j.toml"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(BadFile, match=r"j\.toml: cannot be written: it is read-only"):
        cd.save(cd.joints.ball(), path)
    with pytest.raises(BadFile, match="read-only"):
        require_writable(path)
    assert path.read_text() == "old"


def test_a_folder_is_refused(tmp_path):
    """Oracle: the class and the name, before any work too."""
    for write in (require_writable, lambda path: write_text(path, "x")):
        with pytest.raises(BadFile, match="cannot be written: this is a folder"):
            write(tmp_path)


def test_a_device_is_written_to_and_stays_one(tmp_path):
    """Oracle: the kind of the node: a null device of its own, so that a failure harms nobody."""
    path = tmp_path / "null"
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        path.open("wb").close()
    except PermissionError:
        pytest.skip("devices cannot be made here")
    require_writable(path)
    write_text(path, "x")
    assert stat.S_ISCHR(path.stat().st_mode) and os.listdir(tmp_path) == ["null"]


def test_a_pipe_takes_what_is_written(tmp_path):
    """Oracle: what the reader at its other end gets."""
    os.mkfifo(path := tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    write_bytes(path, lambda file: file.write(b"abc"))
    reader.join()
    assert got == [b"abc"] and stat.S_ISFIFO(path.stat().st_mode)


def test_a_full_device_is_told(tmp_path):
    """Oracle: the system's own words of /dev/full."""
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with pytest.raises(BadFile, match="/dev/full: cannot be written: No space left"):
        write_text("/dev/full", "x")


def test_a_failure_while_writing_leaves_the_old_file_and_no_part(tmp_path):
    """Oracle: the folder."""
    (path := tmp_path / "a").write_text("old")

    def write(file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(BadFile, match="a: cannot be written: No space left on device"):
        write_bytes(path, write)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["a"]


KILLED = """
import os, signal, sys
from condyle.formats.writing import write_bytes
def write(file):
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
write_bytes(sys.argv[1], write)
"""


def test_what_a_killed_process_left_is_gone_after_the_next_save(tmp_path):
    """Oracle: the folder after SIGKILL in the middle of a write, and after the next."""
    (path := tmp_path / "a").write_text("old")
    process = subprocess.run([sys.executable, "-c", KILLED, str(path)])
    assert process.returncode == -signal.SIGKILL and path.read_text() == "old" and len(os.listdir(tmp_path)) == 2
    write_text(tmp_path / "b", "other")
    assert len(os.listdir(tmp_path)) == 3  # not this file's part
    write_text(path, "new")
    assert path.read_text() == "new" and sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_a_part_that_is_being_written_is_not_swept(tmp_path):
    """Oracle: the text of the writer that ends last."""
    path = tmp_path / "a"

    def write(file):
        file.write(b"outer")
        write_text(path, "inner")
        assert path.read_text() == "inner" and len(os.listdir(tmp_path)) == 2

    write_bytes(path, write)
    assert path.read_text() == "outer" and os.listdir(tmp_path) == ["a"]


def test_names_as_long_as_the_system_allows_are_written(tmp_path):
    """Oracle: the file; one letter more is refused in words."""
    name = "n" * 250 + ".toml"
    assert cd.load(cd.save(cd.joints.ball(), tmp_path / name)).title == "ball"
    with pytest.raises(BadFile, match="cannot be written: File name too long"):
        cd.save(cd.joints.ball(), tmp_path / f"n{name}")
    with pytest.raises(BadFile, match="not the name of a file"):
        cd.load(tmp_path / f"n{name}")


@pytest.mark.parametrize("path", [None, 3, b"j.toml", 1.5, ["j.toml"]])
def test_what_is_no_path_is_refused(path):
    """Oracle: the class and the type's name."""
    for call in (cd.load, lambda path: cd.save(cd.joints.ball(), path)):
        with pytest.raises(BadFile, match=rf"a path is text or a pathlib\.Path; got .*{type(path).__name__}"):
            call(path)


def test_a_null_character_in_a_path_is_refused(tmp_path):
    """Oracle: the class."""
    for call in (cd.load, lambda path: cd.save(cd.joints.ball(), path)):
        with pytest.raises(BadFile, match="null"):
            call(f"{tmp_path}/a\0b.toml")
        with pytest.raises(BadFile, match="half a letter"):
            call(f"{tmp_path}/a\ud800b.toml")


def test_a_name_that_utf8_cannot_hold_is_refused(tmp_path):
    """Oracle: the class and the letter; nothing is written."""
    model = cd.ModelBuilder().add_body("a\ud800", joint=cd.joints.ball(), inertia=cd.Inertia.sphere(1, 1)).build()
    with pytest.raises(cd.CondyleError, match="ud800"):
        cd.save(model, tmp_path / "m.toml")
    assert not os.listdir(tmp_path)

"""Saving loses nothing: copies keep their numbers, two savers leave a file that loads, older files load."""

import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile
from support.samples import SAMPLES


def same(a, b):
    """Whether two joints have the same numbers."""
    return all(np.array_equal(x.poses, y.poses) for x, y in zip(a.segments, b.segments, strict=True))


def test_a_copy_keeps_its_numbers_when_the_original_is_saved_over(tmp_path):
    """Oracle: the joint that was saved first, of more than 200 numbers."""
    knee = cd.save(SAMPLES["surface"], tmp_path / "knee.toml")
    shutil.copy(knee, backup := tmp_path / "backup.toml")
    cd.save(SAMPLES["volume"], knee)
    assert same(cd.load(backup), SAMPLES["surface"]) and same(cd.load(knee), SAMPLES["volume"])
    shutil.copy(backup, elsewhere := tmp_path.parent / f"{tmp_path.name}.toml")
    assert same(cd.load(elsewhere), SAMPLES["surface"])


SAVER = """
import sys, numpy as np, condyle as cd
low = float(sys.argv[2])
frames = cd.SE3.stack([cd.SE3.exp([0, 0.1 * k, 0, low, 0, 0.01 * k]) for k in range(40)])
joint = cd.joints.spline_curve(frames)
print("ready", flush=True)
sys.stdin.readline()
for _ in range(20):
    cd.save(joint, sys.argv[1])
"""


@pytest.mark.slow
def test_two_savers_at_once_leave_a_file_that_loads(tmp_path):
    """Oracle: whoever came last: the joint of one of the two processes, in each of many loads while they save."""
    path, lows = tmp_path / "knee.toml", (0.25, 0.75)
    savers = [
        subprocess.Popen([sys.executable, "-c", SAVER, str(path), str(low)], stdin=-1, stdout=-1, text=True)
        for low in lows
    ]
    for saver in savers:
        assert saver.stdout.readline() == "ready\n"
    for saver in savers:
        saver.stdin.write("\n")
        saver.stdin.flush()
    seen = 0
    while any(saver.poll() is None for saver in savers) or not seen:
        if path.exists():
            assert cd.load(path).pose(0.0)[0, 3] in lows
            seen += 1
    assert [saver.wait() for saver in savers] == [0, 0]
    assert cd.load(path).pose(0.0)[0, 3] in lows and [p.name for p in tmp_path.iterdir()] == ["knee.toml"]


def as_of_old(path):
    """The file as earlier versions wrote it: its arrays in an .npz beside it."""
    text, arrays = path.read_text(), {}
    for name, shape, data in re.findall(r"\[arrays\.(\w+)\]\nshape = \[(.*)\]\nfloat64 = '''\n([^']*)'''\n", text):
        import base64

        numbers = np.frombuffer(base64.b64decode(data.replace("\n", "")), "<f8")
        arrays[name] = numbers.reshape([int(n) for n in shape.split(",")])
    text = text[: text.index("\n[arrays.")]
    path.write_text(re.sub(r'array = "(\w+)"', r'npz = "knee.0123abcd.npz"\nkey = "\1"', text))
    np.savez(path.parent / "knee.0123abcd.npz", **arrays)


def test_files_with_an_npz_beside_them_still_load_and_it_is_not_deleted(tmp_path):
    """Oracle: the joint that was saved; the older file's copy loads after the original is saved over."""
    as_of_old(path := cd.save(SAMPLES["surface"], tmp_path / "knee.toml"))
    assert same(cd.load(path), SAMPLES["surface"])
    shutil.copy(path, backup := tmp_path / "backup.toml")
    cd.save(SAMPLES["volume"], path)
    assert same(cd.load(backup), SAMPLES["surface"])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "shape = [20, 4, 4]",
            "shape = [7, 4, 4]",
            r"poses: its shape \[7, 4, 4\] needs 112 numbers of 8 bytes, it has 2560",
        ),
        ("shape = [20, 4, 4]", "shape = [-20, -4, 4]", "poses: the shape of a stored array is a list of whole numbers"),
        ("shape = [20, 4, 4]", "shape = 320", "poses: the shape of a stored array is a list of whole numbers"),
        ("shape = [20, 4, 4]", "shapes = [20, 4, 4]", "poses: a stored array has a `shape` and"),
        ("float64 = '''\n", "float64 = '''\n?", "poses: its float64 is not a text in base64"),
        ("[arrays.a0]", "[arrays.a99]", "poses: this file has no array 'a0'"),
        ("[arrays.a0]", "[arrays]\na0 = 3\n[other]", "a stored array has"),
    ],
)
def test_a_damaged_array_is_said_at_its_place(old, new, words, tmp_path):
    """Oracle: the place and the numbers."""
    path = cd.save(SAMPLES["surface"], tmp_path / "knee.toml")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(BadFile, match=words):
        cd.load(path)


def test_a_body_may_be_named_by_brackets(tmp_path):
    """Oracle: the name; also quotes, line ends and what looks like a comment or a number."""
    names = ["[" * 101, "{" * 300, '"' * 7, "'" * 7, "a\nb = [1, 2]", "# [[[", "\\", "".join(map(chr, range(32)))]
    b = cd.ModelBuilder()
    for k, name in enumerate(names):
        b.add_body(
            name, joint=cd.joints.revolute("x", name="turn"), inertia=cd.Inertia.sphere(1.0, 0.1), joint_name=f"j{k}"
        )
    again = cd.load(cd.save(b.build(), tmp_path / "m.toml"))
    assert [body.name for body in again.bodies] == names


def test_comments_with_brackets_are_read(tmp_path):
    """Oracle: the joint; 101 comments that open a bracket, and strings that do."""
    path = cd.save(cd.joints.ball(), tmp_path / "j.toml")
    path.write_text("# [ {\n" * 101 + path.read_text().replace('"ball"', "'''" + "[" * 101 + "'''", 1))
    assert cd.load(path).title == "[" * 101

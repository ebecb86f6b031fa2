"""BVH: the hierarchy as written, positions by hand, and broken files."""

import numpy as np
import pytest

from condyle.errors import BadFile, UnknownName
from condyle.formats.bvh import read_bvh

TEXT = """HIERARCHY
ROOT chest
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT arm
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -30 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.008333
0 100 0 0 0 0 0 0 0
5 100 0 0 0 90 90 0 0
"""


@pytest.fixture
def file(tmp_path):
    def write(text=TEXT):
        path = tmp_path / "arm.bvh"
        path.write_text(text)
        return path

    return write


def test_the_tree_is_read_as_written(file):
    """Oracle: the text above."""
    bvh = read_bvh(file())
    assert bvh.names == ["chest", "arm", "arm_end"] and bvh.parents == [-1, 0, 1]
    assert bvh.offsets.tolist() == [[0, 0, 0], [10, 0, 0], [0, -30, 0]]
    assert [len(c) for c in bvh.channels] == [6, 3, 0]
    assert bvh.values.shape == (2, 9) and bvh.frame_time == 0.008333


def test_rotations_multiply_in_channel_order(file):
    """Oracle: by hand; the chest turned 90° about y puts x to −z, the arm turned 90° about z puts −y to x."""
    places = read_bvh(file()).positions()
    assert np.allclose(places[0], [[0, 100, 0], [10, 100, 0], [10, 70, 0]])
    assert np.allclose(places[1], [[5, 100, 0], [5, 100, -10], [5, 100, -40]])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("HIERARCHY", "MODEL", "a BVH file begins with HIERARCHY"),
        ("Frames: 2", "Frames: 3", "3 frames of 9 channels need 27 numbers; got numbers = 18"),
        ("OFFSET 10", "SHIFT 10", "unexpected word 'SHIFT' in the hierarchy"),
        ("Frames:", "Count:", "MOTION needs Frames: and Frame Time:"),
        ("}\nMOTION", "MOTION", r"1 block\(s\) of the hierarchy are not closed"),
        ("OFFSET 10", "OFFSET ten", "a damaged BVH file: could not convert"),
        ("CHANNELS 3 Z", "CHANNELS 3 W", r"a channel is Xposition … Zrotation; got \['Wrotation'\]"),
        ("}\nMOTION", "}\n}\nMOTION", "one } too many"),
    ],
)
def test_broken_files_are_named(file, old, new, words):
    """Oracle: the words."""
    with pytest.raises(BadFile, match=words):
        read_bvh(file(TEXT.replace(old, new, 1)))


def test_an_unknown_joint_is_named(file):
    with pytest.raises(UnknownName, match=r"no joint named 'arn' in this BVH file. Did you mean 'arm'\?"):
        read_bvh(file()).index("arn")


def test_the_command_line_says_of_a_character_what_it_is_in_the_unit_asked(tmp_path):
    """Oracle: offsets of 100 and 50 in cm end 1.5 metres away."""
    import json

    from click.testing import CliRunner

    import condyle as cd
    from condyle.cli.commands.info import command

    path = tmp_path / "x.bvh"
    joint = "JOINT b { OFFSET 0 100 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 50 0 } }"
    root = f"ROOT a {{ OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation {joint} }}"
    path.write_text(f"HIERARCHY\n{root}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0\n")
    said = CliRunner().invoke(command, [str(path), "--unit", "cm", "--json"])
    assert json.loads(said.stdout)["kind"] == "trajectory"
    motion = cd.load(path, unit="cm")
    assert np.abs(cd.forward_kinematics(motion.model, motion.q[0]).xyz).max() == pytest.approx(1.5, rel=1e-12)

"""Arms from files."""

import numpy as np
import pytest

from condyle.errors import BadSamples, BadShape, BadValue, UnknownName
from condyle.workspace import read_bvh_arm, read_samples, synthetic_subject, write_samples

Y_UP = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])  # file: x right, y up, z back


def test_written_samples_come_back(tmp_path):
    """Oracle: the samples that were written."""
    samples = synthetic_subject(count=30)
    write_samples(samples, tmp_path / "p.csv", tmp_path / "t.csv")
    again = read_samples(tmp_path / "p.csv", tmp_path / "t.csv")
    assert np.array_equal(again.elbow, samples.elbow) and np.array_equal(again.shoulder, samples.shoulder)
    assert np.abs(again.trials.wrist_low - samples.trials.wrist_low).max() < 1e-12
    assert np.abs(again.trials.wrist_high - samples.trials.wrist_high).max() < 1e-12
    assert np.allclose(again.trials.twist_range, samples.trials.twist_range)


def test_units_and_axes_are_turned(tmp_path):
    """Oracle: the same samples, written in another frame and unit."""
    samples = synthetic_subject(count=25)
    write_samples(samples.turned(100 * Y_UP.T), tmp_path / "p.csv", tmp_path / "t.csv")
    again = read_samples(tmp_path / "p.csv", tmp_path / "t.csv", unit="cm", frame=Y_UP)
    assert np.abs(again.elbow - samples.elbow).max() < 1e-14


def bvh_text(count=40):
    """A right arm in a y-up file in centimetres, swinging and twisting with a bent elbow."""
    rng = np.random.default_rng(0)
    head = """HIERARCHY
ROOT clavicle
{ OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT shoulder
  { OFFSET 15 0 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT elbow
    { OFFSET 31 0 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT wrist
      { OFFSET 27 0 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        { OFFSET 8 0 0 }
      }
    }
  }
}
MOTION
"""
    rows = []
    for z, y in [(-60, 0), (0, 40), (30, 20), (-20, 60)]:
        for x in rng.uniform(-70, 70, count // 4):
            rows.append([3, 120, 4, 0, 0, 0, z, y, x, 90, 0, 0, 0, 0, 0])
    return head + f"Frames: {len(rows)}\nFrame Time: 0.01\n" + "\n".join(" ".join(map(str, r)) for r in rows)


def test_an_arm_is_read_from_motion_capture(tmp_path):
    """Oracle: link lengths of the file, the hanging direction by hand, and the twists that were put in."""
    (tmp_path / "a.bvh").write_text(bvh_text())
    names = {"clavicle": "clavicle", "shoulder": "shoulder", "elbow": "elbow", "wrist": "wrist"}
    samples = read_bvh_arm(tmp_path / "a.bvh", **names, frame=Y_UP)
    assert np.allclose(np.linalg.norm(samples.elbow - samples.shoulder, axis=1), 0.31)
    assert np.allclose(samples.shoulder, [0.15, 0, 0])
    down = samples.elbow[0] - samples.shoulder[0]
    assert np.allclose(down, 0.31 * np.array([np.cos(np.radians(60)), 0, -np.sin(np.radians(60))]))
    assert len(samples.trials) == 4
    assert (np.degrees(samples.trials.twist_range) > 60).all() and (np.degrees(samples.trials.twist_range) < 140).all()
    with pytest.raises(BadSamples, match=r"bends the elbow in fewer than 3 places"):
        read_bvh_arm(tmp_path / "a.bvh", **names, frame=Y_UP, bend=3.0)


def test_a_turning_body_does_not_move_its_arm(tmp_path):
    """Oracle: the same arm of a body that stands still, in another unit."""
    still = bvh_text().split("MOTION")
    head = (
        still[0].replace("HIERARCHY\nROOT clavicle", "JOINT clavicle").replace("6 Xposition Yposition Zposition", "3")
    )
    root = (
        "HIERARCHY\nROOT chest\n{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    )
    count, step, *rows = still[1].strip().splitlines()
    rng = np.random.default_rng(1)
    turned = [" ".join([*(f"{x:.6f}" for x in rng.uniform(-90, 90, 6)), *row.split()[3:]]) for row in rows]
    (tmp_path / "still.bvh").write_text(bvh_text())
    (tmp_path / "turned.bvh").write_text(f"{root}{head}}}\nMOTION\n" + "\n".join([count, step, *turned]))
    names = {"clavicle": "clavicle", "shoulder": "shoulder", "elbow": "elbow", "wrist": "wrist", "frame": Y_UP}
    one = read_bvh_arm(tmp_path / "still.bvh", **names)
    for chest in (None, "chest"):
        other = read_bvh_arm(tmp_path / "turned.bvh", **names, chest=chest, unit=0.02)
        assert np.abs(other.elbow - 2 * one.elbow).max() < 1e-12
        assert np.abs(other.shoulder - 2 * one.shoulder).max() < 1e-12
    with pytest.raises(BadValue, match="unit"):
        read_bvh_arm(tmp_path / "still.bvh", **names, unit=-1.0)


def test_wrong_files_are_named(tmp_path):
    write_samples(synthetic_subject(count=5), tmp_path / "p.csv", tmp_path / "t.csv")
    with pytest.raises(BadSamples, match=r"a column 'trial' must number the twist trials"):
        read_samples(tmp_path / "p.csv", tmp_path / "p.csv")
    (tmp_path / "p.csv").write_text("clavicle_x,clavicle_y,clavicle_z\n0,0,0\n")
    with pytest.raises(BadSamples, match=r"columns shoulder_x, .*, elbow_z are missing; it has clavicle_x"):
        read_samples(tmp_path / "p.csv", tmp_path / "t.csv")
    with pytest.raises(UnknownName, match=r"no unit named 'foot' in the reader"):
        read_samples(tmp_path / "p.csv", tmp_path / "t.csv", unit="foot")
    with pytest.raises(BadShape, match=r"frame is an orthonormal 3 × 3 matrix"):
        read_samples(tmp_path / "p.csv", tmp_path / "t.csv", frame=2 * np.eye(3))

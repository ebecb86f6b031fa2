"""Raw measurements: tables, marker clusters, axes."""

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from condyle import design
from condyle.errors import BadFile, BadValue, NotARotation, TooFewPoses, UnknownName
from condyle.formats.c3d import read_c3d
from condyle.formats.markers import Markers
from condyle.formats.tables import Table, write_csv
from condyle.formats.trc import read_trc, write_trc
from design.knees import hat


def motions(count=20, seed=0):
    rng = np.random.default_rng(seed)
    return np.array([expm(hat(x)) for x in rng.normal(scale=0.4, size=(count, 6))])


def test_three_ways_of_writing_poses_are_one(tmp_path):
    """Oracle: scipy's rotations of the same poses."""
    T = motions()
    R = Rotation.from_matrix(T[:, :3, :3])
    names = [f"m{i}{j}" for i in range(4) for j in range(4)]
    write_csv(Table(tuple(names), T.reshape(-1, 16)), tmp_path / "matrix.csv")
    quaternion = np.column_stack([R.as_quat(scalar_first=True), T[:, :3, 3]])
    write_csv(Table(("qw", "qx", "qy", "qz", "x", "y", "z"), quaternion), tmp_path / "quaternion.csv")
    angles = np.column_stack([R.as_euler("ZXY", degrees=True), T[:, :3, 3]])
    write_csv(Table(("flexion", "tilt", "turn", "x", "y", "z"), angles), tmp_path / "angles.csv")
    declared = {"angles": ("flexion", "tilt", "turn"), "sequence": "ZXY", "units": "deg"}
    for name, options in (("matrix", {}), ("quaternion", {}), ("angles", declared)):
        assert np.abs(design.read_poses(tmp_path / f"{name}.csv", **options).poses - T).max() < 1e-12


def test_markers_give_the_motion_between_two_bodies(tmp_path):
    """Oracle: the poses that moved the markers, up to constant frames; some markers unseen."""
    rng = np.random.default_rng(1)
    A, B = motions(30, 1), motions(30, 2)
    shapes = rng.normal(scale=0.1, size=(2, 4, 3))
    points = [
        np.einsum("tij,mj->tmi", T[:, :3, :3], s) + T[:, None, :3, 3] for T, s in zip((A, B), shapes, strict=True)
    ]
    names = tuple(f"{body}{k}" for body in "ab" for k in range(4))
    all_points = np.concatenate(points, axis=1)
    all_points[5, 1] = all_points[7, [0, 1]] = np.nan
    write_trc(Markers(names, np.arange(30) / 100, all_points), tmp_path / "two.trc")
    markers = design.read_markers(tmp_path / "two.trc")
    assert markers.names == names
    found = design.poses_from_markers(markers.pick(names[:4]), markers.pick(names[4:])).poses
    true = np.linalg.inv(A) @ B
    assert np.isnan(found[7, :3]).all()  # two markers are not enough
    seen = [t for t in range(30) if t != 7]
    # found = X true Y for constant X, Y: relative motion about the first frame is conjugate
    parent = design.cluster_poses(markers.pick(names[:4]))
    X = np.linalg.inv(parent[0]) @ A[0]
    child = design.cluster_poses(markers.pick(names[4:]))
    Y = np.linalg.inv(B[0]) @ child[0]
    assert np.abs(found[seen] - X @ true[seen] @ Y).max() < 1e-9


def test_c3d_points_come_back_in_metres(tmp_path):
    """Oracle: a file written by ezc3d itself in millimetres."""
    ezc3d = pytest.importorskip("ezc3d")
    content = ezc3d.c3d()
    content["parameters"]["POINT"]["RATE"]["value"] = [50.0]
    content["parameters"]["POINT"]["LABELS"]["value"] = ["a", "b", "c"]
    content["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    xyz = np.random.default_rng(0).normal(scale=300, size=(3, 3, 10))
    content["data"]["points"] = np.concatenate([xyz, np.ones((1, 3, 10))])
    content.write(str(tmp_path / "m.c3d"))
    markers = read_c3d(tmp_path / "m.c3d")
    assert markers.names == ("a", "b", "c") and markers.times[1] == pytest.approx(0.02)
    assert np.abs(markers.points - 1e-3 * xyz.transpose(2, 1, 0)).max() < 1e-6  # single precision on disk


def test_the_axis_of_a_hinge_is_found():
    """Oracle: the hinge that made the poses."""
    n, p = np.array([0.1, 0.2, 0.97]), np.array([0.3, -0.2, 0.1])
    n /= np.linalg.norm(n)
    g = np.concatenate([n, -np.cross(n, p)])
    start = motions(1)[0]
    poses = np.array([expm(hat(a * g)) @ start for a in np.linspace(0, 1.5, 12)])
    direction, point = design.mean_helical_axis(poses)
    assert np.abs(direction - n).max() < 1e-9
    assert np.linalg.norm(np.cross(point - p, n)) < 1e-9
    frame = design.aligned_frame(direction, point)
    moved = np.linalg.inv(frame) @ poses @ np.linalg.inv(poses[0]) @ frame
    assert np.abs(moved[:, 2, 2] - 1).max() < 1e-9  # a turn about z


@pytest.mark.parametrize(
    ("text", "options", "error", "words"),
    [
        ("a,b\n", {}, BadFile, "a line of names and at least one of numbers"),
        ("1,2\n3,4\n", {}, BadFile, "first line must name the columns"),
        ("a,b\n1,2\n1\n", {}, BadFile, "line 3: 2 columns expected; got fields = 1"),
        ("a,b\n1,x\n", {}, BadFile, "line 2, column 'b': expected a number; got 'x'"),
        ("a,b\n1,2\n", {}, BadFile, "no poses found.* it has a, b"),
        ("a,b,c\n1,2,3\n", {"angles": ("a", "b", "d"), "sequence": "ZXY"}, UnknownName, "no column named 'd'"),
        ("a,b,c\n1,2,3\n", {"angles": ("a", "b", "c")}, BadValue, "say the sequence"),
        ("qw,qx,qy,qz\n1,0,0,0\n2,0,0,0\n", {}, BadValue, "row 1: the quaternion has norm 2"),
    ],
)
def test_bad_tables_are_named(tmp_path, text, options, error, words):
    """Oracle: the words."""
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(error, match=words):
        design.read_poses(tmp_path / "t.csv", **options)


@pytest.mark.parametrize(("scale", "words"), [((1, 1, -1), "left-handed"), ((2, 2, 2), "scaled")])
def test_the_row_of_a_bad_matrix_is_named(tmp_path, scale, words):
    """Oracle: the words."""
    T = motions(5)
    T[3, :3, :3] *= scale
    names = tuple(f"m{i}{j}" for i in range(4) for j in range(4))
    write_csv(Table(names, T.reshape(-1, 16)), tmp_path / "t.csv")
    with pytest.raises(NotARotation, match=rf"row 3.* {words}"):
        design.read_poses(tmp_path / "t.csv")
    with pytest.raises(NotARotation, match=rf"row \[3\].* {words}"):
        design.fit_curve(T, "uniform", frames=4)


def test_degrees_called_radians_are_doubted(tmp_path):
    """Oracle: the words."""
    (tmp_path / "t.csv").write_text("a,b,c\n90,0,0\n45,1,2\n")
    with pytest.warns(UserWarning, match="Are these degrees"):
        design.read_poses(tmp_path / "t.csv", angles=("a", "b", "c"), sequence="ZXY")


def test_bad_marker_files_and_clusters_are_named(tmp_path):
    """Oracle: the words."""
    (tmp_path / "t.trc").write_text("hello\n")
    with pytest.raises(BadFile, match="not a TRC file"):
        read_trc(tmp_path / "t.trc")
    with pytest.raises(BadFile, match=r"\.trc or \.c3d"):
        design.read_markers(tmp_path / "t.xyz")
    line = np.zeros((4, 3, 3))
    line[..., 0] = np.arange(3)
    with pytest.raises(BadValue, match="shank: the markers lie on a line"):
        design.cluster_poses(line, "shank")
    with pytest.raises(TooFewPoses, match="no frame shows all 3 markers"):
        design.cluster_poses(np.full((4, 3, 3), np.nan))

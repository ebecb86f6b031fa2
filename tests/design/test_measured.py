"""Raw measurements: tables, marker clusters, axes."""

import warnings

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from condyle import design
from condyle.errors import BadFile, BadValue, CondyleWarning, NotARotation, TooFewPoses, UnknownName
from condyle.formats.tables.c3d import read_c3d
from condyle.formats.tables.marker_frames import Markers
from condyle.formats.tables.table_files import Table, write_csv
from condyle.formats.tables.trc import read_trc, write_trc
from support.knees import hat
from support.measured_joints import FOLDER


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


def test_poses_that_miss_numbers_are_counted(tmp_path):
    """Oracle: the rows that were spoilt; whole tables say nothing."""
    T = motions(5).reshape(-1, 16)
    names = [f"m{i}{j}" for i in range(4) for j in range(4)]
    table = np.hstack([T[:, [3, 7, 11]], np.tile([1.0, 0, 0, 0], (5, 1))])
    columns = ("x", "y", "z", "qw", "qx", "qy", "qz")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        design.poses_from_table(Table(tuple(names), T))
        design.poses_from_table(Table(columns, table))
    table[[2, 4], 1] = np.nan
    with pytest.warns(CondyleWarning, match=r"2 of 5 poses miss numbers, the first in row 2"):
        found = design.poses_from_table(Table(columns, table))
    assert np.isnan(found.poses[[2, 4], 1, 3]).all() and np.isfinite(found.poses[:, :3, :3]).all()


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


def storage(path, names, rows, *header):
    """A storage file as OpenSim writes it; vectors have commas between their numbers."""
    lines = ["poses", "version=1", f"nRows={len(rows)}", f"nColumns={len(names)}", *header, "endheader"]
    path.write_text("\n".join([*lines, "\t".join(names), *("\t".join(row) for row in rows)]) + "\n")
    return path


def fields(*parts):
    """Rows of a storage file from arrays (N,) or (N, width)."""
    return [[",".join(repr(float(x)) for x in np.atleast_1d(part[i])) for part in parts] for i in range(len(parts[0]))]


def test_poses_of_storage_files_are_read_as_their_headers_say(tmp_path):
    """Oracle: scipy's rotations of the same poses, written by hand in degrees, in radians, and as quaternions."""
    T, t = motions(), np.arange(20) / 100
    R = Rotation.from_matrix(T[:, :3, :3])
    names = ("time", "flexion", "tilt", "turn", "x", "y", "z")
    declared = {"angles": ("flexion", "tilt", "turn"), "sequence": "ZXY", "coordinates": "flexion"}
    for degrees in (True, False):
        rows = fields(t, *R.as_euler("ZXY", degrees=degrees).T, *T[:, :3, 3].T)
        path = storage(tmp_path / "angles.mot", names, rows, f"inDegrees={'yes' if degrees else 'no'}")
        found = design.read_poses(path, **declared)
        assert np.abs(found.poses - T).max() < 1e-12
        assert np.abs(found.coordinates - R.as_euler("ZXY")[:, 0]).max() < 1e-12  # it is one of the angles
    rows = fields(t, R.as_quat(scalar_first=True))
    path = storage(tmp_path / "turns.sto", ("time", "tibia"), rows, "DataType=Quaternion", "inDegrees=no")
    found = design.read_poses(path, coordinates="time")
    assert np.abs(found.poses[:, :3, :3] - T[:, :3, :3]).max() < 1e-12 and np.array_equal(found.coordinates, t)


def test_a_coordinate_in_a_table_in_degrees_is_doubted_unless_said(tmp_path):
    """Oracle: the numbers of the file; a warning that names the column, none where the unit is given."""
    rows = fields(np.arange(5.0), np.arange(5.0) * 10, np.zeros(5), np.zeros(5), np.arange(5.0) * 20)
    path = storage(tmp_path / "t.mot", ("time", "a", "b", "c", "knee"), rows, "inDegrees=yes")
    declared = {"angles": ("a", "b", "c"), "sequence": "ZXY", "coordinates": "knee"}
    with pytest.warns(UserWarning, match="'knee'"):
        assert design.read_poses(path, **declared).coordinates[-1] == 80.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert design.read_poses(path, coordinate_units="as-is", **declared).coordinates[-1] == 80.0
        in_radians = design.read_poses(path, coordinate_units="deg", **declared).coordinates[-1]
    assert in_radians == pytest.approx(np.radians(80))


def test_positions_have_the_unit_of_the_header_or_the_one_given(tmp_path):
    """Oracle: metres by hand."""
    names, quaternion = (
        ("qw", "qx", "qy", "qz", "x", "y", "z"),
        [[1.0, 0, 0, 0, 500.0, 0, 0], [1.0, 0, 0, 0, 700.0, 0, 0]],
    )
    write_csv(Table(names, quaternion), tmp_path / "t.csv")
    assert design.read_poses(tmp_path / "t.csv", position_units="mm").poses[1, 0, 3] == pytest.approx(0.7)
    rows = fields(np.arange(2.0), *np.array(quaternion).T)
    path = storage(tmp_path / "t.sto", ("time", *names), rows, "Units=mm", "inDegrees=no")
    assert design.read_poses(path).poses[1, 0, 3] == pytest.approx(0.7)
    assert design.read_poses(path, position_units="cm").poses[1, 0, 3] == pytest.approx(7.0)


BODIES = FOLDER / "opensim" / "gait2354" / "reference_body_kinematics_pos_global.sto"


@pytest.mark.skipif(not BODIES.exists(), reason=f"no {BODIES.name} beside the repository")
def test_poses_of_a_body_as_opensim_writes_them():
    """Oracle: the file's numbers by numpy and scipy; its text says body-fixed X-Y-Z angles in degrees, and metres."""
    found = design.read_poses(
        BODIES, angles=[f"tibia_r_O{a}" for a in "xyz"], sequence="XYZ", position=[f"tibia_r_{a}" for a in "XYZ"]
    )
    lines = BODIES.read_text().splitlines()
    start = lines.index("endheader") + 1
    names, rows = lines[start].split(), np.array([line.split() for line in lines[start + 1 :] if line.strip()], float)
    at = names.index("tibia_r_X")
    R = Rotation.from_euler("XYZ", rows[:, at + 3 : at + 6], degrees=True).as_matrix()
    assert np.abs(found.poses[:, :3, :3] - R).max() < 1e-12 and np.array_equal(
        found.poses[:, :3, 3], rows[:, at : at + 3]
    )


def test_files_without_poses_say_what_is_read(tmp_path):
    """Oracle: the class, the file's kind and the kinds that are read."""
    (tmp_path / "t.xlsx").write_text("?")
    with pytest.raises(BadFile, match=r"\.csv, \.sto, \.mot.*\.trc, \.c3d.*'\.xlsx'"):
        design.read_poses(tmp_path / "t.xlsx")
    path = storage(tmp_path / "t.sto", ("time", "a"), fields(np.arange(3.0), np.arange(3.0)), "inDegrees=no")
    with pytest.raises(BadFile, match=r"no poses found.* it has time, a"):
        design.read_poses(path)
    with pytest.raises(BadFile, match="unit of length"):
        design.read_markers(path)


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
    with pytest.raises(BadFile, match=r"\.trc, \.c3d"):
        design.read_markers(tmp_path / "t.xyz")
    line = np.zeros((4, 3, 3))
    line[..., 0] = np.arange(3)
    with pytest.raises(BadValue, match="shank: the markers lie on a line"):
        design.cluster_poses(line, "shank")
    with pytest.raises(TooFewPoses, match="no frame shows all 3 markers"):
        design.cluster_poses(np.full((4, 3, 3), np.nan))


@pytest.mark.parametrize("form", ["{}_{}", "{} [{}]", "{} ({})"])
def test_units_that_columns_name_count(tmp_path, form):
    """Oracle: the same poses in radians and metres; before, 20° and 8 mm were read as 20 rad and 8 m."""
    turn, place = np.radians([[20.0, -3.0, 5.0], [40.0, -2.0, 6.0]]), np.array([[0.008, 0.002, -0.001], [0.004, 0, 0]])
    angles, position = [form.format(c, "deg") for c in "abc"], [form.format(c, "mm") for c in ("tx", "ty", "tz")]
    rows = np.column_stack([np.degrees(turn), 1e3 * place])
    write_csv(Table((*angles, *position), rows), tmp_path / "knee.csv")
    found = design.read_poses(
        tmp_path / "knee.csv", angles=angles, sequence="ZXY", position=position, coordinates=angles[0]
    )
    assert np.abs(found.poses[:, :3, 3] - place).max() < 1e-15
    assert np.abs(Rotation.from_matrix(found.poses[:, :3, :3]).as_euler("ZXY") - turn).max() < 1e-12
    assert found.coordinates == pytest.approx(turn[:, 0])
    said = design.read_poses(
        tmp_path / "knee.csv", angles=angles, sequence="ZXY", position=position, position_units="cm"
    )
    assert said.poses[:, :3, 3] == pytest.approx(10 * place)  # what the caller says counts most

"""The command `condyle fit`."""

import json
import re

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.cli.main import run
from condyle.formats.tables.marker_frames import Markers
from condyle.formats.tables.table_files import Table, write_csv
from condyle.formats.tables.trc import write_trc
from support.knees import hat, noisy_knee

NAMES = tuple(f"m{i}{j}" for i in range(4) for j in range(4))
Q, _, POSES = noisy_knee(40, 0.01, 0.001)


def table(path, q=Q, poses=POSES):
    """A CSV file of coordinates and matrices."""
    write_csv(Table(("angle", *NAMES), np.column_stack([q, poses.reshape(-1, 16)])), path)
    return path


def fit(capsys, *arguments):
    """The exit code and what was said, with spaces for line breaks."""
    code = run(["fit", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, " ".join(said.err.split())


def test_a_table_becomes_a_joint_and_a_page(tmp_path, capsys):
    """Oracle: the joint loaded again is the one that fit_curve gives."""
    out, page, knee = tmp_path / "joint.toml", tmp_path / "page.html", table(tmp_path / "knee.csv")
    options = ("--coordinate", "angle", "--frames", 9, "--smooth", "auto", "--report", page)
    code, said, errors = fit(capsys, knee, "-o", out, *options)
    assert code == 0 and errors == ""  # no bar outside a terminal
    assert "40 poses, 9 control frames" in said and "converged" in said and "leave-one-out error" in said
    expected = cd.design.fit_curve(POSES, Q, frames=9, smoothing="auto").joint
    assert np.abs(cd.load(out).pose(Q) - expected.pose(Q)).max() < 1e-9
    assert page.read_text().startswith("<!doctype html>")
    assert page.read_text().count("data:image/png") == 5  # the weights that were tried too


def test_nearly_as_many_frames_as_poses_are_fitted_and_doubted(tmp_path, capsys):
    """Oracle: poses without noise, which 39 frames of 40 poses meet; the advice has the numbers."""
    q, _, poses = noisy_knee(40, 0.0, 0.0)
    knee = table(tmp_path / "knee.csv", q, poses)
    code, said, errors = fit(capsys, knee, "-o", tmp_path / "j.toml", "--coordinate", "angle", "--frames", 39)
    assert code == 0 and errors == "" and "converged" in said
    assert "39 control frames" in said and "fewer control points" in said
    assert np.abs(cd.load(tmp_path / "j.toml").pose(q) - poses).max() < 1e-6


def test_a_script_gets_one_document(tmp_path, capsys):
    """Oracle: the fit's own numbers; nothing on standard error."""
    knee = table(tmp_path / "knee.csv")
    code, said, errors = fit(capsys, knee, "-o", tmp_path / "j.toml", "--coordinate", "angle", "--frames", 9, "--json")
    found = json.loads(said)
    expected = cd.design.fit_curve(POSES, Q, frames=9)
    assert code == 0 and errors == ""
    assert found["rotation_rms_deg"] == pytest.approx(np.sqrt(np.mean(expected.angle_errors**2)), rel=1e-9)
    assert found["files"] == [str(tmp_path / "j.toml")] and found["advice"] == expected.advice
    assert found["rank"]["ok"] and found["angle_errors"] == pytest.approx(expected.angle_errors)


def test_degrees_and_millimetres_can_be_said(tmp_path, capsys):
    """Oracle: the same joint from radians and metres."""
    poses = POSES.copy()
    poses[:, :3, 3] *= 1e3
    knee = table(tmp_path / "knee.csv", np.degrees(Q), poses)
    units = ("--coordinate-units", "deg", "--position-units", "mm")
    code, _, _ = fit(capsys, knee, "-o", tmp_path / "j.toml", "--coordinate", "angle", "--frames", 9, *units)
    expected = cd.design.fit_curve(POSES, Q, frames=9).joint
    assert code == 0 and np.abs(cd.load(tmp_path / "j.toml").pose(Q) - expected.pose(Q)).max() < 1e-9


def test_a_surface_is_fitted_to_two_columns(tmp_path, capsys):
    """Oracle: a plane of translations."""
    q = np.random.default_rng(0).uniform(size=(60, 2))
    values = np.column_stack([q, np.tile([1.0, 0, 0, 0], (60, 1)), q, np.zeros(60)])
    write_csv(Table(("a", "b", "qw", "qx", "qy", "qz", "x", "y", "z"), values), tmp_path / "plane.csv")
    options = ("--coordinate", "a", "--coordinate", "b", "--surface", 4, 4, "--loss", "huber")
    code, said, _ = fit(capsys, tmp_path / "plane.csv", "-o", tmp_path / "j.toml", *options)
    assert code == 0 and "4 × 4 control points" in said
    joint = cd.load(tmp_path / "j.toml")
    assert joint.coordinates == ("a", "b")
    assert np.abs(joint.pose(q)[:, :2, 3] - q).max() < 1e-6


def two_clusters(path, poses, count=80):
    """A TRC file of a fixed cluster a, b, c and of one d, e, f that moves."""
    rng = np.random.default_rng(0)
    still, moving = rng.normal(scale=0.1, size=(2, 3, 3))
    seen = np.einsum("tij,mj->tmi", poses[:, :3, :3], moving) + poses[:, None, :3, 3]
    points = np.concatenate([np.tile(still, (len(poses), 1, 1)), seen], axis=1)
    write_trc(Markers(tuple("abcdef"), np.arange(len(poses)) / 100, points), path)
    return path


@pytest.mark.slow
def test_a_surface_is_fitted_to_markers_with_coordinates_of_its_own(tmp_path, capsys):
    """Oracle: a universal joint: two freedoms, so the residual is that of the digits in the file."""
    q = np.random.default_rng(1).uniform(-0.6, 0.6, size=(80, 2))
    poses = np.array([expm(hat([a, 0, 0, 0, 0, 0])) @ expm(hat([0, b, 0, 0, 0, 0])) for a, b in q])
    path = two_clusters(tmp_path / "m.trc", poses)
    options = ("--parent", "a,b,c", "--child", "d,e,f", "--surface", 6, 6, "--json")
    code, said, errors = fit(capsys, path, "-o", tmp_path / "j.toml", *options)
    found = json.loads(said)
    assert code == 0, errors
    assert found["rotation_rms_deg"] < 0.1 and cd.load(tmp_path / "j.toml").nv == 2
    code, _, errors = fit(
        capsys, path, "-o", tmp_path / "k.toml", *options[:-1], "--coordinate", "a", "--coordinate", "b"
    )
    assert code == 2 and "--coordinate" in errors


def test_a_storage_file_becomes_a_joint(tmp_path, capsys):
    """Oracle: the joint that fit_curve gives of the same poses."""
    angles = Rotation.from_matrix(POSES[:, :3, :3]).as_euler("ZXY", degrees=True)
    rows = np.column_stack([np.arange(40) / 100, angles, POSES[:, :3, 3]])
    head = "knee\nversion=1\nnRows=40\nnColumns=7\ninDegrees=yes\nendheader\ntime\tflexion\ttilt\tturn\tx\ty\tz\n"
    (tmp_path / "k.mot").write_text(head + "\n".join("\t".join(map(repr, map(float, row))) for row in rows) + "\n")
    options = ("--angles", "flexion,tilt,turn", "--sequence", "ZXY", "--coordinate", "flexion", "--frames", 9)
    code, _, errors = fit(capsys, tmp_path / "k.mot", "-o", tmp_path / "j.toml", *options)
    q = np.radians(angles[:, 0])
    expected = cd.design.fit_curve(POSES, q, frames=9).joint
    assert code == 0 and errors == ""
    assert np.abs(np.asarray(cd.load(tmp_path / "j.toml").pose(q)) - np.asarray(expected.pose(q))).max() < 1e-9


def changed(row, change):
    poses = POSES.copy()
    poses[row] = change(poses[row])
    return poses


LOST = np.where(np.arange(40) == 3, np.nan, Q)
MIRROR, TWICE = np.diag([1.0, 1.0, -1.0, 1.0]), np.diag([2.0, 2.0, 2.0, 1.0])


@pytest.mark.parametrize(
    ("q", "poses", "words"),
    [
        (Q[:1], POSES[:1], "TooFewPoses: .* at least 2 poses are needed; got 1. Measure more"),
        (Q, np.full((40, 4, 4), np.nan), r"TooFewPoses: .* got 0 \(40 of 40 rows are missing"),
        (np.full(40, 0.5), POSES, r"BadCoordinates: .* coordinate = \[0.5\]"),
        (LOST, POSES, r"BadCoordinates: .* finite coordinate; got rows = \[3\]"),
        (Q, changed(7, lambda T: T @ MIRROR), "NotARotation: .* row 7 .* left-handed"),
        (Q, changed(7, lambda T: T @ TWICE), "NotARotation: .* row 7 .* scaled"),
        (Q, changed(7, lambda T: T + np.inf), "NotFinite: .* row 7"),
        (Q, np.tile(np.eye(4), (40, 1, 1)), "TooFewPoses: .* the poses do not move"),
    ],
)
def test_bad_poses_are_told_in_words(tmp_path, capsys, q, poses, words):
    """Oracle: the words; no file is left."""
    bad = table(tmp_path / "bad.csv", q, poses)
    code, _, errors = fit(capsys, bad, "-o", tmp_path / "j.toml", "--coordinate", "angle")
    assert code == 2 and re.search(words, errors), errors
    assert not (tmp_path / "j.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--frames", "many"], "--frames: 'many' is not a number"),
        (["--frames", "2.5"], "'2.5' is not a whole number"),
        (["--frames", "2"], "needs at least 4 control frames"),
        (["--frames", "100000"], "40 poses can use 400 control frames at most"),
        (["--coordinate", "angel"], "no column named 'angel'.* Did you mean 'angle'"),
        (["--surface", "4", "4", "--coordinate", "angle"], r"--surface takes two coordinates.*\('angle',\)"),
        (["--coordinate", "angle", "--coordinate", "m00"], "a curve has one coordinate"),
        (["--smooth", "-1"], "smoothing is a weight ≥ 0, or 'auto'"),
        (["--loss", "hubert"], "Did you mean 'huber'"),
        (["--metric", "0"], "length must be positive"),
        (["--metric", "nose"], "--metric: 'nose' is not a number"),
        (["--angles", "m00,m01", "--sequence", "ZXY"], "three columns of angles are needed"),
        (["--angles", "m00,m01,m02", "--sequence", "ZZY"], "say the sequence of the angles"),
        (["--angles", "m00,m01,m02", "--sequence", "ZXY", "--position", "m03"], "a position has three columns"),
        (["--report", "nowhere/page.html"], "cannot be written: No such file or directory .folder nowhere"),
        (["-o", "joint.json"], "a joint is saved as a .toml file"),
        (["-o", "same.toml", "--report", "same.toml"], "need two files"),
    ],
)
def test_bad_options_are_told_in_words(tmp_path, capsys, monkeypatch, arguments, words):
    """Oracle: the words."""
    monkeypatch.chdir(tmp_path)
    code, _, errors = fit(capsys, table(tmp_path / "knee.csv"), "-o", "joint.toml", *arguments)
    assert code == 2 and re.search(words, errors), errors


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"", "a line of names and at least one of numbers"),
        ("a.csv", bytes(range(256)), "a.csv"),
        ("a.csv", b"foo,bar\n1,2\n", "no poses found.* it has foo, bar"),
        ("a.csv", b"1,2\n3,4\n", "first line must name the columns"),
        ("a.txt", b"1 2 3", r"\.csv, \.sto, \.mot.*\.trc, \.c3d"),
        ("a.trc", b"hello", "not a TRC file"),
        ("none.csv", None, "there is no such file"),
    ],
)
def test_bad_files_are_told_in_words(tmp_path, capsys, name, content, words):
    """Oracle: the words."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    markers = ("--parent", "a,b,c", "--child", "d,e,f")
    options = () if name.endswith(".csv") else markers
    code, _, errors = fit(capsys, tmp_path / name, "-o", tmp_path / "j.toml", *options)
    assert code == 2 and re.search(words, errors), errors
    if content is not None and name.endswith(".csv"):
        code, _, errors = fit(capsys, tmp_path / name, "-o", tmp_path / "j.toml", *markers)
        assert code == 2 and "--parent" in errors


def test_markers_on_a_line_or_without_names_are_told(tmp_path, capsys):
    """Oracle: the words."""
    points = np.random.default_rng(0).normal(size=(10, 6, 3))
    points[:, :3] = np.arange(3)[:, None] * [1.0, 0.0, 0.0]
    write_trc(Markers(tuple("abcdef"), np.arange(10) / 100, points), tmp_path / "m.trc")
    for options, words in (
        (("--parent", "a,b,c", "--child", "d,e,f"), "parent: the markers lie on a line"),
        (("--parent", "d,e", "--child", "d,e,f"), "at least three markers"),
        (("--parent", "a,b,z", "--child", "d,e,f"), "no marker named 'z'"),
        ((), "name the markers of both bodies .* it has a, b, c, d, e, f"),
    ):
        code, _, errors = fit(capsys, tmp_path / "m.trc", "-o", tmp_path / "j.toml", *options)
        assert code == 2 and re.search(words, errors), errors


def test_degrees_called_radians_are_doubted_before_anything_else(tmp_path, capsys):
    """Oracle: the words."""
    rows = np.column_stack([np.arange(20.0), 5 * np.arange(20.0), np.zeros((20, 2))])
    write_csv(Table(("n", "a", "b", "c"), rows), tmp_path / "t.csv")
    options = ("--angles", "a,b,c", "--sequence", "ZXY", "--coordinate", "n", "--frames", 5)
    _, _, errors = fit(capsys, tmp_path / "t.csv", "-o", tmp_path / "j.toml", *options)
    assert errors.startswith("warning: ") and "Are these degrees?" in errors


def test_a_file_that_exists_is_kept(tmp_path, capsys):
    """Oracle: the words and the file's content; --force replaces it."""
    (tmp_path / "joint.toml").write_text("mine")
    arguments = (table(tmp_path / "knee.csv"), "-o", tmp_path / "joint.toml", "--coordinate", "angle", "--frames", 6)
    code, _, errors = fit(capsys, *arguments)
    assert code == 2 and "exists already" in errors and "--force" in errors
    assert (tmp_path / "joint.toml").read_text() == "mine"
    assert fit(capsys, *arguments, "--force")[0] == 0
    assert cd.load(tmp_path / "joint.toml").coordinates == ("angle",)

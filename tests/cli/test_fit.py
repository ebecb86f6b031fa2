"""The command `condyle fit`."""

import json
import re

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run as condyle
from condyle.formats.tables import Table, write_csv
from design.knees import noisy_knee

NAMES = tuple(f"m{i}{j}" for i in range(4) for j in range(4))


@pytest.fixture
def knee_file(tmp_path):
    """Forty noisy poses with their coordinate."""
    q, _, poses = noisy_knee(40, 0.01, 0.001)
    write_csv(Table(("angle", *NAMES), np.column_stack([q, poses.reshape(-1, 16)])), tmp_path / "knee.csv")
    return tmp_path / "knee.csv"


def fit(*arguments):
    """The exit code of `condyle fit`."""
    return condyle(["fit", *(str(a) for a in arguments)])


def test_a_table_becomes_a_joint_and_a_page(knee_file, tmp_path, capsys):
    """Oracle: the joint loaded again is the one that fit_curve gives."""
    out, page = tmp_path / "joint.toml", tmp_path / "page.html"
    code = fit(knee_file, "-o", out, "--coordinate", "angle", "--frames", 9, "--smooth", "auto", "--report", page)
    said = capsys.readouterr().out
    assert code == 0 and "40 poses, 9 control frames" in said and "converged" in said
    q, _, poses = noisy_knee(40, 0.01, 0.001)
    expected = cd.design.fit_curve(poses, q, frames=9, smoothing="auto").joint
    assert np.abs(cd.load(out).pose(q) - expected.pose(q)).max() < 1e-9
    assert page.read_text().startswith("<!doctype html>")


def test_a_fit_speaks_json(knee_file, tmp_path, capsys):
    """Oracle: JSON that parses, one error for each pose."""
    assert fit(knee_file, "-o", tmp_path / "joint.toml", "--coordinate", "angle", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["converged"] and said["rank"]["ok"] and len(said["angle_errors"]) == 40
    assert said["files"] == [str(tmp_path / "joint.toml")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--frames", "many"], "'many' is not a number"),
        (["--coordinate", "angel"], "no column named 'angel'.* Did you mean 'angle'"),
        (["--surface", "4", "4"], "a surface needs --coordinate twice"),
        (["--coordinate", "angle", "--frames", "2"], "needs at least 4 control frames"),
        (["--report", "/proc/no/page.html"], "cannot be written"),
    ],
)
def test_mistakes_are_told_in_words(knee_file, tmp_path, arguments, words, capsys):
    """Oracle: the words, exit code 2 and no traceback."""
    assert fit(knee_file, "-o", tmp_path / "joint.toml", *arguments) == 2
    said = capsys.readouterr().err
    assert re.search(words, " ".join(said.split())) and "Traceback" not in said


@pytest.mark.parametrize(
    ("name", "words"),
    [("no.csv", "there is no such file"), ("x.xyz", "markers are read from .trc or .c3d"), (".", "this is a folder")],
)
def test_measurements_that_are_none_are_told(name, words, tmp_path, capsys):
    """Oracle: the words."""
    (tmp_path / "x.xyz").write_text("1 2 3")
    assert fit(tmp_path / name, "-o", tmp_path / "joint.toml") == 2
    assert words in capsys.readouterr().err


def test_a_file_that_exists_is_kept(knee_file, tmp_path, capsys):
    """Oracle: the words and the file's content."""
    (tmp_path / "joint.toml").write_text("mine")
    assert fit(knee_file, "-o", tmp_path / "joint.toml") == 2
    said = capsys.readouterr().err
    assert "exists already" in said and "--force" in said
    assert (tmp_path / "joint.toml").read_text() == "mine"

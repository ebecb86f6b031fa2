"""The command `condyle fit`."""

import numpy as np
import pytest
from click.testing import CliRunner

import condyle as cd
from condyle.cli.fit import fit
from condyle.formats.tables import Table, write_csv
from design.knees import noisy_knee

NAMES = tuple(f"m{i}{j}" for i in range(4) for j in range(4))


@pytest.fixture
def knee_file(tmp_path):
    """Forty noisy poses with their coordinate."""
    q, _, poses = noisy_knee(40, 0.01, 0.001)
    write_csv(Table(("angle", *NAMES), np.column_stack([q, poses.reshape(-1, 16)])), tmp_path / "knee.csv")
    return tmp_path / "knee.csv"


def run(*arguments):
    return CliRunner().invoke(fit, [str(a) for a in arguments])


def test_a_table_becomes_a_joint_and_a_page(knee_file, tmp_path):
    """Oracle: the joint loaded again is the one that fit_curve gives."""
    pytest.importorskip("condyle.io", reason="saving joints is not there yet")
    out, page = tmp_path / "joint.toml", tmp_path / "page.html"
    done = run(knee_file, "-o", out, "--coordinate", "angle", "--frames", 9, "--smooth", "auto", "--report", page)
    assert done.exit_code == 0, done.output
    assert "40 poses, 9 control frames" in done.output and "converged" in done.output
    q, _, poses = noisy_knee(40, 0.01, 0.001)
    expected = cd.design.fit_curve(poses, q, frames=9, smoothing="auto").joint
    assert np.abs(cd.load(out).pose(q) - expected.pose(q)).max() < 1e-9
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--frames", "many"], "'many' is not a number"),
        (["--coordinate", "angel"], "no column named 'angel'.* Did you mean 'angle'"),
        (["--surface", "4", "4"], "a surface needs --coordinate twice"),
        (["--coordinate", "angle", "--frames", "2"], "needs at least 4 control frames"),
    ],
)
def test_mistakes_are_told_in_words(knee_file, tmp_path, arguments, words):
    """Oracle: the words, and no traceback."""
    import re

    done = run(knee_file, "-o", tmp_path / "joint.toml", *arguments)
    assert done.exit_code in (1, 2)
    assert re.search(words, " ".join(done.output.split())), done.output


def test_a_file_that_exists_is_kept(knee_file, tmp_path):
    """Oracle: the words and the file's content."""
    (tmp_path / "joint.toml").write_text("mine")
    done = run(knee_file, "-o", tmp_path / "joint.toml")
    assert done.exit_code == 1 and "exists already" in done.output and "--force" in done.output
    assert (tmp_path / "joint.toml").read_text() == "mine"

"""`condyle arm`: from samples to postures on the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import run
from condyle.workspace import read_samples, synthetic_subject, write_samples

GOAL = ["--goal", "0.35", "0.3", "-0.05"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Samples and a fitted arm."""
    path = tmp_path_factory.mktemp("arm")
    write_samples(synthetic_subject("male", count=60), path / "samples.csv", path / "samples_trials.csv")
    assert run(["arm", "fit", str(path / "samples.csv"), "-o", str(path / "arm.toml"), "--smooth", "1e-5"]) == 0
    return path


@pytest.fixture(autouse=True)
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)


def test_a_fit_is_saved_and_told(capsys):
    """Oracle: the same fit in Python."""
    code = run(["arm", "fit", "samples.csv", "-o", "again.toml", "--smooth", "1e-5", "--json", "--force"])
    said = json.loads(capsys.readouterr().out)
    expected = cd.workspace.fit_arm(read_samples("samples.csv", "samples_trials.csv"), smoothing=1e-5)
    assert code == 0 and said["errors_cm"]["mean"] == pytest.approx(expected.report.mean, rel=1e-9)
    np.testing.assert_allclose(cd.load("again.toml").surface.control, expected.surface.control, rtol=0, atol=1e-9)


def test_the_summary_says_centimetres_the_rim_and_thin_regions(capsys):
    """Oracle: samples without those behind the body leave a thin region."""
    samples = read_samples("samples.csv", "samples_trials.csv")
    front = samples.elbow[:, 1] > -0.1
    thin = cd.workspace.ArmSamples(samples.shoulder[front], samples.elbow[front], samples.trials)
    write_samples(thin, "thin.csv", "thin_trials.csv")
    assert run(["arm", "fit", "thin.csv", "-o", "thin.toml", "--smooth", "1e-5", "--force"]) == 0
    out = capsys.readouterr().out
    assert "mean error" in out and "cm" in out and "at the rim" in out and "forearm 27." in out
    assert "thin: no sample near elevation" in out and "condyle arm solve thin.toml" in out


def test_a_solution_is_the_arms(capsys):
    """Oracle: the same question in Python, bit by bit; the wrist is on the goal."""
    code = run(["arm", "solve", "arm.toml", *GOAL, "--json", "--all"])
    said = json.loads(capsys.readouterr().out)
    best = cd.load("arm.toml").solve([0.35, 0.3, -0.05])
    assert code == 0 and said["reached"] and said["angles"] == best.angles.tolist()
    np.testing.assert_allclose(said["wrist"], [0.35, 0.3, -0.05], atol=1e-10)
    assert len(said["solutions"]) == len(cd.load("arm.toml").solutions([0.35, 0.3, -0.05]))


def test_an_impossible_orientation_is_told_in_degrees(capsys):
    """Oracle: the arm's own orientation error; exit code 1."""
    code = run(["arm", "solve", "arm.toml", *GOAL, "--orientation", "0", "1", "0", "0"])
    out = capsys.readouterr().out
    best = cd.load("arm.toml").solve([0.35, 0.3, -0.05], orientation=np.diag([1.0, -1, -1]))
    left = np.degrees(best.orientation_error)
    assert code == 1 and f"the hand stays {left:.2f}° short of the orientation" in out


def test_a_goal_out_of_reach_names_the_nearest_point(capsys):
    """Oracle: exit code 1 and the nearest reachable point."""
    assert run(["arm", "solve", "arm.toml", "--goal", "0.9", "0.6", "0.1"]) == 1
    assert "is out of reach: the arm cannot get there; the nearest reachable point is" in capsys.readouterr().out
    assert run(["arm", "solve", "arm.toml", "--goal", "0.9", "0.6", "0.1", "--nearest"]) == 1
    near = cd.load("arm.toml").nearest_reachable([0.9, 0.6, 0.1])
    assert f"the wrist stays {100 * near.distance:.2f} cm away" in capsys.readouterr().out


def test_synthetic_samples_say_so(capsys):
    """Oracle: the files can be fitted; they are not written over."""
    assert run(["arm", "synthetic", "female", "-o", "made.csv", "--count", "30"]) == 0
    assert "invented samples (no measured person)" in capsys.readouterr().out
    assert len(read_samples("made.csv", "made_trials.csv")) == 30
    assert run(["arm", "synthetic", "female", "-o", "made.csv"]) == 2


def test_info_tells_of_an_arm(capsys):
    """Words."""
    assert run(["info", "arm.toml"]) == 0
    out = capsys.readouterr().out
    assert "kind: arm" in out and "fit: 60 samples: mean error" in out


WRONG = [
    (["fit", "samples.csv", "-o", "arm.toml"], "arm.toml exists already"),
    (["fit", "nothing.csv", "-o", "x.toml"], "does not exist"),
    (["fit", "made_up.csv", "-o", "x.toml"], "made_up_trials.csv: there is no such file; name the twist trials"),
    (["fit", "samples.csv", "-o", "x.toml", "--unit", "cm"], "samples are in metres"),
    (["fit", "samples.csv", "-o", "x.toml", "--left"], "these are samples of a right arm"),
    (["fit", "samples.csv", "-o", "x.toml", "--axes", "x,y"], "--axes names three different axes, like x,-z,y"),
    (["fit", "samples.csv", "-o", "x.toml", "--method", "spline"], "no method named 'spline'"),
    (["fit", "samples.csv", "-o", "x.txt"], "an arm is saved as .toml"),
    (["solve", "samples.csv", *GOAL], "samples.csv"),
    (["solve", "arm.toml", "--goal", "0.3", "0.3"], "--goal"),
    (["solve", "arm.toml", "--goal", "nan", "0.3", "0.3"], "a goal must be finite"),
    (["solve", "arm.toml", *GOAL, "--orientation", "2", "0", "0", "0"], "quaternion"),
    (["solve", "arm.toml", *GOAL, "--hand-axis", "0", "0", "0"], "hand_axis is a direction, not zero"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), WRONG, ids=[" ".join(a) for a, _ in WRONG])
def test_wrong_use_is_said_without_a_traceback(arguments, words, capsys):
    """Words on standard error; exit code 2."""
    Path("made_up.csv").write_text("clavicle_x\n0\n")
    assert run(["arm", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said and "Traceback" not in said

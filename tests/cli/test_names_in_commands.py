"""Coordinates by name on the command line."""

import json

import pytest

import condyle as cd
from condyle.cli.main import run

ROD = cd.Inertia.box(1.0, (0.1, 0.1, 0.3), com=(0.0, -0.2, 0.0))


@pytest.fixture
def model(tmp_path):
    """A knee with its own name, and two hinges that share one."""
    b = cd.ModelBuilder()
    b.add_body("tibia_r", joint=cd.joints.revolute("z", name="knee_angle_r"), inertia=ROD, joint_name="knee_r")
    for side in "rl":
        b.add_body(f"toes_{side}", "tibia_r", cd.joints.revolute("z", name="bend"), ROD, joint_name=f"mtp_{side}")
    return str(cd.save(b.build(), tmp_path / "foot.toml"))


@pytest.mark.parametrize("name", ["knee_angle_r", "knee_r", "knee_r.knee_angle_r"])
def test_a_start_value_is_set_by_any_name(model, name, tmp_path, capsys):
    """Oracle: the first number of the saved motion."""
    out = str(tmp_path / "run.npz")
    assert run(["simulate", model, "--duration", "0.01", "--set", f"{name}=0.3", "--out", out, "--json"]) == 0
    capsys.readouterr()
    assert cd.load(out).q[0].tolist() == [0.3, 0.0, 0.0]


def test_a_name_of_two_coordinates_is_refused_with_both(model, capsys):
    """Oracle: the exit code and the full names."""
    assert run(["simulate", model, "--duration", "0.01", "--set", "bend=0.3"]) == 2
    said = capsys.readouterr()
    assert "mtp_r.bend" in said.err + said.out
    assert "mtp_l.bend" in said.err + said.out


def test_the_names_that_a_model_shows_are_told(model, capsys):
    """Oracle: the names written by hand."""
    assert run(["info", model, "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["coordinates"]) == ["knee_angle_r", "mtp_r", "mtp_l"]

"""`condyle identify` with torques: files in, a model and a page out, and what cannot be in words."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import condyle as cd
from condyle.cli.commands.identify import command

MASS, DAMPING, SIGMA = 3.0, 0.5, 0.05


def pendulum(mass, damping):
    """A bob with a damper."""
    bob = cd.Inertia(mass, (0, 0, -0.4), (0.02, 0.02, 0.01))
    b = cd.ModelBuilder().add_body("bob", joint=cd.joints.revolute("y"), inertia=bob)
    return b.add_damping("bob", damping).build()


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A model, a swing in degrees and its torques at other times, by the closed form of a pendulum."""
    monkeypatch.chdir(tmp_path)
    cd.save(pendulum(2.0, 0.2), "start.toml")
    t, u = np.linspace(0.0, 3.0, 241), np.linspace(-0.1, 3.1, 400)
    swing, inertia = np.sin(2 * u), 0.02 + MASS * 0.16
    torque = -4 * inertia * swing + 2 * DAMPING * np.cos(2 * u) + MASS * 9.81 * 0.4 * np.sin(swing)
    angles = np.column_stack([t, np.degrees(np.sin(2 * t))])
    cd.write_table(cd.Table(("time", "bob"), angles, in_degrees=True), "swing.sto")
    cd.write_table(cd.Table(("time", "bob_moment", "load"), np.column_stack([u, torque, u])), "torques.csv")
    return tmp_path


def run(*arguments):
    """The command as a shell calls it."""
    return CliRunner().invoke(command, arguments, standalone_mode=False)


@pytest.mark.slow
def test_mass_and_damper_come_out_of_two_tables(files):
    """Oracle: the closed form that the torques were made with."""
    asked = (
        "--torques",
        "torques.csv",
        "--torque-sigma",
        str(SIGMA),
        "--unknown",
        "bob.mass",
        "--unknown",
        "bob.damping",
    )
    done = run("start.toml", "swing.sto", "-o", "found.toml", *asked, "--report", "page.html", "--json")
    assert done.exception is None and done.return_value == 0
    told = json.loads(done.output)
    assert abs(told["quantities"][0]["value"] - MASS) < 3e-3 and told["misfit"]["torques"] < 0.2
    found = cd.load("found.toml")
    assert abs(found.bodies[0].inertia.mass - MASS) < 3e-3
    assert abs(found.coordinate_forces[0].constants[0] - DAMPING) < 3e-3
    page = (files / "page.html").read_text()
    assert "bob.damping" in page and "Forces over time" in page


def test_what_cannot_be_is_named(files):
    """Oracle: the class and the name of the file or option."""
    asked = "start.toml", "swing.sto", "-o", "found.toml", "--unknown", "bob.mass"
    for more, word in (
        ((), "swing.sto"),
        (("--spacing", "0.1"), "spacing"),
        (("--torques", "torques.csv"), "sigma"),
        (("--torques", "start.toml", "--torque-sigma", "1"), "start.toml"),
    ):
        done = run(*asked, *more)
        assert isinstance(done.exception, cd.CondyleError) and word in str(done.exception)
    assert not (files / "found.toml").exists()

"""The command line: what commands do, what they say, how they exit."""

import json
import os
import re
import socket

import numpy as np
import pytest

import condyle as cd
from condyle.cli.main import COMMANDS, run
from condyle.gallery import leg

FOOT = "0.3,-0.6,0"


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cd.save(leg(), "leg.toml")
    return "leg.toml"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capsys):
    """Oracle: exit code and usage."""
    assert run([name, "--help"]) == 0
    assert f"Usage: condyle {name}" in capsys.readouterr().out


def test_a_simulation_is_saved_and_told(model, capsys):
    """Oracle: the same simulation in Python."""
    code = run(["simulate", model, "--duration", "0.1", "--set", "knee=-1", "--velocity", "hip=2", "--json"])
    said = json.loads(capsys.readouterr().out)
    expected = cd.simulate(leg(), [0, -1, 0], [2, 0, 0], duration=0.1, step=1e-3, record=1e-3)
    assert code == 0 and said["file"] == "leg.npz" and said["records"] == 101
    np.testing.assert_array_equal(cd.load("leg.npz").q, expected.q)


def test_members_start_apart_by_seed(model, capsys):
    """Oracle: the batch that was saved; the same seed gives the same."""
    for _ in range(2):
        run(["simulate", model, "--duration", "0.01", "--members", "3", "--seed", "5", "--set", "knee=-1", "--json"])
    q = cd.load("leg.npz").q
    assert q.shape[0] == 3 and len(np.unique(q[:, 0, 0])) == 3
    rng = np.random.default_rng(5).normal(scale=0.1, size=(3, 3))
    np.testing.assert_allclose(q[:, 0], [0, -1, 0] + rng)


@pytest.mark.slow
def test_info_check_and_bench_speak_json(model, capsys):
    """Oracle: JSON that parses, with the model's own numbers."""
    assert run(["info", model, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["freedoms"] == 3
    assert run(["check", model, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    assert run(["bench", model, "--states", "64", "--json"]) == 0
    assert min(json.loads(capsys.readouterr().out)["microseconds"].values()) > 0
    assert run(["schema", "joint"]) == 0
    assert json.loads(capsys.readouterr().out)["properties"]["kind"]["const"] == "joint"


def test_a_model_with_a_broken_joint_fails_its_check(model, capsys):
    """Oracle: a joint whose rate vanishes inside its domain: q³ at q = 0."""
    b = cd.ModelBuilder()
    cube = cd.joints.product([(0, 0, 1, 0, 0, 0)], [cd.functions.polynomial([0, 0, 0, 1])], coordinates=("bend",))
    cd.save(b.add_body("arm", joint=cube, inertia=cd.Inertia.box(1, (1, 1, 1))).build(), "cube.toml")
    assert run(["check", "cube.toml"]) == 1
    assert "FAIL joint 'arm': rank: joint 'arm': the Jacobian vanishes at q = " in capsys.readouterr().out


def broken(name):
    """Models that load and are wrong."""
    box, b = cd.Inertia.box(1, (0.1, 0.1, 0.3)), cd.ModelBuilder()
    if name == "grams":
        return b.add_body("arm", None, cd.joints.revolute("z"), cd.Inertia(1500.0, (0, 0, 200.0), (1, 1, 1))).build()
    if name == "no inertia":
        return b.add_body("arm", None, cd.joints.revolute("z"), cd.Inertia.point(1, (0, 0, 0.3))).build()
    if name == "range":
        frames = cd.SE3.stack([cd.SE3.exp([0, 0.3 * k, 0, 0.02 * k, 0, 0]) for k in range(6)])
        return b.add_body("arm", None, cd.joints.spline_curve(frames), box).set_range("arm", -5, 9).build()
    b.add_body("arm", None, cd.joints.revolute("z"), box)
    b.add_body("hand", "arm", cd.joints.revolute("z"), box, cd.SE3.from_translation((1, 0, 0)))
    return b.add_constraint(cd.constraints.point("hand", (1, 0, 0), None, (5, 0, 0))).build()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("grams", "FAIL body 'arm': inertia: 1500 kg, its centre 200 m from the origin, .* grams or millimetres?"),
        ("no inertia", "FAIL energy: .* joint 'arm' has a direction without inertia"),
        ("range", "FAIL coordinate 'arm': range: -5 … 9; the joint is known on 0 … 3 only and goes on straight beyond"),
        pytest.param(
            "loop",
            r"FAIL constraints: constraint 0 \(point of 'hand' on the world\) could not be closed from here",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_check_says_what_is_wrong_and_what_to_do(name, words, tmp_path, monkeypatch, capsys):
    """Oracle: the words, exit code 1."""
    monkeypatch.chdir(tmp_path)
    cd.save(broken(name), "broken.toml")
    assert run(["check", "broken.toml"]) == 1
    assert re.search(words, capsys.readouterr().out)


def test_a_body_that_weighs_next_to_nothing_is_doubted_and_passes_its_check(tmp_path, monkeypatch, capsys):
    """Oracle: the body's name and its mass; exit code 0."""
    monkeypatch.chdir(tmp_path)
    b = cd.ModelBuilder().add_body("arm", None, cd.joints.revolute("y"), cd.Inertia.box(1, (0.1, 0.1, 0.3)))
    cd.save(b.add_body("hand", "arm", cd.joints.revolute("y"), cd.Inertia.box(1e-9, (0.1, 0.1, 0.3))).build(), "m.toml")
    assert run(["check", "m.toml"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("look")]
    assert len(told) == 1 and "'hand'" in told[0] and "1e-09 kg" in told[0]
    assert run(["check", "m.toml", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is True and [f["what"] for f in found["findings"] if f["doubtful"]] == ["body 'hand': inertia"]


def test_a_model_without_freedoms_is_checked(tmp_path, monkeypatch, capsys):
    """Oracle: exit code 0, and the body's mass."""
    monkeypatch.chdir(tmp_path)
    cd.save(cd.ModelBuilder().add_body("base", inertia=cd.Inertia.box(2, (1, 1, 1))).build(), "fixed.toml")
    assert run(["check", "fixed.toml"]) == 0
    assert "body 'base': inertia: 2 kg" in capsys.readouterr().out


def test_a_range_that_a_file_has_rounded_passes_its_check(tmp_path, monkeypatch, capsys):
    """Oracle: the digits of the file: 10 µrad of 3 rad are no reason to distrust a spline."""
    monkeypatch.chdir(tmp_path)
    frames = cd.SE3.stack([cd.SE3.exp([0, 0.3 * k, 0, 0.02 * k, 0, 0]) for k in range(6)])
    b = cd.ModelBuilder().add_body("arm", None, cd.joints.spline_curve(frames), cd.Inertia.box(1, (0.1, 0.1, 0.3)))
    cd.save(b.set_range("arm", -1e-5, 3.00001).build(), "rounded.toml")
    assert run(["check", "rounded.toml"]) == 0
    assert "FAIL" not in capsys.readouterr().out


@pytest.mark.slow
def test_a_check_says_how_long_steps_may_be(tmp_path, monkeypatch, capsys):
    """Oracle: 1 kg on 4e4 N/m has 200 rad/s, so Störmer-Verlet is stable up to 2/200 s; without loads, no word."""
    monkeypatch.chdir(tmp_path)
    b = cd.ModelBuilder().add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(1.0, 0.1))
    cd.save(b.build(), "free.toml")
    cd.save(b.add_stiffness("cart", 4e4).build(), "sprung.toml")
    assert run(["check", "sprung.toml"]) == 0
    assert "variational up to 10 ms" in capsys.readouterr().out
    assert run(["check", "free.toml"]) == 0
    assert "stable steps" not in capsys.readouterr().out


@pytest.mark.slow
def test_a_sound_loop_passes_its_check(tmp_path, monkeypatch, capsys):
    """Oracle: a planar four-bar linkage, whose point constraint has one row that says nothing."""
    monkeypatch.chdir(tmp_path)
    box, b = cd.Inertia.box(1.0, (0.1, 0.1, 0.1)), cd.ModelBuilder()
    b.add_body("crank", None, cd.joints.revolute("z"), box)
    b.add_body("coupler", "crank", cd.joints.revolute("z"), box, cd.SE3.from_translation((0.3, 0, 0)))
    b.add_body("rocker", None, cd.joints.revolute("z"), box, cd.SE3.from_translation((1.0, 0, 0)))
    b.add_constraint(cd.constraints.point("coupler", (1.0, 0, 0), "rocker", (0.0, 0.7, 0)))
    cd.save(b.build(), "linkage.toml")
    assert run(["check", "linkage.toml"]) == 0
    assert "closed from the neutral pose; 2 of 3 rows hold; the others repeat them" in capsys.readouterr().out


def test_ik_reaches_and_says_what_it_cannot(model, capsys):
    """Oracle: forward kinematics of the answer; exit code 1 out of reach."""
    assert run(["ik", model, "--target", f"foot={FOOT}", "--json"]) == 0
    q = json.loads(capsys.readouterr().out)["q"]
    np.testing.assert_allclose(cd.forward_kinematics(leg(), q)[2].xyz, [0.3, -0.6, 0], atol=1e-9)
    assert run(["ik", model, "--target", "foot=3,0,0"]) == 1
    assert "the target is not reached: residual" in capsys.readouterr().out


def test_degrees_for_radians_are_noticed(tmp_path, monkeypatch, capsys):
    """Oracle: the words; a start inside the range is not remarked on."""
    monkeypatch.chdir(tmp_path)
    b = cd.ModelBuilder()
    b.add_body("arm", joint=cd.joints.revolute("x"), inertia=cd.Inertia.box(1.0, (0.1, 0.1, 0.4)))
    b.set_range("arm", low=-2.0, high=2.0)
    cd.save(b.build(), "arm.toml")
    assert run(["simulate", "arm.toml", "--set", "arm=90", "--duration", "0.01"]) == 0
    words = "arm starts at 90, outside its range -2 … 2; units are radians and metres"
    assert words in capsys.readouterr().out
    assert run(["simulate", "arm.toml", "--set", "arm=1.5", "--duration", "0.01"]) == 0
    assert "outside its range" not in capsys.readouterr().out


def rail(stiffness=0.0):
    """A file of a cart of 2 kg on a rail without gravity, with a range of ±0.5 m."""
    b = cd.ModelBuilder(gravity=(0, 0, 0))
    b.add_body("cart", joint=cd.joints.prismatic("x"), inertia=cd.Inertia.sphere(2.0, 0.1), joint_name="rail")
    b.add_stiffness("rail", stiffness)
    b.set_range("rail", -0.5, 0.5)
    cd.save(b.build(), "rail.toml")


def test_a_run_that_leaves_a_range_says_how_far_and_when(tmp_path, monkeypatch, capsys):
    """Oracle: x = 2 t passes 0.5 m at 0.25 s and reaches 2 m after a second."""
    monkeypatch.chdir(tmp_path)
    rail()
    arguments = ["simulate", "rail.toml", "--velocity", "rail=2", "--duration", "1"]
    assert run(arguments) == 0
    said = capsys.readouterr()
    assert "rail left [-0.5, 0.5] at t = 0.26 s and reached 2" in said.out
    assert "warning: rail left [-0.5, 0.5]" in said.err and "add_limit" in said.err
    assert run([*arguments, "--json"]) == 0
    said = capsys.readouterr()
    (found,) = json.loads(said.out)["beyond_range"]
    assert found == {
        "coordinate": "rail",
        "range": [-0.5, 0.5],
        "time": pytest.approx(0.26),
        "reached": pytest.approx(2),
    }
    assert "warning: rail left" in said.err
    assert run(["simulate", "rail.toml", "--velocity", "rail=0.1", "--duration", "1"]) == 0
    assert "left" not in "".join(capsys.readouterr())


def test_a_run_that_diverges_warns_and_is_the_answer_no(tmp_path, monkeypatch, capsys):
    """Oracle: Euler's method on x'' = −ω² x grows without bound; of a batch, one line tells of all members."""
    monkeypatch.chdir(tmp_path)
    rail(1e9)
    arguments = ["simulate", "rail.toml", "--set", "rail=1", "--integrator", "euler", "--duration", "1"]
    assert run(arguments) == 1
    said = capsys.readouterr()
    assert "warning: the simulation did not reach its end, t = 1 s" in said.err
    assert "stopped at t = 0." in said.out and np.isnan(cd.load("rail.npz").q[-1]).all()
    assert run([*arguments, "--members", "5"]) == 1
    assert capsys.readouterr().out.count("members stopped") == 1


def test_what_is_told_of_a_stopped_run_counts_its_good_records(tmp_path, monkeypatch, capsys):
    """Oracle: the saved trajectories: records that are finite, and the energy of the last of them."""
    monkeypatch.chdir(tmp_path)
    rail(1e9)
    arguments = ["simulate", "rail.toml", "--set", "rail=1", "--integrator", "euler", "--duration", "0.1", "--json"]
    for members in ([], ["--members", "3"]):
        assert run([*arguments, *members]) == 1
        said, kept = json.loads(capsys.readouterr().out), cd.load("rail.npz")
        good = np.isfinite(kept.q[..., 0]).reshape(-1, len(kept.t))
        energy = kept.energy().total.reshape(-1, len(kept.t))[0, good[0]]
        assert said["records"] == good.any(axis=0).sum() < 101 and said["end"] == kept.t[good.any(axis=0)][-1]
        assert said["energy"] == [energy[0], energy[-1]] and said["energy_member"] == [0] * bool(members)
        assert [s["member"] for s in said["stopped"]] == ([[0], [1], [2]] if members else [[]])
        assert [(s["time"], s["reason"]) for s in said["stopped"]] == [(s.time, s.reason) for s in kept.stops()]


def test_the_energy_of_a_batch_says_whose_it_is(model, capsys):
    """Oracle: the words."""
    assert run(["simulate", model, "--duration", "0.01", "--members", "2"]) == 0
    assert "energy of member 0 " in capsys.readouterr().out


def test_a_skeleton_is_simulated_from_python(tmp_path, monkeypatch, capsys):
    """Oracle: the words of the error, and that what it says to call is there."""
    monkeypatch.chdir(tmp_path)
    b = cd.skeleton.SkeletonBuilder().add_body("bob", cd.Inertia.sphere(1.0, 0.1))
    cd.save(b.build().simulate(duration=0.01, step=1e-3), "motion.npz")
    assert run(["simulate", "motion.npz"]) == 2
    assert "motion of a skeleton" in (said := capsys.readouterr().err) and ".skeleton.simulate(" in said
    assert callable(cd.load("motion.npz").skeleton.simulate)


def test_info_says_units(model, capsys):
    """Oracle: the leg's masses and gravity."""
    assert run(["info", model]) == 0
    said, masses = capsys.readouterr().out, [b.inertia.mass for b in leg().bodies]
    assert f"\nmass: {sum(masses):.6g} kg\n" in said and f"mass {masses[0]:.6g} kg" in said and "m/s²\n" in said


@pytest.mark.parametrize("suffix", [".html", ".glb", ".png", ".toml"])
def test_models_are_exported(suffix, model, capsys):
    """Oracle: the file, not empty, and what is printed."""
    assert run(["export", model, f"out{suffix}"]) == 0
    assert f"out{suffix} (" in capsys.readouterr().out and os.path.getsize(f"out{suffix}") > 100


def test_trajectories_are_exported_as_tables_and_back(model, capsys):
    """Oracle: the trajectory in the .npz."""
    run(["simulate", model, "--duration", "0.01", "--json"])
    assert run(["export", "leg.npz", "leg.csv"]) == 0
    assert run(["export", "leg.csv", "again.npz", "--model", model]) == 0
    np.testing.assert_array_equal(cd.load("again.npz").q, cd.load("leg.npz").q)


def test_the_demo_leaves_files_to_open(tmp_path, monkeypatch, capsys):
    """Oracle: the folder; the page holds its data."""
    monkeypatch.chdir(tmp_path)
    assert run(["demo"]) == 0
    assert "Open demo/leg.html in a browser" in capsys.readouterr().out
    assert {p.suffix for p in (tmp_path / "demo").iterdir()} == {".toml", ".npz", ".html", ".png", ".glb"}
    assert run(["demo", "list"]) == 0
    assert "A leg whose knee" in capsys.readouterr().out


MISTAKES = [
    (["simulate", "no.toml"], "BadFile: no.toml: there is no such file"),
    (["check", "broken.toml"], "not valid TOML"),
    (
        ["simulate", "joint.toml"],
        'this is a joint; carry a body with it in a model file: joint = { type = "file", path = "jo',
    ),
    (["simulate", "leg.toml", "--set", "kne=1"], "no coordinate named 'kne' in this model. Did you mean 'knee'?"),
    (["simulate", "leg.toml", "--set", "knee"], "write NAME=VALUE; got 'knee'"),
    (["simulate", "leg.toml", "--set", "knee=bent"], "expected comma-separated numbers in"),
    (["simulate", "leg.toml", "--integrator", "rk5"], "no integrator named 'rk5'"),
    (["simulate", "leg.toml", "--out", "run.txt", "--duration", "0.01"], "is saved as .npz (or .csv, .sto, .mot"),
    (["simulate", "leg.toml", "--duration", "long"], "'long' is not a valid float"),
    (["simulate", "leg.toml", "--out", "/nowhere/x.npz", "--duration", "0.01"], "cannot be written: No such file"),
    (["ik", "leg.toml", "--target", "fot=0,0,0"], "no body named 'fot' in this model. Did you mean 'foot'?"),
    (["ik", "leg.toml", "--target", "foot=0,0"], "a target is BODY=X,Y,Z or"),
    (["ik", "leg.toml"], "Missing option '--target'"),
    (["export", "leg.toml", "leg.xyz"], "no export named '.xyz' in condyle"),
    (["export", "joint.toml", "a.npz"], "a joint is saved as .toml"),
    (["demo", "lge"], "no demo named 'lge' in condyle. Did you mean 'leg'?"),
    (["demo", "--out", "leg.toml"], "the folder cannot be made"),
    (["simulte"], "no command 'simulte'. Did you mean 'simulate'?"),
    (["schema", "modl"], "no kind of file named 'modl'"),
]


@pytest.mark.parametrize(
    ("arguments", "words"), MISTAKES, ids=lambda x: " ".join(x)[:50] if isinstance(x, list) else ""
)
def test_a_mistake_is_told_without_a_traceback(arguments, words, model, capsys):
    """Oracle: the words, exit code 2."""
    cd.save(cd.joints.ball(), "joint.toml")
    with open("broken.toml", "w") as file:
        file.write("condyle = [1")
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert words in said.err and "Traceback" not in said.err + said.out


def test_a_port_in_use_is_told(model, capsys):
    """Oracle: a socket that holds the port."""
    pytest.importorskip("viser")
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        assert run(["view", model, "--no-browser", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert f"port {port}" in said and "in use" in said


def test_errors_speak_json_too(model, capsys):
    """Oracle: JSON that parses."""
    assert run(["info", "no.toml", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "BadFile"

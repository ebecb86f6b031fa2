"""Whole trials from setup files to the page, in Python and on the command line."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest
from click.testing import CliRunner

import condyle as cd
from condyle.cli.commands.trial import command
from condyle.cli.main import run as command_line
from condyle.errors import BadFile
from support.trial_files import SCALE, marker_tasks, measured, motion, reaction, write_reaction, write_trial


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """A folder of setups, and what a run of it gives."""
    folder = tmp_path_factory.mktemp("trial")
    times, leg = write_trial(folder, model="person.osim")
    cd.trial.write_markers(measured(leg, [0.0, 0.5], motion(np.zeros(2))[0]), folder / "static.trc")
    (folder / "Setup_Scale.xml").write_text(SCALE.format(tasks=marker_tasks()).replace("1.2 1.1 1<", "1 1 1<"))
    return folder, times, leg, cd.trial.run(folder)


def test_a_folder_is_scaled_followed_and_weighed(trial):
    """Oracle: the motion that made the markers, a mass of 30 kg, and the moment of the reaction about the knee."""
    _, times, leg, run = trial
    found = run.trials[0]
    assert not run.failed and np.abs(found.kinematics.q - motion(times)[0]).max() < 1e-6
    assert np.isclose(found.dynamics.mass, 30.0) and run.scaled["person"].model.names == leg.names
    knee, person = leg.v_index("knee_angle_r"), run.scaled["person"].model
    X = cd.forward_kinematics(person, motion(times)[0]).as_matrix()[:, person.body_index("shank_r")]
    force, point, torque = reaction(times)
    moment = np.einsum("ni,ni->n", X[:, :3, 2], np.cross(point - X[:, :3, 3], force) + torque)  # the knee turns about z
    exact = cd.inverse_dynamics(person, *motion(times))[:, knee] - moment
    assert np.abs(found.dynamics.forces[:, knee] - exact)[5:-5].max() < 0.05


def test_files_have_opensims_names_and_the_numbers_of_the_result(trial):
    """Oracle: the arrays of the result, read back from every file."""
    folder, times, leg, run = trial
    found, place = run.trials[0], folder / "results" / "walk_ik"
    back = cd.load(place / "walk_ik.mot", model=leg)
    assert np.allclose(back.q, found.kinematics.q, atol=1e-14) and np.allclose(back.t, times)
    forces = cd.read_table(place / "walk_id.sto")
    assert np.array_equal(forces["knee_angle_r_moment"], found.dynamics.forces[:, leg.v_index("knee_angle_r")])
    errors = cd.read_table(place / "walk_ik_marker_errors.sto")
    assert np.allclose(errors["marker_error_RMS"], found.kinematics.rms)
    with np.load(place / "walk_ik.npz") as arrays:
        assert np.array_equal(arrays["forces"], found.dynamics.forces) and "knee_angle_r" in arrays["coordinates"]
    assert cd.load(folder / "results" / "person" / "person.osim").names == leg.names


def test_the_page_says_what_was_found_and_assumed(trial):
    """Oracle: headings, names of markers, residuals and assumptions in the page."""
    page = (trial[0] / "results" / "walk_ik" / "report.html").read_text()
    for words in ("Kinematics", "Marker errors", "Joint moments", "Residuals", "What was assumed", "ASIS", "N m/kg"):
        assert words in page or words == "N m/kg"
    assert (
        "scaled to 30 kg" in page and "pelvis_ty_force" in page and "data:image/png" in page and "not filtered" in page
    )


def test_resuming_leaves_out_what_is_complete_and_does_what_changed(trial):
    """Oracle: nothing is done twice; a changed table of loads is."""
    folder, *_ = trial
    again = cd.trial.run(folder, resume=True)  # with its page
    assert again.trials[0].skipped and not again.scaled
    write_reaction(folder / "grf.mot", np.linspace(-0.1, 1.1, 121))  # which only loads.xml names
    assert not cd.trial.run(folder, resume=True, report=False).trials[0].skipped
    assert cd.trial.run(folder, resume=True, report=False).trials[0].skipped
    (folder / "results" / "walk_ik" / "walk_id.sto").unlink()
    assert not cd.trial.run(folder, resume=True, report=False).trials[0].skipped


def test_a_trial_that_was_cut_off_does_not_repeat_finished_steps(tmp_path, monkeypatch):
    """Oracle: the files of an undisturbed run, byte by byte; cut off before dynamics, then before the files end."""
    write_trial(tmp_path)
    cd.trial.run(tmp_path, tmp_path / "whole", report=False)
    steps, place, counts = "condyle.trial.trial_steps.", tmp_path / "cut", []

    def counted(f, name):
        return lambda *given, **how: counts.append(name) or f(*given, **how)

    for name in ("inverse_kinematics", "inverse_dynamics"):
        monkeypatch.setattr(steps + name, counted(getattr(cd.trial, name), name))
    for broken in ("_loads", "write_numbers"):
        with monkeypatch.context() as patched:
            patched.setattr(steps + broken, lambda *given: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                cd.trial.run(tmp_path, place, resume=True, report=False)
    cd.trial.run(tmp_path, place, resume=True, report=False)
    assert counts == ["inverse_kinematics", "inverse_dynamics"]
    for path in sorted(p for p in (tmp_path / "whole").rglob("*") if p.suffix in (".mot", ".sto")):
        assert path.read_bytes() == (place / path.relative_to(tmp_path / "whole")).read_bytes()
    cd.trial.run(tmp_path, place, report=False)  # not resumed: all is computed anew
    assert len(counts) == 4


@pytest.mark.slow  # processes that are killed
def test_a_killed_trial_goes_on_to_the_same_files(tmp_path):
    """Oracle: the files of an undisturbed run; the command is killed as soon as each file appears."""
    write_trial(tmp_path)
    say = [sys.executable, "-m", "condyle", "trial", str(tmp_path), "--no-report", "--out"]
    subprocess.run([*say, str(tmp_path / "whole")], check=True, capture_output=True)
    place, wanted = tmp_path / "cut", ["steps/step-000000.npz", "walk_ik.mot", "steps/step-000001.npz"]
    for name in wanted:
        process = subprocess.Popen([*say, str(place), "--resume"], stdout=subprocess.DEVNULL)
        while process.poll() is None and not (place / "walk_ik" / name).exists():
            time.sleep(0.001)
        process.kill()
        process.wait()
    subprocess.run([*say, str(place), "--resume"], check=True, capture_output=True)
    for path in sorted(p for p in (tmp_path / "whole").rglob("*") if p.suffix in (".mot", ".sto")):
        assert path.read_bytes() == (place / path.relative_to(tmp_path / "whole")).read_bytes()


def test_the_command_says_where_results_are_and_speaks_json(tmp_path):
    """Oracle: the path, and the keys of the JSON document."""
    write_trial(tmp_path)
    out = ["--out", str(tmp_path / "out")]
    result = CliRunner().invoke(command, [str(tmp_path), *out, "--json", "--no-report"])
    said = json.loads(result.stdout)
    assert said["trials"][0]["name"] == "walk_ik" and said["trials"][0]["error"] == ""
    told = CliRunner().invoke(command, [str(tmp_path), *out, "--no-report", "--resume"])
    assert "complete already" in told.stdout and str(tmp_path / "out") in told.stdout


def test_of_several_trials_one_that_fails_does_not_stop_the_others(tmp_path):
    """Oracle: the missing file is named, the exit code is 1, and the other trial is complete."""
    write_trial(tmp_path)
    text = 'model = "leg.osim"\n[[trial]]\nname = "good"\nmarkers = "walk.trc"\ndynamics = false\n'
    (tmp_path / "both.toml").write_text(text + '[[trial]]\nname = "bad"\nmarkers = "none.trc"\n')
    with pytest.warns(cd.CondyleWarning, match=r"bad.*none\.trc"):
        run = cd.trial.run(tmp_path / "both.toml", tmp_path / "out", report=False)
    assert [t.name for t in run.failed] == ["bad"] and run.trials[0].kinematics is not None
    assert not (tmp_path / "out" / "bad" / "done.json").exists()


def test_a_single_trial_that_fails_raises(tmp_path, capsys):
    """Oracle: the class of the error, and exit code 2 with the name of the file on the command line."""
    write_trial(tmp_path)
    (tmp_path / "walk.trc").unlink()
    with pytest.raises(BadFile, match=r"walk\.trc"):
        cd.trial.run(tmp_path)
    assert command_line(["trial", str(tmp_path)]) == 2 and "walk.trc" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("Setup_ID.xml", "loads.xml", "no.xml"), r"no\.xml"),
        (("loads.xml", "shank_r", "foot_r"), "foot_r.*right"),
        (("loads.xml", "grf.mot", "none.mot"), r"none\.mot"),
        (("loads.xml", "ground_force_v", "plate1_"), "plate1_"),
        (("Setup_IK.xml", "leg.osim", "no.osim"), r"no\.osim.*scaling"),
        (("Setup_IK.xml", "<time_range>0 1", "<time_range>7 8"), "0 to 1 s"),
        (("Setup_IK.xml", "<weight>1.0", "<weight>one"), "Setup_IK.xml, line"),
    ],
)
def test_what_is_wrong_in_a_trial_is_named(tmp_path, change, words):
    """Oracle: the name of the file, body, column or time in the words."""
    write_trial(tmp_path)
    name, old, new = change
    (tmp_path / name).write_text((tmp_path / name).read_text().replace(old, new))
    with pytest.raises(cd.CondyleError, match=words):
        cd.trial.run(tmp_path, report=False)


@pytest.mark.slow
def test_trials_in_several_processes_give_the_same_files(tmp_path):
    """Oracle: the files of one process, byte by byte."""
    write_trial(tmp_path)
    text = 'model = "leg.osim"\n' + "".join(
        f'[[trial]]\nname = "{name}"\nmarkers = "walk.trc"\nspan = [0.0, {end}]\ndynamics = false\n'
        for name, end in (("a", 0.5), ("b", 0.8))
    )
    (tmp_path / "both.toml").write_text(text)
    one = cd.trial.run(tmp_path / "both.toml", tmp_path / "one", report=False)
    two = cd.trial.run(tmp_path / "both.toml", tmp_path / "two", jobs=2, report=False)
    for a, b in zip(one.trials, two.trials, strict=True):
        name = f"{a.name}/{a.name}_ik.mot"
        assert a.name == b.name and (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()

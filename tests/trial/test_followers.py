"""Trials of models in which a patella follows the knee: folded, as files are loaded, and held by a constraint."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import CondyleWarning, NotSupported
from condyle.trial.run import scaled_by
from condyle.trial.setup_files.setups import PlacementStep, ScaleStep, Tasks
from support.osim_files import LINE
from support.patella_leg import leg_with_patella
from support.trial_files import (
    KINEMATICS,
    marker_tasks,
    measured,
    motion,
    write_reaction,
    write_trial,
)

pytestmark = (
    pytest.mark.slow
)  # the compiler needs long for followers; test_folded_couplers.py runs some of their kernels

TASK = """<IKCoordinateTask name="patella_angle_r"><apply>true</apply><weight>1e-3</weight></IKCoordinateTask>"""
KNEE = 7  # in q of the folded model


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """Folder, times, and the leg both ways."""
    folder = tmp_path_factory.mktemp("patella")
    times, _ = write_trial(folder)
    path = leg_with_patella(folder)
    return folder, times, cd.load(path), cd.load(path, couplers="constraint")


def test_angles_and_forces_are_those_with_the_coupler_as_a_constraint(trial):
    """Oracle: the same file with couplers="constraint"; τ of the knee + slope · τ of the patella."""
    _, times, folded, held = trial
    assert folded.coordinates == tuple(motion_names(held)) and folded.nq == held.nq - 1
    q, *_ = motion(times)
    seen = measured(folded, times, q)
    ours, theirs = (cd.trial.inverse_kinematics(model, seen) for model in (folded, held))
    same = [held.q_index(name) for name in folded.coordinates]
    assert_allclose(ours.q, theirs.q[:, same], atol=1e-8)
    assert_allclose(ours.q, q, atol=1e-8)
    one, other = (cd.trial.inverse_dynamics(m, k) for m, k in ((folded, ours), (held, theirs)))
    slope = 0.2 * one.q[:, KNEE] + 0.6
    expected = other.forces[:, [held.v_index(n) for n in folded.coordinates]].copy()
    expected[:, KNEE] += slope * other.forces[:, held.v_index("patella_angle_r")]
    near = slice(8, -8)  # splines through the patella's angle and of the knee's part at the ends
    assert np.abs(one.forces - expected)[near].max() < 2e-4 * np.abs(expected).max()
    assert "patella_angle_r" in " ".join(one.notes)
    reactions = [d.joint_reactions().forces[near] for d in (one, other)]
    assert np.abs(reactions[0] - reactions[1]).max() < 2e-4 * np.abs(reactions[0]).max()


def motion_names(model):
    return [name for name in model.coordinates if name != "patella_angle_r"]


def test_a_run_folds_couplers_and_writes_all_columns(trial):
    """Oracle: the polynomial of the knee's column, in the column of the patella; the motion that made the markers."""
    folder, _, folded, held = trial
    run = cd.trial.run(folder, folder / "out", report=False)
    found = run.trials[0]
    assert not run.failed and found.kinematics.model.nq == folded.nq and found.dynamics.model.nq == folded.nq
    table = cd.read_table(folder / "out" / "walk_ik" / "walk_ik.mot")
    knee, patella = (np.radians(table[name]) for name in ("knee_angle_r", "patella_angle_r"))
    assert_allclose(patella, 0.1 * knee**2 + 0.6 * knee + 0.05, atol=1e-12)
    assert_allclose(cd.load(folder / "out" / "walk_ik" / "walk_ik.mot", model=held).q[:, KNEE], knee, atol=1e-12)
    assert "patella_angle_r_moment" not in cd.read_table(folder / "out" / "walk_ik" / "walk_id.sto")


def test_a_motion_of_one_model_is_weighed_with_the_other(trial):
    """Oracle: forces of the folded model from its own motion."""
    _, times, folded, held = trial
    seen = measured(folded, times, motion(times)[0])
    ours, theirs = (cd.trial.inverse_kinematics(model, seen) for model in (folded, held))
    expected = cd.trial.inverse_dynamics(folded, ours).forces
    assert_allclose(cd.trial.inverse_dynamics(folded, theirs).forces, expected, atol=1e-3)
    q = cd.trial.inverse_dynamics(held, ours).q
    assert_allclose(q[:, held.q_index("patella_angle_r")], 0.1 * q[:, KNEE] ** 2 + 0.6 * q[:, KNEE] + 0.05, atol=1e-9)


def test_a_task_on_a_follower_is_refused_and_a_setup_holds_the_coupler_for_it(trial, tmp_path):
    """Oracle: the class and both names; the run of a setup with such a task, whose note says what was done."""
    _, times, folded, _ = trial
    seen = measured(folded, times, motion(times)[0])
    tasks = {"patella_angle_r": cd.trial.CoordinateTask(0.1, 0.0)}
    with pytest.raises(NotSupported, match=r"patella_angle_r.*knee_angle_r"):
        cd.trial.inverse_kinematics(folded, seen, coordinates=tasks)
    write_reaction(tmp_path / "grf.mot", np.linspace(-0.1, 1.1, 241))
    leg_with_patella(tmp_path)
    cd.trial.write_markers(seen, tmp_path / "walk.trc")
    task = (
        marker_tasks()
        + '<IKCoordinateTask name="patella_angle_r"><apply>true</apply><weight>1e-3</weight></IKCoordinateTask>'
    )
    (tmp_path / "Setup_IK.xml").write_text(KINEMATICS.format(model="leg.osim", tasks=task))
    found = cd.trial.run(tmp_path / "Setup_IK.xml", tmp_path / "out", report=False).trials[0]
    assert found.kinematics.model.nq == folded.nq + 1 and "patella_angle_r" in " ".join(found.notes)


def test_a_follower_that_leaves_the_range_of_its_file_is_told(trial, tmp_path):
    """Oracle: a range that the polynomial leaves, clamped in the file: a warning with the name and the range."""
    times = trial[1]
    narrow = leg_with_patella(tmp_path, "<clamped>true</clamped>", LINE)
    before, after = narrow.read_text().split('"patella_angle_r"><', 1)
    narrow.write_text(before + '"patella_angle_r"><' + after.replace("-2.5 2.5", "-0.3 0.3", 1))
    model = cd.load(narrow)
    with pytest.warns(CondyleWarning, match=r"patella_angle_r.*-0\.3 to 0\.3"):
        cd.trial.inverse_kinematics(model, measured(model, times, motion(times)[0]))


def test_a_placement_of_markers_with_a_task_on_a_follower_holds_the_coupler_and_gives_a_folded_model(trial, tmp_path):
    """Oracle: the coordinates of the static pose, the note, and the followers of the model that comes out."""
    _, times, folded, _ = trial
    path, static = leg_with_patella(tmp_path), tmp_path / "static.trc"
    cd.trial.write_markers(measured(folded, times[:2], motion(times[:2])[0]), static)
    tasks = Tasks(coordinates={"patella_angle_r": (1e-3, None)})
    found = scaled_by(ScaleStep("person", path, path, placement=PlacementStep(static, tasks)))
    assert [f.name for f in found.model.followers] == ["patella_angle_r"] and not found.model.constraints
    assert found.pose.model.nq == folded.nq + 1 and any("patella_angle_r" in note for note in found.notes)

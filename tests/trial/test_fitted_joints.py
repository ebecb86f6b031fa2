"""Joints of a model replaced by fitted ones, and the same trial with both."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.testing import assert_allclose

import condyle as cd
from condyle.cli.commands.trial import command
from condyle.errors import BadFile, BadShape, BadValue, UnknownName
from support.patella_leg import leg_with_patella
from support.trial_files import THIGH, measured, motion, write_leg

GLIDE = 0.02  # [m] at one radian


def gliding():
    """A knee that turns about z and glides along x."""
    twists = [(0, 0, 0, 1, 0, 0), (0, 0, 1, 0, 0, 0)]
    return cd.joints.product(
        twists, [cd.functions.polynomial([0, GLIDE]), cd.functions.linear()], coordinates=("bend",)
    )


@pytest.fixture(scope="module")
def legs(tmp_path_factory):
    """The hinged leg of a file, and the same with a gliding knee between the same frames."""
    _, hinged = write_leg(tmp_path_factory.mktemp("legs"))
    return hinged, cd.trial.replace_joint(hinged, "knee", gliding(), frames="joint")


def test_the_new_joint_stands_between_the_same_frames_under_the_old_name(legs):
    """Oracle: poses of the shank by hand: down the thigh, along x by 0.02 of the angle, turned about z."""
    hinged, glides = legs
    assert glides.coordinates == hinged.coordinates and "knee" in glides.notes[-1]
    q = motion(np.linspace(0, 1, 5))[0]
    thigh, shank = (
        cd.forward_kinematics(glides, q).as_matrix()[:, glides.body_index(n)] for n in ("thigh_r", "shank_r")
    )
    knee = q[:, glides.q_index("knee_angle_r")]
    local = np.linalg.inv(thigh) @ shank
    assert_allclose(local[:, :3, 3], np.stack([GLIDE * knee, -THIGH + 0 * knee, 0 * knee], axis=1), atol=1e-14)
    assert_allclose(np.arctan2(local[:, 1, 0], local[:, 0, 0]), knee, atol=1e-14)


def test_loads_ranges_and_couplers_go_on_where_their_coordinates_do(tmp_path):
    """Oracle: the patella's function of the knee's angle, before and after; what is gone is named."""
    model = cd.load(leg_with_patella(tmp_path))
    other = cd.trial.replace_joint(model, "knee", gliding(), frames="joint")
    assert [f.name for f in other.followers] == ["patella_angle_r"] and other.nq == model.nq
    q = motion(np.linspace(0, 1, 3))[0]
    both = [cd.forward_kinematics(m, q).as_matrix()[:, m.body_index("patella")] for m in (model, other)]
    assert_allclose(both[0], both[1], atol=1e-14)
    lost = cd.trial.replace_joint(model, "knee", gliding(), coordinates=["bend_r"], frames="joint")
    assert "bend_r" in lost.coordinates and "patella_angle_r" in lost.coordinates and not lost.followers
    assert any("knee_angle_r" in note for note in lost.notes)


def test_numbers_of_loads_and_prescribed_motion_move_with_their_coordinates():
    """Oracle: forces of the same model built at once, where the replaced joint has more coordinates than before."""
    rod = cd.Inertia.cylinder(2.0, 0.1, 0.5, com=(0, 0.3, 0))

    def chain(joint):
        b = cd.ModelBuilder()
        b.add_body("a", joint=joint, inertia=rod, joint_name="first")
        b.add_body("b", "a", cd.joints.revolute("x").renamed("last"), rod, joint_name="second")
        return b.add_stiffness("last", 5.0, 0.1, 0.2).set_range("last", -1.0, 1.0).build()

    made = cd.trial.replace_joint(chain(cd.joints.revolute("z").renamed("one")), "first",
                                  cd.joints.universal("z", "x", names=("one", "two")))  # fmt: skip
    direct = chain(cd.joints.universal("z", "x", names=("one", "two")))
    q, v, a = np.random.default_rng(0).normal(size=(3, 3))
    assert made.coordinates == direct.coordinates and made.range_of("last") == (-1.0, 1.0)
    assert_allclose(cd.inverse_dynamics(made, q, v, a), cd.inverse_dynamics(direct, q, v, a), atol=1e-12)


def test_poses_of_bones_from_markers_fit_a_knee_that_follows_them(legs):
    """Oracle: the gliding knee that made the markers: its poses to 1e-5 m, and errors of markers that vanish."""
    hinged, glides = legs
    times = np.linspace(0.0, 1.0, 61)
    q = motion(times)[0]
    seen = measured(glides, times, q)
    found = cd.trial.inverse_kinematics(hinged, seen)
    poses = cd.trial.measured_poses(found, "thigh_r", "shank_r")
    X = cd.forward_kinematics(glides, q).as_matrix()
    expected = np.linalg.inv(X[:, glides.body_index("thigh_r")]) @ X[:, glides.body_index("shank_r")]
    assert_allclose(poses, expected, atol=1e-10)
    fit = cd.design.fit_curve(poses, coordinates=found.q[:, hinged.q_index("knee_angle_r")], frames=6)
    fitted = cd.trial.replace_joint(hinged, "knee", fit)
    again = cd.trial.inverse_kinematics(fitted, seen)
    assert again.rms.max() < 1e-4 < found.rms.max() and fitted.motion_types["knee_angle_r"] == "rotational"


def result(name, model, seen, folder):
    found = cd.trial.inverse_kinematics(model, seen)
    return cd.trial.TrialResult(name, folder, found, cd.trial.inverse_dynamics(model, found))


def test_a_comparison_says_what_changed(legs, tmp_path):
    """Oracle: differences of the arrays of both results, by hand; the page names coordinates and markers."""
    hinged, glides = legs
    times = np.linspace(0.0, 1.0, 41)
    seen = measured(glides, times, motion(times)[0])
    one, other = (result(n, m, seen, tmp_path) for n, m in (("a", hinged), ("b", glides)))
    later = replace(seen, times=seen.times[5:], points=seen.points[5:])
    found = cd.trial.compare(one, other, names=("hinge", "glide"))
    knee = next(c for c in found.angles if c.name == "knee_angle_r")
    gap = np.degrees(other.kinematics.q - one.kinematics.q)[:, hinged.q_index("knee_angle_r")]
    assert_allclose([knee.rms, knee.largest], [np.sqrt(np.mean(gap**2)), np.abs(gap).max()], rtol=1e-12)
    force = next(c for c in found.moments if c.name == "pelvis_ty")
    gap = (other.dynamics.forces - one.dynamics.forces)[:, hinged.v_index("pelvis_ty")]
    assert_allclose(force.rms, np.sqrt(np.mean(gap**2)), rtol=1e-12)
    assert force.unit == "N" and knee.unit == "deg" and len(found.markers) == len(seen.names)
    page = found.save(tmp_path / "page").read_text()
    assert all(word in page for word in ("knee_angle_r", "ASIS", "hinge", "glide", "data:image/png"))
    shorter = cd.trial.compare(one, result("c", glides, later, tmp_path))
    assert len(shorter.series[0][3]) == 36


def test_folders_of_results_are_compared_on_the_command_line(tmp_path, legs):
    """Oracle: a trial compared with itself: nothing changes; what is no result is refused by name."""
    write_leg(tmp_path)
    times = np.linspace(0.0, 0.5, 11)
    cd.trial.write_markers(measured(legs[0], times, motion(times)[0]), tmp_path / "walk.trc")
    (tmp_path / "walk.toml").write_text('model = "leg.osim"\n[[trial]]\nname = "walk"\nmarkers = "walk.trc"\n')
    folder = cd.trial.run(tmp_path / "walk.toml", tmp_path / "out", report=False).trials[0].folder
    args = ["--compare", str(folder), str(folder), "--out", str(tmp_path / "page"), "--json"]
    said = json.loads(CliRunner().invoke(command, args, catch_exceptions=False, standalone_mode=False).output)
    assert all(c["rms"] == 0.0 for c in said["angles"] + said["moments"]) and (tmp_path / "page").is_dir()
    with pytest.raises(BadFile, match="npz"):
        cd.trial.compare(tmp_path, tmp_path)


def test_what_cannot_be_replaced_is_said(legs):
    """Oracle: the class and the name."""
    hinged, _ = legs
    with pytest.raises(UnknownName, match="ankle"):
        cd.trial.replace_joint(hinged, "ankle", gliding())
    with pytest.raises(BadShape, match="coordinates"):
        cd.trial.replace_joint(hinged, "knee", cd.joints.universal("x", "y"))
    with pytest.raises(BadValue, match="frames"):
        cd.trial.replace_joint(hinged, "knee", gliding(), frames="world")

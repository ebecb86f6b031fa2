"""Coordinates from markers, against motions that are known."""

from dataclasses import replace

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, BadValue, UnknownName
from condyle.trial.whole_turns import near_default
from support.trial_files import MARKERS, measured, motion, write_leg

TIMES = np.linspace(0.0, 0.5, 31)


@pytest.fixture(scope="module")
def leg(tmp_path_factory):
    return write_leg(tmp_path_factory.mktemp("leg"))[1]


@pytest.fixture(scope="module")
def markers(leg):
    return measured(leg, TIMES, motion(TIMES)[0])


def slider(*places, **extra):
    """A body that slides along x, with markers at some places of it."""
    rod = cd.Inertia.point(1.0, (0, 0, 0))
    model = cd.ModelBuilder().add_body("car", joint=cd.joints.prismatic("x"), inertia=rod).build()
    return replace(model, markers=[cd.Marker(f"m{k}", "car", (x, 0, 0)) for k, x in enumerate(places)], **extra)


def seen_at(*places):
    """One frame with markers at places on the x axis."""
    points = np.array([[[x, 0.0, 0.0] for x in places]])
    return cd.trial.Markers(tuple(f"m{k}" for k in range(len(places))), np.zeros(1), points)


def test_a_motion_is_found_from_its_markers(leg, markers):
    """Oracle: the motion that placed the markers."""
    found = cd.trial.inverse_kinematics(leg, markers)
    assert np.abs(found.q - motion(TIMES)[0]).max() < 1e-8
    assert found.errors.max() < 1e-8 and found.stationary.all() and not found.notes


def test_the_table_has_opensims_names_and_degrees(leg, markers):
    """Oracle: the coordinates of the file, and the motion in degrees; translations stay in metres."""
    table = cd.trial.inverse_kinematics(leg, markers).table()
    q = motion(TIMES)[0]
    assert table.in_degrees and table.names[:3] == ("time", "pelvis_tilt", "pelvis_list")
    assert np.allclose(table["knee_angle_r"], np.degrees(q[:, 7]), atol=1e-6)
    assert np.allclose(table["pelvis_ty"], q[:, 4], atol=1e-8)


def test_hidden_markers_do_not_matter_as_long_as_others_are_seen(leg):
    """Oracle: the motion; a fifth of the markers is hidden at random, never so many that a body is lost."""
    rng = np.random.default_rng(1)
    hidden = [(k, rng.choice(["ASIS", "TH1", "SH2"])) for k in range(len(TIMES))]
    found = cd.trial.inverse_kinematics(leg, measured(leg, TIMES, motion(TIMES)[0], hidden))
    assert np.abs(found.q - motion(TIMES)[0]).max() < 1e-8
    assert np.isnan(found.errors).sum() == len(TIMES)


def test_coordinates_that_no_seen_marker_determines_are_named(leg):
    """Oracle: all markers of the shank are hidden in four frames, so the knee is open there."""
    hidden = [(k, name) for k in range(10, 14) for name, (body, _) in MARKERS.items() if body == "shank_r"]
    with pytest.warns(cd.CondyleWarning, match="4 frames .*knee_angle_r"):
        found = cd.trial.inverse_kinematics(leg, measured(leg, TIMES, motion(TIMES)[0], hidden))
    assert any("knee_angle_r" in note for note in found.notes)
    rest = np.delete(np.arange(len(TIMES)), range(10, 14))
    assert np.abs(found.q - motion(TIMES)[0])[rest].max() < 1e-8


def test_weights_of_markers_are_those_of_a_weighted_mean():
    """Oracle: two markers at the origin of a slider, seen at 0 and 1: the mean by weights."""
    found = cd.trial.inverse_kinematics(slider(0.0, 0.0), seen_at(0.0, 1.0), weights={"m0": 1.0, "m1": 3.0})
    assert np.isclose(found.q[0, 0], 0.75, atol=1e-9)


@pytest.mark.parametrize("weight", [1.0, 10.0])
def test_a_coordinate_weighs_against_the_mean_of_the_markers(weight):
    """Oracle: ½ Σ w (x − 1)² / Σ w + ½ W x² is least at 1 / (1 + W), whatever the weights of the markers."""
    tasks = {"car": cd.trial.CoordinateTask(0.25, 0.0)}
    both = {"m0": weight, "m1": weight}
    found = cd.trial.inverse_kinematics(slider(0.0, 0.0), seen_at(1.0, 1.0), weights=both, coordinates=tasks)
    assert np.isclose(found.q[0, 0], 1.0 / 1.25, atol=1e-9)


def test_the_weight_of_a_hidden_marker_is_left_out_of_the_sum():
    """Oracle: as above; one of the two markers is not seen in the second frame, which changes nothing."""
    seen = cd.trial.Markers(("m0", "m1"), np.arange(2.0), np.array([[[1.0, 0, 0]] * 2, [[1.0, 0, 0], [np.nan] * 3]]))
    tasks = {"car": cd.trial.CoordinateTask(0.25, lambda times: 0.0 * times)}
    weights = {"m0": 1.0, "m1": 9.0}
    found = cd.trial.inverse_kinematics(slider(0.0, 0.0), seen, weights=weights, coordinates=tasks)
    assert np.allclose(found.q[:, 0], 1.0 / 1.25, atol=1e-9)


def test_clamped_coordinates_stay_in_their_range_and_others_leave_it(tmp_path, markers):
    """Oracle: the range of the knee, which the motion leaves."""
    free = write_leg(tmp_path, ends=(-0.8, 0.0))[1]
    held = write_leg(tmp_path, ends=(-0.8, 0.0), knee="<clamped>true</clamped>")[1]
    knee = free.q_index("knee_angle_r")
    assert cd.trial.inverse_kinematics(free, markers).q[:, knee].min() < -0.9
    assert np.isclose(cd.trial.inverse_kinematics(held, markers).q[:, knee].min(), -0.8)


def test_locked_coordinates_stay_at_their_default(tmp_path, markers):
    """Oracle: the default of the file."""
    model = write_leg(tmp_path, knee="<locked>true</locked>")[1]
    assert (cd.trial.inverse_kinematics(model, markers).q[:, model.q_index("knee_angle_r")] == 0.0).all()


def test_coordinates_that_follow_a_function_of_time_follow_it(tmp_path, markers):
    """Oracle: the function of the file."""
    line = "<LinearFunction><coefficients>-0.3 -0.6</coefficients></LinearFunction>"
    knee = f"<prescribed_function>{line}</prescribed_function><prescribed>true</prescribed>"
    model = write_leg(tmp_path, knee=knee)[1]
    found = cd.trial.inverse_kinematics(model, markers)
    assert np.allclose(found.q[:, model.q_index("knee_angle_r")], -0.6 - 0.3 * TIMES, atol=1e-14)


def test_a_span_takes_the_frames_inside_it(leg, markers):
    """Oracle: the times of the frames."""
    found = cd.trial.inverse_kinematics(leg, markers, span=(0.1, 0.2))
    assert len(found.times) == np.sum((TIMES >= 0.1 - 1e-9) & (TIMES <= 0.2 + 1e-9))


def test_a_person_who_turned_round_is_found_too(leg):
    """Oracle: the motion, turned by half a turn about the vertical from the default pose."""
    q = motion(TIMES)[0] + [0, np.pi, 0, 0, 0, 0, 0, 0]
    found = cd.trial.inverse_kinematics(leg, measured(leg, TIMES, q))
    assert found.errors.max() < 1e-7


def test_markers_with_a_weight_that_are_missing_are_said(leg, markers):
    """Oracle: the names in the warning and in the notes."""
    with pytest.warns(cd.CondyleWarning, match="C7"):
        found = cd.trial.inverse_kinematics(leg, markers, weights=dict.fromkeys([*MARKERS, "C7"], 1.0))
    assert any("C7" in note for note in found.notes)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"weights": {"nose": 1.0}}, UnknownName, "no marker.*ASIS.*nose"),
        ({"span": (5.0, 6.0)}, BadValue, "0 to 0.5 s"),
        ({"span": (0.4, 0.2)}, BadValue, "first and its last"),
        ({"weights": {"ASIS": -1.0}}, BadValue, "ASIS.*positive"),
        ({"coordinates": {"knee": cd.trial.CoordinateTask(1.0)}}, UnknownName, "knee_angle_r"),
        ({"coordinates": {"knee_angle_r": cd.trial.CoordinateTask(1.0, [0.0, 1.0])}}, BadValue, "31 frames"),
    ],
)
def test_what_cannot_be_followed_is_refused(leg, markers, options, error, words):
    """Oracle: the class of the error, and what it names."""
    with pytest.raises(error, match=words):
        cd.trial.inverse_kinematics(leg, markers, **options)


def test_frames_without_any_marker_are_refused(leg):
    """Oracle: the time of the frame in the words."""
    hidden = [(3, name) for name in MARKERS]
    with pytest.raises(BadValue, match=r"1 of 31 frames.*0\.05"):
        cd.trial.inverse_kinematics(leg, measured(leg, TIMES, motion(TIMES)[0], hidden))


def test_markers_in_millimetres_that_were_taken_for_metres_are_refused(leg, markers):
    """Oracle: the word unit."""
    far = cd.trial.Markers(markers.names, markers.times, 1e3 * markers.points + 1e3)
    with pytest.raises(BadValue, match="unit"):
        cd.trial.inverse_kinematics(leg, far)


def test_a_file_that_is_not_there_is_named(leg):
    """Oracle: the name of the file."""
    with pytest.raises(BadFile, match=r"nowhere\.trc"):
        cd.trial.inverse_kinematics(leg, "nowhere.trc")


def test_models_with_quaternions_are_refused_with_a_way_out():
    """Oracle: the words."""
    model = cd.ModelBuilder().add_body("box", joint=cd.joints.free(), inertia=cd.Inertia.sphere(1.0, 0.1)).build()
    model = replace(model, markers=[cd.Marker("m0", "box", (0, 0, 0))])
    with pytest.raises(cd.errors.NotSupported, match="three slides and three turns"):
        cd.trial.inverse_kinematics(model, seen_at(1.0))


@pytest.mark.filterwarnings("ignore::condyle.CondyleWarning")
@pytest.mark.parametrize(("seed", "turn"), [(0, 2.5), (2, 2.5), (5, 2.5)])
def test_angles_are_those_near_the_default_pose_where_markers_are_far(leg, seed, turn):
    """Oracle: whole turns, and (a + π, π − b, c + π), give the same pose; bad markers make the search start anew."""
    q = motion(TIMES[:3])[0]
    q[:, leg.q_index("pelvis_rotation")] += turn
    seen = measured(leg, TIMES[:3], q)
    off = 0.08 * np.random.default_rng(seed).normal(size=(1, len(seen.names), 3))
    found = cd.trial.inverse_kinematics(leg, cd.trial.Markers(seen.names, seen.times, seen.points + off))
    angles = [leg.q_index(n) for n in ("pelvis_tilt", "pelvis_list", "pelvis_rotation", "hip_angle_r", "knee_angle_r")]
    assert np.abs(found.q[0, angles]).max() <= np.pi and abs(found.q[0, leg.q_index("pelvis_list")]) <= np.pi / 2


def test_an_equal_pose_is_taken_only_where_no_body_moves(leg):
    """Oracle: the pose itself; a knee that slides by its angle is not the same after a turn, nor is what is held."""
    home, wide = np.array([0.2, 0.3, -0.4, 0.1, 0.9, 0.0, 0.5, -0.6]), np.full(leg.nq, np.inf)
    far = home + 2 * np.pi * np.array([1, 0, -1, 0, 0, 0, -2, 1])
    flipped = home.copy()
    flipped[:3] = home[0] + np.pi, np.pi - home[1], home[2] - np.pi
    for q in (far, flipped):
        np.testing.assert_allclose(near_default(leg, q, set(), -wide, wide), home, atol=1e-12)
    np.testing.assert_array_equal(near_default(leg, far, {0, 2, 6, 7}, -wide, wide), far)
    low = -wide
    low[7] = 2.0  # where the angle must be a turn later
    np.testing.assert_allclose(near_default(leg, far, set(), low, wide)[7], far[7])
    screw = cd.joints.helical("z", 0.1)
    nut = cd.ModelBuilder().add_body("nut", joint=screw, inertia=cd.Inertia.point(1.0, (1, 0, 0))).build()
    one = np.full(1, np.inf)
    np.testing.assert_array_equal(near_default(nut, np.array([7.0]), set(), -one, one), [7.0])

"""Muscles of an .osim model as lines from body to body, along a motion too; measured markers beside them."""

import base64

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation
from test_gltf import numbers as glb_numbers
from test_gltf import opened as glb_opened

import condyle as cd
from condyle.errors import BadValue
from condyle.view.files.scene_triangles import lines_at
from condyle.view.muscle_lines import ACTIVE, IDLE, changing_muscles, muscle_lines
from condyle.view.render_scene import stage_of
from support.browser import player_curve, player_data
from support.osim_files import DRUM, MUSCLE, coupler, in_set, marker, offsets, two_pins
from support.osim_oracles import frame, opened

FIXED = """<Thelen2003Muscle name="still"><GeometryPath><PathPointSet><objects>
<PathPoint name="a"><socket_parent_frame>/bodyset/one</socket_parent_frame><location>0.1 0.2 0.3</location></PathPoint>
<PathPoint name="b"><socket_parent_frame>/bodyset/two</socket_parent_frame><location>0 0.1 0</location></PathPoint>
</objects></PathPointSet></GeometryPath></Thelen2003Muscle>"""
FIRST = (frame(*offsets(1)[1]) @ [0.1, 0.2, 0.3, 1.0])[:3]  # the first point of MUSCLE, on body one


def made(tmp_path, *muscles, extra=""):
    """Two pins with muscles; the knee is at 0.2."""
    text = two_pins(extra=in_set("ForceSet", *muscles) + extra)
    with pytest.warns(cd.errors.NotInModel):
        return opened(text.replace("</inertia></Body>", f"</inertia>{DRUM}</Body>", 1), tmp_path)


@pytest.fixture
def model(tmp_path):
    """A muscle of a fixed, a conditional and a moving point, one whose points are fixed, and a marker."""
    tip = in_set("MarkerSet", marker("tip", "/bodyset/two", "0.1 0 0"))
    return made(tmp_path, MUSCLE, FIXED, extra=tip)


def by_hand(model, q):
    """Where the points of MUSCLE are: on one; at the origin of two up to a knee of 0.25; at x = knee² on two."""
    one, two = cd.forward_kinematics(model, q).as_matrix()
    places = [one @ [*FIRST, 1.0]]
    places += [two @ [0, 0, 0, 1]] if q[1] <= 0.25 else []
    x = max(q[1], 0.0) ** 2  # a SimmSpline goes on straight, here level
    return np.array([*places, two @ [x, 0, 0, 1]])[:, :3]


def test_a_muscle_of_fixed_points_is_a_line_whose_ends_go_with_their_bodies(model):
    """Oracle: poses as matrices, and the points of the file."""
    (tie,) = muscle_lines(model)
    assert (tie.body, tie.other) == (0, 1)
    poses = cd.forward_kinematics(model, [0.4, -0.7])
    one, two = poses.as_matrix()
    assert_allclose(tie.placed(poses)[0], [(one @ [0.1, 0.2, 0.3, 1])[:3], (two @ [0, 0.1, 0, 1])[:3]], atol=1e-12)


@pytest.mark.parametrize("knee", [0.1, 0.2, 0.7, 1.5])
def test_moving_and_conditional_points_are_where_the_coordinate_has_them(model, knee):
    """Oracle: the file's points by hand; one that does not count leaves a line without length."""
    q = np.array([0.3, knee])
    lines = changing_muscles(model).placed(q[None])[0]
    long = lines[np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) > 1e-12]
    path = by_hand(model, q)
    assert_allclose(long, np.stack([path[:-1], path[1:]], axis=1), atol=1e-12)


@pytest.mark.slow
def test_a_moving_point_follows_a_coordinate_that_follows_another(tmp_path):
    """Oracle: the knee as half of its driver, by hand."""
    line = coupler("<LinearFunction><coefficients>1 0</coefficients></LinearFunction>")
    model = made(tmp_path, MUSCLE, extra=in_set("ConstraintSet", line))
    assert model.coordinates == ("hip",)
    X = cd.forward_kinematics(model, [[1.2]]).as_matrix()
    lines = changing_muscles(model).placed(np.array([[1.2]]))[0]
    assert_allclose(lines[-1, 1], (X[0, 1] @ [0.36, 0, 0, 1])[:3], atol=1e-12)


def test_a_moving_point_may_have_constant_places(tmp_path):
    """Oracle: the constant."""
    still = "<y_location><Constant><value>0.3</value></Constant></y_location></MovingPathPoint>"
    model = made(tmp_path, MUSCLE.replace("</MovingPathPoint>", still))
    X = cd.forward_kinematics(model, model.neutral()[None]).as_matrix()
    lines = changing_muscles(model).placed(model.neutral()[None])[0]
    assert_allclose(lines[-1, 1], (X[0, 1] @ [0.04, 0.3, 0, 1])[:3], atol=1e-12)


def bent(model):
    """Half a second in which the knee bends from −0.5 to 1."""
    t = np.linspace(0.0, 0.5, 16)
    q = np.stack([0 * t, -0.5 + 3 * t], axis=1)
    return cd.Trajectory(model, t, q, np.gradient(q, t, axis=0))


def test_pictures_and_films_have_the_muscles_of_each_moment(model):
    """Oracle: the moving point of a record among the corners of what is painted; none if others are chosen."""
    run = bent(model)
    stage = stage_of(run)
    for k in (0, len(stage.t) - 1):
        corners = np.concatenate([c for c, color in stage.loose_lines(k)]).reshape(-1, 3)
        assert np.abs(corners - by_hand(model, stage.q[k])[-1]).max(axis=1).min() < 1e-12
        painted = np.concatenate([segments.reshape(-1, 3) for segments, _, _ in lines_at(stage, k)])
        assert np.abs(painted - by_hand(model, stage.q[k])[-1]).max(axis=1).min() < 1e-12
    assert not stage_of(run, drawn=()).ties and not stage_of(run, drawn=()).changing


def test_the_player_has_lines_for_every_record(model, tmp_path):
    """Oracle: how many numbers the page's data must hold."""
    data = player_data(cd.view.export(bent(model), tmp_path / "m.html"))
    assert any(s["body"] == 0 and s["end"] == 1 for s in data["ties"])
    (chain,) = data["chains"]
    points = sum(chain["counts"]) + len(chain["counts"])
    assert len(base64.b64decode(chain["v"])) == 2 * 16 * points * 3


def test_a_glb_file_has_a_rod_for_every_line_that_reaches_from_end_to_end(model, tmp_path):
    """Oracle: the ends of the lines of the stage; rods of unit length along z by the file's turns and stretches."""
    run = bent(model)
    stage = stage_of(run)
    document, buffer = glb_opened(cd.view.export(run, tmp_path / "m.glb").read_bytes())
    rods = [k for k, node in enumerate(document["nodes"]) if node["name"] == "line"]
    assert len(rods) == sum(len(c) for c, _ in stage.loose_lines(0)) >= 3
    samplers = document["animations"][0]["samplers"]
    moved = {(c["target"]["node"], c["target"]["path"]): glb_numbers(document, buffer, samplers[c["sampler"]]["output"])
             for c in document["animations"][0]["channels"]}  # fmt: skip
    for k in (0, 7, 15):
        ends = np.concatenate([c for c, _ in stage.loose_lines(k)])
        middle, turn, stretch = (np.array([moved[n, path][k] for n in rods])
                                 for path in ("translation", "rotation", "scale"))  # fmt: skip
        half = Rotation.from_quat(turn).apply([[0, 0, 0.5]] * len(rods)) * stretch[:, 2:]
        assert_allclose(np.stack([middle - half, middle + half], axis=1), ends, atol=1e-5)


def pulled_over_a_drum():
    """A rod with a rope over a drum and a straight one, in a motion in which the first wakes and the second tires."""
    b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(1.0, (1, 0, 0)))
    b.add_wrap("drum", "cylinder", quadrant="y", radius=0.1, length=1.0)
    b.add_muscle("rope", [(None, (-1, 0, 0)), ("rod", (1, 0, 0))], wraps=["drum"])
    b.add_muscle("string", [(None, (0, -1, 0)), ("rod", (1, 0, 0))])
    t, a = np.linspace(0.0, 0.5, 6), np.linspace(0.0, 1.0, 6)
    both = np.stack([a, 1 - a], axis=1)
    return cd.muscles.MuscleTrajectory(
        b.build(), t, 0.1 * t[:, None], np.full((6, 1), 0.1), activation=both, fiber_length=both, excitation=both,
        work=both,
    )  # fmt: skip


def test_muscles_run_over_what_they_wrap_and_are_coloured_by_activation(tmp_path):
    """Oracle: points of the arc are on the drum; blue is the less and red the more active of two muscles."""
    stage = stage_of(pulled_over_a_drum())
    ((lines, colors),) = stage.loose_lines(0)
    rope, string = lines[:-1], lines[-1]
    assert_allclose(np.hypot(*rope[1:-1].reshape(-1, 3)[:, :2].T), 0.1, atol=1e-9)
    assert_allclose(string, [(0, -1, 0), (1, 0, 0)], atol=1e-12)
    assert (colors[:-1, 2] > colors[:-1, 0]).all() and colors[-1, 0] > colors[-1, 2]
    ((_, later),) = stage.loose_lines(len(stage.t) - 1)
    assert_allclose(later[0], colors[-1], atol=1e-12)
    for name in ("m.html", "m.png", "m.glb"):
        assert cd.view.export(pulled_over_a_drum(), tmp_path / name).stat().st_size > 1000
    data = player_data(tmp_path / "m.html")
    (chain,) = data["chains"]
    paint = np.frombuffer(base64.b64decode(chain["paint"]), "u1").reshape(6, 2, 3)
    assert_allclose(paint[[0, -1]], np.round(255 * np.array([[IDLE, ACTIVE], [ACTIVE, IDLE]])), atol=1)
    assert_allclose(player_curve(data, "activation", "string"), np.linspace(1, 0, 6), atol=1e-4)


def test_muscles_of_a_model_that_comes_from_no_file_are_drawn():
    """Oracle: the two points, by hand."""
    b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("y"), inertia=cd.Inertia.point(1.0))
    model = b.add_muscle("flexor", [(None, (0.3, 0, 0)), ("rod", (0, 0, 0.4))]).build()
    ((lines, _),) = stage_of(model).loose_lines(0)
    assert_allclose(lines, [[(0.3, 0, 0), (0, 0, 0.4)]], atol=1e-12)


def test_measured_markers_are_crosses_with_lines_to_the_models(model):
    """Oracle: the cross is about the measured place, the line ends at the model's marker; unseen ones show nothing."""
    run = bent(model)
    tips = cd.forward_kinematics(model, run.q)[:, 1].apply([0.1, 0.0, 0.0])
    points = np.stack([tips + 0.01, tips + 0.3], axis=1)
    points[3:5, 0] = np.nan
    seen = cd.trial.Markers(("tip", "other"), run.t, points)
    stage = stage_of(run, markers=seen)
    lines = stage.changing[-1].segments
    assert lines.shape == (16, 3 + 1 + 3, 2, 3)
    assert_allclose(lines[8, :3].mean(axis=(0, 1)), points[8, 0], atol=1e-12)
    assert_allclose(lines[8, 3], [points[8, 0], tips[8]], atol=1e-12)
    assert not np.ptp(lines[3, :4], axis=1).any() and np.ptp(lines[3, 4:], axis=1).any()
    with pytest.raises(BadValue, match="marker"):
        stage_of(run, markers=cd.trial.Markers(("tip",), run.t + 9.0, points[:, :1]))


def test_the_command_line_takes_measured_markers(model, tmp_path):
    """Oracle: the page of `condyle export` has lines for every record beyond the muscles'."""
    from click.testing import CliRunner

    from condyle.cli.commands.export import command

    run = bent(model)
    cd.save(run, tmp_path / "run.mot")
    tips = cd.forward_kinematics(model, run.q)[:, 1].apply([0.1, 0.0, 0.0])
    cd.trial.write_markers(cd.trial.Markers(("tip",), run.t, tips[:, None]), tmp_path / "walk.trc")
    args = [str(tmp_path / n) for n in ("run.mot", "run.html")]
    args += ["--model", str(tmp_path / "ours.osim"), "--markers", str(tmp_path / "walk.trc")]
    done = CliRunner().invoke(command, args, catch_exceptions=False, standalone_mode=False)
    assert done.exit_code == 0, done.output
    data = player_data(tmp_path / "run.html")
    assert sum("steps" in s for s in data["strokes"]) == 1 and len(data["chains"]) == 1

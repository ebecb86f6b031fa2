"""Coordinates by name in tables, models and trajectories, as they are given now and as they were before."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import condyle as cd
from condyle.errors import AmbiguousName, BadFile

BOX = cd.Inertia.box(1.0, (0.1, 0.2, 0.3), com=(0.0, -0.1, 0.0))
PLACES = [parent / "shared" / "data" for parent in Path(__file__).resolve().parents[2:]]
FOLDER = next((place for place in PLACES if place.is_dir()), PLACES[1])  # beside the repository, or above it
GAIT = FOLDER / "opensim" / "gait2354" / "reference_subject01_walk1_ik.mot"


def turns(*names: str, axes: str = "zxy") -> cd.joints.Joint:
    """Turns one after another."""
    return cd.joints.compose(*(cd.joints.revolute(a) for a, _ in zip(axes, names, strict=False)), names=names)


def leg() -> cd.Model:
    """A hip of three coordinates and a knee of one, named as OpenSim's gait models name them."""
    b = cd.ModelBuilder()
    hip = turns("hip_flexion_r", "hip_adduction_r", "hip_rotation_r")
    b.add_body("femur_r", joint=hip, inertia=BOX, joint_name="hip_r")
    knee = cd.joints.revolute("z", name="knee_angle_r")
    return b.add_body("tibia_r", "femur_r", knee, BOX, joint_name="knee_r").build()


def walker() -> cd.Model:
    """A pelvis with six coordinates, two legs and a trunk: the coordinates of gait2354, with lengths of nobody."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    slides = cd.joints.compose(*(cd.joints.prismatic(a) for a in "xyz"), names=("pelvis_tx", "pelvis_ty", "pelvis_tz"))
    pelvis = cd.joints.compose(slides, turns("pelvis_tilt", "pelvis_list", "pelvis_rotation"))
    b.add_body("pelvis", joint=pelvis, inertia=BOX, joint_name="ground_pelvis")
    for s in "rl":
        names = (f"hip_flexion_{s}", f"hip_adduction_{s}", f"hip_rotation_{s}")
        b.add_body(f"femur_{s}", "pelvis", turns(*names), BOX, joint_name=f"hip_{s}")
        last = f"femur_{s}"
        for body, joint, name in (("tibia", "knee", "knee_angle"), ("talus", "ankle", "ankle_angle"),
                                  ("calcn", "subtalar", "subtalar_angle"), ("toes", "mtp", "mtp_angle")):  # fmt: skip
            turn = cd.joints.revolute("z", name=f"{name}_{s}")
            b.add_body(f"{body}_{s}", last, turn, BOX, joint_name=f"{joint}_{s}")
            last = f"{body}_{s}"
    return b.add_body("torso", "pelvis", turns("lumbar_extension", "lumbar_bending", "lumbar_rotation"), BOX).build()


@pytest.mark.skipif(not GAIT.exists(), reason="the recordings of gait2354 are not on this machine")
def test_a_recorded_walk_loads_on_a_model_with_its_coordinates():
    """Oracle: the numbers of the file, read line by line with numpy; angles in degrees, three columns in metres."""
    lines = GAIT.read_text().splitlines()
    start = lines.index("endheader") + 1
    names, table = lines[start].split(), np.loadtxt(lines[start + 1 :])
    found = cd.load(GAIT, model=walker())
    assert set(names[1:]) == set(walker().coordinates)
    for name, column in zip(names[1:], table[:, 1:].T, strict=True):
        meters = name in ("pelvis_tx", "pelvis_ty", "pelvis_tz")
        assert_allclose(found[name], column if meters else np.radians(column), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("suffix", [".csv", ".mot", ".sto"])
def test_columns_have_the_names_of_the_coordinates(suffix, tmp_path):
    """Oracle: the names that were given, in the file's line of names; the motion that was saved."""
    t, model = np.linspace(0, 1, 5), leg()
    run = cd.Trajectory(model, t, np.outer(t, [0.1, 0.2, 0.3, 0.4]), np.tile([0.1, 0.2, 0.3, 0.4], (5, 1)))
    path = cd.save(run, tmp_path / f"run{suffix}")
    head = next(line for line in path.read_text().splitlines() if line.startswith("time")).replace(",", "\t")
    assert head.split("\t")[:5] == ["time", "hip_flexion_r", "hip_adduction_r", "hip_rotation_r", "knee_angle_r"]
    assert_array_equal(cd.load(path, model=model).q, run.q)


@pytest.mark.parametrize(
    "names",
    [
        ("hip_flexion_r", "hip_adduction_r", "hip_rotation_r", "knee_angle_r"),
        ("hip_r.hip_flexion_r", "hip_r.hip_adduction_r", "hip_r.hip_rotation_r", "knee_r"),
        ("hip_rotation_r", "knee_r.knee_angle_r", "hip_r.hip_adduction_r", "hip_flexion_r"),
    ],
    ids=["own", "before", "mixed"],
)
def test_columns_are_found_by_any_name_in_any_order(names, tmp_path):
    """Oracle: the numbers written, each under the name of its coordinate."""
    own = {n: n.split(".")[-1].replace("knee_r", "knee_angle_r") for n in names}
    value = {"hip_flexion_r": 1.0, "hip_adduction_r": 2.0, "hip_rotation_r": 3.0, "knee_angle_r": 4.0}
    path = tmp_path / "run.csv"
    rates = [f"d/dt {n}" for n in names]
    rows = [
        ",".join(map(str, [t, *(value[own[n]] + t for n in names), *(10 * value[own[n]] for n in names)]))
        for t in (0, 1)
    ]
    path.write_text("\n".join([",".join(["time", *names, *rates]), *rows]))
    found = cd.load(path, model=leg())
    assert_array_equal(found.q, [[1, 2, 3, 4], [2, 3, 4, 5]])
    assert_array_equal(found.v, [[10, 20, 30, 40]] * 2)


def test_states_of_opensim_are_found_by_joint_and_coordinate(tmp_path):
    """Oracle: the numbers written; a plain column counts before a state of the same coordinate."""
    columns = [f"/jointset/hip_r/{c}/value" for c in ("hip_flexion_r", "hip_adduction_r", "hip_rotation_r")]
    columns += ["/jointset/knee_r/knee_angle_r/value", "/jointset/knee_r/knee_angle_r/speed", "knee_angle_r"]
    path = tmp_path / "states.sto"
    text = "states\ninDegrees=no\nendheader\n" + "\t".join(["time", *columns]) + "\n0\t1\t2\t3\t9\t0\t4\n"
    path.write_text(text)
    assert_array_equal(cd.load(path, model=leg()).q, [[1, 2, 3, 4]])


def test_two_columns_of_one_coordinate_are_refused(tmp_path):
    """Oracle: the class and both names."""
    path = tmp_path / "twice.csv"
    path.write_text("time,hip_flexion_r,hip_adduction_r,hip_rotation_r,knee_r,knee_angle_r\n0,1,2,3,4,5\n")
    with pytest.raises(BadFile, match="'knee_r' and 'knee_angle_r' are both coordinate 'knee_angle_r'"):
        cd.load(path, model=leg())


def test_a_quaternion_has_columns_by_any_of_its_names(tmp_path):
    """Oracle: the numbers written."""
    ball = cd.joints.ball(name="swing")
    model = cd.ModelBuilder().add_body("bob", joint=ball, inertia=BOX, joint_name="hinge").build()
    for name in ("swing", "hinge", "hinge.swing"):
        path = tmp_path / "ball.csv"
        path.write_text(f"time,{name}.w,{name}.x,{name}.y,{name}.z\n0,0,1,0,0\n")
        assert_array_equal(cd.load(path, model=model).q, [[0, 1, 0, 0]])


BEFORE = """
condyle = 1
kind = "model"

[[bodies]]
name = "thigh"
joint_name = "hip"
joint = { type = "universal", first = [0, 0, 1], second = [1, 0, 0], names = ["flexion", "adduction"] }
inertia = { mass = 1.0, moment = [0.1, 0.1, 0.1] }

[[bodies]]
name = "shank"
parent = "thigh"
joint_name = "knee"
joint = { type = "revolute", axis = [0, 0, 1], name = "bend" }
inertia = { mass = 1.0, moment = [0.1, 0.1, 0.1] }

[[bodies]]
name = "foot"
parent = "shank"
joint_name = "ankle"
joint = { type = "revolute", axis = [0, 0, 1], name = "tilt" }
inertia = { mass = 1.0, moment = [0.1, 0.1, 0.1] }

[[loads]]
type = "damping"
coordinate = "knee"
damping = 0.5

[[loads]]
type = "limit"
coordinate = "hip.flexion"
low = -1.0
high = 1.0
stiffness = 3.0

[[ranges]]
coordinate = "knee"
low = -2.0
high = 0.0

[[prescribed]]
coordinate = "ankle"
value = 0.25

[[constraints]]
type = "couple"
coordinate = "hip.adduction"
other = "knee"
ratio = 0.5
"""  # as models were written when a single coordinate had only the name of its joint


def test_a_model_file_with_the_names_of_before_still_loads(tmp_path):
    """Oracle: places counted by hand: flexion 0, adduction 1, bend 2, tilt 3; saved again it is the same model."""
    path = tmp_path / "before.toml"
    path.write_text(BEFORE)
    for model in (cd.load(path), cd.load(cd.save(cd.load(path), tmp_path / "now.toml"))):
        assert model.coordinates == ("flexion", "adduction", "bend", "tilt")
        assert [load.at.v for load in model.coordinate_forces] == [2, 0]
        assert dict(model.ranges) == {"bend": (-2.0, 0.0)}
        assert list(model.prescribed) == [3]
        assert (model.constraints[0].v, model.constraints[0].others) == (1, ((2, 2),))


def test_a_trajectory_with_the_names_of_before_still_loads(tmp_path):
    """Oracle: the numbers stored; the names of its coordinates and of what left its domain are those of before."""
    old = ("hip.flexion", "hip.adduction", "knee", "ankle")
    q = np.arange(8.0).reshape(2, 4)
    arrays = {"condyle": 1, "kind": "trajectory", "t": np.arange(2.0), "q": q, "v": -q, "model": BEFORE}
    arrays |= {"outside": np.array([[0.0, 7.0, -1.0, 1.0]]), "outside_coordinate": np.array(["knee"])}
    path = tmp_path / "before.npz"
    np.savez(path, coordinates=np.array(old), **arrays)
    for found in (cd.load(path), cd.load(path, model=cd.load(path).model)):
        assert_array_equal(found.q, q)
        assert_array_equal(found["knee"], found["bend"])
        assert found.outside[0].coordinate == "knee"


def test_a_file_with_a_name_of_several_coordinates_is_refused(tmp_path):
    """Oracle: the place in the file and the full names."""
    path = tmp_path / "two.toml"
    path.write_text(
        BEFORE.replace('name = "tilt"', 'name = "bend"').replace('coordinate = "knee"', 'coordinate = "bend"', 1)
    )
    with pytest.raises((BadFile, AmbiguousName), match=r"(?s)loads.*'bend'.*'knee\.bend', 'ankle\.bend'"):
        cd.load(path)


def test_names_of_two_coordinates_come_back_as_they_were(tmp_path):
    """Oracle: the model that was saved; where own names meet, those of the joints are written."""
    path = tmp_path / "two.toml"
    path.write_text(BEFORE.replace('name = "tilt"', 'name = "bend"'))
    model = cd.load(path)
    again = cd.load(cd.save(model, tmp_path / "again.toml"))
    assert model.coordinates == again.coordinates == ("flexion", "adduction", "knee", "ankle")
    assert [load.at.v for load in again.coordinate_forces] == [2, 0]

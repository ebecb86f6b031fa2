"""Tables in degrees on a model: which columns are converted, by OpenSim's rule or by a list."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadFile, UnknownName
from condyle.joints.functions import linear, spline
from condyle.model.motion_types import COUPLED, ROTATIONAL, TRANSLATIONAL, motion_type
from support.laboratory import FOLDER, needs_files

BOX = cd.Inertia.box(1, (1, 1, 1))
TURN_Z, SLIDE_X = (0, 0, 1, 0, 0, 0), (0, 0, 0, 1, 0, 0)
BENT = spline([0, 0, 0, 0, 2, 2, 2, 2], [0, 0.5, 0.9, 2])


def leg():
    """A knee, a kneecap that turns by a spline of its own coordinate, and a slide."""
    b = cd.ModelBuilder()
    b.add_body("shank", joint=cd.joints.revolute("z", name="knee_angle"), inertia=BOX, joint_name="knee")
    patella = cd.joints.product([TURN_Z], [BENT], coordinates=("knee_angle_beta",))
    b.add_body("patella", "shank", patella, BOX, joint_name="patellofemoral")
    return b.add_body("foot", "shank", cd.joints.prismatic("x"), BOX).build()


def motion(folder, rows, head="version=1\ninDegrees=yes\n", name="x.mot"):
    path = folder / name
    path.write_text(f"n\n{head}endheader\ntime\tknee_angle\tknee_angle_beta\tfoot\n{rows}")
    return path


@pytest.mark.parametrize(
    ("joint", "kind"),
    [
        (cd.joints.revolute("z"), ROTATIONAL),
        (cd.joints.revolute("z").inverse(), ROTATIONAL),
        (cd.joints.prismatic("z"), TRANSLATIONAL),
        (cd.joints.helical("z", 0.1), ROTATIONAL),
        (cd.joints.product([TURN_Z], [linear(scale=-1)]), ROTATIONAL),
        (cd.joints.product([(0, 0, 2, 0, 0, 0)], [linear(scale=0.5)]), ROTATIONAL),
        (cd.joints.product([TURN_Z], [linear(scale=2)]), COUPLED),
        (cd.joints.product([TURN_Z], [BENT]), COUPLED),
        (cd.joints.product([TURN_Z, SLIDE_X], [linear(), BENT]), ROTATIONAL),
        (cd.joints.product([SLIDE_X], [BENT]), TRANSLATIONAL),
    ],
)
def test_the_kind_of_a_coordinate_is_that_of_opensim(joint, kind):
    """Oracle: OpenSim's rule: a slope of exactly ±1 about an axis is rotational, other turns are coupled."""
    assert motion_type(joint, 0) == kind


def test_coupled_coordinates_stay_in_radians_with_a_warning(tmp_path):
    """Oracle: numpy's radians for the knee; the kneecap as written; the warning names it."""
    path = motion(tmp_path, "0\t90\t1.25\t2\n1\t45\t0.5\t3\n")
    with pytest.warns(cd.CondyleWarning, match="patellofemoral|knee_angle_beta"):
        q = cd.load(path, model=leg()).q
    assert_allclose(q, [[np.pi / 2, 1.25, 2], [np.pi / 4, 0.5, 3]])


@pytest.mark.parametrize(
    ("radians", "expected"),
    [([], [np.pi / 2, np.radians(1.25), 2]), ([1], [np.pi / 2, 1.25, 2]), ([0, 2], [90, np.radians(1.25), 2])],
)
@pytest.mark.filterwarnings("error")
def test_a_list_of_coordinates_in_radians_decides(radians, expected, tmp_path):
    """Oracle: numpy's radians for all others; nothing is warned of."""
    model = leg()
    names = [model.coordinates[k] for k in radians]
    q = cd.load(motion(tmp_path, "0\t90\t1.25\t2\n"), model=model, radians=names).q
    assert_allclose(q, [expected])


def test_a_coupled_coordinate_that_cannot_be_in_radians_is_refused(tmp_path):
    """Oracle: the domain of the spline, 0 to 2 rad; the message names the coordinate, the number and the way out."""
    path = motion(tmp_path, "0\t90\t70\t2\n")
    with pytest.raises(BadFile, match=r"70 rad.*radians="):
        cd.load(path, model=leg())
    q = cd.load(path, model=leg(), radians=[]).q
    assert_allclose(q, [[np.pi / 2, np.radians(70), 2]])


def test_a_model_that_knows_the_kinds_decides(tmp_path):
    """Oracle: the attribute, against what the joint shows."""
    model = leg()
    object.__setattr__(model, "motion_types", {model.coordinates[1]: ROTATIONAL})
    q = cd.load(motion(tmp_path, "0\t90\t70\t2\n"), model=model).q
    assert_allclose(q, [[np.pi / 2, np.radians(70), 2]])


def test_files_that_do_not_say_are_warned_of(tmp_path):
    """Oracle: OpenSim takes an old motion for degrees and a storage for radians."""
    path = motion(tmp_path, "0\t90\t1\t2\n", head="")
    with pytest.warns(cd.CondyleWarning, match="does not say"):
        assert_allclose(cd.load(path, model=leg(), radians=[]).q[0, 0], np.pi / 2)
    path = motion(tmp_path, "0\t1.5\t1\t2\n", head="", name="x.sto")
    with pytest.warns(cd.CondyleWarning, match="does not say.*radians"):
        assert_allclose(cd.load(path, model=leg()).q, [[1.5, 1, 2]])


def test_degrees_in_a_table_that_cannot_say_so_are_doubted(tmp_path):
    """Oracle: the words; 70° in a CSV file, which has no header, were taken as 70 rad in silence."""
    b = cd.ModelBuilder().add_body("shank", joint=cd.joints.revolute("z", name="knee"), inertia=BOX)
    model = b.set_range("knee", -0.2, 2.5).build()
    (tmp_path / "x.csv").write_text("time,knee\n0,10\n1,70\n")
    with pytest.warns(cd.CondyleWarning, match="knee.*70 rad.*degrees"):
        cd.load(tmp_path / "x.csv", model=model)
    (tmp_path / "x.csv").write_text("time,knee\n0,0.1\n1,3.0\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a little outside is a matter of the motion
        cd.load(tmp_path / "x.csv", model=model)


def test_columns_go_by_the_name_of_the_coordinate_of_the_joint_or_of_both(tmp_path):
    """Oracle: the numbers as written, under five names."""
    b = cd.ModelBuilder()
    names = ("hip_flexion", "hip_adduction", "hip_rotation")
    hip = cd.joints.compose(*(cd.joints.revolute(a, name=n) for a, n in zip("xyz", names, strict=True)))
    b.add_body("thigh", joint=hip, inertia=BOX, joint_name="hip")
    b.add_body("shank", "thigh", cd.joints.revolute("z", name="knee_angle"), BOX, joint_name="knee")
    model, path = b.build(), tmp_path / "x.csv"
    for knee in ("knee_angle", "knee", "knee.knee_angle", "/jointset/knee/knee_angle/value", "knee/knee_angle/value"):
        path.write_text(
            f"time,hip_flexion,hip.hip_adduction,/jointset/hip/hip_rotation/value,{knee}\n0,1,0.2,0.3,0.4\n"
        )
        assert_allclose(cd.load(path, model=model).q, [[1, 0.2, 0.3, 0.4]])


def test_two_columns_for_one_coordinate_are_refused(tmp_path):
    """Oracle: the class and the name; two equal columns of one name do no harm."""
    b = cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("z"), inertia=BOX)
    path = tmp_path / "x.csv"
    path.write_text("time,arm,arm\n0,1,2\n")
    with pytest.warns(cd.CondyleWarning, match="'arm'"), pytest.raises(BadFile, match="'arm'"):
        cd.load(path, model=b.build())
    path.write_text("time,arm,arm\n0,1,1\n")
    with pytest.warns(cd.CondyleWarning, match="'arm'"):
        assert cd.load(path, model=b.build()).q == [[1]]
    path.write_text("time,arm,/jointset/arm/arm/value,/x/arm/angle/value\n0,1,2,3\n")
    assert cd.load(path, model=b.build()).q == [[1]]


def test_options_of_tables_are_for_tables(tmp_path):
    """Oracle: the class and the name."""
    path = cd.save(cd.joints.revolute("z"), tmp_path / "joint.toml")
    with pytest.raises(cd.CondyleError, match="radians"):
        cd.load(path, radians=["knee"])
    with pytest.raises(UnknownName, match="'kneee'"):
        cd.load(motion(tmp_path, "0\t90\t1\t2\n"), model=leg(), radians=["kneee"])


def test_a_motion_that_was_cut_off_is_refused_or_read_to_its_last_row(tmp_path):
    """Oracle: nRows."""
    path = motion(tmp_path, "0\t90\t1\t2\n1\t45\t1\t2\n", head="version=1\nnRows=4\ninDegrees=yes\n")
    with pytest.raises(BadFile, match="nRows 4, and it holds 2"):
        cd.load(path, model=leg(), radians=[])
    with pytest.warns(cd.CondyleWarning, match="cut off"):
        assert len(cd.load(path, model=leg(), radians=[], truncated="warn").t) == 2


@needs_files
def test_a_real_result_of_inverse_kinematics_loads_onto_a_model_with_its_coordinates():
    """Oracle: numpy's loadtxt of the file, radians for angles, metres as they are."""
    path = FOLDER / "opensim" / "gait10dof" / "reference_walk_IK.mot"
    b, turn = cd.ModelBuilder(), cd.joints.revolute
    slides = [cd.joints.prismatic(axis, name=f"pelvis_t{axis}") for axis in "xy"]
    pelvis = cd.joints.compose(turn("z", name="pelvis_tilt"), *slides)
    b.add_body("pelvis", joint=pelvis, inertia=BOX, joint_name="ground_pelvis")
    for side in "rl":
        parent = "pelvis"
        for joint, name in (("hip", "hip_flexion"), ("knee", "knee_angle"), ("ankle", "ankle_angle")):
            hinge = turn("z", name=f"{name}_{side}")
            b.add_body(f"{joint}_body_{side}", parent, hinge, BOX, joint_name=f"{joint}_{side}")
            parent = f"{joint}_body_{side}"
    b.add_body("torso", "pelvis", turn("z", name="lumbar_extension"), BOX, joint_name="back")
    expected = np.loadtxt(path, skiprows=11)
    expected[:, [1, *range(4, 11)]] *= np.pi / 180
    found = cd.load(path, model=b.build())
    assert_allclose(found.t, expected[:, 0])
    assert_allclose(found.q, expected[:, 1:], rtol=1e-15)


def test_an_angle_that_turns_nothing_is_converted_if_the_model_says_so(tmp_path):
    """Oracle: 30°, of the crank of a slide. `radians=[]` is about angles, and its joint does not show that it is one"""
    crank = cd.joints.product([SLIDE_X], [cd.functions.sinusoid(0.2)], coordinates=("crank",))
    model = cd.ModelBuilder().add_body("slide", joint=crank, inertia=BOX).build()
    path = tmp_path / "crank.mot"
    path.write_text("n\nversion=1\ninDegrees=yes\nendheader\ntime\tcrank\n0\t30\n1\t30\n")
    assert_allclose(cd.load(path, model=model, radians=[]).q, 30.0)
    told = replace(model, motion_types={"crank": "rotational"})
    assert_allclose(cd.load(path, model=told).q, np.pi / 6)

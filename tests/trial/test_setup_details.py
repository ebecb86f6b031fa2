"""What setup files of OpenSim say in other ways, twice, or not at all: read as OpenSim does, or told by name."""

import re

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadFile, CondyleWarning
from condyle.trial.setup_files.opensim_setups import read_setup
from support.osim_files import in_set
from support.trial_files import (
    DYNAMICS,
    KINEMATICS,
    LOADS,
    MARKERS,
    SCALE,
    leg_osim,
    marker_tasks,
    measured,
    motion,
    write_leg,
    write_trial,
)

KNEE = (
    '<IKCoordinateTask name="knee_angle_r"><weight>1</weight><value_type>default_value</value_type></IKCoordinateTask>'
)
MUSCLE = """<Thelen2003Muscle name="vastus"><GeometryPath><PathPointSet><objects><PathPoint name="a">
<socket_parent_frame>/bodyset/thigh_r</socket_parent_frame><location>0.05 -0.1 0</location></PathPoint>
<PathPoint name="b"><socket_parent_frame>/bodyset/shank_r</socket_parent_frame><location>0.05 -0.05 0</location>
</PathPoint></objects></PathPointSet></GeometryPath></Thelen2003Muscle>"""
COUPLER = """<CoordinateCouplerConstraint name="c"><coupled_coordinates_function><LinearFunction>
<coefficients>0.5 0.1</coefficients></LinearFunction></coupled_coordinates_function>
<independent_coordinate_names>knee_angle_r</independent_coordinate_names>
<dependent_coordinate_name>hip_angle_r</dependent_coordinate_name></CoordinateCouplerConstraint>"""


def written(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def apart(folder, text, *tags):
    """A setup whose sets are in files of their own, named by an attribute."""
    for tag in tags:
        inner = re.search(f"<{tag}>.*?</{tag}>", text, re.S)[0]
        written(folder, f"{tag}.xml", f'<OpenSimDocument Version="20302">{inner}</OpenSimDocument>')
        text = text.replace(inner, f'<{tag} file="{tag}.xml"/>')
    return written(folder, "apart.xml", text)


def test_measurements_and_factors_in_files_of_their_own_are_read(tmp_path):
    """Oracle: the same setup with its sets inside."""
    text = SCALE.format(tasks=marker_tasks())
    whole = read_setup(written(tmp_path, "whole.xml", text))
    step = read_setup(apart(tmp_path, text, "MeasurementSet", "ScaleSet", "IKTaskSet"))
    assert step.measurements == whole.measurements and len(whole.measurements) == 1
    assert step.factors == whole.factors and step.placement.tasks.weights == whole.placement.tasks.weights


def test_a_set_whose_file_is_missing_or_holds_another_set_is_refused(tmp_path):
    """Oracle: the name of the file."""
    path = apart(tmp_path, SCALE.format(tasks=marker_tasks()), "MeasurementSet")
    (tmp_path / "MeasurementSet.xml").write_text("<ScaleSet><objects/></ScaleSet>")
    with pytest.raises(BadFile, match="MeasurementSet"):
        read_setup(path)
    (tmp_path / "MeasurementSet.xml").unlink()
    with pytest.raises(BadFile, match=r"MeasurementSet\.xml"):
        read_setup(path)


def test_external_loads_of_other_classes_are_refused_and_not_passed_over(tmp_path):
    """Oracle: the class; without its forces the ground would exert none."""
    write_trial(tmp_path)
    text = LOADS.format(body="shank_r", data="grf.mot").replace("ExternalForce", "PrescribedForce")
    with pytest.raises(BadFile, match=r"PrescribedForce.*'right'"):
        cd.trial.read_external_loads(written(tmp_path, "loads.xml", text))


def test_of_two_tasks_of_a_marker_the_first_counts(tmp_path):
    """Oracle: OpenSim, which takes the first that applies (tests/peers)."""
    tasks = marker_tasks(3.0) + marker_tasks(50.0, ["ASIS"])
    with pytest.warns(CondyleWarning, match="ASIS"):
        step = read_setup(written(tmp_path, "k.xml", KINEMATICS.format(model="leg.osim", tasks=tasks)))
    assert step.tasks.weights["ASIS"] == 3.0
    off = marker_tasks(3.0, ["ASIS"]).replace("true", "false") + marker_tasks(50.0, ["ASIS"])
    step = read_setup(written(tmp_path, "k.xml", KINEMATICS.format(model="leg.osim", tasks=off)))
    assert step.tasks.weights["ASIS"] == 50.0
    with pytest.raises(BadFile, match="knee_angle_r"):
        read_setup(written(tmp_path, "k.xml", KINEMATICS.format(model="leg.osim", tasks=KNEE + KNEE)))


def test_a_marker_and_a_coordinate_of_one_name_have_weights_of_their_own(tmp_path):
    """Oracle: the file."""
    tasks = marker_tasks(7.0, ["knee_angle_r"]) + KNEE
    step = read_setup(written(tmp_path, "k.xml", KINEMATICS.format(model="leg.osim", tasks=tasks)))
    assert step.tasks.weights == {"knee_angle_r": 7.0} and step.tasks.coordinates["knee_angle_r"] == (1.0, None)


def test_tasks_that_are_all_turned_off_weigh_alike_and_that_is_told(tmp_path):
    """Oracle: OpenSim, which then follows all markers with weight 1."""
    tasks = marker_tasks(3.0).replace("true", "false")
    with pytest.warns(CondyleWarning, match="alike"):
        step = read_setup(written(tmp_path, "k.xml", KINEMATICS.format(model="leg.osim", tasks=tasks)))
    assert step.tasks.weights is None


@pytest.mark.parametrize("said", ["", "<time_range>-1 -1</time_range>"])
def test_without_a_time_range_distances_are_measured_in_the_first_frame(tmp_path, said):
    """Oracle: OpenSim, whose default −1 −1 takes the first frame alone (tests/peers): a thigh that grows afterwards."""
    _, leg = write_leg(tmp_path)
    still = measured(leg, [0.0, 0.5, 1.0], motion(np.zeros(3))[0])
    points = still.points.copy()
    points[1:, list(MARKERS).index("KNEE")] += [0.0, -0.1, 0.0]
    cd.trial.write_markers(cd.trial.Markers(still.names, still.times, points), tmp_path / "static.trc")
    text = SCALE.format(tasks=marker_tasks()).replace("<time_range>0 1</time_range>", said, 1)
    path = written(tmp_path, "s.xml", text)
    with pytest.warns(CondyleWarning, match="first frame"):
        found = cd.trial.run(path, tmp_path / "out", report=False).scaled["person"]
    assert abs(found.measured["thigh"] - 1.0) < 1e-9


def test_a_time_range_before_zero_is_a_time_range(tmp_path):
    """Oracle: the file; cameras may start before a trigger at 0 s."""
    text = KINEMATICS.format(model="leg.osim", tasks=marker_tasks()).replace("<time_range>0 1", "<time_range>-2 -1")
    assert read_setup(written(tmp_path, "k.xml", text)).span == (-2.0, -1.0)


def test_axes_without_spaces_are_used_and_told(tmp_path):
    """Oracle: the letters; OpenSim scales along none of them."""
    text = SCALE.format(tasks=marker_tasks()).replace("X Y Z", "XYZ")
    with pytest.warns(CondyleWarning, match=r"thigh_r.*OpenSim"):
        assert read_setup(written(tmp_path, "s.xml", text)).measurements[0].bodies == {"thigh_r": "XYZ"}


def test_a_cutoff_of_zero_is_refused(tmp_path):
    """Oracle: OpenSim filters all motion away then; condyle would not filter at all."""
    with pytest.raises(BadFile, match="cutoff"):
        read_setup(written(tmp_path, "d.xml", DYNAMICS.format(model="leg.osim", cutoff=0)))


@pytest.mark.filterwarnings("ignore::condyle.errors.NotInModel")
@pytest.mark.parametrize("said", ["", "<forces_to_exclude/>"])
def test_muscles_that_a_setup_does_not_exclude_are_told(tmp_path, said):
    """Oracle: the words; OpenSim takes the forces of muscles off its result."""
    write_trial(tmp_path)
    (tmp_path / "leg.osim").write_text(leg_osim(extra=in_set("ForceSet", MUSCLE)))
    path = tmp_path / "Setup_ID.xml"
    path.write_text(path.read_text().replace("<forces_to_exclude>Muscles</forces_to_exclude>", said))
    with pytest.warns(CondyleWarning, match="forces_to_exclude"):
        run = cd.trial.run(tmp_path, tmp_path / "out", report=False)
    assert any("forces_to_exclude" in note for note in run.trials[0].notes)


@pytest.mark.slow  # an entry of its own
def test_a_finite_weight_of_constraints_is_told_where_there_are_some(tmp_path):
    """Oracle: the words; constraints hold exactly here."""
    write_trial(tmp_path)
    path = tmp_path / "Setup_IK.xml"
    path.write_text(path.read_text().replace("<marker_file>", "<constraint_weight>20</constraint_weight><marker_file>"))
    assert not any("constraint_weight" in n for n in cd.trial.run(path, tmp_path / "a", report=False).trials[0].notes)
    (tmp_path / "leg.osim").write_text(leg_osim(extra=in_set("ConstraintSet", COUPLER)))
    with pytest.warns(CondyleWarning, match="constraint_weight"):
        cd.trial.run(path, tmp_path / "b", report=False)

"""Coordinates, constraints, forces, markers and what else an .osim file says."""

import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadFile, NotInModel
from condyle.io.opensim.omissions import Report, brief
from support.osim_files import (
    DRUM,
    LINE,
    MUSCLE,
    POINT,
    SPLINE,
    SPRINGS,
    body,
    coordinate,
    coupler,
    custom,
    in_set,
    joint,
    marker,
    model,
    offsets,
    two_pins,
)
from support.osim_oracles import frame, opened, simm

ONE, TWO = "/bodyset/one", "/bodyset/two"


def test_coordinates_keep_ranges_defaults_and_gravity(tmp_path):
    """Oracle: the numbers of the file."""
    found = opened(two_pins(), tmp_path)
    assert found.coordinates == ("hip", "knee") and found.range_of("knee") == (-2.0, 2.0)
    assert_allclose(found.neutral(), [0.1, 0.2])
    assert_allclose(found.gravity, [0.1, -9.7, 0.3])
    assert not found.notes and found.folder == tmp_path
    assert opened(two_pins(names=("q1", "x")), tmp_path).nq == 2


def test_what_the_file_leaves_out_is_as_in_opensim(tmp_path):
    """Oracle: OpenSim's defaults: gravity, no range, zero; an axis with a coordinate and no function does nothing."""
    still = custom({"rotation1": ("0 0 1", "a", LINE), "rotation2": ("0 1 0", "b", "")})
    made = joint("CustomJoint", "j", "/ground", ONE, ['<Coordinate name="a"/>', '<Coordinate name="b"/>'], still)
    text = model([body("one")], [made]).replace("<gravity>0.1 -9.7 0.3</gravity>", "")
    with pytest.warns(NotInModel, match=r"1 coordinate \(b\)"):
        found = opened(text, tmp_path)
    assert found.coordinates == ("a",) and found.range_of("a") == (-np.inf, np.inf)
    assert_allclose(found.gravity, [0, -9.80665, 0])
    assert found.opensim.coordinates["a"].default == 0.0 and not found.opensim.coordinates["a"].clamped


def test_a_locked_coordinate_stays_and_a_prescribed_one_follows_its_function(tmp_path):
    """Oracle: the default of the locked one; the sine and its derivatives."""
    wave = "<prescribed_function><Sine><amplitude>2</amplitude><omega>3</omega></Sine></prescribed_function>"
    found = opened(two_pins("<locked>true</locked>", f"{wave}<prescribed>true</prescribed>"), tmp_path)
    held = {found.coordinates[k]: motion.at(0.4) for k, motion in found.prescribed.items()}
    assert_allclose(held["hip"], [0.1, 0, 0])
    assert_allclose(held["knee"], [2 * np.sin(1.2), 6 * np.cos(1.2), -18 * np.sin(1.2)], atol=1e-12)
    run = cd.simulate(found, found.neutral(), duration=0.4, step=1e-2)
    assert_allclose(run.q[-1], [0.1, 2 * np.sin(1.2)], atol=1e-9)
    assert not opened(two_pins("", f"{wave}<prescribed>false</prescribed>"), tmp_path).prescribed


@pytest.mark.slow
def test_a_coupler_couples_by_its_function_and_factor(tmp_path):
    """Oracle: half the spline, computed apart; a run keeps it."""
    text = two_pins(extra=in_set("ConstraintSet", coupler(SPLINE)), defaults=(0.3, 0.5 * simm(0.3)))
    found = opened(text, tmp_path, couplers="constraint")
    run = cd.simulate(found, found.neutral(), duration=0.3, step=1e-3)
    assert np.ptp(run.q[:, 0]) > 0.05
    assert_allclose(run.q[:, 1], [0.5 * simm(x) for x in run.q[:, 0]], atol=1e-9)


def test_couplers_that_cannot_act_are_told(tmp_path):
    """Oracle: the names in the warning; without forces that could move anything there is no constraint."""
    both = two_pins("<locked>true</locked>", "<locked>true</locked>", in_set("ConstraintSet", coupler(LINE)))
    with pytest.warns(NotInModel, match="coupler"):
        assert not opened(both, tmp_path).constraints
    with pytest.warns(NotInModel, match="elbow"):
        assert not opened(two_pins(extra=in_set("ConstraintSet", coupler(LINE, "elbow"))), tmp_path).constraints
    off = coupler(LINE, extra="<isEnforced>false</isEnforced>")
    found = opened(two_pins(extra=in_set("ConstraintSet", off)), tmp_path)
    assert not found.constraints and "turned off" in found.notes[0]


def test_points_and_welds_are_constraints_at_their_frames(tmp_path):
    """Oracle: the places of the file; frames with body-fixed angles by scipy."""
    weld = """<WeldConstraint name="w"><body_1>one</body_1><body_2>ground</body_2>
<location_body_1>0.1 0 0</location_body_1><orientation_body_1>0.1 0.2 0.3</orientation_body_1></WeldConstraint>"""
    framed = """<WeldConstraint name="v"><socket_frame1>here</socket_frame1><socket_frame2>/bodyset/two</socket_frame2>
<frames><PhysicalOffsetFrame name="here"><socket_parent>/ground</socket_parent><translation>0 1 0</translation>
</PhysicalOffsetFrame></frames></WeldConstraint>"""
    made = opened(two_pins(extra=in_set("ConstraintSet", POINT, weld, framed)), tmp_path).constraints
    assert [(c.a, c.b) for c in made] == [(-1, 1), (0, -1), (-1, 1)]
    assert_allclose(made[0].frame_a[:3, 3], [0.1, 0.2, 0.3])
    assert_allclose(made[0].frame_b[:3, 3], [0.4, 0.5, 0.6])
    assert_allclose(made[1].frame_a, frame((0.1, 0, 0), (0.1, 0.2, 0.3)), atol=1e-15)
    assert_allclose(made[2].frame_a[:3, 3], [0, 1, 0])


def test_the_warning_of_a_file_has_a_line_for_each_reason_and_meshes_last(tmp_path):
    """Oracle: the order, not that in which they came up."""
    report = Report()
    report.add("mesh files", "femur.vtp", "not found")
    report.add("muscles", "soleus", "without force")
    report.add("Odd", "thing", "not read")
    with pytest.warns(NotInModel) as told:
        report.warn(tmp_path)
    lines = str(told[0].message).splitlines()
    assert [next((w for w in ("muscle", "Odd", "mesh") if w in x), "") for x in lines[1:4]] == ["muscle", "Odd", "mesh"]


def test_what_has_no_law_in_condyle_is_told_once_by_name(tmp_path):
    """Oracle: one warning with all names; the notes; the data is kept."""
    rod = "<RollingOnSurfaceConstraint name='rod'><rolling_body>two</rolling_body></RollingOnSurfaceConstraint>"
    stiff = "<rotational_stiffness>1 2 3</rotational_stiffness>"
    forces = in_set("ForceSet", f'<FunctionBasedBushingForce name="cushion">{stiff}</FunctionBasedBushingForce>',
                    '<CoordinateActuator name="motor"><coordinate>hip</coordinate></CoordinateActuator>',
                    '<Exotic name="odd"><x>1</x></Exotic>')  # fmt: skip
    with pytest.warns(NotInModel) as told:
        found = opened(two_pins(extra=in_set("ConstraintSet", rod) + forces), tmp_path)
    assert len(told) == 1 and all(name in str(told[0].message) for name in ("rod", "cushion", "odd"))
    assert "motor" not in str(told[0].message) and any("motor" in note for note in found.notes)
    assert found.opensim.forces[0].get("rotational_stiffness") == (1.0, 2.0, 3.0)
    assert found.opensim.constraints[0].get("rolling_body") == "two"


def test_springs_that_condyle_has_act(tmp_path):
    """Oracle: the laws by hand; a spring of two points by its energy."""
    found, q, v = (
        opened(two_pins(extra=in_set("ForceSet", *SPRINGS)), tmp_path),
        np.array([0.3, -0.4]),
        np.array([0.2, 1.1]),
    )
    bare = opened(two_pins(), tmp_path)
    place = cd.forward_kinematics(found, q).as_matrix()[1] @ [0, 0.2, 0, 1]
    length = np.linalg.norm(place[:3] - [0.1, 0, 0])
    stored = cd.energy(found, q, v).potential - cd.energy(bare, q, v).potential
    assert_allclose(stored, 0.5 * 3 * 0.9**2 + 0.5 * 40 * (length - 0.1) ** 2, rtol=1e-12)
    assert all(force.acts for force in found.opensim.forces) and not found.notes


def test_muscles_paths_and_wraps_are_kept_as_data(tmp_path):
    """Oracle: the numbers of the file; a point on an offset frame by the pose of that."""
    text = two_pins(extra=in_set("ForceSet", MUSCLE)).replace("</inertia></Body>", f"</inertia>{DRUM}</Body>", 1)
    with pytest.warns(NotInModel, match=r"1 muscle \(vas\)"):
        found = opened(text, tmp_path).opensim
    (muscle,), (drum,) = found.muscles, found.wraps
    a, b, c = muscle.path.points
    assert (a.body, b.body, b.coordinate, b.range) == ("one", "two", "knee", (-1.5, 0.25))
    assert_allclose(a.location, (frame(*offsets(1)[1]) @ [0.1, 0.2, 0.3, 1])[:3], atol=1e-15)
    assert_allclose(c.functions[0](1.5), 2.25)
    assert c.coordinates == ("knee", None, None) and c.functions[1] is None
    assert muscle.get("max_isometric_force") == 1234.5 and muscle.get("pennation_angle_at_optimal") == 0.1
    wrap = muscle.path.wraps[0]
    assert (wrap.wrap_object, wrap.method, wrap.range) == ("drum", "midpoint", (1, 2))
    assert (drum.kind, drum.body, drum.quadrant, drum.sizes["radius"]) == ("WrapCylinder", "one", "-x", 0.04)
    assert_allclose(drum.pose, frame((1, 2, 3), (0.1, 0.2, 0.3)), atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "off", "words"),
    [
        ("Thelen2003Muscle", "", "no force by themselves"),
        ("Thelen2003Muscle", "<appliesForce>false</appliesForce>", "turned off in the file"),
        ("MeyerFregly2016Muscle", "", "no law of this class"),
        ("Schutte1993Muscle", "<appliesForce>false</appliesForce>", "turned off in the file"),
    ],
)
def test_muscles_that_cannot_pull_are_paths_of_the_model_and_told(kind, off, words, tmp_path):
    """Oracle: the file; a path has the length of the muscle that is turned on, and no force."""
    text = two_pins(extra=in_set("ForceSet", MUSCLE)).replace("</inertia></Body>", f"</inertia>{DRUM}</Body>", 1)
    with pytest.warns(NotInModel):
        pulling = opened(text, tmp_path)
    changed = text.replace("Thelen2003Muscle", kind).replace('name="vas">', f'name="vas">{off}')
    with pytest.warns(NotInModel, match=words):
        found = opened(changed, tmp_path)
    (muscle,) = found.muscles
    assert (muscle.law == "path") == (words != "no force by themselves")
    q = [0.3, -0.4]
    assert_allclose(cd.muscles.lengths(found, q), cd.muscles.lengths(pulling, q), rtol=1e-14)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        force = cd.muscles.forces(found, q, [0.0, 0.0], 0.5).tendon_force
    assert any(kind in str(w.message) for w in caught) == (words == "no law of this class")
    assert force[0] == 0.0 if muscle.law == "path" else force[0] > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("damaged", ["max_contraction_velocity>0<", "optimal_fiber_length>-1<"])
def test_a_muscle_whose_numbers_make_no_law_keeps_its_path_and_is_told(damaged, tmp_path):
    """Oracle: the file; its length is that of the muscle with sound numbers."""
    name = damaged.partition(">")[0]
    text = two_pins(extra=in_set("ForceSet", MUSCLE)).replace("</inertia></Body>", f"</inertia>{DRUM}</Body>", 1)
    with pytest.warns(NotInModel):
        sound = opened(text, tmp_path)
    with pytest.warns(NotInModel, match=f"vas.*{name}"):
        found = opened(text.replace("<pennation_angle>", f"<{damaged}/{name}><pennation_angle>"), tmp_path)
    assert [(m.name, m.law) for m in found.muscles] == [("vas", "path")]
    assert_allclose(cd.muscles.lengths(found, [0.3, -0.4]), cd.muscles.lengths(sound, [0.3, -0.4]), rtol=1e-14)


@pytest.mark.parametrize("knee", [0.4, 1.3, 1.9])
def test_a_moving_point_may_turn_corners(knee, tmp_path):
    """Oracle: numpy's interpolation of the points of the file, along x of a body on a slide; its slope is the arm."""
    bent = "<PiecewiseLinearFunction><x>0 1 2</x><y>0.1 0.3 0.9</y></PiecewiseLinearFunction>"
    path = """<PathPoint name="a"><socket_parent_frame>/bodyset/two</socket_parent_frame><location>-3 0 0</location>
</PathPoint><MovingPathPoint name="c"><socket_parent_frame>/bodyset/two</socket_parent_frame>
<socket_x_coordinate>/jointset/last/knee</socket_x_coordinate><x_location>{}</x_location></MovingPathPoint>"""
    spring = f"""<PathSpring name="s"><GeometryPath><PathPointSet><objects>{path.format(bent)}</objects></PathPointSet>
</GeometryPath><stiffness>1</stiffness><resting_length>1</resting_length></PathSpring>"""
    with pytest.warns(NotInModel):
        found = opened(two_pins(extra=in_set("ForceSet", spring)), tmp_path)
    q = np.array([0.2, knee])
    x, slope = np.interp(knee, [0, 1, 2], [0.1, 0.3, 0.9]), 0.2 if knee < 1 else 0.6
    assert_allclose(cd.muscles.lengths(found, q), [3 + x], rtol=1e-13)
    assert_allclose(cd.muscles.moment_arms(found, q)[0], [0, -slope], atol=1e-13)
    cd.save(found, tmp_path / "kept.toml")
    assert_allclose(cd.muscles.lengths(cd.load(tmp_path / "kept.toml"), q), [3 + x], rtol=1e-13)


def test_defaults_of_a_class_hold_for_what_an_object_does_not_say(tmp_path):
    """Oracle: the number in <defaults>."""
    defaults = "<defaults><Thelen2003Muscle><Fmax>7</Fmax></Thelen2003Muscle></defaults>"
    bare = '<Thelen2003Muscle name="m"><Vmax>3</Vmax></Thelen2003Muscle>'
    with pytest.warns(NotInModel):
        found = opened(two_pins(extra=defaults + in_set("ForceSet", bare)), tmp_path).opensim.muscles[0]
    assert (found.get("Fmax"), found.get("Vmax"), found.path) == (7.0, 3.0, None)


def test_markers_are_points_that_inverse_kinematics_takes(tmp_path):
    """Oracle: the posture that the markers were placed by."""
    places = [(ONE, "0.1 0.2 0"), (TWO, "0.3 0 0.1"), ("/ground", "1 2 3")]
    markers = in_set("MarkerSet", *(marker(f"m{k}", *place) for k, place in enumerate(places)))
    found = opened(two_pins(extra=markers), tmp_path)
    assert [(m.name, m.body) for m in found.markers] == [("m0", "one"), ("m1", "two"), ("m2", None)]
    poses = dict(zip(found.names, cd.forward_kinematics(found, [0.5, -0.8]).as_matrix(), strict=True))
    seen = {m.name: (poses[m.body] @ [*m.at, 1])[:3] for m in found.markers if m.body}
    targets = [cd.ik.position(m.body, seen[m.name], m.at) for m in found.markers if m.body]
    assert_allclose(cd.ik.solve(found, targets, found.neutral()).q, [0.5, -0.8], atol=1e-6)


def test_motion_types_decide_what_degrees_are(tmp_path):
    """Oracle: OpenSim's rule: slope ±1 about an axis is rotational, along one translational, all else coupled."""
    double = "<LinearFunction><coefficients>2 0</coefficients></LinearFunction>"
    scaled = f"<MultiplierFunction><function>{LINE}</function><scale>1</scale></MultiplierFunction>"
    axes = custom({"rotation1": ("1 0 0", "a", LINE), "rotation2": ("0 1 0", "b", double),
                   "rotation3": ("0 0 1", "c", scaled),
                   "translation1": ("1 0 0", "d", LINE), "translation2": ("0 1 0", "e", SPLINE)})  # fmt: skip
    made = joint("CustomJoint", "j", "/ground", ONE, [coordinate(n) for n in "abcde"], axes)
    found = opened(model([body("one")], [made]), tmp_path)
    assert found.motion_types == {
        "a": "rotational",
        "b": "coupled",
        "c": "coupled",
        "d": "translational",
        "e": "coupled",
    }
    table = tmp_path / "run.mot"
    table.write_text("run\nversion=1\nnRows=2\nnColumns=6\ninDegrees=yes\nendheader\ntime\ta\tb\tc\td\te\n"
                     "0\t90\t1\t0.5\t0.25\t0.3\n1\t90\t1\t0.5\t0.25\t0.3\n")  # fmt: skip
    with pytest.warns(cd.CondyleWarning, match="degrees"):
        run = cd.load(table, model=found)
    assert_allclose(run.q[0], [0.5 * np.pi, 1, 0.5, 0.25, 0.3])


def test_moments_that_no_body_has_are_kept_as_opensim_does_and_told(tmp_path):
    """Oracle: the numbers of the file; "check" refuses them, "repair" takes the nearest."""
    text = two_pins().replace("0.3 0.35 0.4 0.02 -0.03 0.01", "0.0001 0.0002 0.001 0 0 0", 1)
    with pytest.warns(NotInModel, match=r"1 body \(one\)"):
        found = opened(text, tmp_path)
    assert_allclose(np.diag(found.bodies[0].inertia.moment), [0.0001, 0.0002, 0.001])
    with pytest.raises(cd.CondyleError, match="'one'"):
        opened(text, tmp_path, inertias="check")
    with pytest.warns(NotInModel, match="nearest"):
        repaired = np.diag(opened(text, tmp_path, inertias="repair").bodies[0].inertia.moment)
    assert repaired[0] + repaired[1] >= repaired[2] * (1 - 1e-12)
    with pytest.warns(NotInModel, match=r"1 body \(one\).*negative"):
        found = opened(text.replace("0.0001 0.0002 0.001", "-0.0001 0.0002 0.001"), tmp_path)
    assert_allclose(np.diag(found.bodies[0].inertia.moment), [-0.0001, 0.0002, 0.001])
    with pytest.raises(BadFile, match=r"one.*strict"):
        opened(text, tmp_path, strict=True)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("<gravity>0.1 -9.7 0.3", "<gravity>0,1 -9,7 0,3", "decimal points"),
        ("<gravity>0.1 -9.7 0.3", "<gravity>0.1 -9.7", "3 numbers"),
        ("<mass>", "<mass>x", "expected a number"),
        ("<range>-2.0 2.0", "<range>2.0 -2.0", "range"),
        ("<default_value>0.1</default_value>", "<default_value>3</default_value><clamped>true</clamped>", "outside"),
        ('Version="40000"', 'Version="new"', "Version"),
        ("<Model", "<Scale", "Model"),
        ("</BodySet>", "", "line 2"),
        ("<mass>", "<weight>", "XML"),
    ],
)
def test_files_that_make_no_sense_are_refused_with_their_line(old, new, words, tmp_path):
    """Oracle: the words; the file's name in each."""
    with pytest.raises(cd.CondyleError, match=words) as told:
        opened(two_pins().replace(old, new).replace("</Model", "</Scale" if new == "<Scale" else "</Model"), tmp_path)
    assert "ours.osim" in str(told.value)


def test_a_newer_version_is_opened_with_a_warning(tmp_path):
    """Oracle: the number."""
    with pytest.warns(cd.CondyleWarning, match="40700"):
        assert opened(two_pins().replace("40000", "40700"), tmp_path).nq == 2


def test_what_stands_in_other_files_or_is_not_known_is_told(tmp_path):
    """Oracle: the names in the warning."""
    extra = '<MarkerSet file="markers.xml"/><MuscleMap name="odd"/>'
    with pytest.warns(NotInModel, match=r"(?s)MuscleMap.*odd.*markers\.xml"):
        opened(two_pins(extra=extra), tmp_path)


def test_components_apart_from_sets_are_told(tmp_path):
    """Oracle: the names, of the model's own components and of those inside of a body."""
    with pytest.warns(NotInModel, match="drag"):
        opened(two_pins(extra='<components><DragForce name="drag"/></components>'), tmp_path)
    with pytest.warns(NotInModel, match="inside of another object"):
        opened(two_pins().replace("</inertia>", f"</inertia><components>{SPRINGS[0]}</components>", 1), tmp_path)


def test_a_model_with_prescribed_motion_can_be_sent_to_another_process(tmp_path):
    """Oracle: the same motion after pickling."""
    wave = "<prescribed_function><Sine/></prescribed_function><prescribed>true</prescribed>"
    found = opened(two_pins(wave), tmp_path)
    again = pickle.loads(pickle.dumps(found))
    assert_allclose(again.prescribed[0].at(0.3), found.prescribed[0].at(0.3))
    assert again.opensim.coordinates["hip"].prescribed


def test_a_file_without_the_outer_element_is_read_as_an_old_one(tmp_path):
    """Oracle: the version that OpenSim takes it for."""
    text = two_pins()
    inner = text[text.index("<Model") : text.index("</OpenSimDocument>")]
    assert opened(inner, tmp_path).opensim.version == 10500


def test_control_bounds_that_old_files_write_for_none_are_left_out(tmp_path):
    """Oracle: the versions; other bounds stay."""
    bounds = "<min_control>0</min_control><max_control>0.5</max_control>"
    text = two_pins(extra=in_set("ForceSet", f'<Thelen2003Muscle name="m">{bounds}</Thelen2003Muscle>'))
    with pytest.warns(NotInModel):
        old, new = (opened(text.replace("40000", v), tmp_path).opensim.muscles[0] for v in ("30500", "40000"))
    assert (old.get("min_control"), old.get("max_control"), new.get("min_control")) == (None, 0.5, 0.0)


def test_wraps_on_frames_are_placed_on_their_bodies(tmp_path):
    """Oracle: the product of both poses, by scipy."""
    text = two_pins().replace(
        '<PhysicalOffsetFrame name="c_offset">', f'<PhysicalOffsetFrame name="c_offset">{DRUM}', 1
    )
    (drum,) = opened(text, tmp_path).opensim.wraps
    expected = frame(*offsets(1)[1]) @ frame((1, 2, 3), (0.1, 0.2, 0.3))
    assert drum.body == "one"
    assert_allclose(drum.pose, expected, atol=1e-15)


def test_a_coordinate_may_be_called_as_another_joint(tmp_path):
    """Oracle: the coupling and the spring act on the coordinates of these names, not on those of the joints."""
    sets = in_set("ConstraintSet", coupler(LINE, "last", "base")) + in_set("ForceSet", SPRINGS[0])
    text = two_pins(names=("last", "base"), extra=sets.replace("<coordinate>knee", "<coordinate>base"))
    found = opened(text, tmp_path, couplers="constraint")
    assert found.coordinates == ("last", "base") and found.full_names == ("base_2.last", "last_2.base")
    (coupling,), (load,) = found.constraints, found.coordinate_forces
    assert (coupling.q, coupling.others, load.at.q) == (1, ((0, 0),), 1)
    assert found.motion_types[found.coordinates[0]] == "rotational"


def test_a_brief_note_has_the_first_names_only():
    """Oracle: the sentence, by hand; others stay as they are."""
    names = [f"m{k}" for k in range(20)]
    assert brief(f"20 muscles ({', '.join(names)}): no (real) force") == (
        f"20 muscles ({', '.join(names[:8])}, … 12 more): no (real) force"
    )
    assert brief("2 bodies (a, b): free") == "2 bodies (a, b): free" and brief("as it is") == "as it is"

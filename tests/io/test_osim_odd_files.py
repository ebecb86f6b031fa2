"""Files that OpenSim opens and nobody expects: the same model, or a word of what differs."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadFile, NotInModel
from support.osim_files import (
    ON_FRAME,
    POINT,
    SPRINGS,
    among_components,
    body,
    coordinate,
    custom,
    frames_on_frames,
    in_set,
    joint,
    model,
    odd_files,
    two_pins,
)
from support.osim_oracles import frame, opened

STEP = frame([0.1, -0.2, 0.3], [0.3, 0.2, -0.4])


@pytest.mark.parametrize("holder", ["components", "ComponentSet"])
def test_bodies_joints_and_forces_among_components_count(holder, tmp_path):
    """Oracle: the file with its bodies and forces in sets: names, and the spring's force −k (q − rest) − b v."""
    found = opened(among_components(holder), tmp_path)
    assert [b.name for b in found.bodies] == ["one", "two", "third"] and found.bodies[2].parent == 1
    assert_allclose(found.bodies[2].placement.as_matrix(), STEP @ STEP, atol=1e-15)
    assert found.coordinates == ("hip", "knee", "a", "b", "c")
    q, v = np.array([0.1, 0.4, 0, 0, 0]), np.array([0, 2.0, 0, 0, 0])
    loose = replace(found, forces=())
    pulled = cd.inverse_dynamics(found, q, v, 0 * v) - cd.inverse_dynamics(loose, q, v, 0 * v)
    assert_allclose(pulled, [0, 3 * (0.4 - 0.5) + 0.7 * 2.0, 0, 0, 0], atol=1e-12)


def test_frames_hang_on_frames_of_bodies_ground_and_frames(tmp_path):
    """Oracle: the products of the offsets of the file."""
    plain, found = opened(two_pins(), tmp_path), opened(frames_on_frames(), tmp_path)
    for before, after in zip(plain.bodies, found.bodies, strict=True):
        assert_allclose(after.placement.as_matrix(), STEP @ STEP @ before.placement.as_matrix(), atol=1e-15)
    assert_allclose(found.markers[0].at, (STEP @ STEP @ [0.1, 0, 0.2, 1])[:3], atol=1e-15)


def test_a_coordinate_that_is_called_as_another_joint_is_found_by_its_name(tmp_path):
    """Oracle: the defaults of the file; the joints give way."""
    found = opened(two_pins(names=("last", "base")), tmp_path)
    assert found.coordinates == ("last", "base")
    assert [found.neutral()[found.q_index(name)] for name in ("last", "base")] == [0.1, 0.2]


def test_markers_of_one_name_are_told_apart_as_in_opensim(tmp_path):
    """Oracle: the names that OpenSim gives them."""
    with pytest.warns(NotInModel, match="m_0, m_1"):
        found = opened(odd_files()["markers of one name"], tmp_path)
    assert [m.name for m in found.markers] == ["m", "m_0", "m_1"]


def test_moments_without_mass_do_not_count_and_are_told(tmp_path):
    """Oracle: OpenSim's mass matrix has none of them."""
    with pytest.warns(NotInModel, match="without mass"):
        found = opened(odd_files()["moments without mass"], tmp_path)
    assert found.bodies[0].inertia.mass == 0.0 and not found.bodies[0].inertia.moment.any()


def test_moments_in_the_words_of_old_files_are_told(tmp_path):
    """Oracle: the warning; OpenSim takes them for zero in a file of version 4."""
    text = two_pins().replace("<inertia>0.3 0.35 0.4 0.02 -0.03 0.01</inertia>", "<inertia_xx>0.3</inertia_xx>", 1)
    with pytest.warns(NotInModel, match="inertia_xx"):
        opened(text, tmp_path, inertias="repair")


@pytest.mark.parametrize("held", ["spring", "constraint"])
def test_points_are_in_the_axes_of_the_body_even_where_a_frame_is_named(held, tmp_path):
    """Oracle: the numbers of the file, which OpenSim takes in the axes of the body; told."""
    on_frame = POINT.replace("/bodyset/two", "/jointset/last/c_offset")
    extra = in_set("ForceSet", ON_FRAME) if held == "spring" else in_set("ConstraintSet", on_frame)
    with pytest.warns(NotInModel, match="axes of the body"):
        found = opened(two_pins(extra=extra), tmp_path)
    if held == "spring":
        assert_allclose(found.springs[0].point_b, [0, 0.2, 0])
    else:
        assert_allclose(found.constraints[0].frame_b[:3, 3], [0.4, 0.5, 0.6])


@pytest.mark.parametrize(("version", "acts"), [(30500, False), (40000, True)])
def test_is_disabled_counts_in_old_files_only(version, acts, tmp_path):
    """Oracle: OpenSim, which does not read it from version 30509 on."""
    off = SPRINGS[0].replace("<stiffness>", "<isDisabled>true</isDisabled><stiffness>")
    text = two_pins(extra=in_set("ForceSet", off)).replace('"40000"', f'"{version}"')
    assert opened(text, tmp_path).opensim.forces[0].acts == acts


def test_what_is_locked_and_prescribed_is_told(tmp_path):
    """Oracle: the warning; it moves as prescribed."""
    both = "<prescribed_function><Sine/></prescribed_function><prescribed>true</prescribed><locked>true</locked>"
    with pytest.warns(NotInModel, match="locked and prescribed"):
        found = opened(two_pins(both), tmp_path)
    assert_allclose(found.prescribed[0].at(0.3)[0], np.sin(0.3))


def test_a_line_that_says_no_slope_has_one_of_one_so_that_its_coordinate_turns(tmp_path):
    """Oracle: OpenSim's motion type, by which degrees in tables are converted."""
    still = custom({"rotation1": ("0 0 1", "a", "<LinearFunction/>"), "rotation2": ("0 1 0", "", "")})
    made = joint("CustomJoint", "j", "/ground", "/bodyset/one", [coordinate("a")], still)
    found = opened(model([body("one")], [made]), tmp_path)
    assert found.opensim.coordinates["a"].motion_type == "rotational"


def test_coordinates_of_one_name_are_told_apart_by_their_joints(tmp_path):
    """Oracle: the same file with two names of its own; a name means the first, a path its own."""
    pins = [joint("PinJoint", f"j{k}", parent, f"/bodyset/b{k}", [coordinate("angle", 0.1 * k)], seed=k)
            for k, parent in ((1, "/ground"), (2, "/bodyset/b1"))]  # fmt: skip
    spring = '<SpringGeneralizedForce name="s{0}"><{1}>{2}</{1}><stiffness>{0}</stiffness></SpringGeneralizedForce>'
    springs = spring.format(3, "coordinate", "angle") + spring.format(7, "socket_coordinate", "/jointset/j2/angle")
    text = model([body("b1", 1), body("b2", 2)], pins, f"<ForceSet><objects>{springs}</objects></ForceSet>")
    with pytest.warns(NotInModel, match="j2_angle"):
        found = opened(text, tmp_path)
    apart = text.replace('name="angle"><default_value>0.2', 'name="other"><default_value>0.2')
    plain = opened(apart.replace("/j2/angle", "/j2/other"), tmp_path)
    state = np.array([0.3, -0.4])
    for compute in (cd.mass_matrix, lambda m, q: cd.inverse_dynamics(m, q, [0.1, 0.2], [0.3, 0.4])):
        np.testing.assert_allclose(compute(found, state), compute(plain, state), rtol=0, atol=1e-15)
    assert found.nq == 2 and set(found.opensim.coordinates) == {"angle", "j2_angle"}
    with pytest.raises(BadFile, match=r"angle.*strict"):
        opened(text, tmp_path, strict=True)


def test_a_marker_is_a_station(tmp_path):
    """Oracle: the frame through four stations at the same places."""
    places = {"o": "0.1 0.2 0.3", "a": "0 0 0", "b": "1 0 0.2", "c": "0 1 0.1"}

    def text(holder, path, kind):
        points = "".join(
            f'<{kind} name="{n}"><socket_parent_frame>/bodyset/b</socket_parent_frame><location>{x}</location></{kind}>'
            for n, x in places.items()
        )
        sockets = "".join(
            f"<socket_{s}>{path}/{n}</socket_{s}>"
            for s, n in (("point_a", "a"), ("point_b", "b"), ("point_c", "c"), ("origin_point", "o"))
        )
        inside = f'<components><StationDefinedFrame name="f">{sockets}</StationDefinedFrame>{{}}</components>'
        inside = inside.format(points if holder is None else "")
        pin = (
            '<PinJoint name="j"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/b/f'
            f"</socket_child_frame><coordinates>{coordinate('q')}</coordinates></PinJoint>"
        )
        extra = "" if holder is None else f"<{holder}><objects>{points}</objects></{holder}>"
        return model([body("b", 1, inside)], [pin], extra)

    marked, stated = (
        opened(text(*c), tmp_path) for c in (("MarkerSet", "/markerset", "Marker"), (None, "/bodyset/b", "Station"))
    )
    poses = [cd.forward_kinematics(m, [0.4]).xyz for m in (marked, stated)]
    np.testing.assert_allclose(poses[0], poses[1], rtol=0, atol=1e-15)
    assert np.abs(poses[0]).max() > 0.1


def test_a_model_without_bodies_opens(tmp_path):
    """Oracle: it has no freedoms and no mass."""
    with pytest.warns(NotInModel, match="no bodies"):
        found = opened(model([], []), tmp_path)
    assert found.nv == 0 and sum(b.inertia.mass for b in found.bodies) == 0.0


def test_a_muscle_via_point_is_a_conditional_point(tmp_path):
    """Oracle: the file with the later name of the class."""
    point = '<{} name="{}"><socket_parent_frame>{}</socket_parent_frame><location>{}</location>{}</{}>'
    via = "<socket_coordinate>/jointset/j/q</socket_coordinate><range>-0.5 0.5</range>"
    lengths = []
    for kind in ("MuscleViaPoint", "ConditionalPathPoint"):
        points = [
            point.format("PathPoint", "p1", "/ground", "0 0 0", "", "PathPoint"),
            point.format(kind, "p2", "/bodyset/b", "0.3 0.1 0", via, kind),
            point.format("PathPoint", "p3", "/bodyset/b", "0.1 0.5 0", "", "PathPoint"),
        ]
        path = f"<GeometryPath><PathPointSet><objects>{''.join(points)}</objects></PathPointSet></GeometryPath>"
        muscle = (
            f'<Thelen2003Muscle name="m">{path}<max_isometric_force>100</max_isometric_force><optimal_fiber_length>0.1'
            "</optimal_fiber_length><tendon_slack_length>0.2</tendon_slack_length></Thelen2003Muscle>"
        )
        pin = joint("PinJoint", "j", "/ground", "/bodyset/b", [coordinate("q")], seed=3)
        found = opened(model([body("b", 1)], [pin], f"<ForceSet><objects>{muscle}</objects></ForceSet>"), tmp_path)
        lengths.append([cd.muscles.lengths(found, [q]) for q in (0.2, 0.8)])
    np.testing.assert_allclose(*lengths, rtol=0, atol=1e-15)

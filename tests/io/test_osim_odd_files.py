"""Files that OpenSim opens and nobody expects: the same model, or a word of what differs."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import NotInModel
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
    loose = replace(found, coordinate_loads=())
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

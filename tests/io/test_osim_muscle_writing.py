"""Muscles, paths and wraps written as .osim files: the same when read again."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import NotInModel
from condyle.io.opensim.writing.written_functions import written
from support.muscle_models import bodies, every_path, states
from support.osim_files import DRUM, MUSCLE, in_set, two_pins
from support.osim_oracles import opened

F = cd.functions
LAWS = {
    "thelen": {"max_isometric_force": 700.0, "pennation_angle_at_optimal": 0.2, "KshapeActive": 0.5},
    "millard": {"tendon_slack_length": 0.31, "active_minimum_value": 0.12, "tendon_strain_at_one_norm_force": 0.06},
    "de_groote_fregly": {"optimal_fiber_length": 0.12, "ignore_passive_fiber_force": 1.0},
    "path_spring": {"stiffness": 300.0, "resting_length": 0.2, "dissipation": 0.1},
    "blankevoort": {"linear_stiffness": 500.0, "slack_length": 0.2},
    "path_actuator": {"optimal_force": 30.0},
}


def again(model, tmp_path):
    """The model read from its file, and what was told of the file."""
    with pytest.warns(NotInModel) as told:
        found = cd.load(cd.save(model, tmp_path / "ours.osim"))
    return found, " ".join(str(w.message) for w in told)


@pytest.mark.slow
def test_paths_of_every_kind_and_what_they_wrap_over_come_back(tmp_path):
    """Oracle: lengths and moment arms of the model that was written; all are told to have no force."""
    model = every_path()
    found, told = again(model, tmp_path)
    q = states(6)
    assert [m.name for m in found.muscles] == [m.name.replace(" ", "_") for m in model.muscles]
    assert_allclose(cd.muscles.lengths(found, q), cd.muscles.lengths(model, q), atol=1e-12)
    assert_allclose(cd.muscles.moment_arms(found, q), cd.muscles.moment_arms(model, q), atol=1e-9)
    assert "without a force" in told and "turned off" in told and "range of a moving point of 'moving'" in told


def test_laws_come_back_with_their_constants(tmp_path):
    """Oracle: the constants that were given; flags, and those of Millard's curves, too."""
    b = bodies()
    for law, constants in LAWS.items():
        b.add_muscle(law, [(None, (-0.1, 0.05, 0)), ("arm", (0.2, 0.02, 0))], law=law, **constants)
    found, _ = again(b.build(), tmp_path)
    for muscle, (law, constants) in zip(found.muscles, LAWS.items(), strict=True):
        assert muscle.law == law and dict(muscle.constants) == constants


@pytest.mark.slow
@pytest.mark.parametrize("off", ["", "<appliesForce>false</appliesForce>"])
def test_a_muscle_of_a_file_comes_back_with_its_points_and_whether_it_is_on(off, tmp_path):
    """Oracle: the file that was read at first: a point on a frame, a conditional and a moving one, a wrap."""
    text = two_pins(extra=in_set("ForceSet", MUSCLE.replace('name="vas">', f'name="vas">{off}')))
    with pytest.warns(NotInModel):
        model = opened(text.replace("</inertia></Body>", f"</inertia>{DRUM}</Body>", 1), tmp_path)
    found, _ = again(model, tmp_path)
    q = np.array([[0.3, -0.4], [0.2, 0.9]])
    assert_allclose(cd.muscles.lengths(found, q), cd.muscles.lengths(model, q), atol=1e-12)
    (record,) = found.opensim.muscles
    assert record.kind == "Thelen2003Muscle" and record.applies == (not off)
    assert record.get("max_isometric_force") == 1234.5 and found.muscles[0].law == model.muscles[0].law


def test_what_a_file_says_beyond_the_law_comes_back_or_is_told(tmp_path):
    """Oracle: the properties and the clamped coordinate of the file that was read at first; a probe is named."""
    more = """<default_activation>0.07</default_activation><default_fiber_length>0.09</default_fiber_length>
<comment>left leg</comment><Probe name="heat"><rate>1</rate></Probe></Thelen2003Muscle>"""
    forces = in_set("ForceSet", MUSCLE.replace("</Thelen2003Muscle>", more))
    text = two_pins("<clamped>true</clamped><default_speed_value>0.5</default_speed_value>", extra=forces)
    with pytest.warns(NotInModel):
        model = opened(text.replace("</inertia></Body>", f"</inertia>{DRUM}</Body>", 1), tmp_path)
    found, told = again(model, tmp_path)
    (record,) = found.opensim.muscles
    assert [record.get(f"default_{x}") for x in ("activation", "fiber_length")] == [0.07, 0.09]
    assert record.get("comment") == "left leg" and "Probe of 'vas'" in told
    hip, knee = (found.opensim.coordinates[name] for name in ("hip", "knee"))
    assert hip.clamped and hip.default_speed == 0.5 and not knee.clamped


def test_a_muscle_with_a_point_that_opensim_cannot_have_is_left_out_by_name(tmp_path):
    """Oracle: its name in the warning; the other muscle is there."""
    b = bodies()
    place = (F.sinusoid(0.1, 2.0, 0.0, 0.0) + F.polynomial([0.0, 0.1, 0.2]), 0.0, 0.1)
    wave = cd.muscles.moving_point("arm", place, "arm")
    b.add_muscle("odd", [(None, (0, 0.2, 0)), wave]).add_muscle("even", [(None, (0, 0.2, 0)), ("arm", (0.2, 0, 0))])
    found, told = again(b.build(), tmp_path)
    assert [m.name for m in found.muscles] == ["even"] and "'odd'" in told


def test_a_spline_with_knots_close_together_is_told_by_its_values():
    """Oracle: the points of a spline whose knots are 0.0002 apart, as those of published muscles are."""
    from condyle.joints.functions.simm_spline import simm_spline

    x = np.array([-2.1, -1.0, -0.2, 0.0, 0.00017453, 0.00034907, 0.03, 0.2, 2.1])
    y = np.array([0.0234, 0.0249, 0.0228, 0.020984, 0.0209814, 0.0209788, 0.0205, 0.016, -0.067])
    found = written([simm_spline(x, y)])
    assert found is not None and found.element.startswith("<SimmSpline>") and repr(y[-1].item()) in found.element

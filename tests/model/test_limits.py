"""What a model knows of its coordinates, and ranges that hold."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadValue, NotSupported, UnknownName

BOB = cd.Inertia.point(2.0, (0, 0, -0.5)) + cd.Inertia.sphere(0.5, 0.1, com=(0, 0, -0.5))
MOMENT = 2.5 * 0.25 + 0.4 * 0.5 * 0.01  # about the hinge


def arm(**options):
    b = cd.ModelBuilder(**options)
    b.add_body("arm", joint=cd.joints.revolute("x"), inertia=BOB)
    return b.add_body("hand", "arm", cd.joints.ball(), BOB)


def test_what_is_said_of_a_coordinate_is_in_one_place():
    """Oracle: the numbers given; those of two dampers add."""
    b = arm().set_range("arm", -1, 2).set_limits("arm", velocity=3, effort=5, friction=0.1)
    model = b.add_damping("arm", 0.5).add_stiffness("arm", 1.0, damping=0.25).build()
    assert model.limits == {"arm": cd.model.Limits(-1.0, 2.0, 3.0, 5.0, 0.75, 0.1)}
    assert arm().build().limits == {"arm": cd.model.Limits()}
    assert model.with_gravity((0, 0, 0)).limits == model.limits


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda b: b.set_limits("arm", velocity=-1), BadValue, "'arm': velocity.*-1"),
        (lambda b: b.set_limits("arm", effort="big"), BadValue, "'arm': effort.*'big'"),
        (lambda b: b.set_limits("arm", friction=np.inf), BadValue, "'arm': friction must be finite"),
        (lambda b: b.set_limits("amr", effort=1), UnknownName, "'amr'.*'arm'"),
        (lambda b: b.set_limits("hand", effort=1), NotSupported, "'hand' is a quaternion"),
        (lambda b: cd.stiff_limits(b.build(), ["arm"]), BadValue, "'arm' has no range"),
        (lambda b: cd.stiff_limits(b.build(), ["hand"]), NotSupported, "'hand' is a quaternion"),
        (lambda b: cd.stiff_limits(b.build(), frequency=0), BadValue, "positive number.*0"),
    ],
)
def test_what_makes_no_sense_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call(arm())


def test_a_stiff_limit_has_its_frequency_and_is_critically_damped():
    """Oracle: k = I ω², c = 2 I ω of one hinge; an arm that is thrown against it stays there."""
    b = cd.ModelBuilder().add_body("arm", joint=cd.joints.revolute("x"), inertia=BOB).set_range("arm", -1, 0.3)
    model, rate = cd.stiff_limits(b.build(), frequency=15.0), 2 * np.pi * 15.0
    (load,) = model.coordinate_forces
    assert_allclose(load.constants, (-1, 0.3, MOMENT * rate**2, 2 * MOMENT * rate), rtol=1e-12)
    assert cd.stiff_limits(model) is model  # it has its limits
    run = cd.simulate(model, [0.0], [4.0], duration=0.3)
    beyond = run["arm"].max() - 0.3
    assert 0.0 < beyond < 4.0 / rate


def test_a_coordinate_meets_less_inertia_where_others_are_free():
    """Oracle: 1 / (M⁻¹)_kk of the mass matrix; nothing is met by a coordinate without inertia."""
    b = cd.ModelBuilder()
    b.add_body("arm", joint=cd.joints.revolute("x"), inertia=BOB)
    b.add_body("hand", "arm", cd.joints.revolute("x"), BOB, placement=np.eye(4) + 0.0)
    b.add_body("tip", "hand", cd.joints.revolute("y"), cd.Inertia.massless())
    for name in ("arm", "hand", "tip"):
        b.set_range(name, -1, 1)
    model = b.build()
    stiffness = [load.constants[2] for load in cd.stiff_limits(model, frequency=1.0 / (2 * np.pi)).coordinate_forces]
    inverse = np.linalg.inv(cd.mass_matrix(model, np.zeros(3))[:2, :2])
    assert_allclose(stiffness, [1 / inverse[0, 0], 1 / inverse[1, 1], 0.0], rtol=1e-9, atol=1e-12)

"""Derivatives against Pinocchio's: equal where a joint's axes are fixed, and who is right where they are not.

What Pinocchio says of itself is the judge: `pin.rnea` gives right forces for all its joints, so differences of it are
the derivatives. Version 4.1.0 of Pinocchio takes the columns of a joint as fixed in its child when it differentiates.
"""

import numpy as np
import pytest
from benchmarks.engines.description import tree
from numpy.testing import assert_allclose

pin = pytest.importorskip("pinocchio")
cd = pytest.importorskip("condyle")

from benchmarks.engines import in_condyle, in_pinocchio  # noqa: E402

pytestmark = pytest.mark.peers

TREES = [(1, True), (5, False), (12, True), (30, False), (60, True)]
BOX = (1.0, np.array([0.1, 0.05, 0.2]), np.diag([0.01, 0.02, 0.03]))
PLACE = (0.1, 0.2, 0.3)


@pytest.fixture(params=TREES, ids=lambda p: f"{p[0]} bodies{', floating' * p[1]}")
def scene(request):
    """A random tree of hinges, slides and balls in both engines, its state, and our matrices in Pinocchio's order."""
    count, floating = request.param
    rng, mechanism = np.random.default_rng(count), tree(("revolute", "prismatic", "ball"), count, count, floating)
    theirs, carriers = in_pinocchio.model(mechanism)
    q, v = mechanism.states(rng)
    x, wrenches = rng.normal(size=len(v)), rng.normal(size=(count, 6))

    def order(y):
        return in_pinocchio.velocities(mechanism, y)

    ours = in_condyle.model(mechanism), q, v, x, wrenches
    forces = in_pinocchio.forces(theirs, carriers, wrenches)
    state = in_pinocchio.coordinates(mechanism, q), order(v), order(x), forces
    return ours, (theirs, theirs.createData(), *state), lambda M: order(order(M).T).T


def close(got, expected):
    assert_allclose(got, expected, rtol=0, atol=1e-9 * max(1.0, np.abs(expected).max()))


def test_derivatives_of_forces_are_pinocchios(scene):
    """Oracle: pin.computeRNEADerivatives with external forces, for hinges, slides, balls and a floating base."""
    ours, theirs, order = scene
    found = cd.inverse_dynamics_derivatives(*ours)
    by_q, by_v, mass = pin.computeRNEADerivatives(*theirs)
    close(order(found.dq), by_q)
    close(order(found.dv), by_v)
    close(order(found.da), np.triu(mass) + np.triu(mass, 1).T)


def test_derivatives_of_accelerations_are_pinocchios(scene):
    """Oracle: pin.computeABADerivatives with external forces, for hinges, slides, balls and a floating base."""
    ours, theirs, order = scene
    found = cd.linearize(*ours)
    by_q, by_v, by_tau = pin.computeABADerivatives(*theirs)
    close(order(found.q), by_q)
    close(order(found.v), by_v)
    close(order(found.tau), np.triu(by_tau) + np.triu(by_tau, 1).T)


def universal():
    return pin.JointModelUniversal(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))


def composite():
    joint = pin.JointModelComposite()
    for part in (pin.JointModelRX(), pin.JointModelRY()):
        joint.addJoint(part, pin.SE3.Identity())
    return joint


def ellipsoid():
    return pin.JointModelEllipsoid(0.3, 0.2, 0.1)


def two_arms(*joints):
    """Two boxes in Pinocchio, each on joints one after the other."""
    model, joint = pin.Model(), 0
    for _ in range(2):
        place = pin.SE3(np.eye(3), np.array(PLACE))
        for make in joints:
            joint = model.addJoint(joint, make(), place, f"j{model.njoints}")
            place = pin.SE3.Identity()
        model.appendBodyToJoint(joint, pin.Inertia(*BOX), pin.SE3.Identity())
    return model


def state_of(model):
    """Random coordinates, velocities and accelerations of order one; all coordinates are ordinary."""
    return np.random.default_rng(5).normal(size=(3, model.nv))


def differences(model, h=1e-6):
    """∂τ/∂q and ∂τ/∂v from pin.rnea alone."""
    data, steps, (q, v, a) = model.createData(), h * np.eye(model.nv), state_of(model)
    by_q = [pin.rnea(model, data, q + e, v, a) - pin.rnea(model, data, q - e, v, a) for e in steps]
    by_v = [pin.rnea(model, data, q, v + e, a) - pin.rnea(model, data, q, v - e, a) for e in steps]
    return np.transpose(by_q) / (2 * h), np.transpose(by_v) / (2 * h)


def theirs_of(model):
    """∂τ/∂q and ∂τ/∂v as Pinocchio gives them; what it returns are views of its data."""
    data = model.createData()
    pin.computeRNEADerivatives(model, data, *state_of(model))
    return data.dtau_dq.copy(), data.dtau_dv.copy()


def largest_error(found, expected):
    return max(np.abs(x - y).max() / np.abs(y).max() for x, y in zip(found, expected, strict=True))


def test_universal_joints_have_the_derivatives_of_pinocchios_own_forces():
    """Oracle: differences of pin.rnea on a universal joint, and Pinocchio's derivatives of two hinges that are one."""
    b = cd.ModelBuilder()
    for i in range(2):
        place = cd.SE3.from_translation(PLACE)
        b.add_body(f"b{i}", f"b{i - 1}" if i else None, cd.joints.universal("x", "y"), cd.Inertia(*BOX), place)
    found = cd.inverse_dynamics_derivatives(b.build(), *state_of(b.build()))
    for joint in (universal, composite):
        assert largest_error(found[:2], differences(two_arms(joint))) < 1e-7
    split = two_arms(pin.JointModelRX, pin.JointModelRY)
    assert largest_error(found[:2], theirs_of(split)) < 1e-12


@pytest.mark.parametrize("joint", [universal, composite, pin.JointModelSphericalZYX, ellipsoid])
def test_pinocchios_derivatives_of_such_joints_are_not_those_of_its_forces(joint):
    """Oracle: differences of pin.rnea. If this fails, Pinocchio has been mended: say so on the page *Derivatives*."""
    model = two_arms(joint)
    assert largest_error(theirs_of(model), differences(model)) > 0.1

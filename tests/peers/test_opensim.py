"""A knee as OpenSim's CustomJoint, six functions of one coordinate, is one condyle joint."""

import numpy as np
import pytest

import condyle as cd

osim = pytest.importorskip("opensim")
pytestmark = pytest.mark.peers

TURNS = (np.array([1.0, 0.3]), np.array([0.2, -0.1, 0.05]), np.array([0.1, 0.2, 0.0]))  # powers, highest first
SLIDES = (np.array([0.02, 0.01, 0.0]), np.array([-0.01, 0.03, -0.4]), np.array([0.005, 0.0, 0.01]))
AXES = np.eye(3)
MASSES = ((6.0, (0.0, -0.2, 0.01), (0.11, 0.02, 0.12)), (3.0, (0.01, -0.19, 0.0), (0.05, 0.01, 0.06)))


def osim_function(powers):
    """A polynomial in OpenSim's form."""
    vector = osim.Vector(len(powers), 0.0)
    for k, c in enumerate(powers):
        vector.set(k, float(c))
    return osim.PolynomialFunction(vector)


def osim_body(name, mass, com, moments):
    return osim.Body(name, mass, osim.Vec3(*com), osim.Inertia(*moments, 0, 0, 0))


ONE_TURN = (TURNS[0], np.zeros(2), np.zeros(2))


def osim_leg(turns):
    """A thigh on a pin about z and a shank on a custom joint, y up."""
    model = osim.Model()
    model.setGravity(osim.Vec3(0, -9.81, 0))
    thigh, shank = (osim_body(n, *m) for n, m in zip(("thigh", "shank"), MASSES, strict=True))
    zero = osim.Vec3(0)
    hip = osim.PinJoint("hip", model.getGround(), zero, zero, thigh, zero, zero)
    transform = osim.SpatialTransform()
    parts = (transform.upd_rotation1, transform.upd_rotation2, transform.upd_rotation3)
    slides = (transform.upd_translation1, transform.upd_translation2, transform.upd_translation3)
    for part, powers, axis in zip((*parts, *slides), (*turns, *SLIDES), (*AXES, *AXES), strict=True):
        part().setCoordinateNames(osim.ArrayStr("knee_angle", 1))
        part().set_function(osim_function(powers))
        part().setAxis(osim.Vec3(*axis))
    knee = osim.CustomJoint("knee", thigh, zero, zero, shank, zero, zero, transform)
    for thing in (thigh, shank):
        model.addBody(thing)
    for thing in (hip, knee):
        model.addJoint(thing)
    model.finalizeConnections()
    return model


def condyle_leg(turns):
    """The same, in condyle's one joint form."""
    twists = [(0, 0, 0, *axis) for axis in AXES] + [(*axis, 0, 0, 0) for axis in AXES]
    functions = [cd.functions.polynomial(powers[::-1]) for powers in (*SLIDES, *turns)]
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body("thigh", joint=cd.joints.revolute("z"), inertia=cd.Inertia(*MASSES[0]))
    b.add_body("shank", parent="thigh", joint=cd.joints.product(twists, functions), inertia=cd.Inertia(*MASSES[1]))
    return b.build()


def put(peer, state, q, v):
    """Set the state of the peer and realize it."""
    for k in range(2):
        state.updQ().set(k, float(q[k]))
        state.updU().set(k, float(v[k]))
    peer.realizeAcceleration(state)


def shank_velocity(peer, state, q, v):
    """[ω; v] of the shank's origin in the ground, by OpenSim."""
    put(peer, state, q, v)
    twist = peer.getBodySet().get(1).getVelocityInGround(state)
    return np.array([twist.get(i).get(j) for i in range(2) for j in range(3)])


def test_a_knee_that_turns_and_glides_accelerates_as_opensim_says():
    """Oracle: Simbody's function-based mobilizer, through OpenSim."""
    peer, model = osim_leg(ONE_TURN), condyle_leg(ONE_TURN)
    state = peer.initSystem()
    rng = np.random.default_rng(0)
    for _ in range(10):
        q, v = rng.normal(size=2), rng.normal(size=2)
        put(peer, state, q, v)
        expected = [state.getUDot().get(k) for k in range(2)]
        np.testing.assert_allclose(cd.forward_dynamics(model, q, v), expected, rtol=1e-9, atol=1e-9)


def test_three_coupled_turns_move_as_opensim_says():
    """Oracle: OpenSim's velocities, and their differences in time along condyle's accelerations.

    OpenSim's own accelerations are no oracle here: with several turns of one coordinate, its angular acceleration is
    not the derivative of its angular velocity (off by 8e-4 of it, OpenSim 4.6).
    """
    peer, model = osim_leg(TURNS), condyle_leg(TURNS)
    state = peer.initSystem()
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, v = rng.normal(size=2), rng.normal(size=2)
        a, h = cd.forward_dynamics(model, q, v), 1e-5
        R = cd.forward_kinematics(model, q)[1].as_rotation()
        w, u = cd.body_velocities(model, q, v)[1].reshape(2, 3)
        dw, du = cd.body_accelerations(model, q, v, a)[1].reshape(2, 3)
        np.testing.assert_allclose(np.concatenate([R @ w, R @ u]), shank_velocity(peer, state, q, v), atol=1e-12)
        ahead, behind = (shank_velocity(peer, state, q + s * v + s * s / 2 * a, v + s * a) for s in (h, -h))
        world = np.concatenate([R @ dw, R @ (du + np.cross(w, u))])
        np.testing.assert_allclose(world, (ahead - behind) / (2 * h), rtol=1e-6, atol=1e-6)

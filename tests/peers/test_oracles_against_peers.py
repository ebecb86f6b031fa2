"""The oracle Lagrangian against Pinocchio and MuJoCo: three codes without a common line (condyle is not among them)."""

import numpy as np
import pytest
from benchmarks.engines.description import tree
from numpy.testing import assert_allclose

from oracles import definitions as d
from oracles import lagrangian

pin = pytest.importorskip("pinocchio")
mujoco = pytest.importorskip("mujoco")

from benchmarks.engines import in_mujoco, in_pinocchio  # noqa: E402

pytestmark = pytest.mark.peers

KINDS = ("revolute", "prismatic", "universal", "ball")


def oracle_joint(part):
    if part.kind in ("ball", "free"):
        return getattr(lagrangian, part.kind)
    if part.kind == "prismatic":
        return lagrangian.joint(d.screws(np.append(np.zeros(3), part.axes)), 1)
    return lagrangian.joint(d.screws(*map(d.screw, part.axes)), len(part.axes))


def oracle_tree(mechanism):
    bodies = [lagrangian.Body(p.parent, oracle_joint(p), p.mass, p.com, p.moment, p.placement) for p in mechanism.parts]
    return lagrangian.Tree(tuple(bodies))


@pytest.fixture(params=[(1, False), (3, True), (8, True), (12, False)], ids=str)
def scene(request):
    count, floating = request.param
    rng = np.random.default_rng(count)
    mechanism = tree(KINDS, count, seed=count, floating=floating)
    q, v = mechanism.states(rng)
    return mechanism, oracle_tree(mechanism), q, v, rng.normal(size=len(v)), rng.normal(size=(count, 6))


def close(got, expected):
    assert_allclose(got, expected, atol=1e-11 * max(1.0, np.abs(expected).max()))


def test_lagrangian_and_pinocchio_agree(scene):
    """Oracle: pin.aba and pin.computeCentroidalMomentum."""
    mechanism, ours, q, v, tau, wrenches = scene
    model, carriers = in_pinocchio.model(mechanism)
    data, order = model.createData(), lambda x: in_pinocchio.velocities(mechanism, x)
    pq, forces = in_pinocchio.coordinates(mechanism, q), in_pinocchio.forces(model, carriers, wrenches)
    close(ours.forward(q, v, tau, wrenches), order(pin.aba(model, data, pq, order(v), order(tau), forces)))
    momentum = pin.computeCentroidalMomentum(model, data, pq, order(v))
    close(np.array(ours.momentum(q, v)), np.array([momentum.linear, momentum.angular]))


def test_lagrangian_and_mujoco_agree(scene):
    """Oracle: mj_forward and the energies."""
    mechanism, ours, q, v, tau, _ = scene
    model = in_mujoco.model(mechanism)
    data, B = mujoco.MjData(model), in_mujoco.velocity_map(mechanism, q)
    data.qpos, data.qvel = in_mujoco.coordinates(mechanism, q), np.linalg.solve(B, v)
    data.qfrc_applied = B.T @ tau
    mujoco.mj_forward(model, data)
    close(in_mujoco.accelerations(mechanism, q, v, ours.forward(q, v, tau)), data.qacc)
    close(B.T @ ours.mass_matrix(q) @ B, in_mujoco.mass_matrix(model, data))
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    close(np.array(ours.energy(q, v)[1::-1]), data.energy)

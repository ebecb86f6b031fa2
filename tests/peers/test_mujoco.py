"""condyle against MuJoCo, contacts off, on random trees of the joints both have."""

from dataclasses import replace

import numpy as np
import pytest
from benchmarks.engines.description import tree
from numpy.testing import assert_allclose

mujoco = pytest.importorskip("mujoco")
cd = pytest.importorskip("condyle")

from benchmarks.engines import in_condyle, in_mujoco  # noqa: E402

pytestmark = pytest.mark.peers

KINDS = ("revolute", "prismatic", "universal", "ball")
TREES = [(1, False), (2, False), (5, True), (12, False), (30, True), (100, False), (100, True)]


class Scene:
    """One random tree in both engines, with a random state in both layouts."""

    def __init__(self, count, floating):
        rng = np.random.default_rng(count)
        self.mechanism = tree(KINDS, count, seed=count, floating=floating)
        self.ours, self.theirs = in_condyle.model(self.mechanism), in_mujoco.model(self.mechanism)
        self.data = mujoco.MjData(self.theirs)
        self.q, self.v = self.mechanism.states(rng)
        self.tau = rng.normal(size=len(self.v))
        self.B = in_mujoco.velocity_map(self.mechanism, self.q)
        self.data.qpos = in_mujoco.coordinates(self.mechanism, self.q)
        self.data.qvel = np.linalg.solve(self.B, self.v)
        self.data.qfrc_applied = self.B.T @ self.tau
        mujoco.mj_forward(self.theirs, self.data)

    def accelerations(self, a):
        return in_mujoco.accelerations(self.mechanism, self.q, self.v, a)


@pytest.fixture(params=TREES, ids=lambda p: f"{p[0]} bodies{', floating' * p[1]}")
def scene(request):
    return Scene(*request.param)


def close(got, expected):
    assert_allclose(got, expected, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(expected).max()))


def test_forward_dynamics_is_mujocos(scene):
    """Oracle: mj_forward."""
    close(scene.accelerations(cd.forward_dynamics(scene.ours, scene.q, scene.v, scene.tau)), scene.data.qacc)


def test_inverse_dynamics_is_mujocos(scene):
    """Oracle: mj_inverse at MuJoCo's own accelerations returns the forces applied; ours must too."""
    a = cd.forward_dynamics(scene.ours, scene.q, scene.v, scene.tau)
    scene.data.qacc = scene.accelerations(a + 1.0)
    mujoco.mj_inverse(scene.theirs, scene.data)
    tau = cd.inverse_dynamics(scene.ours, scene.q, scene.v, a + 1.0)
    close(scene.B.T @ tau, scene.data.qfrc_inverse)


def test_mass_matrix_is_mujocos(scene):
    """Oracle: mj_mulM on unit vectors."""
    expected = in_mujoco.mass_matrix(scene.theirs, scene.data)
    close(scene.B.T @ cd.mass_matrix(scene.ours, scene.q) @ scene.B, expected)


def test_poses_are_mujocos(scene):
    """Oracle: mj_kinematics."""
    T = cd.forward_kinematics(scene.ours, scene.q).as_matrix()
    close(T[:, :3, 3], scene.data.xpos[1:])
    close(T[:, :3, :3].reshape(-1, 9), scene.data.xmat[1:])


def test_energy_is_mujocos(scene):
    """Oracle: mj_energyVel and mj_energyPos."""
    mujoco.mj_energyPos(scene.theirs, scene.data)
    mujoco.mj_energyVel(scene.theirs, scene.data)
    potential, kinetic = scene.data.energy
    close(np.array(cd.energy(scene.ours, scene.q, scene.v)[:2]), np.array([kinetic, potential]))


def test_momentum_is_mujocos(scene):
    """Oracle: mj_subtreeVel, momentum of the whole."""
    mujoco.mj_subtreeVel(scene.theirs, scene.data)
    linear, angular = cd.momentum(scene.ours, scene.q, scene.v)
    close(linear, scene.data.subtree_linvel[0] * scene.theirs.body_subtreemass[0])
    close(angular, scene.data.subtree_angmom[0])


def test_the_skeletons_long_chain_is_the_same_chain():
    """Oracle: mj_forward on the chain that the cost of skeletons is measured with, at rest under gravity and a push."""
    from benchmarks.rows.skeleton import hinge_chain, hinge_chain_in_mujoco

    chain = hinge_chain(7)
    still = replace(chain.initial, velocities=0 * chain.initial.velocities, angular_velocities=np.zeros((7, 3)))
    theirs = hinge_chain_in_mujoco(chain)
    data = mujoco.MjData(theirs)
    data.xfrc_applied[4, :3] = (1.0, 2.0, 3.0)
    mujoco.mj_forward(theirs, data)
    found = chain.accelerations(still, forces={"body3": (1.0, 2.0, 3.0)})
    assert found.linear[0] == pytest.approx(data.qacc[:3], abs=1e-10)
    assert found.angular[0] == pytest.approx(data.qacc[3:6], abs=1e-9)

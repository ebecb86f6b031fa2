"""condyle against Pinocchio on random trees of the joints both have."""

import numpy as np
import pytest
from benchmarks.engines.description import tree
from numpy.testing import assert_allclose

pin = pytest.importorskip("pinocchio")
cd = pytest.importorskip("condyle")

from benchmarks.engines import in_condyle, in_pinocchio  # noqa: E402

pytestmark = pytest.mark.peers

KINDS = ("revolute", "prismatic", "universal", "ball")
TREES = [(1, False), (2, False), (5, True), (12, False), (30, True), (100, False), (100, True)]


class Scene:
    """One random tree in both engines, with a random state in both layouts."""

    def __init__(self, count, floating):
        rng = np.random.default_rng(count)
        self.mechanism = tree(KINDS, count, seed=count, floating=floating)
        self.ours = in_condyle.model(self.mechanism)
        self.theirs, self.carriers = in_pinocchio.model(self.mechanism)
        self.data = self.theirs.createData()
        self.q, self.v = self.mechanism.states(rng)
        self.x, self.tau = rng.normal(size=(2, len(self.v)))
        self.wrenches = rng.normal(size=(count, 6))
        self.pq = in_pinocchio.coordinates(self.mechanism, self.q)
        self.pv = self.order(self.v)
        self.forces = in_pinocchio.forces(self.theirs, self.carriers, self.wrenches)

    def order(self, v):
        return in_pinocchio.velocities(self.mechanism, v)


@pytest.fixture(params=TREES, ids=lambda p: f"{p[0]} bodies{', floating' * p[1]}")
def scene(request):
    return Scene(*request.param)


def close(got, expected):
    assert_allclose(got, expected, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(expected).max()))


def test_forward_dynamics_is_pinocchios(scene):
    """Oracle: pin.aba with external forces."""
    expected = pin.aba(scene.theirs, scene.data, scene.pq, scene.pv, scene.order(scene.tau), scene.forces)
    close(cd.forward_dynamics(scene.ours, scene.q, scene.v, scene.tau, scene.wrenches), scene.order(expected))


def test_inverse_dynamics_is_pinocchios(scene):
    """Oracle: pin.rnea with external forces."""
    expected = pin.rnea(scene.theirs, scene.data, scene.pq, scene.pv, scene.order(scene.x), scene.forces)
    close(cd.inverse_dynamics(scene.ours, scene.q, scene.v, scene.x, scene.wrenches), scene.order(expected))


def test_mass_matrix_is_pinocchios(scene):
    """Oracle: pin.crba, upper triangle mirrored."""
    upper = np.triu(pin.crba(scene.theirs, scene.data, scene.pq))
    full = upper + np.triu(upper, 1).T
    close(cd.mass_matrix(scene.ours, scene.q), scene.order(scene.order(full).T).T)


def test_poses_are_pinocchios(scene):
    """Oracle: pin.forwardKinematics."""
    pin.forwardKinematics(scene.theirs, scene.data, scene.pq)
    expected = np.array([scene.data.oMi[j].homogeneous for j in scene.carriers])
    close(cd.forward_kinematics(scene.ours, scene.q).as_matrix(), expected)


def test_energy_is_pinocchios(scene):
    """Oracle: pin.computeKineticEnergy and computePotentialEnergy."""
    kinetic = pin.computeKineticEnergy(scene.theirs, scene.data, scene.pq, scene.pv)
    potential = pin.computePotentialEnergy(scene.theirs, scene.data, scene.pq)
    close(np.array(cd.energy(scene.ours, scene.q, scene.v)), np.array([kinetic, potential, kinetic + potential]))


def test_momentum_is_pinocchios(scene):
    """Oracle: pin.computeCentroidalMomentum."""
    expected = pin.computeCentroidalMomentum(scene.theirs, scene.data, scene.pq, scene.pv)
    linear, angular = cd.momentum(scene.ours, scene.q, scene.v)
    close(linear, expected.linear)
    close(angular, expected.angular)

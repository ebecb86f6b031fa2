"""Armature: inertia of rotors on the diagonal of the mass matrix, in all that computes with it.

Oracle: the model without armature, whose mass matrix M and bias c are tested elsewhere, and algebra: (M + D) a + c.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import condyle as cd
from condyle.errors import BadValue, NotSupported

SPINS = {"hip": 0.7, "swivel": 0.2, "rail": 1.5, "last": 0.04}


def machine(armed=True, coupled=False):
    """A hinge, a ball, a slider and a universal joint, with springs; `coupled`: the slider follows the hinge."""
    b = cd.ModelBuilder(gravity=(0.5, 0.0, -9.81))
    rod = cd.Inertia.box(1.5, (0.1, 0.2, 0.5), com=(0.05, 0.02, -0.2))
    b.add_body("hip", joint=cd.joints.revolute("y"), inertia=rod)
    b.add_body("swivel", "hip", cd.joints.ball(), rod, placement=cd.SE3.from_translation((0, 0, -0.5)))
    b.add_body("rail", "hip", cd.joints.prismatic("x"), rod, placement=cd.SE3.from_translation((0, 0.2, -0.5)))
    b.add_body("tip", "swivel", cd.joints.universal("x", "z"), rod, placement=cd.SE3.from_translation((0, 0, -0.4)))
    b.add_damping("hip", 0.3).add_stiffness("rail", 20.0, 0.1)
    last = b.build().coordinates[-1]
    for name, value in SPINS.items() if armed else ():
        if not (coupled and name == "rail"):
            b.set_armature(last if name == "last" else name, value)
    if coupled:
        b.add_coupler("rail", "hip", ratio=0.4, offset=0.1)
    return b.build()


def states(model, count):
    rng = np.random.default_rng(4)
    q = np.array([cd.integrate(model, model.neutral(), 0.5 * rng.normal(size=model.nv)) for _ in range(count)])
    return q, rng.normal(size=(count, model.nv)), rng.normal(size=(count, model.nv))


LANES_OF_FOLLOWERS = pytest.param(True, 5, id="lanes-follower", marks=pytest.mark.slow)  # compiled long


@pytest.mark.parametrize(
    ("coupled", "count"),
    [
        pytest.param(False, 1, id="one-tree"),
        pytest.param(True, 1, id="one-follower"),
        pytest.param(False, 5, id="lanes-tree"),
        LANES_OF_FOLLOWERS,
    ],
)
def test_mass_forces_and_accelerations(coupled, count):
    """Oracle: algebra with M and c of the model without armature."""
    model, bare = machine(coupled=coupled), machine(False, coupled)
    D = np.diag(model.armature)
    assert sorted(model.armature[model.armature > 0]) == sorted([0.7, 0.2, 0.2, 0.2, 0.04] + ([] if coupled else [1.5]))
    q, v, a = (x[0] if count == 1 else x for x in states(model, count))
    M, c = cd.mass_matrix(bare, q) + D, cd.inverse_dynamics(bare, q, v, np.zeros_like(v))
    assert_allclose(cd.mass_matrix(model, q), M, atol=1e-13)
    tau = np.einsum("...ij,...j->...i", M, a) + c
    assert_allclose(cd.inverse_dynamics(model, q, v, a), tau, atol=1e-11)
    assert_allclose(cd.forward_dynamics(model, q, v, tau), a, atol=1e-11)
    kinetic = 0.5 * np.einsum("...i,...ij,...j->...", v, M, v)
    assert_allclose(cd.energy(model, q, v).kinetic, kinetic, rtol=1e-13)
    assert_allclose(cd.energy(model, q, v).potential, cd.energy(bare, q, v).potential, rtol=1e-13)


def test_a_body_without_inertia_moves_if_it_has_armature():
    """Oracle: torque over inertia."""
    b = cd.ModelBuilder().add_body("dial", joint=cd.joints.revolute("z"), inertia=cd.Inertia.massless())
    model = b.set_armature("dial", 0.5).build()
    assert_allclose(cd.forward_dynamics(model, [0.3], [1.0], [2.0]), [4.0], rtol=1e-14)


def test_it_is_kept_in_files_and_limits(tmp_path):
    """Oracle: the numbers."""
    model = machine()
    again = cd.load(cd.save(model, tmp_path / "m.toml"))
    assert (again.armature == model.armature).all() and again.limits["hip"].armature == 0.7
    b = cd.ModelBuilder().add_body("a", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(1.0, (1, 0, 0)))
    b.set_armature("a", 0.25).set_limits("a", effort=3.0)
    assert (b.build().limits["a"].armature, b.build().limits["a"].effort) == (0.25, 3.0)


def test_what_cannot_have_it_is_named():
    """Oracle: the words."""
    rod = cd.Inertia.box(1.0, (0.1, 0.2, 0.3))
    b = cd.ModelBuilder().add_body("base", joint=cd.joints.free(), inertia=rod)
    with pytest.raises(NotSupported, match="armature of 'base': a free joint has none"):
        b.set_armature("base", 1.0)
    b.add_body("arm", "base", cd.joints.revolute("x"), rod).add_body("dial", "arm", cd.joints.revolute("x"), rod)
    with pytest.raises(BadValue, match="armature must be a number that is not negative"):
        b.set_armature("arm", -1.0)
    b.set_armature("dial", 0.1).add_constraint(cd.constraints.couple("dial", "arm", ratio=2.0))
    assert any("because its coordinate has armature" in note for note in b.build().folded().notes)
    with pytest.raises(NotSupported, match=r"a skeleton has no armature.*dial"):
        cd.skeleton.from_model(b.build())
    with pytest.raises(NotSupported, match="armature of ball joints"):
        cd.simulate(machine(), machine().neutral(), duration=0.01, step=1e-3, integrator="variational")


@pytest.mark.slow
def test_derivatives_know_it():
    """Oracle: central differences of forward dynamics; inverse of the mass matrix; the power's gradient by a."""
    model = machine()
    q, v, a = (x[0] for x in states(model, 1))
    tau, h = 0.3 * a, 1e-6
    found = cd.linearize(model, q, v, tau)
    for k, e in enumerate(np.eye(model.nv)):
        ahead, back = (cd.integrate(model, q, s * h * e) for s in (1, -1))
        slope = (cd.forward_dynamics(model, ahead, v, tau) - cd.forward_dynamics(model, back, v, tau)) / (2 * h)
        assert_allclose(found[0][:, k], slope, atol=1e-6)
    assert_allclose(found[2], np.linalg.inv(cd.mass_matrix(model, q)), atol=1e-11)


@pytest.mark.slow
def test_variational_steps_keep_energy_with_it():
    """Oracle: the energy that is kept, and a fine Runge-Kutta run; the error falls fourfold when the step is halved."""
    b = cd.ModelBuilder()
    rod = cd.Inertia.box(1.0, (0.05, 0.05, 0.5), com=(0, 0, -0.25))
    b.add_body("a", joint=cd.joints.revolute("y"), inertia=rod)
    b.add_body("b", "a", cd.joints.universal("x", "y"), rod, placement=cd.SE3.from_translation((0, 0, -0.5)))
    model = b.set_armature("a", 0.3).build()
    start = (np.array([0.8, 0.5, -0.4]), np.array([0.1, 1.0, -2.0]))
    exact = cd.simulate(model, *start, duration=1.0, step=2e-4, integrator="rk4", record=1.0).q[-1]
    errors = []
    for step in (4e-3, 2e-3):
        run = cd.simulate(model, *start, duration=1.0, step=step, integrator="variational", record=0.1)
        errors.append(np.abs(run.q[-1] - exact).max())
        assert np.ptp(run.energy().total) < 2e-3
    assert 3.5 < errors[0] / errors[1] < 4.5

"""The closed tensor form and dynamics in animation space."""

import numpy as np
import pytest

import condyle as cd
from condyle.gallery import planar_chain
from twins.trees import twin

C = cd.control
TREES = {
    "revolute": (("revolute", -1), ("revolute", 0), ("revolute", 1)),
    "ball and splines": (("revolute", -1), ("ball", 0), ("spline_curve", 1), ("spline_surface", 1)),
    "mixed": (("universal", -1), ("spline_curve", 0), ("elliptic", 1), ("helical", 0)),
}


@pytest.mark.parametrize("kind", TREES)
def test_the_tensor_form_is_inverse_dynamics(kind):
    """Oracle: Lagrange's equations from poses alone, and the recursive engine.  [eqs. 26-29 corrected]"""
    rng = np.random.default_rng(7)
    made = twin(TREES[kind], rng)
    q, v = made.state(rng)
    a = rng.normal(size=made.model.nv)
    form = C.tensor_form(made.model, q)
    tau = form.inverse(v, a)
    scale = np.abs(tau).max()
    assert tau == pytest.approx(made.tree.inverse(q, v, a), abs=1e-10 * scale)
    assert tau == pytest.approx(cd.inverse_dynamics(made.model, q, v, a), abs=1e-10 * scale)
    assert form.inertia == pytest.approx(cd.mass_matrix(made.model, q), abs=1e-10 * scale)
    assert form.forward(v, tau) == pytest.approx(a, abs=1e-8)


def test_velocity_forces_of_a_tumbling_tree_are_lagranges():
    """Oracle: Lagrange's equations; without the third term of (29), s · (ω × II ω), this fails."""
    rng = np.random.default_rng(8)
    made = twin(TREES["ball and splines"], rng)
    q, v = made.state(rng)
    assert C.tensor_form(made.model, q).velocity_forces(v) == pytest.approx(made.tree.bias(q, v), rel=1e-9, abs=1e-9)


@pytest.fixture(scope="module")
def square():
    tip = C.point("link3", (1, 0, 0), axes="xy", name="tip")
    return C.AnimationSpace(planar_chain(masses=(1.0, 2.0, 0.5)), [tip, C.joint("link3")])


Q, V, X = np.array([0.4, 0.7, 0.5]), np.array([0.3, -1.1, 0.8]), np.array([0.6, -0.4, 1.5])


def test_dynamics_in_animation_space_is_that_of_joints(square):
    """Oracle: virtual work, Gᵀ τ_u = τ with τ from the recursive engine; equal kinetic energy.  [eqs. 34-38]"""
    form, u_rate = C.animation_form(square, Q), square.rate(Q, V)
    tau_u = form.forces(u_rate, X)
    a = C.resolve_acceleration(square, Q, V, X).motion
    tau = cd.inverse_dynamics(square.model, Q, V, a)
    assert square.gradient(Q).T @ tau_u == pytest.approx(tau, abs=1e-10)
    assert C.animation_forces(square, Q, V, X) == pytest.approx(tau_u, abs=1e-10)
    assert u_rate @ form.inertia @ u_rate == pytest.approx(2 * cd.energy(square.model, Q, V).kinetic, abs=1e-10)
    assert C.effective_inertia(square, Q) == pytest.approx(form.inertia, abs=1e-10)


def test_reactions_are_what_joint_forces_leave_over(square):
    """Oracle: forward dynamics with the reaction applied as a world force at the tip gives the asked motion."""
    tau = np.array([3.0, -2.0, 1.0])
    r = C.reactions(square, Q, V, X, tau)
    force = cd.world_force(square.model, Q, "link3", (*r[:2], 0.0), point=(1, 0, 0))
    a = cd.forward_dynamics(square.model, Q, V, tau + np.array([0, 0, r[2]]), force)
    assert square.gradient(Q) @ a + square.bias(Q, V) == pytest.approx(X, abs=1e-10)
    assert C.reactions(square, Q, V, X) == pytest.approx(C.animation_forces(square, Q, V, X), abs=1e-12)


def test_too_few_coordinates_for_dynamics_get_words(square):
    """Oracle: the words."""
    few = C.AnimationSpace(square.model, [C.joint("link1")])
    with pytest.raises(cd.CondyleError, match=r"needs as many coordinates as freedoms \(3\).*coordinates = 1"):
        C.animation_form(few, Q)


@pytest.fixture(scope="module")
def loaded():
    """Three links with a spring between points, a damper, a rotary spring, a limit and a constant force."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    turn, at = cd.joints.revolute("z"), 0.0
    for i, length in enumerate((0.5, 0.4, 0.3)):
        name, parent = f"link{i + 1}", f"link{i}" if i else None
        inertia = cd.Inertia.point(1.0, (length, 0, 0))
        place = cd.SE3.from_translation((at, 0, 0))
        b.add_body(name, parent=parent, joint=turn, inertia=inertia, placement=place)
        at = length
    b.add_spring(None, (0.3, 0.8, 0), "link3", (0.3, 0, 0), stiffness=70.0, length=0.2, damping=3.0)
    b.add_damping("link1", 4.0).add_stiffness("link2", 25.0, rest=0.4).add_constant_force("link3", 2.0)
    b.add_limit("link2", -0.2, 0.5, stiffness=300.0, damping=2.0)
    return b.build()


def test_closed_forms_carry_every_load(loaded):
    """Oracle: the recursive engine, which has all loads; both closed forms and their inverses."""
    tau = cd.inverse_dynamics(loaded, Q, V, X)
    form = C.tensor_form(loaded, Q)
    assert np.abs(form.loads(V)).max() > 5.0
    assert form.inverse(V, X) == pytest.approx(tau, abs=1e-10)
    assert form.forward(V, tau) == pytest.approx(X, abs=1e-9)
    tip = C.point("link3", (0.3, 0, 0), axes="xy", name="tip")
    space = C.AnimationSpace(loaded, [tip, C.joint("link3")])
    acceleration = space.gradient(Q) @ X + space.bias(Q, V)
    tau_u = C.animation_form(space, Q).forces(space.rate(Q, V), acceleration)
    assert space.gradient(Q).T @ tau_u == pytest.approx(tau, abs=1e-10)

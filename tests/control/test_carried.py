"""A body that nothing holds, carried by contacts that only push."""

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid
from scipy.optimize import linprog

import condyle as cd

C = cd.control
CORNERS = [(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]


def block():
    inertia = cd.Inertia.box(2.0, (0.4, 0.4, 0.2))
    return cd.ModelBuilder().add_body("block", joint=cd.joints.free(), inertia=inertia).build()


def hopper():
    """A free trunk on a sole, with a slide and two hinges between them: five rows of balance for three motors."""
    b = cd.ModelBuilder()
    b.add_body("trunk", joint=cd.joints.free(), inertia=cd.Inertia.box(20.0, (0.2, 0.2, 0.4)), joint_name="root")
    b.add_body("leg", "trunk", cd.joints.universal("x", "y"), cd.Inertia.box(2.0, (0.1, 0.1, 0.3)), joint_name="hip")
    down = cd.SE3.from_translation([0, 0, -0.5])
    foot = cd.Inertia.box(2.0, (0.2, 0.2, 0.05))
    b.add_body("foot", "leg", cd.joints.prismatic("z"), foot, down, joint_name="knee")
    b.set_range("knee", -0.1, 0.1)
    return b.build()


def standing(model):
    q = model.neutral()
    q[6] = 0.55  # the sole is at the ground
    return q


SOLE = [(x, y, -0.05) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]


def test_a_block_at_rest_is_carried_by_its_corners():
    """Oracle: a quarter of the weight on each by symmetry; pushed off the centre, moments balance."""
    found = C.carrying_forces(block(), block().neutral(), np.zeros(6), np.zeros(6), [C.contact("block", CORNERS)])
    assert found.forces[:, 2] == pytest.approx(2.0 * 9.81 / 4)
    assert found.residual < 1e-10
    assert found.tau == pytest.approx(0)


@pytest.mark.parametrize("along", [3.0, 5.8, 6.2, 9.0])
def test_friction_carries_what_its_cone_allows(along):
    """Oracle: a block accelerated along the ground needs friction a/g; beyond the cone the rest is missing."""
    a = np.array([0, 0, 0, along, 0, 0])
    model, ground = block(), [C.contact("block", CORNERS, friction=0.6, sides=8)]
    found = C.carrying_forces(model, model.neutral(), np.zeros(6), a, ground)
    if along < 0.6 * 9.81:
        assert found.residual < 1e-10
        assert found.forces.sum(axis=0) == pytest.approx([2.0 * along, 0, 2.0 * 9.81])
    else:
        assert found.residual > 0.1
    sideways = np.linalg.norm(found.forces[:, :2], axis=1)
    assert np.all(sideways <= 0.6 * found.forces[:, 2] + 1e-9)


def test_forces_of_random_states_balance_where_they_can():
    """Oracle: a linear program of scipy says whether forces inside the pyramids exist; Newton's law is the sum."""
    rng, model = np.random.default_rng(0), block()
    ground = [C.contact("block", CORNERS, friction=0.5)]
    edges = ground[0].edges(model)
    possible = 0
    for a in rng.normal(scale=[2, 2, 2, 4, 4, 6], size=(40, 6)):
        found = C.carrying_forces(model, model.neutral(), np.zeros(6), a, ground)
        need = cd.inverse_dynamics(model, model.neutral(), np.zeros(6), a)
        wrench = lambda f: np.concatenate([np.cross(CORNERS, f).sum(axis=0), f.sum(axis=0)])  # noqa: E731
        columns = np.array([wrench(np.eye(4)[k][:, None] * e) for k in range(4) for e in edges]).T
        exists = linprog(np.zeros(16), A_eq=columns, b_eq=need).status == 0
        possible += exists
        assert (found.residual < 1e-8) == exists
        assert np.abs(need - wrench(found.forces)).max() == pytest.approx(found.residual, abs=1e-9)
    assert 5 < possible < 35


def test_a_squat_is_carried_by_the_sole():
    """Oracle: the path itself, Newton's law for the centre of mass, cones, joint ranges, no force where no motor is."""
    model = hopper()
    q = standing(model)
    space = C.AnimationSpace(
        model, [C.point("trunk", axes="z", name="height"), C.center_of_mass(axes="xy", name="balance")]
    )
    low = C.keyframes([0.0, 0.25, 0.5], [0.55, 0.50, 0.55])
    motion = C.direct_carried(space, q, {"height": low}, contacts=[C.contact("foot", SOLE)], duration=0.5, step=0.01)
    assert not motion.conflicts
    assert np.abs(motion.error).max() < 1e-6
    assert motion.residual.max() < 1e-8
    assert np.abs(motion.tau[:, :6]).max() == 0.0
    assert motion.forces[..., 2].min() > -1e-8
    assert motion.friction_used.max() <= 1.0 + 1e-9
    mass = 24.0
    com = np.array([cd.momentum(model, *x).linear for x in zip(motion.q, motion.v, strict=True)]) / mass
    push = motion.forces.sum(axis=1) / mass + [0, 0, -9.81]
    assert com[:, 2] == pytest.approx(cumulative_trapezoid(push[:, 2], motion.t, initial=0.0), abs=2e-3)
    again = cd.inverse_dynamics(model, motion.q, motion.v, motion.a)
    wrench = np.array([_on_root(model, *x) for x in zip(motion.q, motion.forces, strict=True)])
    assert again - wrench == pytest.approx(motion.tau, abs=1e-8)


def _on_root(model, q, forces):
    """Σ Jᵀ f by the engine's own point Jacobians."""
    J = [cd.point_jacobian(model, q, "foot", at) for at in SOLE]
    return sum(Jk.T @ f for Jk, f in zip(J, forces, strict=True))


def test_limits_of_joints_and_torques_hold_and_are_named():
    """Oracle: the range of the slide and the rated force; the goal below them is missed, and said."""
    model = hopper()
    space = C.AnimationSpace(model, [C.point("trunk", axes="z", name="height")])
    goal = {"height": C.keyframes([0.0, 0.5], [0.55, 0.35])}  # 0.2 down; the slide has 0.1
    with pytest.warns(cd.CondyleWarning, match="height"):
        motion = C.direct_carried(
            space, standing(model), goal, contacts=[C.contact("foot", SOLE)], duration=0.6, step=0.02
        )
    knee = motion.q[:, model.q_index("knee")]
    assert knee.max() <= 0.1 + 1e-9 and knee.min() >= -0.1 - 1e-9
    assert "knee" in motion.limited
    with pytest.warns(cd.CondyleWarning):
        weak = C.direct_carried(space, standing(model), contacts=[C.contact("foot", SOLE)], duration=0.05, step=0.01,
                                torques={"knee": 100.0})  # fmt: skip
    assert np.abs(weak.tau[:, model.v_index("knee")]).max() <= 100.0 + 1e-9
    assert "torque knee" in weak.limited


def test_what_does_not_touch_falls():
    """Oracle: free fall g t²/2 of the centre of mass until the contact begins; its goal is missed, and said."""
    model = hopper()
    space = C.AnimationSpace(model, [C.center_of_mass(axes="z", name="height")])
    feet = [C.contact("foot", SOLE, during=[(1.0, 2.0)])]
    with pytest.warns(cd.CondyleWarning, match="could not be had"):
        motion = C.direct_carried(space, standing(model), contacts=feet, duration=0.1, step=0.01)
    assert cd.center_of_mass(model, motion.q)[-1, 2] - cd.center_of_mass(model, motion.q)[0, 2] == pytest.approx(
        -0.5 * 9.81 * 0.01, abs=1e-9
    )
    assert motion.forces == pytest.approx(0)


def test_bad_contacts_have_words():
    """Oracle: the words."""
    model, q = block(), block().neutral()
    with pytest.raises(cd.CondyleError, match="friction not negative"):
        C.contact("block", CORNERS, friction=-1.0)
    with pytest.raises(cd.errors.BadShape, match=r"points must be \(points, 3\)"):
        C.contact("block", [(0, 0)])
    with pytest.raises(cd.errors.UnknownName, match="blok"):
        C.carrying_forces(model, q, np.zeros(6), np.zeros(6), [C.contact("blok", CORNERS)])
    with pytest.raises(cd.errors.UnknownName, match="actuated"):
        C.carrying_forces(model, q, np.zeros(6), np.zeros(6), [], actuated=["nose"])
    with pytest.raises(cd.CondyleError, match="no gravity"):
        C.contact("block", CORNERS).edges(model.with_gravity((0, 0, 0)))


def leaner():
    """A sole that nothing holds, and a body that leans on it about an ankle."""
    b = cd.ModelBuilder()
    b.add_body("foot", joint=cd.joints.free(), inertia=cd.Inertia.box(2.0, (0.2, 0.2, 0.05)), joint_name="root")
    body = cd.Inertia.box(20.0, (0.1, 0.1, 0.2), com=(0, 0, 0.5))
    b.add_body("body", "foot", cd.joints.revolute("y"), body, joint_name="ankle")
    return b.build()


def reacher():
    """The leaner's sole and ankle under two bones: a tip that reaches 0.9 m from the ankle."""
    b = cd.ModelBuilder()
    b.add_body("foot", joint=cd.joints.free(), inertia=cd.Inertia.box(20.0, (0.4, 0.4, 0.05)), joint_name="root")
    for name, parent, z in (("shank", "foot", 0.0), ("thigh", "shank", 0.3), ("arm", "thigh", 0.3)):
        bone, at = cd.Inertia.box(1.0, (0.05, 0.05, 0.3), com=(0, 0, 0.15)), cd.SE3.from_translation([0, 0, z])
        b.add_body(name, parent, cd.joints.revolute("y"), bone, at, joint_name=f"{name} hinge")
    return b.build()


@pytest.mark.parametrize("beyond", [0.05, 0.4, 3.0])
def test_a_goal_out_of_reach_harms_no_level_above_it(beyond):
    """Oracle: the tip on its sphere of 0.9 m about the ankle; feet and dynamics as without that goal; the repr."""
    model = reacher()
    hand = C.point("arm", (0, 0, 0.3), name="hand")
    space = C.AnimationSpace(model, [C.point("foot", name="foot"), C.orientation("foot", name="sole"), hand])
    q = model.neutral()
    q[6], q[7:] = 0.05, (-0.5, 1.0, -0.3)
    way = np.array([0.5, 0.0, np.sqrt(0.75)])
    goal = C.keyframes([0.0, 1.0], [space.value(q)[6:], np.array([0, 0, 0.05]) + (0.9 + beyond) * way])
    corners = [(x, y, -0.05) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    how = C.Resolution(priorities=[["foot", "sole"], ["hand"]])
    motion = C.direct_carried(space, q, {"hand": goal}, contacts=[C.contact("foot", corners, friction=1.0)],
                              duration=2.0, step=0.01, record=0.05, how=how)  # fmt: skip
    assert np.abs(motion.error[:, :6]).max() < 1e-6
    assert motion.residual.max() < 1e-8 and motion.friction_used.max() <= 1.0 + 1e-9
    assert np.abs(motion.v).max() < 20.0 and np.abs(motion.tau).max() < 300.0
    assert not motion.conflicts
    assert np.linalg.norm(motion.error[-1, 6:]) == pytest.approx(beyond, rel=0.05)
    (missed,) = motion.missed
    assert missed.name == "hand" and missed.by >= 0.99 * beyond and missed.until == 2.0
    assert f"hand off by {missed.by:.3g} at {missed.t:g} s" in repr(motion)


@pytest.mark.parametrize(("step", "most"), [(0.02, 1e-5), (0.005, 1e-7)])
def test_a_quick_dip_from_nearly_straight_joints_is_exact(step, most):
    """Oracle: the goal, which is in reach: as near as steps of order 4 take it."""
    model = reacher()
    hand = C.point("arm", (0, 0, 0.3), axes="xz", name="hand")
    space = C.AnimationSpace(model, [C.point("foot", name="foot"), C.orientation("foot", name="sole"), hand])
    q = model.neutral()
    q[6], q[7:] = 0.05, (-0.15, 0.3, -0.15)
    here = space.value(q)[6:]
    down = C.keyframes([0.0, 0.2], [here, here - [0.0, 0.02]])
    corners = [(x, y, -0.05) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    how = C.Resolution(priorities=[["foot", "sole"], ["hand"]])
    motion = C.direct_carried(space, q, {"hand": down}, contacts=[C.contact("foot", corners)], duration=0.2, step=step,
                              how=how)  # fmt: skip
    assert np.abs(motion.error).max() < most
    assert not motion.missed and not motion.conflicts


@pytest.mark.slow
def test_the_centre_of_mass_stays_over_its_support_while_contacts_carry():
    """Oracle: the centre of mass, to 1e-9; a lean that would leave the sole stops at its edge, cones hold."""
    model = leaner()
    space = C.AnimationSpace(model, [C.joint("ankle", name="lean")], redundant=True)
    q = model.neutral()
    q[6] = 0.05
    far, feet = {"lean": C.keyframes([0.0, 1.0], [0.0, 0.35])}, [C.contact("foot", SOLE)]
    over = C.support([(x, y) for x in (-0.08, 0.08) for y in (-0.1, 0.1)])
    options = {"contacts": feet, "duration": 1.2, "step": 0.04, "actuated": ["ankle"]}
    how = C.Resolution(kept=[over], conflicts="ignore", approach=5.0)
    motion = C.direct_carried(space, q, far, how=how, **options)
    x = cd.center_of_mass(model, motion.q)[:, 0]
    assert x.max() <= 0.08 + 1e-9
    assert x[-1] > 0.07
    assert any(name.startswith("support") for name in motion.limited)
    assert motion.residual.max() < 1e-8
    assert motion.friction_used.max() <= 1.0 + 1e-9
    assert not any("drives" in name or "contacts" in name for name in motion.conflicts)
    with pytest.warns(cd.CondyleWarning, match="could not be had"):
        falls = C.direct_carried(space, q, far, **options)
    assert cd.center_of_mass(model, falls.q)[:, 0].max() > 0.1

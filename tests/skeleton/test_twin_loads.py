"""One model with springs, limits, forces and loops, two engines: minimal coordinates and maximal ones agree."""

import numpy as np
import pytest

import condyle as cd
from condyle.errors import BadTree, NotSupported
from condyle.skeleton import Limit, Spring, as_model, coordinates_of, from_model, state_of

from .test_twin import minimal_motion, random_motion, random_pose, world_accelerations

LOADS = ("springs", "dampers", "stiffness", "limits", "damped limits", "forces", "all")


def loaded_model(seed, loads, bodies=6, root="free", strength=1.0):
    """A random tree of hinges (one with a rate of 1.7 rad per unit) and balls, with loads on what can have them."""
    rng = np.random.default_rng(seed)
    b = cd.ModelBuilder(gravity=rng.normal(size=3) * 4)
    has = {name: loads in (name, "all") for name in LOADS}
    if loads == "smooth":
        has |= dict.fromkeys(("springs", "dampers", "stiffness", "forces"), True)
    for i in range(bodies):
        kind = root if i == 0 else rng.choice(["revolute", "ball", "fast"], p=[0.4, 0.3, 0.3])
        twist = np.concatenate([axis := rng.normal(size=3), np.cross(rng.normal(size=3) * 0.2, axis)])
        joint = {
            "free": cd.joints.free,
            "ball": cd.joints.ball,
            "revolute": lambda: cd.joints.revolute(rng.normal(size=3), point=rng.normal(size=3) * 0.2),
            "fast": lambda twist=twist: cd.joints.product(
                [twist / np.linalg.norm(twist[:3])], [cd.functions.linear(scale=1.7, offset=0.4)]
            ),
        }[kind]()
        inertia = cd.Inertia(rng.uniform(0.5, 2), rng.normal(size=3) * 0.2, rng.uniform(0.3, 0.5, 3))
        parent = None if i == 0 else f"b{rng.integers(i)}"
        b.add_body(f"b{i}", parent, joint, inertia, placement=random_pose(rng), offset=random_pose(rng))
        if joint.nv == 1:
            k, c, rest, force = strength * rng.uniform(1, 3, 4)
            if has["stiffness"]:
                b.add_stiffness(f"b{i}", k, rest, damping=0.2)
            if has["limits"]:
                b.add_limit(f"b{i}", -0.2, 0.3, stiffness=5 * k)
            if has["damped limits"]:
                b.add_limit(f"b{i}", high=-0.1, low=-np.inf, stiffness=4 * k, damping=c)
            if loads == "smooth":
                b.add_limit(f"b{i}", -60.0, -40.0, stiffness=0.1 * k, damping=0.05)  # always beyond
            if has["forces"]:
                b.add_constant_force(f"b{i}", force)
    for k in range(4):
        if has["springs"] or has["dampers"]:
            ends = rng.choice(bodies, 2, replace=False)
            first, second = f"b{ends[0]}", None if k == 0 else f"b{ends[1]}"
            b.add_spring(
                first, rng.normal(size=3) * 0.4, second, rng.normal(size=3) * 0.4, stiffness=20.0 * strength,
                length=0.5, damping=2.0 * has["dampers"],
            )  # fmt: skip
    return b.build()


def far_round(model, seed):
    """A random motion whose hinges have gone round up to twice."""
    q, v = random_motion(model, seed)
    for body, (q0, _) in zip(model.bodies, model.joint_starts, strict=True):
        q[q0] *= 5.0 if body.joint.nv == 1 else 1.0
    return q, v


@pytest.mark.parametrize("root", ["free", "revolute", "ball"])
@pytest.mark.parametrize("loads", LOADS)
def test_loads_accelerate_as_in_the_minimal_engine(loads, root):
    """Oracle: cd.forward_dynamics of the same model at random states, hinges up to two turns round; cd.energy."""
    for seed in range(3):
        model = loaded_model(seed, loads, root=root)
        q, v = far_round(model, seed + 10)
        skeleton = from_model(model, q, v)
        found = skeleton.accelerations()
        a, wd = world_accelerations(model, q, v, cd.forward_dynamics(model, q, v))
        scale = 1.0 + np.abs(a).max()
        assert found.linear == pytest.approx(a, abs=1e-9 * scale)
        assert found.angular == pytest.approx(wd, abs=1e-9 * scale)
        assert skeleton.energy().total == pytest.approx(cd.energy(model, q, v).total, rel=1e-11)


@pytest.mark.parametrize(
    ("loads", "orders"), [("smooth", {"rk4": 12.0, "variational": 3.4, "printed": 1.7}), ("all", {"variational": 1.7})]
)
@pytest.mark.parametrize("root", ["free", "ball"])
def test_loaded_trajectories_converge_at_the_integrators_order(root, loads, orders):
    """Oracle: scipy on the minimal engine's accelerations; with "all" limits switch on and off, which costs order."""
    model = loaded_model(1, loads, bodies=4, root=root, strength=0.3)
    q, v = far_round(model, 4)
    end = state_of(model, *minimal_motion(model, q, v, 0.25))
    skeleton = from_model(model, q, v)
    for integrator, least in orders.items():
        errors = []
        for h in (0.0125, 0.00625):
            last = skeleton.simulate(duration=0.25, step=h, integrator=integrator).last
            errors.append(np.abs(last.positions - end.positions).max() + np.abs(last.rotations - end.rotations).max())
        assert errors[0] / errors[1] > least, (integrator, errors)
        limited = [limit.joint for limit in skeleton.limits]
        assert skeleton.angles(last)[limited] == pytest.approx(skeleton.angles(end)[limited], abs=10 * errors[1])


def closed_chain(weld=False, spring=False):
    """A hanging chain of a hinge, two balls and a hinge whose end is held to the world and a link to another."""
    rng = np.random.default_rng(2)
    b = cd.ModelBuilder()
    joints = [cd.joints.revolute("y"), cd.joints.ball(), cd.joints.ball(), cd.joints.revolute("x"), cd.joints.ball()]
    for i, joint in enumerate(joints):
        inertia = cd.Inertia(rng.uniform(0.5, 1.5), (0, 0, -0.2), rng.uniform(0.05, 0.1, 3))
        placement = cd.SE3.from_matrix(np.eye(4)) if i == 0 else translated(0, 0, -0.4)
        b.add_body(f"b{i}", None if i == 0 else f"b{i - 1}", joint, inertia, placement=placement)
    if spring:
        b.add_spring("b1", (0, 0, -0.1), None, (0.5, 0, 0), stiffness=50.0, length=0.3, damping=1.0)
        b.add_stiffness("b3", 2.0, rest=0.3)
    bare = b.build()
    q, v = random_motion(bare, 3)
    poses = cd.forward_kinematics(bare, q)
    if weld:
        frame = np.linalg.inv(poses.as_matrix()[4]) @ poses.as_matrix()[1]
        b.add_constraint(cd.constraints.weld("b4", frame, "b1", None))
    else:
        b.add_constraint(cd.constraints.point("b4", (0, 0, -0.4), None, (poses[4].as_matrix() @ [0, 0, -0.4, 1])[:3]))
    return b.build(), q, v


def translated(x, y, z):
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


@pytest.mark.parametrize("spring", [False, True])
@pytest.mark.parametrize("weld", [False, True])
def test_constraints_are_joints_that_close_loops(weld, spring):
    """Oracle: the minimal engine's constraint solver, at a velocity that its own projection makes consistent."""
    model, q, v = closed_chain(weld, spring)
    v = from_rest(model, q, v)
    skeleton = from_model(model, q, v)
    assert skeleton.kinds[-1] == ("weld" if weld else "ball")
    assert skeleton.joint_names[-1] == ("weld of 'b4' to 'b1'" if weld else "point of 'b4' on the world")
    assert skeleton.residuals().worst()[2] < 1e-9
    found = skeleton.accelerations()
    a, wd = world_accelerations(model, q, v, cd.forward_dynamics(model, q, v))
    scale = 1.0 + np.abs(a).max()
    assert found.linear == pytest.approx(a, abs=1e-9 * scale)
    assert found.angular == pytest.approx(wd, abs=1e-9 * scale)


@pytest.mark.slow
@pytest.mark.parametrize("weld", [False, True])
def test_closed_loops_move_as_in_the_minimal_engine(weld):
    """Oracle: cd.simulate with constraints and fine steps; the default's error shrinks by 4 with the step halved."""
    model, q, v = closed_chain(weld, spring=True)
    v = from_rest(model, q, v)
    fine = cd.simulate(model, q, v, duration=0.2, step=2.5e-4)
    end, skeleton = state_of(model, fine.q[-1], fine.v[-1]), from_model(model, q, v)
    skeleton = skeleton.starting(skeleton.projected().state)
    errors = []
    for h in (0.005, 0.0025):
        last = skeleton.simulate(duration=0.2, step=h).last
        errors.append(np.abs(last.positions - end.positions).max())
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)
    last = skeleton.simulate(duration=0.2, step=0.001, integrator="rk4").last
    assert last.positions == pytest.approx(end.positions, abs=1e-7)


def from_rest(model, q, v):
    """Velocities nearest to v that the constraints allow, by finite differences of the gaps and singular values."""

    def gap(dv):
        poses = cd.forward_kinematics(model, cd.integrate(model, q, dv)).as_matrix()
        loop = model.constraints[0]
        ends = [T if k < 0 else poses[k] @ T for k, T in ((loop.a, loop.frame_a), (loop.b, loop.frame_b))]
        turn = ends[1][:3, :3].T @ ends[0][:3, :3]
        rows = [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
        return np.concatenate([ends[0][:3, 3] - ends[1][:3, 3], rows if loop.rows == 6 else []])

    e = 1e-5
    J = np.array(
        [(8 * (gap(e * u) - gap(-e * u)) - gap(2 * e * u) + gap(-2 * e * u)) / (12 * e) for u in np.eye(model.nv)]
    )
    return v - np.linalg.pinv(J.T, rcond=1e-6) @ (J.T @ v)


@pytest.mark.parametrize("root", ["free", "revolute"])
def test_loads_come_back(root):
    """Oracle: the minimal engine on the model made back; a child that is second in its joint included."""
    model = loaded_model(3, "all", root=root)
    q, v = far_round(model, 8)
    skeleton = from_model(model, q, v)
    turned = swapped(skeleton)
    for again in (skeleton, turned):
        back = as_model(again)
        q2, v2 = coordinates_of(back, again.initial, again)
        order = [back.names.index(name) for name in again.body_names]
        a, _ = world_accelerations(back, q2, v2, cd.forward_dynamics(back, q2, v2))
        scale = 1.0 + np.abs(a).max()
        assert a[order] == pytest.approx(skeleton.accelerations().linear, abs=1e-9 * scale)
        assert cd.energy(back, q2, v2).total == pytest.approx(cd.energy(model, q, v).total, rel=1e-11)
    assert turned.accelerations().linear == pytest.approx(skeleton.accelerations().linear, abs=1e-9 * scale)


def swapped(skeleton):
    """The same skeleton with the bodies of every joint in the other order: angles and torques change sign."""
    from dataclasses import replace

    limits = tuple(limit._replace(low=-limit.high, high=-limit.low) for limit in skeleton.limits)
    start = replace(skeleton.initial, turns=-skeleton.initial.turns)
    return replace(
        skeleton, pairs=skeleton.pairs[:, ::-1], points=skeleton.points[:, ::-1], frames=skeleton.frames[:, ::-1],
        limits=limits, constant_torques=-skeleton.constant_torques, initial=start,
    )  # fmt: skip


def two_rafts(tied=True):
    """Two floating pairs of bodies and a hanging one, tied by springs alone."""
    rng = np.random.default_rng(5)
    b = cd.ModelBuilder()
    for i, (parent, joint) in enumerate(
        [(None, cd.joints.free()), ("b0", cd.joints.revolute("x")), (None, cd.joints.free()), ("b2", cd.joints.ball()),
         (None, cd.joints.revolute("y"))]
    ):  # fmt: skip
        inertia = cd.Inertia(rng.uniform(0.5, 2), rng.normal(size=3) * 0.2, rng.uniform(0.3, 0.5, 3))
        b.add_body(f"b{i}", parent, joint, inertia, placement=random_pose(rng), offset=random_pose(rng))
    for first, second in (("b1", "b2"), ("b3", "b4")) if tied else ():
        b.add_spring(first, rng.normal(size=3), second, rng.normal(size=3), stiffness=30.0, length=0.5, damping=1.0)
    return b.build()


def test_springs_connect_several_floating_roots():
    """Oracle: the minimal engine, there and back; without the springs the parts are named."""
    model = two_rafts()
    q, v = random_motion(model, 6)
    skeleton = from_model(model, q, v)
    assert skeleton.tree.roots == (0, 2)
    a, _ = world_accelerations(model, q, v, cd.forward_dynamics(model, q, v))
    assert skeleton.accelerations().linear == pytest.approx(a, abs=1e-9)
    back = as_model(skeleton)
    q2, v2 = coordinates_of(back, skeleton.initial, skeleton)
    order = [back.names.index(name) for name in skeleton.body_names]
    b, _ = world_accelerations(back, q2, v2, cd.forward_dynamics(back, q2, v2))
    assert b[order] == pytest.approx(a, abs=1e-9)
    end = state_of(model, *minimal_motion(model, q, v, 0.2))
    last = skeleton.simulate(duration=0.2, step=0.002, integrator="rk4").last
    assert last.positions == pytest.approx(end.positions, abs=1e-7)
    with pytest.raises(BadTree, match=r"4 of 5 bodies are not connected with the world: 'b0', 'b1', 'b2', 'b3'\. Join"):
        from_model(two_rafts(tied=False))


@pytest.mark.parametrize("weld", [False, True])
def test_loops_come_back_as_constraints(weld):
    """Oracle: the minimal engine's constraint solver on the model made back from the skeleton."""
    model, q, v = closed_chain(weld, spring=True)
    skeleton = from_model(model, q, from_rest(model, q, v))
    back = as_model(skeleton)
    assert len(back.constraints) == 1
    q2, v2 = coordinates_of(back, skeleton.initial, skeleton)
    order = [back.names.index(name) for name in skeleton.body_names]
    a, _ = world_accelerations(back, q2, v2, cd.forward_dynamics(back, q2, v2))
    assert a[order] == pytest.approx(skeleton.accelerations().linear, abs=1e-8)


def one_turning():
    return cd.ModelBuilder().add_body("a", None, cd.joints.revolute("x"), cd.Inertia.sphere(1.0, 0.1))


def two_turning():
    return one_turning().add_body("b", "a", cd.joints.revolute("y"), cd.Inertia.sphere(1.0, 0.1))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            lambda: two_turning().prescribe("b", np.sin),
            "the motion of 'b' is prescribed, and a skeleton's joints do not",
        ),
        (
            lambda: two_turning().add_constraint(cd.constraints.couple("b", "a", ratio=2.0)),
            "the coupling of 'b' to 'a' has no counterpart in a skeleton",
        ),
        (
            lambda: two_turning().add_constraint(cd.constraints.roll("b", cd.joints.revolute("z"))),
            "the rolling of 'b' has no counterpart in a skeleton",
        ),
    ],
)
def test_what_a_skeleton_does_not_have_is_named(model, words):
    """Oracle: the words, with the way out."""
    with pytest.raises(NotSupported) as error:
        from_model(model().build())
    assert words in str(error.value)
    assert "cd.simulate" in str(error.value)


def test_damping_of_a_floating_root_is_refused_by_name():
    """Oracle: the words."""
    floating = cd.ModelBuilder().add_body("a", None, cd.joints.free(), cd.Inertia.sphere(1.0, 0.1))
    with pytest.raises(
        NotSupported, match="joint 'a': a skeleton's friction is one number per joint that acts on turn"
    ):
        from_model(floating.add_damping("a", 0.3).build())


def test_translated_loads_have_the_hinges_own_units():
    """Oracle: θ = 2 q by hand: a limit at q = 2 is at 4 rad, a stiffness of 8 per q² is one of 2 per rad²."""
    hinge = cd.joints.product([(1, 0, 0, 0, 0, 0)], [cd.functions.linear(scale=2.0)])
    b = cd.ModelBuilder().add_body("a", None, hinge, cd.Inertia.sphere(1.0, 0.1))
    b.add_limit("a", 0.0, 2.0, stiffness=8.0, damping=4.0).add_stiffness("a", 8.0, rest=0.5, damping=1.2)
    b.add_constant_force("a", 3.0).add_spring("a", (0, 0, 1), None, (0, 0, 2), stiffness=3.0, length=1.0, damping=0.5)
    skeleton = from_model(b.build(), [3.0])
    assert skeleton.limits == (Limit(0, 0.0, 4.0, 2.0, 1.0), Limit(0, 1.0, 1.0, 2.0, 0.0))
    assert skeleton.friction == pytest.approx([0.3])
    assert skeleton.constant_torques == pytest.approx([1.5])
    assert skeleton.angles() == pytest.approx([6.0])
    assert skeleton.initial.turns.tolist() == [1.0]
    spring = skeleton.springs[0]
    assert isinstance(spring, Spring)
    assert (spring.name, spring.bodies, spring.stiffness, spring.length, spring.damping) == (
        "spring0", (0, -1), 3.0, 1.0, 0.5,
    )  # fmt: skip

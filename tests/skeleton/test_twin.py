"""One model, two engines: minimal coordinates and maximal ones agree."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import condyle as cd
from condyle.errors import NotSupported
from condyle.skeleton import as_model, coordinates_of, from_model, state_of

from .dense import random_rotation


def random_pose(rng, reach=0.5):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = random_rotation(rng), rng.normal(size=3) * reach
    return T


def random_model(seed, bodies=7, root="free", damping=0.0):
    rng = np.random.default_rng(seed)
    b = cd.ModelBuilder(gravity=rng.normal(size=3) * 4)
    for i in range(bodies):
        kind = root if i == 0 else rng.choice(["revolute", "ball", "weld"], p=[0.5, 0.35, 0.15])
        joint = {
            "free": cd.joints.free,
            "ball": cd.joints.ball,
            "weld": cd.joints.weld,
            "revolute": lambda: cd.joints.revolute(rng.normal(size=3), point=rng.normal(size=3) * 0.2),
        }[kind]()
        inertia = cd.Inertia(rng.uniform(0.5, 2), rng.normal(size=3) * 0.2, rng.uniform(0.3, 0.5, 3))
        parent = None if i == 0 else f"b{rng.integers(i)}"
        b.add_body(f"b{i}", parent, joint, inertia, placement=random_pose(rng), offset=random_pose(rng))
        if damping and joint.nv in (1, 3):
            b.add_damping(f"b{i}", damping * rng.uniform(0.5, 1.5))
    return b.build()


def random_motion(model, seed, batch=()):
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(*batch, model.nq))
    for at, _, _ in model.quaternions:
        q[..., at : at + 4] /= np.linalg.norm(q[..., at : at + 4], axis=-1, keepdims=True)
    return q, rng.normal(size=(*batch, model.nv))


def motors_of(model, tau):
    """Generalised forces as torques in the child's axes, where the skeleton wants them."""
    out = {}
    for body, (_, v0) in zip(model.bodies, model.joint_starts, strict=True):
        own = tau[v0 : v0 + body.joint.nv]
        if len(own) == 1:
            out[body.joint_name] = float(own[0])
        elif len(own) == 3:
            out[body.joint_name] = body.offset[:3, :3] @ own
    return out


def world_accelerations(model, q, v, a):
    """Accelerations of the centres of mass (world axes) and dω/dt (body axes), from the minimal engine's twists."""
    R = cd.forward_kinematics(model, q).as_rotation()
    V, A = cd.body_velocities(model, q, v), cd.body_accelerations(model, q, v, a)
    com = np.array([b.inertia.com for b in model.bodies])
    w, wd = V[:, :3], A[:, :3]
    local = A[:, 3:] + np.cross(w, V[:, 3:]) + np.cross(wd, com) + np.cross(w, np.cross(w, com))
    return (R @ local[..., None])[..., 0], wd


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("root", ["free", "revolute", "ball"])
def test_accelerations_are_those_of_the_minimal_engine(seed, root):
    """Oracle: cd.forward_dynamics on the same model, with gravity, damping and joint torques."""
    model = random_model(seed, root=root, damping=0.4)
    q, v = random_motion(model, seed + 10)
    tau = np.random.default_rng(seed).normal(size=model.nv)
    if root == "free":
        tau[:6] = 0.0
    skeleton = from_model(model, q, v)
    found = skeleton.accelerations(motors=motors_of(model, tau))
    a, wd = world_accelerations(model, q, v, cd.forward_dynamics(model, q, v, tau))
    assert found.linear == pytest.approx(a, abs=1e-9)
    assert found.angular == pytest.approx(wd, abs=1e-9)


def rates(model, q, v):
    """dq/dt, quaternions by ½ q (0, ω)."""
    out = np.zeros(model.nq)
    for body, (q0, v0) in zip(model.bodies, model.joint_starts, strict=True):
        if body.joint.nv == 1:
            out[q0] = v[v0]
        if body.joint.nv in (3, 6):
            w, x, y, z = q[q0 : q0 + 4]
            E = np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])
            out[q0 : q0 + 4] = 0.5 * E @ v[v0 : v0 + 3]
        if body.joint.nv == 6:
            R = Rotation.from_quat(q[q0 : q0 + 4], scalar_first=True).as_matrix()
            out[q0 + 4 : q0 + 7] = R @ v[v0 + 3 : v0 + 6]
    return out


def minimal_motion(model, q, v, duration):
    """The end of the motion by an adaptive method of order 8."""

    def slope(t, x):
        q, v = x[: model.nq].copy(), x[model.nq :]
        for at, _, _ in model.quaternions:
            q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
        return np.concatenate([rates(model, q, v), cd.forward_dynamics(model, q, v)])

    x = solve_ivp(slope, (0, duration), np.concatenate([q, v]), method="DOP853", rtol=1e-10, atol=1e-11).y[:, -1]
    q = x[: model.nq]
    for at, _, _ in model.quaternions:
        q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
    return q, x[model.nq :]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("root", ["free", "ball"])
def test_trajectories_converge_at_the_integrators_order(seed, root):
    """Oracle: scipy on the minimal engine's accelerations; errors shrink by 16 (rk4) and by 4 (variational)."""
    model = random_model(seed, bodies=4, root=root, damping=0.2)
    q, v = random_motion(model, seed)
    end = state_of(model, *minimal_motion(model, q, v, 0.5))
    skeleton = from_model(model, q, v)
    for integrator, steps, least in (("rk4", (0.0125, 0.00625), 12.0), ("variational", (0.0125, 0.00625), 3.5)):
        errors = []
        for h in steps:
            last = skeleton.simulate(duration=0.5, step=h, integrator=integrator).last
            errors.append(np.abs(last.positions - end.positions).max() + np.abs(last.rotations - end.rotations).max())
        assert errors[0] / errors[1] > least, (integrator, errors)
        assert errors[1] < (1e-6 if integrator == "rk4" else 1e-2)


def test_energy_and_momentum_are_those_of_the_minimal_engine():
    """Oracle: cd.energy and cd.momentum."""
    model = random_model(5)
    q, v = random_motion(model, 2, (3,))
    skeleton, state = from_model(model), state_of(model, q, v)
    for mine, theirs in zip(skeleton.energy(state), cd.energy(model, q, v), strict=True):
        assert mine == pytest.approx(theirs, rel=1e-11, abs=1e-11)
    for mine, theirs in zip(skeleton.momentum(state), cd.momentum(model, q, v), strict=True):
        assert mine == pytest.approx(theirs, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("root", ["free", "revolute"])
def test_there_and_back_is_the_same_motion(root):
    """Oracle: the minimal engine on the model made back from the skeleton gives the skeleton's accelerations."""
    model = random_model(3, root=root, damping=0.3)
    q, v = random_motion(model, 8)
    skeleton = from_model(model, q, v)
    back = as_model(skeleton)
    q2, v2 = coordinates_of(back, skeleton.initial, skeleton)
    again = state_of(back, q2, v2)
    order = [back.names.index(name) for name in skeleton.body_names]
    assert again.positions[order] == pytest.approx(skeleton.initial.positions, abs=1e-12)
    assert again.velocities[order] == pytest.approx(skeleton.initial.velocities, abs=1e-12)
    a, _ = world_accelerations(back, q2, v2, cd.forward_dynamics(back, q2, v2))
    assert a[order] == pytest.approx(skeleton.accelerations().linear, abs=1e-9)


def test_other_joints_make_a_held_model():
    """Oracle: what a skeleton cannot have is held by rows of its own (test_held_models.py)."""
    inertia = cd.Inertia.sphere(1.0, 0.1)
    for joint in (cd.joints.prismatic("x"), cd.joints.helical("x", 0.1), cd.joints.universal("x", "y")):
        model = cd.ModelBuilder().add_body("a", None, joint, inertia, joint_name="slider").build()
        assert isinstance(from_model(model), cd.skeleton.HeldModel)
    pair = cd.ModelBuilder().add_body("a", None, cd.joints.free(), inertia)
    assert from_model(pair.add_body("b", "a", cd.joints.free(), inertia).build()).unknowns == 0


def test_a_loop_of_hinges_is_no_model():
    """Oracle: the words."""
    from .dense import GRAPHS, random_dense

    ring = cd.skeleton.Skeleton.from_arrays(**random_dense(*GRAPHS["a ring of eight hinges"]).arrays)
    with pytest.raises(NotSupported, match=r"these joints close loops: joint.\. Only balls and welds without friction"):
        as_model(ring)

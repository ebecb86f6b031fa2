"""A leg that is moved, with what it takes to move it: condyle's model beside Lagrange's equations of the same leg."""

from dataclasses import replace

import numpy as np

import condyle as cd
from oracles import definitions as d
from oracles import lagrangian, loads
from support.marked_leg import LONG, knee
from twins.kinds import Pair, ball, free, hinge, pair
from twins.trees import Twin

SIGMA = 0.2  # [N m, N] of a torque
INERTIAS = (
    (7.0, (0.01, -0.02, -0.19), (0.11, 0.10, 0.02)),
    (3.2, (-0.01, 0.01, -0.17), (0.05, 0.045, 0.006)),
    (1.1, (0.05, 0.0, -0.03), (0.002, 0.006, 0.005)),
)
STIFFNESS, REST, DAMPING, TENDON = 6.0, 0.8, 0.9, (900.0, 12.0, 0.25)
HEEL, CALF = np.array([-0.06, 0.0, -0.02]), np.array([-0.03, 0.01, -0.1])


def shift(z):
    """A pose along z."""
    return cd.SE3.from_translation((0, 0, z)).as_matrix()


def hip(kind):
    """A universal joint, a ball or nothing at all that holds the thigh."""
    if kind == "universal":
        x, y = np.eye(3)[:2]
        return pair(cd.joints.universal(x, y), d.screws(d.screw(x), d.screw(y)), 2)
    return {"ball": ball, "free": free}[kind](None)


def bent_knee(moves=None):
    """A knee whose control frames are moved by twists, beside its definition."""
    controls = knee().controls
    frames = controls.frames if moves is None else controls.frames @ cd.SE3.exp(moves).as_matrix()
    knots = d.clamped(len(frames), 4)
    return Pair(cd.joints.spline_curve(frames, knots=knots), lagrangian.joint(d.spline_curve(frames, knots), 1), None)


def leg_twin(kind="universal", inertias=INERTIAS, constants=(STIFFNESS, REST, DAMPING), tendon=TENDON, moves=None):
    """Thigh, shank and foot (b0, b1, b2) with a spring on the knee and one across the ankle."""
    made = Twin()
    joints = hip(kind), bent_knee(moves), hinge((0, 1, 0))
    for k, (joint, (mass, com, moment)) in enumerate(zip(joints, inertias, strict=True)):
        placement = (np.eye(4), shift(-0.4), shift(-0.38))[k]
        moment = np.diag(moment) if np.ndim(moment) == 1 else moment
        made.attach(joint, k - 1, (mass, np.array(com), moment), placement, np.eye(4))
    stiffness, rest, damping = constants
    made.builder.add_stiffness("b1", stiffness, rest=rest, damping=damping)
    made.builder.add_spring("b2", HEEL, "b1", CALF, stiffness=tendon[0], damping=tendon[1], length=tendon[2])
    v = joints[0].oracle.nv
    made.loads += [loads.Stiffness(v, joints[0].oracle.nq, stiffness, rest, damping),
                   loads.Spring(2, HEEL, 1, CALF, *tendon)]  # fmt: skip
    return made


def marked(model):
    """With markers on all bodies."""
    rng = np.random.default_rng(11)
    spots = [(f"m{i}{k}", f"b{i}", x) for i in range(3)
             for k, x in enumerate(rng.uniform(*LONG, (5, 3)) * (1.0 if i < 2 else 0.3))]  # fmt: skip
    return replace(model, markers=tuple(cd.Marker(*x) for x in spots))


def waves(t, sizes, rates, phases):
    """Sums of sines with two derivatives, (3, F, n)."""
    x = t[:, None, None] * rates + phases
    return np.stack([(sizes * np.sin(x)).sum(2), (sizes * rates * np.cos(x)).sum(2),
                     -(sizes * rates**2 * np.sin(x)).sum(2)])  # fmt: skip


def motion(t, model, kind="universal"):
    """q, v, a of a lively motion; quaternions turn about a fixed axis, so that their rates are in closed form."""
    n = model.nv
    rng = np.random.default_rng(3)
    sizes = rng.uniform(0.1, 0.3, (n, 2)) * np.array([1.0, 0.5])
    rates, phases = rng.uniform(2.0, 9.0, (n, 2)), rng.uniform(0, 6, (n, 2))
    x = waves(t, sizes, rates, phases)
    low, high = model.bodies[1].joint.domain[0]
    x[:, :, -2] *= 0.9 * (high - low) / 2 / np.abs(sizes[-2]).sum()
    x[0, :, -2] += 0.5 * (low + high)
    if kind == "universal":
        return x
    turn, axis = x[:, :, 0], np.array([0.36, 0.48, 0.8])
    u = np.concatenate([np.cos(turn[0] / 2)[:, None], np.sin(turn[0] / 2)[:, None] * axis], axis=1)
    q, v, a = [u], [turn[1][:, None] * axis], [turn[2][:, None] * axis]
    if kind == "free":
        R = cd.SE3(u, np.zeros(3)).as_matrix()[:, :3, :3]
        back = np.swapaxes(R, 1, 2)
        lin, acc = ((back @ x[j][:, 3:6, None])[..., 0] for j in (1, 2))
        q, v, a = [*q, x[0][:, 3:6]], [*v, lin], [*a, acc - np.cross(v[0], lin)]
    return tuple(np.concatenate([*part, x[j][:, -2:]], axis=1) for j, part in enumerate((q, v, a)))


def lagrange(twin, q, v, a):
    """What moves it, by the oracle's equations, (F, nv): slow, a second for a few frames."""
    tree = twin.tree
    return np.array([tree.inverse(*x) for x in zip(q, v, a, strict=True)])


STENCIL = {-2: (1 / 12, -1 / 12), -1: (-2 / 3, 4 / 3), 0: (0.0, -5 / 2), 1: (2 / 3, 4 / 3), 2: (-1 / 12, -1 / 12)}


def work_terms(model, t, kind="universal", h=1e-3):
    """Slopes ∂T/∂v (F, nv, nbodies, 4, 4) and accelerations (F, nbodies, 4, 4) of poses, by differences of poses."""

    def poses(q):
        return cd.forward_kinematics(model, q).as_matrix()

    q = motion(t, model, kind)[0]
    bent = sum(w[1] * poses(motion(t + k * h, model, kind)[0]) for k, w in STENCIL.items()) / h**2
    slopes = [sum(w[0] * poses(cd.integrate(model, q, np.tile(k * h * e, (len(q), 1)))) for k, w in STENCIL.items()) / h
              for e in np.eye(model.nv)]  # fmt: skip
    return np.stack(slopes, axis=1), bent


def work_forces(twin, t, kind="universal"):
    """What moves it, by virtual work of differences of poses (Uicker and Kahn) and of the springs' energies."""
    model = twin.model
    slopes, bent = work_terms(model, t, kind)
    P, g = twin.tree.pseudo_inertias, twin.tree.gravity
    tau = np.einsum("fibxy,byz,fbxz->fi", slopes, P, bent, optimize=True)
    tau -= np.einsum("fibxy,by,x->fi", slopes[..., :3, :], P[:, :, 3], g)
    return tau + load_forces(twin, model, t, kind, slopes)


def load_forces(twin, model, t, kind, slopes):
    """What the springs take: their laws on the knee's coordinate and along the line between two points."""
    q, v, _ = motion(t, model, kind)
    law, tendon = twin.loads
    out = np.zeros((len(t), model.nv))
    out[:, law.index] = law.stiffness * (q[:, law.at] - law.rest) + law.damping * v[:, law.index]
    T = cd.forward_kinematics(model, q).as_matrix()
    ends = [(T[:, i] @ np.append(x, 1.0))[:, :3] for i, x in ((2, HEEL), (1, CALF))]
    by = [(slopes[:, :, i] @ np.append(x, 1.0))[..., :3] for i, x in ((2, HEEL), (1, CALF))]
    line = ends[0] - ends[1]
    length = np.linalg.norm(line, axis=1)
    arm = np.einsum("fix,fx->fi", by[0] - by[1], line / length[:, None])
    pull = tendon.stiffness * (length - tendon.length) + tendon.damping * np.einsum("fi,fi->f", arm, v)
    return out + pull[:, None] * arm


def seen_markers(model, q, seed, noise):
    """Markers with noise."""
    rng, T = np.random.default_rng(2000 + seed), cd.forward_kinematics(model, q).as_matrix()
    out = {}
    for m in model.markers:
        i = int(str(m.body)[1])
        out[m.name] = T[:, i, :3, :3] @ m.at + T[:, i, :3, 3] + noise * rng.normal(size=(len(q), 3))
    return out

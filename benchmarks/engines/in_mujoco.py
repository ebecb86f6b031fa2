"""A mechanism as a MuJoCo model, contacts off.

MuJoCo's ball is condyle's (q = w, x, y, z and v = ω in child axes). Its floating base differs: q = (position, w, x, y,
z), and v = (velocity of the origin in world axes, ω in child axes). v_condyle = B v_mujoco with B = [[0, 1], [Rᵀ, 0]]
there; forces go the other way, accelerations also gain the turning of the axes, M becomes Bᵀ M B.
"""

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

__all__ = ["accelerations", "coordinates", "mass_matrix", "model", "velocity_map"]

TYPES = {
    "revolute": mujoco.mjtJoint.mjJNT_HINGE,
    "universal": mujoco.mjtJoint.mjJNT_HINGE,
    "prismatic": mujoco.mjtJoint.mjJNT_SLIDE,
    "ball": mujoco.mjtJoint.mjJNT_BALL,
    "free": mujoco.mjtJoint.mjJNT_FREE,
}


def model(mechanism, step=1e-3, gravity=(0, 0, -9.81)):
    """The compiled model: semi-implicit Euler with the given step, no contacts, no armature, no damping."""
    spec = mujoco.MjSpec()
    spec.option.gravity, spec.option.timestep = gravity, step
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    spec.compiler.balanceinertia = False
    bodies = []
    for p in mechanism.parts:
        bodies.append(add(bodies[p.parent] if p.parent >= 0 else spec.worldbody, p))
    return spec.compile()


def add(parent, part):
    """One body with its joints."""
    I = part.moment
    body = parent.add_body(
        pos=part.placement[:3, 3],
        quat=np.roll(Rotation.from_matrix(part.placement[:3, :3]).as_quat(), 1),
        mass=part.mass,
        ipos=part.com,
        fullinertia=[I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]],
        explicitinertial=True,
    )
    for axis in part.axes if len(part.axes) else [(0, 0, 1)]:
        body.add_joint(type=TYPES[part.kind], axis=axis)
    return body


def mass_matrix(model, data):
    """The dense matrix, column by column."""
    out = np.zeros((model.nv, model.nv))
    for row, e in zip(out, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, e)
    return out


def coordinates(mechanism, q):
    """condyle's q in MuJoCo's order."""
    out = np.array(q, float)
    for (i, _), p in zip(mechanism.offsets(), mechanism.parts, strict=True):
        if p.kind == "free":
            out[..., i : i + 7] = np.roll(q[..., i : i + 7], 3, axis=-1)
    return out


def velocity_map(mechanism, q):
    """B, for one state: v_condyle = B v_mujoco."""
    B = np.eye(mechanism.sizes[1])
    for i, j in floating(mechanism):
        B[j : j + 6, j : j + 6] = np.block([[np.zeros((3, 3)), np.eye(3)], [axes(q, i).T, np.zeros((3, 3))]])
    return B


def accelerations(mechanism, q, v, a):
    """MuJoCo's q̈ from condyle's q, v, a: origins of floating bases accelerate by R (v̇ + ω × v)."""
    turned = np.array(a, float)
    for _, j in floating(mechanism):
        turned[j + 3 : j + 6] += np.cross(v[j : j + 3], v[j + 3 : j + 6])
    return np.linalg.solve(velocity_map(mechanism, q), turned)


def floating(mechanism):
    return [o for o, p in zip(mechanism.offsets(), mechanism.parts, strict=True) if p.kind == "free"]


def axes(q, i):
    return Rotation.from_quat(np.roll(q[i : i + 4], -1)).as_matrix()

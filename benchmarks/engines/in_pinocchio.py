"""A mechanism as a Pinocchio model.

Pinocchio writes quaternions x, y, z, w, puts the linear part of twists, forces and of the floating base first (position
before quaternion, v before ω), and the velocity of a floating base is the body twist, as in condyle: so only orders
change. A universal joint becomes two revolute ones with a massless body between them.
"""

import numpy as np
import pinocchio as pin

__all__ = ["coordinates", "forces", "model", "velocities"]


def model(mechanism, gravity=(0, 0, -9.81)):
    """The model and, for every part, the index of the joint that carries it."""
    m = pin.Model()
    m.gravity.linear = np.array(gravity, float)
    carriers = []
    for i, p in enumerate(mechanism.parts):
        joint, place = carriers[p.parent] if p.parent >= 0 else 0, pin.SE3(p.placement)
        for k, kind in enumerate(joint_models(p)):
            joint = m.addJoint(joint, kind, place if k == 0 else pin.SE3.Identity(), f"j{i}.{k}")
        m.appendBodyToJoint(joint, pin.Inertia(p.mass, p.com, p.moment), pin.SE3.Identity())
        carriers.append(joint)
    return m, carriers


def joint_models(part):
    if part.kind == "ball":
        return [pin.JointModelSpherical()]
    if part.kind == "free":
        return [pin.JointModelFreeFlyer()]
    if part.kind == "prismatic":
        return [pin.JointModelPrismaticUnaligned(axis) for axis in part.axes]
    return [hinge(axis) for axis in part.axes]


def hinge(axis):
    """Pinocchio's fast z hinge where it fits."""
    return pin.JointModelRZ() if np.array_equal(axis, [0, 0, 1]) else pin.JointModelRevoluteUnaligned(axis)


def coordinates(mechanism, q):
    """condyle's q in Pinocchio's order."""
    out = np.array(q, float)
    for (i, _), p in zip(mechanism.offsets(), mechanism.parts, strict=True):
        if p.kind == "ball":
            out[..., i : i + 4] = q[..., [i + 1, i + 2, i + 3, i]]
        if p.kind == "free":
            out[..., i : i + 7] = q[..., [i + 4, i + 5, i + 6, i + 1, i + 2, i + 3, i]]
    return out


def velocities(mechanism, v):
    """condyle's v, a or τ in Pinocchio's order; the same call goes back (it swaps two halves)."""
    out = np.array(v, float)
    for (_, j), p in zip(mechanism.offsets(), mechanism.parts, strict=True):
        if p.kind == "free":
            out[..., j : j + 6] = np.roll(v[..., j : j + 6], 3, axis=-1)
    return out


def forces(model, carriers, wrenches):
    """condyle's body wrenches [moment; force] as Pinocchio's external forces."""
    out = pin.StdVec_Force()
    by_joint = dict(zip(carriers, np.roll(wrenches, 3, axis=-1), strict=True))
    for j in range(model.njoints):
        out.append(pin.Force(by_joint.get(j, np.zeros(6))))
    return out

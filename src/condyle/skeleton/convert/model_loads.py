"""Loads of a model as a skeleton has them: springs between points; friction, limits and torques in hinges."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...errors import NotSupported, require
from ...joints.segments import FREE
from ...model import Body, Model
from ..springs_and_limits import Limit, Spring
from .model_joints import joined

WORDS = {"gradual_limit": "limit with a damping_depth"}  # which a plain limit has not


def springs_of(model: Model) -> tuple[Spring, ...]:
    """Springs between points, which a skeleton measures from centres of mass; numbered in order."""
    out = []
    for k, s in enumerate(model.springs):
        ends = ((s.a, s.point_a), (s.b, s.point_b))
        points = np.array([p if i < 0 else p - model.bodies[i].inertia.com for i, p in ends])
        out.append(Spring(f"spring{k}", (s.a, s.b), points, s.stiffness, s.length, s.damping))
    return tuple(out)


@dataclass
class Loads:
    """By body: friction of its joint, limits (low, high, stiffness, damping) and the constant torque of its hinge."""

    friction: dict[int, float] = field(default_factory=dict)
    limits: list[tuple] = field(default_factory=list)
    torques: dict[int, float] = field(default_factory=dict)

    def arranged(self, bodies: list[int], joints: int) -> tuple[np.ndarray, tuple[Limit, ...], np.ndarray]:
        """As a skeleton wants them: its first joints are those of these bodies."""
        friction, torques = np.zeros(joints), np.zeros(joints)
        for j, i in enumerate(bodies):
            friction[j], torques[j] = self.friction.get(i, 0.0), self.torques.get(i, 0.0)
        return friction, tuple(Limit(bodies.index(i), *rest) for i, *rest in self.limits), torques


def loads_of(model: Model) -> Loads:
    """Loads on coordinates as loads of joints: with θ = rate · q, a force on q is a torque of 1/rate of it."""
    loads, rates = Loads(), np.zeros(model.nv)
    places = {v0 + k: i for i, (_, v0) in enumerate(model.joint_starts) for k in range(model.bodies[i].joint.nv)}
    for force in model.coordinate_forces:
        i, c = places[force.at.v], force.constants
        if force.law == "damper":
            rates[force.at.v] += c[0]
            continue
        rate = joined(model, i).rate
        if force.law == "constant_force":
            loads.torques[i] = loads.torques.get(i, 0.0) + c[0] / rate
        elif force.law == "limit":
            loads.limits.append((i, c[0] * rate, c[1] * rate, c[2] / rate**2, c[3] / rate**2))
        elif force.law == "coordinate_spring":
            loads.limits.append((i, c[1] * rate, c[1] * rate, c[0] / rate**2, 0.0))
            rates[force.at.v] += c[2]
        else:
            words = (
                f"joint {model.bodies[i].joint_name!r}: a skeleton has no {WORDS.get(force.law, force.declared.words)}"
            )
            raise NotSupported(f"{words} in its joints. Simulate the model itself with cd.simulate")
    for i, (_, start) in enumerate(model.joint_starts):
        loads.friction[i] = _friction(model, i, rates[start : start + model.bodies[i].joint.nv])
    return loads


def _friction(model: Model, i: int, own: np.ndarray) -> float:
    """Friction of body i's joint from the dampings of its velocities; a quaternion must be damped alike about all."""
    body: Body = model.bodies[i]
    if not own.any():
        return 0.0
    floating = any(s.kind == FREE for s in body.joint.segments)
    require(
        np.ptp(own) == 0.0 and not floating,
        f"joint {body.joint_name!r}: a skeleton's friction is one number per joint that acts on turning only",
        NotSupported,
        damping=own.tolist(),
    )
    return float(own[0]) / joined(model, i).rate ** 2

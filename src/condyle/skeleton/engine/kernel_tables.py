"""What the kernels read (`Plan`) and where they write: one flat array of numbers interleaved by lane, with `Offsets`.

The world is the body with index `len(bodies) − 1`: at rest at the origin. A state is 13 numbers per body: position (3),
quaternion wxyz (4), velocity (3) in world axes, angular velocity (3) in body axes. A body's 6 numbers are angular part
first. A joint's 6 rows: three for the point, then up to three turns, first those that are locked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STATE = 13  # numbers per body in a state


class Plan(NamedTuple):
    """The frozen tables of a skeleton."""

    links: np.ndarray  # (joints, 3): first body, second body, how many turns are locked (0 ball, 2 hinge, 3 weld)
    peeled: np.ndarray  # (branch joints, 3): joint, child, parent; leaves first
    hubs: np.ndarray  # (bodies left,): those on loops, or the floating root
    core: np.ndarray  # (joints left,): in the order of elimination; then their pattern, see `fill`
    first: np.ndarray
    below: np.ndarray
    shared: np.ndarray
    bodies: np.ndarray  # (bodies + 1, 13): mass, moment of inertia (6), its inverse (6)
    joints: np.ndarray  # (joints, 25): points in both bodies (3 + 3), frames in both (9 + 9, by columns), friction
    gravity: np.ndarray  # (3,)
    springs: np.ndarray  # (springs, 11), see `elastic.elastic_tables`
    limits: np.ndarray  # (limits, 5)


class Offsets(NamedTuple):
    """Where the parts of the work array begin. One array: kernels with a dozen of them compile slowly."""

    x: int  # the state
    angle: int  # … and the angle of the hinge of each limit, turns counted in
    R: int  # rotations, 9 per body
    M: int  # articulated inertias A, B, C, or packed factors in the core, 21 per body
    arm: int  # levers of both bodies and the three turning axes, 15 per joint
    dual: int  # the basis dual to those axes, 9 per joint
    jump: int  # the twist by which right-hand sides move a branch's child off its parent, 6 per joint
    J: int  # what a branch's joint passes on of its child's inertia, 21 per joint
    along: int  # its free turns: M̃s and 1/(sᵀM̃s), 7 for each of up to three
    rest: int  # the force along each, 3 per joint
    f: int  # forces in, accelerations out, 6 per body
    b: int  # right-hand sides in, reactions out, 6 per joint
    Y: int  # the core: L⁻¹ of the constraint rows, 36 for each side of a joint
    block: int  # … blocks of the joints' system, 36 each
    pivot: int  # … factors of its diagonal blocks, 21 per joint
    wanted: int  # … right-hand sides, 6 per joint
    change: int  # … what is missing, then the change of reactions, 6 per joint
    momentum: int  # 6 per body
    turn: int  # the body-fixed rotation rate of the step, 3 per body
    guess: int  # the reactions that are expected to close the next step's positions, 6 per joint
    missed: int  # those of a step less those that had closed velocities at its start, 6 per joint
    former: int  # the same of the step before
    earlier: int  # … and of the one before that
    next: int  # another state
    R_next: int  # its rotations, 9 per body
    slope: int  # the derivative of a state
    total: int  # the sum of Runge-Kutta slopes
    good: int  # the last state that was good, with its angles
    flag: int  # 1 where an iteration is still going, 0 or SEEN (of `variational`) where it has ended; its residual
    end: int


def offsets_of(plan: Plan) -> Offsets:
    """Where everything is, in numbers of one lane."""
    n, joints, left = len(plan.bodies), len(plan.links), len(plan.core)
    state = STATE * n
    placed = (9 * n, 21 * n, 15 * joints, 9 * joints, 6 * joints)
    own = (state, len(plan.limits), *placed, 21 * joints, 21 * joints, 3 * joints, 6 * n, 6 * joints)
    core = (72 * left, 36 * len(plan.below), 21 * left, 6 * left, 6 * left)
    expected = (6 * joints, 6 * joints, 6 * joints, 6 * joints)
    stepping = (6 * n, 3 * n, *expected, state, 9 * n, state, state, state + len(plan.limits), 2)
    return Offsets(*np.concatenate([[0], np.cumsum(own + core + stepping)]).tolist())


def part(w: np.ndarray, offsets: Offsets, name: str) -> np.ndarray:
    """One part of the work array, or of several (..., numbers · lanes)."""
    k = Offsets._fields.index(name)
    lanes = w.shape[-1] // offsets.end
    return w[..., offsets[k] * lanes : offsets[k + 1] * lanes]

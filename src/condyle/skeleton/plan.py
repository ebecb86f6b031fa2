"""What the kernels read (`Plan`) and where they write (`Work`): flat arrays, numbers interleaved by lane.

The world is the body with index `len(bodies) − 1`: at rest at the origin. A state is 13 numbers per body: position (3),
quaternion wxyz (4), velocity (3) in world axes, angular velocity (3) in body axes. A body's 6 numbers are angular part
first. A joint's 6 rows: three for the point, then up to three turns; `rows` says how many are used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["LOADS_PER_BODY", "STATE", "Plan", "Work", "work_for"]

STATE = 13  # numbers per body in a state
LOADS_PER_BODY = 6  # force (3), torque (3), both in world axes


class Plan(NamedTuple):
    """The frozen tables of a skeleton."""

    links: np.ndarray  # (joints, 3): first body, second body, how many turns are locked (0 ball, 2 hinge, 3 weld)
    order: np.ndarray  # (tree joints, 3): joint, child, parent; leaves first
    loops: np.ndarray  # (loop joints,): joints outside the spanning tree
    root: int  # the floating body at the root, or the world
    bodies: np.ndarray  # (bodies + 1, 13): mass, moment of inertia (6), its inverse (6)
    joints: np.ndarray  # (joints, 25): points in both bodies (3 + 3), frames in both (9 + 9, by columns), friction
    gravity: np.ndarray  # (3,)


class Work(NamedTuple):
    """Scratch of one block of states."""

    R: np.ndarray  # rotations, 9 per body
    M: np.ndarray  # articulated inertias and their factors, 21 per body
    arm: np.ndarray  # levers of both bodies and the three turning axes, 15 per joint
    Y: np.ndarray  # L_M⁻¹ of the child's constraint rows, 36 per joint
    K: np.ndarray  # the joint's own block and its factor, 21 per joint
    W: np.ndarray  # L_K⁻¹ of the parent's constraint rows, 36 per joint
    f: np.ndarray  # forces in, accelerations out, 6 per body
    b: np.ndarray  # right-hand sides in, reactions out, 6 per joint
    response: np.ndarray  # what a unit reaction of each loop row does: accelerations, 6 per body
    reaction: np.ndarray  # … and reactions of the tree, 6 per joint
    C: np.ndarray  # the loops' own system, square
    V: np.ndarray  # its eigenvectors, in columns
    E: np.ndarray  # its eigenvalues, zero where the loop is redundant; then the scale of each row; then scratch
    P: np.ndarray  # its pseudo-inverse
    momentum: np.ndarray  # 6 per body
    turn: np.ndarray  # the body-fixed rotation rate of the step, 3 per body
    guess: np.ndarray  # the last step's position reactions, 6 per joint
    next: np.ndarray  # a state
    R_next: np.ndarray  # its rotations, 9 per body
    slope: np.ndarray  # a derivative of a state
    total: np.ndarray  # the sum of Runge-Kutta slopes
    flag: np.ndarray  # 1 where an iteration is still going, its residual


def work_for(plan: Plan, rows: np.ndarray, lanes: int, dtype=np.float64) -> Work:
    """Scratch for `lanes` states side by side."""
    n, joints = len(plan.bodies), len(plan.links)
    loop = int(rows[plan.loops].sum())
    sizes = Work(
        R=9 * n,
        M=21 * n,
        arm=15 * joints,
        Y=36 * joints,
        K=21 * joints,
        W=36 * joints,
        f=6 * n,
        b=6 * joints,
        response=6 * n * loop,
        reaction=6 * joints * loop,
        C=loop * loop,
        V=loop * loop,
        E=3 * loop,
        P=loop * loop,
        momentum=6 * n,
        turn=3 * n,
        guess=6 * joints,
        next=STATE * n,
        R_next=9 * n,
        slope=STATE * n,
        total=STATE * n,
        flag=2,
    )
    return Work(*(np.zeros(size * lanes, dtype) for size in sizes))

"""What the kernels read (`Plan`) and where they write: one flat array of numbers interleaved by lane, with `Offsets`.

The world is the body with index `len(bodies) − 1`: at rest at the origin. A state is 13 numbers per body: position (3),
quaternion wxyz (4), velocity (3) in world axes, angular velocity (3) in body axes. A body's 6 numbers are angular part
first. A joint's 6 rows: three for the point, then up to three turns; `rows` says how many are used.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["STATE", "Offsets", "Plan", "part", "work_for"]

STATE = 13  # numbers per body in a state


class Plan(NamedTuple):
    """The frozen tables of a skeleton."""

    links: np.ndarray  # (joints, 3): first body, second body, how many turns are locked (0 ball, 2 hinge, 3 weld)
    order: np.ndarray  # (tree joints, 3): joint, child, parent; leaves first
    loops: np.ndarray  # (loop joints,): joints outside the spanning tree
    root: int  # the floating body at the root, or the world
    bodies: np.ndarray  # (bodies + 1, 13): mass, moment of inertia (6), its inverse (6)
    joints: np.ndarray  # (joints, 25): points in both bodies (3 + 3), frames in both (9 + 9, by columns), friction
    gravity: np.ndarray  # (3,)


class Offsets(NamedTuple):
    """Where the parts of the work array begin. One array: kernels with a dozen of them compile slowly."""

    x: int  # the state
    R: int  # rotations, 9 per body
    M: int  # articulated inertias and their factors, 21 per body
    arm: int  # levers of both bodies and the three turning axes, 15 per joint
    Y: int  # L_M⁻¹ of the child's constraint rows, 36 per joint
    K: int  # the joint's own block and its factor, 21 per joint
    W: int  # L_K⁻¹ of the parent's constraint rows, 36 per joint
    f: int  # forces in, accelerations out, 6 per body
    b: int  # right-hand sides in, reactions out, 6 per joint
    response: int  # what a unit reaction of each loop row does: accelerations, 6 per body
    reaction: int  # … and reactions of the tree, 6 per joint
    C: int  # the loops' own system, square
    V: int  # its eigenvectors, in columns
    E: int  # its eigenvalues, zero where the loop is redundant; then the scale of each row; then scratch
    P: int  # its pseudo-inverse
    momentum: int  # 6 per body
    turn: int  # the body-fixed rotation rate of the step, 3 per body
    guess: int  # the last step's position reactions, 6 per joint
    next: int  # another state
    R_next: int  # its rotations, 9 per body
    slope: int  # the derivative of a state
    total: int  # the sum of Runge-Kutta slopes
    flag: int  # 1 where an iteration is still going; its residual
    end: int


def work_for(plan: Plan, rows: np.ndarray, lanes: int) -> tuple[np.ndarray, Offsets]:
    """The work array for `lanes` states side by side, and its parts."""
    n, joints = len(plan.bodies), len(plan.links)
    loop = int(rows[plan.loops].sum())
    state = STATE * n
    own = (state, 9 * n, 21 * n, 15 * joints, 36 * joints, 21 * joints, 36 * joints, 6 * n, 6 * joints)
    loops = (6 * n * loop, 6 * joints * loop, loop * loop, loop * loop, 3 * loop, loop * loop)
    stepping = (6 * n, 3 * n, 6 * joints, state, 9 * n, state, state, 2)
    offsets = Offsets(*np.concatenate([[0], np.cumsum(own + loops + stepping)]).tolist())
    return np.zeros(offsets.end * lanes), offsets


def part(w: np.ndarray, offsets: Offsets, name: str) -> np.ndarray:
    """One part of the work array."""
    k = Offsets._fields.index(name)
    lanes = len(w) // offsets.end
    return w[offsets[k] * lanes : offsets[k + 1] * lanes]

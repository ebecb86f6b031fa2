"""Residuals of targets and their exact Jacobian in kernels, one member at a time.

Points come first, three rows each, then turns. `bodies` has their slots; `fixed` has each point in its body's inertial
frame and its weight, then each target body's axes in its inertial frame (9) and their weight; a goal is the points'
places [m], NaN where a marker was not observed, then the wanted axes (9 each).
"""

import math

from ...dynamics.kernels.layout import AXIS, COLUMN, POSITION, ROTATION, SLOT
from ...dynamics.kernels.outward_pass import place
from ...dynamics.kernels.scratch import COLUMNS, LOCAL, SLOTS, SPARE, memory
from ...model.kernels.layout import BODY_SIZE, FIRST_BODY, NQ, NV, PARENT, V0, WIDTH
from ...numeric import entry, give_back, inlined, kernel, pack, scratch, store, tables, unpack
from ...spatial.kernels.algebra import add3, cross, load3, load9, matmul, matvec, scale3, sub3, transposed_matvec
from ...spatial.kernels.logarithm import left_inverse_transposed, rotation_log

__all__ = ["linear_rows", "target_rows"]

POINT, TURN = 4, 10  # numbers of `fixed` for each
HALF_TURN = -0.9  # cosine below which the axis is read from R + Rᵀ


@kernel
def axis_of_half_turn(R):
    """The longest column of R + Rᵀ + (1 − tr R) I, 2 (1 − cos θ) times a component of the axis, made a unit."""
    less_trace = 1.0 - R[0] - R[4] - R[8]
    x = (2.0 * R[0] + less_trace, R[1] + R[3], R[2] + R[6])
    y = (x[1], 2.0 * R[4] + less_trace, R[5] + R[7])
    u = (x[2], y[2], 2.0 * R[8] + less_trace)
    n = x if x[0] >= max(y[1], u[2]) else (y if y[1] >= u[2] else u)
    return scale3(1.0 / math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), n)


@kernel
def turn_of(z, R):
    """The rotation vector of R, half a turn included."""
    if R[0] + R[4] + R[8] > 1.0 + 2.0 * HALF_TURN:
        return rotation_log(z, R)
    n = axis_of_half_turn(R)
    sine = 0.5 * (n[0] * (R[7] - R[5]) + n[1] * (R[2] - R[6]) + n[2] * (R[3] - R[1]))
    return scale3((1.0 if sine >= 0.0 else -1.0) * math.pi - math.asin(sine), n)


@kernel
def point_rows(z, codes, m, slot, x, weights, row, J):
    """Rows of J of a point at x in the world: its velocity for each column that moves its body, by axes weighted."""
    nv, slots = codes[NV], m[SLOTS]
    while slot > 0:
        body = codes[FIRST_BODY] + (slot - 1) * BODY_SIZE
        arm = sub3(x, load3(z, slots, slot * SLOT + POSITION))
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            at = k * COLUMN + AXIS
            u = add3(load3(z, m[COLUMNS], at + 3), cross(load3(z, m[COLUMNS], at), arm))
            for c in range(3):
                store(z, J, (row + c) * nv + k, weights[c] * u[c])
        slot = codes[body + PARENT]


@kernel
def turn_rows(z, codes, m, slot, R, turn, weight, row, J):
    """Rows of J of the turn past a target, its body's axes R: Jr⁻¹ Rᵀ ω for each column that moves it."""
    nv = codes[NV]
    while slot > 0:
        body = codes[FIRST_BODY] + (slot - 1) * BODY_SIZE
        for k in range(codes[body + V0], codes[body + V0] + codes[body + WIDTH]):
            w = transposed_matvec(R, load3(z, m[COLUMNS], k * COLUMN + AXIS))
            rate = left_inverse_transposed(z, turn, w)
            for c in range(3):
                store(z, J, (row + c) * nv + k, weight * rate[c])
        slot = codes[body + PARENT]


@inlined
def heeded(wanted, weight):
    """The weight; 0 where the goal is NaN (marker not observed)."""
    return 0.0 if math.isnan(wanted) else weight


@kernel
def point_target(z, codes, m, slot, fixed, at, goal, k, row, r, J):
    """Residuals and rows of one point."""
    R, p = load9(z, m[SLOTS], slot * SLOT + ROTATION), load3(z, m[SLOTS], slot * SLOT + POSITION)
    x = add3(p, matvec(R, (fixed[at], fixed[at + 1], fixed[at + 2])))
    wanted, weight = load3(z, goal, k), fixed[at + 3]
    seen = heeded(wanted[0], weight), heeded(wanted[1], weight), heeded(wanted[2], weight)
    for c in range(3):
        store(z, r, row + c, seen[c] * (x[c] - wanted[c]) if seen[c] > 0.0 else z)
    point_rows(z, codes, m, slot, x, seen, row, J)


@kernel
def turn_target(z, codes, m, slot, fixed, at, goal, k, row, r, J):
    """Residuals and rows of one body's axes."""
    R = matmul(load9(z, m[SLOTS], slot * SLOT + ROTATION), load9(z, fixed, at))
    G, weight = load9(z, goal, k), fixed[at + 9]
    turn = turn_of(z, matmul((G[0], G[3], G[6], G[1], G[4], G[7], G[2], G[5], G[8]), R))
    for c in range(3):
        store(z, r, row + c, weight * turn[c])
    turn_rows(z, codes, m, slot, R, turn, weight, row, J)


@kernel
def linear_rows(z, codes, numbers, q, v, m, points, turns, bodies, fixed, goal, r, J):
    """Residuals r and their Jacobian J (rows, nv) at q; v is zero."""
    place(z, codes, numbers, q, v, m[SLOTS], m[COLUMNS], m[LOCAL], m[SPARE])
    for k in range(3 * (points + turns) * codes[NV]):
        store(z, J, k, z)
    for i in range(points):
        point_target(z, codes, m, bodies[i], fixed, POINT * i, goal, 3 * i, 3 * i, r, J)
    for i in range(turns):
        at, k = POINT * points + TURN * i, 3 * points + 9 * i
        turn_target(z, codes, m, bodies[points + i], fixed, at, goal, k, 3 * (points + i), r, J)


@entry
def target_rows(z, codes, numbers, points, turns, bodies, fixed, GOALS, Q, R, J, start, stop):
    """Residuals R (count, rows) and their Jacobian J (count, rows · nv) at each row of Q."""
    codes, numbers = tables(codes, numbers)
    bodies, fixed = tables(bodies, fixed)
    nv, rows = codes[NV], 3 * (points + turns)
    m, q, v, goal = memory(z, codes), scratch(z, codes[NQ]), scratch(z, nv), scratch(z, 3 * points + 9 * turns)
    r, slopes = scratch(z, rows), scratch(z, rows * nv)
    for k in range(nv):
        store(z, v, k, z)
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        pack(z, GOALS, i, stop, goal)
        linear_rows(z, codes, numbers, q, v, m, points, turns, bodies, fixed, goal, r, slopes)
        unpack(z, r, R, i, i + 1)
        unpack(z, slopes, J, i, i + 1)
    give_back(m, q, v, goal, r, slopes)

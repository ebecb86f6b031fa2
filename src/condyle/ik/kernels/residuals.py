"""Residuals of targets and their exact Jacobian in kernels.

Points come first, three rows each, then orientations, then coordinates, one row each. The codes of the targets are the
bodies' slots, then each coordinate's places in q and v; their numbers are each point in its body's inertial frame and
its weight, then each target body's axes in its inertial frame (9) and their weight. A goal is the points' places [m],
NaN where none was observed, then the wanted axes (9 each), then each coordinate's value, NaN for none, and its weight.
"""

from typing import Any, NamedTuple

from ...dynamics.kernels.followers import body_column, body_columns, put_slope
from ...dynamics.kernels.outward_pass import constants9, place
from ...dynamics.kernels.scratch import tree_scratch
from ...dynamics.kernels.scratch_layout import COLUMN, SLOT
from ...model.kernels.records import body_at, header
from ...numeric import (
    any_lane,
    entry,
    inlined,
    kernel,
    less,
    load,
    magnitude,
    pack,
    release,
    scratch,
    select,
    store,
    tables,
    unpack,
)
from ...spatial.kernels.algebra import (
    add3,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    shifted,
    sub3,
    transposed_matvec,
)
from ...spatial.kernels.logarithm import left_inverse_transposed, rotation_log_to_half_turn

POINT, TURN = 4, 10  # constants for each
COORDINATE = 2  # numbers of a goal: value and weight


class Targets(NamedTuple):
    """How many points, orientations and coordinates, the tables of their constants, and the goal of one member."""

    points: int
    turns: int
    coordinates: int
    table: Any
    goal: Any


@inlined
def residual_count(counts):
    """Residuals of (points, orientations, coordinates)."""
    return 3 * (counts[0] + counts[1]) + counts[2]


@inlined
def goal_size(counts):
    """Numbers of a goal of (points, orientations, coordinates)."""
    return 3 * counts[0] + 9 * counts[1] + COORDINATE * counts[2]


@inlined
def observed_weight(z, wanted, weight):
    """The weight; 0 where the goal is NaN (marker not observed)."""
    return select(less(wanted, 1.0), z + weight, select(less(0.0, wanted), z + weight, z))


@kernel
def point_target(z, t, targets, i, m, r, J):
    """Residuals of point i, and their rows of J: its velocity for each column that moves its body, weighted."""
    slot, at, row, nv = targets.table.codes[i], POINT * i, 3 * i, header(t).nv
    fixed, base = targets.table.numbers, slot * SLOT.size
    R, p = load9(z, m.slots, base + SLOT.rotation), load3(z, m.slots, base + SLOT.position)
    x = add3(p, matvec(R, (fixed[at], fixed[at + 1], fixed[at + 2])))
    wanted, weight = load3(z, targets.goal, row), fixed[at + 3]
    weights = (
        observed_weight(z, wanted[0], weight),
        observed_weight(z, wanted[1], weight),
        observed_weight(z, wanted[2], weight),
    )
    for c in range(3):
        store(z, r, row + c, select(less(0.0, weights[c]), weights[c] * (x[c] - wanted[c]), z))
    while slot > 0:
        b = body_at(t, slot - 1)
        arm = sub3(x, load3(z, m.slots, slot * SLOT.size + SLOT.position))
        for j in range(body_columns(t, b, slot - 1, m.fold)):
            column, k = body_column(t, b, slot - 1, j, m.fold)
            _, u = halves(shifted(load6(z, m.columns, column * COLUMN.size + COLUMN.axis), arm))
            for c in range(3):
                put_slope(z, J, (row + c) * nv + k, weights[c] * u[c], m.fold)
        slot = b.parent


@kernel
def turn_target(z, t, targets, i, m, r, J):
    """Residuals of orientation i, and their rows of J: Jr⁻¹ Rᵀ ω for each column that moves its body with axes R."""
    slot, at, nv = targets.table.codes[targets.points + i], POINT * targets.points + TURN * i, header(t).nv
    fixed, row = targets.table.numbers, 3 * (targets.points + i)
    R = matmul(load9(z, m.slots, slot * SLOT.size + SLOT.rotation), constants9(fixed, at))
    G, weight = load9(z, targets.goal, 3 * targets.points + 9 * i), fixed[at + 9]
    turn = rotation_log_to_half_turn(z, matmul((G[0], G[3], G[6], G[1], G[4], G[7], G[2], G[5], G[8]), R))
    for c in range(3):
        store(z, r, row + c, weight * turn[c])
    while slot > 0:
        b = body_at(t, slot - 1)
        for j in range(body_columns(t, b, slot - 1, m.fold)):
            column, k = body_column(t, b, slot - 1, j, m.fold)
            w = transposed_matvec(R, load3(z, m.columns, column * COLUMN.size + COLUMN.axis))
            rate = left_inverse_transposed(z, turn, w)
            for c in range(3):
                put_slope(z, J, (row + c) * nv + k, weight * rate[c], m.fold)
        slot = b.parent


@kernel
def coordinate_target(z, t, targets, i, q, r, J):
    """The residual of coordinate i, and its row of J: its weight in one column."""
    code, row = targets.points + targets.turns + 2 * i, 3 * (targets.points + targets.turns) + i
    goal = 3 * targets.points + 9 * targets.turns + COORDINATE * i
    at, column = targets.table.codes[code], targets.table.codes[code + 1]
    wanted = load(z, targets.goal, goal)
    weight = observed_weight(z, wanted, load(z, targets.goal, goal + 1))
    store(z, r, row, select(less(0.0, weight), weight * (load(z, q, at) - wanted), z))
    store(z, J, row * header(t).nv + column, weight)


@kernel
def linear_rows(z, t, targets, q, v, m, r, J):
    """Residuals r and their Jacobian J (rows, nv) at q; v is zero."""
    place(z, t, q, v, m)
    rows = 3 * (targets.points + targets.turns) + targets.coordinates
    for k in range(rows * header(t).nv):
        store(z, J, k, z)
    for i in range(targets.points):
        point_target(z, t, targets, i, m, r, J)
    for i in range(targets.turns):
        turn_target(z, t, targets, i, m, r, J)
    for i in range(targets.coordinates):
        coordinate_target(z, t, targets, i, q, r, J)


@kernel
def normal_equations(z, rows, nv, w):
    """H = JᵀJ (lower part) and g = Jᵀr, row by row; a body's rows have columns only for the joints above it."""
    for i in range(nv):
        store(z, w.g, i, z)
        for j in range(i + 1):
            store(z, w.H, i * nv + j, z)
    for k in range(rows):
        x = load(z, w.r, k)
        for i in range(nv):
            y = load(z, w.J, k * nv + i)
            if not any_lane(less(0.0, magnitude(y))):
                continue
            store(z, w.g, i, load(z, w.g, i) + y * x)
            for j in range(i + 1):
                store(z, w.H, i * nv + j, load(z, w.H, i * nv + j) + y * load(z, w.J, k * nv + j))


@entry
def target_rows(z, pair, asked, arrays, start, stop):
    """Residuals R (count, rows) and Jacobian J (count, rows · nv) at each row of Q; arrays = (GOALS, Q, R, J).

    `asked` is ((points, orientations, coordinates), constants).
    """
    t = tables(pair[:2])
    GOALS, Q, R, J = arrays
    counts, constants = asked
    nv, rows = header(t).nv, residual_count(counts)
    targets = Targets(counts[0], counts[1], counts[2], tables(constants), scratch(z, goal_size(counts)))
    m, q, v = tree_scratch(z, t, *pair[2:]), scratch(z, header(t).nq), scratch(z, nv)
    r, slopes = scratch(z, rows), scratch(z, rows * nv)
    for k in range(nv):
        store(z, v, k, z)
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        pack(z, GOALS, i, stop, targets.goal)
        linear_rows(z, t, targets, q, v, m, r, slopes)
        unpack(z, r, R, i, i + 1)
        unpack(z, slopes, J, i, i + 1)
    release(m, targets.goal, q, v, r, slopes)

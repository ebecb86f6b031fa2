"""Gaps of constraints and their exact Jacobian, closed or open, for methods that move coordinates onto constraints.

The rate that `constraint_rows` has for a weld's turn u, 2 sin(θ/2) long, is the angular velocity ω_a − ω_b: exact where
the frames coincide. Elsewhere, with the quaternion (cos θ/2, u/2) from frame b to frame a,
u̇ = cos(θ/2) (ω_a − ω_b) + ½ (ω_a + ω_b) × u.
"""

from ....model.kernels.layout import WELD
from ....model.kernels.records import body_at, constraint_at, header, loop_at
from ....numeric import entry, kernel, less, load, pack, release, scratch, select, sqrt, store, tables, unpack
from ....spatial.kernels.algebra import cross, dot3, load3
from ...kernels.followers import body_column, body_columns
from ...kernels.inverse import accelerate_bodies
from ...kernels.outward_pass import place
from ...kernels.scratch import tree_scratch
from ...kernels.scratch_layout import COLUMN
from .constraint_rows import constraint_rows
from .constraint_scratch import constraint_scratch


@kernel
def add_mean_turning(z, t, row, slot, u, m, J):
    """Add ½ ω × u to three rows, for every column that turns a body."""
    while slot > 0:
        b = body_at(t, slot - 1)
        for j in range(body_columns(t, b, slot - 1, m.fold)):
            column, k = body_column(t, b, slot - 1, j, m.fold)
            w = load3(z, m.columns, column * COLUMN.size + COLUMN.axis)
            turning = cross(w, u)
            for i in range(3):
                at = (row + i) * header(t).nv + k
                store(z, J, at, load(z, J, at) + 0.5 * turning[i])
        slot = b.parent


@kernel
def correct_turn(z, t, i, m, c):
    """The rows of a weld's turn, made the rate of its gap u where the frames do not coincide."""
    loop, nv = loop_at(t, i), header(t).nv
    u = load3(z, c.gap, loop.first_row)
    square = 1.0 - 0.25 * dot3(u, u)
    cosine = sqrt(select(less(square, 0.0), z, square))
    for k in range(loop.first_row * nv, (loop.first_row + 3) * nv):
        store(z, c.jacobian, k, cosine * load(z, c.jacobian, k))
    add_mean_turning(z, t, loop.first_row, loop.slot_a, u, m, c.jacobian)
    add_mean_turning(z, t, loop.first_row, loop.slot_b, u, m, c.jacobian)


@entry
def gap_states(z, pair, states, start, stop):
    """GAPS (count, rows) and their Jacobian (count, rows · nv) of states = (Q, GAPS, JACOBIANS), all at rest."""
    t = tables(pair[:2])
    Q, GAPS, JACOBIANS = states
    m, c, q = tree_scratch(z, t, *pair[2:]), constraint_scratch(z, t), scratch(z, header(t).nq)
    for i in range(start, stop):
        pack(z, Q, i, stop, q)
        place(z, t, q, c.still, m)
        accelerate_bodies(z, t, c.still, m)
        constraint_rows(z, t, q, c.still, c.still, m, c)
        for k in range(header(t).constraints):
            if constraint_at(t, k).kind == WELD:
                correct_turn(z, t, k, m, c)
        unpack(z, c.gap, GAPS, i, i + 1)
        unpack(z, c.jacobian, JACOBIANS, i, i + 1)
    release(m, c, q)

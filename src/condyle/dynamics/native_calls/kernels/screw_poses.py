"""Poses of one state of a model whose joints are screws, H exp(ĝ q): hinges, slides, helices and welds.

Unit quaternions are multiplied, not matrices: no root and no branch for each body, and parents are read from the
result itself, so there is no scratch.
"""

from ....model.kernels.records import body_at, header
from ....numeric import as_scratch, entry, finite, inlined, less, load, select, sincos, tables
from ....spatial.kernels.algebra import add3, cross, load3, load4, quaternion_product, scale3, store3, store4
from ...kernels.body_poses import POSE
from .one_state import UNFIT, unfit

# row of a body: quaternions by cos θ/2 and sin θ/2; positions by 1, q, sin θ and 1 − cos θ; θ/2 for each unit of q
ROW_SINE, ROW_P, ROW_RATE, ROW_SIZE = 4, 8, 20, 21


@inlined
def screw_pose(rows, at, x):
    """Quaternion and position of a body in its parent, at coordinate x."""
    s, c = sincos(rows[at + ROW_RATE] * x)
    sn, cs, a, p = 2.0 * s * c, 2.0 * s * s, at + ROW_SINE, at + ROW_P
    turn = (
        c * rows[at] + s * rows[a],
        c * rows[at + 1] + s * rows[a + 1],
        c * rows[at + 2] + s * rows[a + 2],
        c * rows[at + 3] + s * rows[a + 3],
    )
    place = (
        rows[p] + x * rows[p + 3] + sn * rows[p + 6] + cs * rows[p + 9],
        rows[p + 1] + x * rows[p + 4] + sn * rows[p + 7] + cs * rows[p + 10],
        rows[p + 2] + x * rows[p + 5] + sn * rows[p + 8] + cs * rows[p + 11],
    )
    return turn, place


@inlined
def rotated_by(Q, p):
    """A vector turned by a unit quaternion."""
    u = (Q[1], Q[2], Q[3])
    t = scale3(2.0, cross(u, p))
    return add3(p, add3(scale3(Q[0], t), cross(u, t)))


@inlined
def unit(z, Q):
    """A quaternion that is nearly of length 1 made so, with w ≥ 0: one step of Newton's for 1/√n at n = 1."""
    k = 1.5 - 0.5 * (Q[0] * Q[0] + Q[1] * Q[1] + Q[2] * Q[2] + Q[3] * Q[3])
    k = select(less(Q[0], z), -k, k)
    return (k * Q[0], k * Q[1], k * Q[2], k * Q[3])


@entry
def screw_poses_one(z, pair, rows, q, out):
    """Poses of all bodies (nbodies, 7), from their rows (nbodies · ROW_SIZE)."""
    t = tables(pair[:2])
    h = header(t)
    if unfit(q, h.nq):
        return UNFIT
    given, to, rows = as_scratch(q), as_scratch(out), as_scratch(rows)
    total = z
    for i in range(h.bodies):
        b = body_at(t, i)
        x = load(z, given, b.q0) if b.nv > 0 else z
        Q, p = screw_pose(rows, i * ROW_SIZE, x)
        if b.parent > 0:
            above = (b.parent - 1) * POSE
            X = load4(z, to, above)
            Q, p = quaternion_product(X, Q), add3(load3(z, to, above + 4), rotated_by(X, p))
        store4(z, to, i * POSE, unit(z, Q))
        store3(z, to, i * POSE + 4, p)
        total = total + Q[0] + p[0] + p[1] + p[2]
    return 0 if finite(total) else UNFIT

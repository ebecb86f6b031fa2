"""The constraint rows G of a joint: how bodies' motion opens it, how its reactions push the bodies.

For side 1 a point row is e·(v + ω×r) and a turning row n·ω; side 2 has the opposite sign.  [Hakenberg, eq. 2]
"""

from __future__ import annotations

from ...numeric import inlined, kernel, store
from ...spatial.kernels.algebra import add3, cross, dot3, load3, load6, scale3, store3, sub3


@kernel
def fill_rows(z, w, arm, j, first, used, bt):
    """The `used` rows of joint j for its first body (else its second), 6 numbers each, angular part first."""
    s = 1.0 if first else -1.0
    r = scale3(s, load3(z, w, arm + 15 * j + (0 if first else 3)))
    store3(z, w, bt, (z, r[2], -r[1]))  # r × e_x
    store3(z, w, bt + 6, (-r[2], z, r[0]))
    store3(z, w, bt + 12, (r[1], -r[0], z))
    for i in range(3):
        store3(z, w, bt + 6 * i + 3, (z, z, z))
        store(z, w, bt + 6 * i + 3 + i, z + s)
    for i in range(3, used):
        store3(z, w, bt + 6 * i, scale3(s, load3(z, w, arm + 15 * j + 3 * i - 3)))
        store3(z, w, bt + 6 * i + 3, (z, z, z))


@kernel
def openings(z, w, links, arm, j, u):
    """The six rows of G u for joint j, unused ones included."""
    i, k, at = u + 6 * links[j, 0], u + 6 * links[j, 1], arm + 15 * j
    w1, w2 = load3(z, w, i), load3(z, w, k)
    v = sub3(
        add3(load3(z, w, i + 3), cross(w1, load3(z, w, at))),
        add3(load3(z, w, k + 3), cross(w2, load3(z, w, at + 3))),
    )
    turn = sub3(w1, w2)
    n0, n1, n2 = load3(z, w, at + 6), load3(z, w, at + 9), load3(z, w, at + 12)
    return v[0], v[1], v[2], dot3(n0, turn), dot3(n1, turn), dot3(n2, turn)


@inlined
def torque(z, w, arm, j, b):
    """What the turning rows b of joint j do to its first body."""
    return torque_of(z, w, arm, j, load3(z, w, b + 6 * j + 3))


@inlined
def torque_of(z, w, arm, j, d):
    """What turning rows d of joint j do to its first body."""
    at = arm + 15 * j + 6
    return add3(
        scale3(d[0], load3(z, w, at)),
        add3(scale3(d[1], load3(z, w, at + 3)), scale3(d[2], load3(z, w, at + 6))),
    )


@kernel
def push(z, w, links, arm, j, b, f):
    """f += Gᵀ b for joint j; unused rows of b must be zero."""
    push_rows(z, w, links, arm, j, load6(z, w, b + 6 * j), f)


@inlined
def push_rows(z, w, links, arm, j, rows, f):
    """f += Gᵀ rows for joint j."""
    i, k, at = f + 6 * links[j, 0], f + 6 * links[j, 1], arm + 15 * j
    c, turn = (rows[0], rows[1], rows[2]), torque_of(z, w, arm, j, (rows[3], rows[4], rows[5]))
    store3(z, w, i, add3(load3(z, w, i), add3(cross(load3(z, w, at), c), turn)))
    store3(z, w, i + 3, add3(load3(z, w, i + 3), c))
    store3(z, w, k, sub3(load3(z, w, k), add3(cross(load3(z, w, at + 3), c), turn)))
    store3(z, w, k + 3, sub3(load3(z, w, k + 3), c))

"""Cotangents of the numbers of bodies, ∂P by wrench, mass, centre, moment, placement and offset.

They are found in the axes of the inertial frame C of the body (of its parent for the placement) and at its centre of
mass. From there they go to the user's frames at once, or are added up over states first: then `frames` is None, which
is decided when compiling, and `finish_bodies` takes them to the user's frames at last.

P depends on a body by 𝓘 alone. So a twist of the body that leaves its motion as it is, which an offset gives to it and
to all that it carries, shifts its centre and turns its moments: that part of ∂P is at hand with theirs.
"""

from ....model.kernels.records import body_at, header
from ....numeric import inlined, kernel, load, seldom, store
from ....spatial.kernels.algebra import (
    add3,
    add6,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    scale3,
    scale6,
    shifted,
    store3,
    store6,
    store9,
    sub3,
    transposed_matvec,
    twist_zero,
)
from ....spatial.kernels.inertia import symmetric_times
from ...kernels.body_motion import in_body_axes
from ...kernels.scratch_layout import SLOT
from .cotangent_layout import (
    BODY,
    CARRIED,
    CARRIED_D,
    CARRIED_N,
    CENTER,
    MASS,
    MOMENT,
    OFFSET,
    PARENT_TWIST,
    PLACEMENT,
    WRENCH,
)
from .inverse_derivatives import six


@inlined
def wrench_in(z, R, x, f):
    """A wrench in the axes R and at the point x."""
    m, g = halves(f)
    return in_body_axes(z, R, six(sub3(m, cross(x, g)), g))


@inlined
def in_axes_of(z, slot, f, m):
    """A wrench at the centre of mass of the body of a slot, in its inertial axes."""
    return in_body_axes(z, load9(z, m.slots, slot * SLOT.size + SLOT.rotation), f)


@inlined
def by_moment(w, alpha, x):
    """The gradient of w · (I α + x × I x) by I, as a symmetric matrix: xx, xy, xz, yy, yz, zz."""
    y = cross(w, x)
    xy = 0.5 * (w[0] * alpha[1] + w[1] * alpha[0] + y[0] * x[1] + y[1] * x[0])
    xz = 0.5 * (w[0] * alpha[2] + w[2] * alpha[0] + y[0] * x[2] + y[2] * x[0])
    yz = 0.5 * (w[1] * alpha[2] + w[2] * alpha[1] + y[1] * x[2] + y[2] * x[1])
    xx, yy, zz = w[0] * alpha[0] + y[0] * x[0], w[1] * alpha[1] + y[1] * x[1], w[2] * alpha[2] + y[2] * x[2]
    return xx, xy, xz, yy, yz, zz


@inlined
def by_turn(moments, M):
    """The gradient by a turn of a body whose principal moments have the gradient M."""
    x = 2.0 * (moments[1] - moments[2]) * M[4]
    y = 2.0 * (moments[2] - moments[0]) * M[2]
    return x, y, 2.0 * (moments[0] - moments[1]) * M[1]


@inlined
def frame_at(frames, i, k):
    """Rotation and position of frame k of body i."""
    at = 12 * k
    R = (
        frames[i, at],
        frames[i, at + 1],
        frames[i, at + 2],
        frames[i, at + 3],
        frames[i, at + 4],
        frames[i, at + 5],
        frames[i, at + 6],
        frames[i, at + 7],
        frames[i, at + 8],
    )
    return R, (frames[i, at + 9], frames[i, at + 10], frames[i, at + 11])


@inlined
def turned_moment(R, M):
    """Rᵀ M R of a symmetric M of six numbers, by rows."""
    a, b, c = (R[0], R[3], R[6]), (R[1], R[4], R[7]), (R[2], R[5], R[8])
    x, y, u = symmetric_times(M, a), symmetric_times(M, b), symmetric_times(M, c)
    xy, xz, yz = dot3(a, y), dot3(a, u), dot3(b, u)
    return dot3(a, x), xy, xz, xy, dot3(b, y), yz, xz, yz, dot3(c, u)


@inlined
def add3_at(z, out, k, x):
    """Add three numbers to those at out[k]."""
    store3(z, out, k, add3(load3(z, out, k), x))


@inlined
def add6_at(z, out, k, f):
    """Add six numbers to those at out[k]."""
    store6(z, out, k, add6(load6(z, out, k), f))


@inlined
def give_wrench(z, frames, i, to, f, out):
    """The cotangent of a wrench."""
    if frames is None:
        add6_at(z, out, to + WRENCH, f)
    else:
        R, r = frame_at(frames, i, 0)
        store6(z, out, to + WRENCH, in_body_axes(z, R, shifted(f, r)))


@inlined
def give_inertia(z, frames, i, to, mass, center, moment, out):
    """The cotangents of mass, centre and moment."""
    if frames is None:
        store(z, out, to + MASS, load(z, out, to + MASS) + mass)
        add3_at(z, out, to + CENTER, center)
        add6_at(z, out, to + MOMENT, moment)
    else:
        R = frame_at(frames, i, 0)[0]
        store(z, out, to + MASS, mass)
        store3(z, out, to + CENTER, transposed_matvec(R, center))
        store9(z, out, to + MOMENT, turned_moment(R, moment))
        store(z, out, to + MOMENT + 9, z)


@inlined
def give_placement(z, frames, i, to, f, out):
    """The cotangent of the placement of a joint."""
    if frames is None:
        add6_at(z, out, to + PLACEMENT, f)
    else:
        R, r = frame_at(frames, i, 1)
        store6(z, out, to + PLACEMENT, wrench_in(z, R, r, f))


@inlined
def give_offset(z, frames, i, to, f, out):
    """The cotangent of the offset of a joint, of which a part is there."""
    f = add6(f, load6(z, out, to + OFFSET))
    if frames is None:
        store6(z, out, to + OFFSET, f)
    else:
        R, r = frame_at(frames, i, 2)
        store6(z, out, to + OFFSET, scale6(-1.0, wrench_in(z, R, r, f)))


@inlined
def begin_offset(z, frames, to, f, out):
    """The part of the cotangent of an offset that is of the body alone."""
    if frames is None:
        add6_at(z, out, to + OFFSET, f)
    else:
        store6(z, out, to + OFFSET, f)


@inlined
def give_body(z, i, wanted, inertia, C, virtual, motion, out):
    """The cotangents of the wrench on body i, of mass, centre, moment and of its own turn, if they are `wanted`.

    inertia: (mass, moments); virtual: (o, u) of W, and o in principal axes; motion: (ω, α and the acceleration of the
    centre), and ω and α in principal axes.
    """
    each, frames, (mass, moments), (o, u, turn) = wanted.each, wanted.frames, inertia, virtual
    to = i * each
    if each > WRENCH:
        give_wrench(z, frames, i, to, scale6(-1.0, six(turn, transposed_matvec(C, u))), out)
    if each > MASS:
        w, alpha, a, spin, spin_rate = motion
        center = add3(add3(cross(a, o), cross(u, alpha)), cross(cross(u, w), w))
        center, M = transposed_matvec(C, scale3(mass, center)), by_moment(turn, spin_rate, spin)
        give_inertia(z, frames, i, to, dot3(u, a), center, M, out)
        if each > PLACEMENT:
            begin_offset(z, frames, to, six(by_turn(moments, M), center), out)


@inlined
def give_poses(z, t, i, each, frames, e, m, p):
    """The cotangents of placement and offset of the joint of body i; e is given to the parent.

    e is ∂P by a left twist of all that the joint carries, at the parent's centre of mass (the root's of the world).
    """
    above, to = body_at(t, i).parent, i * each
    if above == 0:
        moment, f = halves(e)
        e = six(add3(moment, cross(load3(z, m.slots, (i + 1) * SLOT.size + SLOT.position), f)), f)
    carried = in_axes_of(z, above, e, m)
    give_placement(z, frames, i, to, carried, p.bodies)
    give_offset(z, frames, i, to, load6(z, p.poses, 6 * (i + 1)), p.bodies)
    add6_at(z, p.poses, 6 * above, carried)


@inlined
def give_joint(z, t, i, each, frames, sums, m, p):
    """What the joint of body i carries, sums = (F, N, D) as e of `give_poses`, and the twist of its parent, if wanted.

    They are of one state: over states, their sums would say nothing.
    """
    if frames is not None and each > BODY:
        write_joint(z, t, i, each, frame_at(frames, i, 1), sums, m, p)


@seldom
def write_joint(z, t, i, each, head, sums, m, p):
    """What `give_joint` gives, where the joint begins."""
    above, to = body_at(t, i).parent, i * each
    R, y = load9(z, m.slots, above * SLOT.size + SLOT.rotation), (z, z, z)
    if above == 0:
        y = scale3(-1.0, load3(z, m.slots, (i + 1) * SLOT.size + SLOT.position))
    store6(z, p.bodies, to + CARRIED, wrench_in(z, head[0], head[1], wrench_in(z, R, y, sums[0])))
    store6(z, p.bodies, to + CARRIED_N, wrench_in(z, head[0], head[1], wrench_in(z, R, y, sums[1])))
    store6(z, p.bodies, to + CARRIED_D, wrench_in(z, head[0], head[1], wrench_in(z, R, y, sums[2])))
    V = in_body_axes(z, R, load6(z, m.slots, above * SLOT.size + SLOT.twist))
    store6(z, p.bodies, to + PARENT_TWIST, in_body_axes(z, head[0], shifted(V, head[1])))


@seldom
def turn_parent_twists(z, t, each, sign, out):
    """The twists of parents, which are no cotangents, times the sign that those get when they are written."""
    for i in range(header(t).bodies):
        at = i * each + PARENT_TWIST
        store6(z, out, at, scale6(sign, load6(z, out, at)))


@kernel
def finish_bodies(z, t, frames, each, out):
    """Take sums over states, of all bodies, to the user's frames."""
    for i in range(header(t).bodies):
        to = i * each
        give_wrench(z, frames, i, to, load6(z, out, to + WRENCH), out)
        if each > MASS:
            center, moment = load3(z, out, to + CENTER), load6(z, out, to + MOMENT)
            give_inertia(z, frames, i, to, load(z, out, to + MASS), center, moment, out)
        if each > PLACEMENT:
            give_placement(z, frames, i, to, load6(z, out, to + PLACEMENT), out)
            give_offset(z, frames, i, to, twist_zero(z), out)

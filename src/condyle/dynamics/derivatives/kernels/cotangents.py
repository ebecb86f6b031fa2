"""Cotangents of states, forces, wrenches and of all numbers of bodies and springs, from the gradient of a power."""

from ....model.kernels.records import body_at, header, mass_and_moments
from ....numeric import (
    entry,
    inlined,
    kernel,
    load,
    pack,
    pick,
    release,
    scratch,
    seldom,
    store,
    tables,
    unpack,
    width,
    write_run,
)
from ....spatial.kernels.algebra import (
    add3,
    cross,
    dot3,
    halves,
    load3,
    load6,
    load9,
    matmul,
    matvec,
    scale3,
    scale6,
    shifted,
    store3,
    store6,
    store9,
    sub3,
    transposed_matvec,
)
from ...kernels.any_tree import absorb, respond
from ...kernels.body_motion import in_body_axes
from ...kernels.forward import forward
from ...kernels.inverse import accelerate_bodies
from ...kernels.layout import SLOT
from ...kernels.loads import external_wrenches
from ...kernels.outward_pass import place
from ...kernels.scratch import External, tree_scratch
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
    SPRING,
    WRENCH,
)
from .derivative_scratch import LUMP, derivative_scratch
from .inverse_derivatives import six
from .moves import place_columns
from .power_gradient import SUM, pose_power, power_gradient, power_scratch


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
def wrench_in(z, R, x, f):
    """A wrench in the axes R and at the point x."""
    m, g = halves(f)
    return in_body_axes(z, R, six(sub3(m, cross(x, g)), g))


@inlined
def by_moment(sign, w, alpha, x):
    """The gradient of w · (I α + x × I x) by I, as a symmetric matrix, times a sign."""
    y, k = cross(w, x), 0.5 * sign
    xy = k * (w[0] * alpha[1] + w[1] * alpha[0] + y[0] * x[1] + y[1] * x[0])
    xz = k * (w[0] * alpha[2] + w[2] * alpha[0] + y[0] * x[2] + y[2] * x[0])
    yz = k * (w[1] * alpha[2] + w[2] * alpha[1] + y[1] * x[2] + y[2] * x[1])
    xx, yy, zz = w[0] * alpha[0] + y[0] * x[0], w[1] * alpha[1] + y[1] * x[1], w[2] * alpha[2] + y[2] * x[2]
    return sign * xx, xy, xz, xy, sign * yy, yz, xz, yz, sign * zz


@kernel
def write_body(z, t, i, each, frame, sign, m, d, p):
    """Cotangents of the wrench on body i and, if `each` has room, of mass, centre and moment; `frame` is X_CB.

    All twists are taken to body axes at the body's origin.
    """
    at, to = (i + 1) * SLOT.size, i * each
    C, x = load9(z, m.slots, at + SLOT.rotation), load3(z, d.lumps, (i + 1) * LUMP.size + LUMP.position)
    R, r = matmul(C, frame[0]), matvec(C, frame[1])
    x = add3(x, r)  # the body's origin, from the root's centre of mass
    W = in_body_axes(z, R, shifted(load6(z, p.sums, (i + 1) * SUM.size + SUM.twist), x))
    store6(z, p.bodies, to + WRENCH, scale6(-sign, W))
    if each > MASS:
        mass, _ = mass_and_moments(t, body_at(t, i))
        spin, v = halves(in_body_axes(z, R, load6(z, m.slots, at + SLOT.twist)))
        A = load6(z, d.lumps, (i + 1) * LUMP.size + LUMP.acceleration)
        (w, u), (alpha, a) = halves(W), halves(in_body_axes(z, R, shifted(A, x)))
        c = scale3(-1.0, transposed_matvec(frame[0], frame[1]))  # the centre of mass, from the body's origin
        u, a = add3(u, cross(w, c)), add3(add3(a, cross(alpha, c)), cross(spin, v))
        center = add3(add3(cross(a, w), cross(u, alpha)), cross(cross(u, spin), spin))
        store(z, p.bodies, to + MASS, sign * dot3(u, a))
        store3(z, p.bodies, to + CENTER, scale3(sign * mass, center))
        store9(z, p.bodies, to + MOMENT, by_moment(sign, w, alpha, spin))
        store(z, p.bodies, to + MOMENT + 9, z)


@kernel
def write_poses(z, t, i, each, frames, sign, m, d, p):
    """Cotangents of the placement and the offset of the joint of body i, along twists on their right."""
    above, at, to = body_at(t, i).parent, (i + 1) * SUM.size, i * each
    x = load3(z, d.lumps, (i + 1) * LUMP.size + LUMP.position)
    y = load3(z, d.lumps, above * LUMP.size + LUMP.position)
    if above == 0:
        y = scale3(-1.0, load3(z, m.slots, (i + 1) * SLOT.size + SLOT.position))
    own = wrench_in(z, load9(z, m.slots, (i + 1) * SLOT.size + SLOT.rotation), x, pose_power(z, t, i + 1, at, d, p))
    joint = wrench_in(z, load9(z, m.slots, above * SLOT.size + SLOT.rotation), y, load6(z, p.poses, 6 * i))
    head, tail = frame_at(frames, i, 1), frame_at(frames, i, 2)
    store6(z, p.bodies, to + PLACEMENT, scale6(sign, wrench_in(z, head[0], head[1], joint)))
    store6(z, p.bodies, to + OFFSET, scale6(-sign, wrench_in(z, tail[0], tail[1], own)))


@inlined
def at_joint(z, R, y, head, f):
    """A wrench at the root in the axes where a joint begins; R turns the parent, which is at y."""
    return wrench_in(z, head[0], head[1], wrench_in(z, R, y, f))


@seldom
def write_joint(z, t, i, each, head, sign, m, d, p):
    """What the joint of body i carries, F, N and D, and the twist of its parent, where the joint begins."""
    above, at, to = body_at(t, i).parent, (i + 1) * SUM.size, i * each
    y = load3(z, d.lumps, above * LUMP.size + LUMP.position)
    if above == 0:
        y = scale3(-1.0, load3(z, m.slots, (i + 1) * SLOT.size + SLOT.position))
    R = load9(z, m.slots, above * SLOT.size + SLOT.rotation)
    store6(z, p.bodies, to + CARRIED, scale6(sign, at_joint(z, R, y, head, load6(z, p.sums, at + SUM.force))))
    store6(z, p.bodies, to + CARRIED_N, scale6(sign, at_joint(z, R, y, head, load6(z, p.sums, at + SUM.N))))
    store6(z, p.bodies, to + CARRIED_D, scale6(sign, at_joint(z, R, y, head, load6(z, p.sums, at + SUM.D))))
    V = in_body_axes(z, R, shifted(load6(z, d.lumps, above * LUMP.size + LUMP.twist), y))
    store6(z, p.bodies, to + PARENT_TWIST, in_body_axes(z, head[0], shifted(V, head[1])))


@kernel
def sum_of_nothing(z, x, count):
    """0, or NaN if a number is not finite; in two sums, so that one need not wait for the other."""
    total, other = z, z
    for k in range(0, count - 1, 2):
        total, other = total + 0.0 * load(z, x, k), other + 0.0 * load(z, x, k + 1)
    if count % 2:
        total = total + 0.0 * load(z, x, count - 1)
    return total + other


@kernel
def scale_all(z, x, count, sign):
    """Multiply numbers by a sign."""
    for k in range(count):
        store(z, x, k, sign * load(z, x, k))


@kernel
def finish(z, t, frames, each, sign, m, d, p):
    """Cotangents from ∂P: times a sign, and `each` numbers of every body."""
    h = header(t)
    for i in range(h.bodies):
        write_body(z, t, i, each, frame_at(frames, i, 0), sign, m, d, p)
        if each > PLACEMENT:
            write_poses(z, t, i, each, frames, sign, m, d, p)
        if each > BODY:
            write_joint(z, t, i, each, frame_at(frames, i, 1), sign, m, d, p)
    scale_all(z, p.by_q, h.nv, sign)
    scale_all(z, p.by_v, h.nv, sign)
    scale_all(z, p.springs, SPRING * h.springs, sign)
    scale_all(z, p.gravity, 3, sign)


@inlined
def finiteness(z, n, p):
    """0, or NaN if a number of the state is not finite."""
    total = sum_of_nothing(z, p.by_q, n) + sum_of_nothing(z, p.by_v, n)
    return total + sum_of_nothing(z, p.weights, n) + sum_of_nothing(z, p.gravity, 3)


@kernel
def unpack_runs(z, x, count, OUT, first, stop):
    """`unpack` of many numbers, by squares of as many numbers as there are lanes."""
    w, rows = width(z), min(width(z), stop - first)
    whole = count // w * w if rows == w else 0
    for k in range(0, whole, w):
        write_run(z, x, k, 1.0, OUT, first, k)
    for l in range(rows):
        for k in range(whole, count):
            OUT[first + l, k] = pick(z, x, k, l)


@entry
def cotangent_states(z, pair, frames, states, out, start, stop):
    """Cotangents of states = (Q, V, TAU, W, A, BAR): of q, v, a, bodies, springs, gravity and λ, to `out`.

    If out[-1], STATUS, has rows, BAR are cotangents of the accelerations that TAU give, λ = M⁻¹ BAR are those of TAU,
    all others are −∂P, and of accelerations there are none. Otherwise the accelerations are A, λ is BAR, and all are
    ∂P. The one before, FINE, is 0, or NaN if a number of the state is not finite. Of bodies there are all numbers,
    those before poses, or only those of wrenches.
    """
    t = tables(pair)
    Q, V, TAU, W, A, BAR = states
    BY_Q, BY_V, BY_A, BODIES, SPRINGS, GRAVITY, WEIGHTS, FINE, STATUS = out
    h, m, p = header(t), tree_scratch(z, t), power_scratch(z, t)
    q, v, a, x = scratch(z, h.nq), scratch(z, h.nv), scratch(z, h.nv), scratch(z, h.nv)
    w, bar, s, d = scratch(z, 6 * h.bodies), scratch(z, h.nv), scratch(z, 1), derivative_scratch(z, t, a)
    external, solves = External(x, w, W.shape[0] > 0), STATUS.shape[0] > 0
    each = BODIES.shape[1] // max(h.bodies, 1)
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, TAU, first, stop, x)
        if h.driven or not solves:
            pack(z, A, first, stop, a)
        pack(z, BAR, first, stop, bar)
        if external.pushed:
            pack(z, W, first, stop, w)
        if solves:
            store(z, s, 0, forward(z, t, q, v, a, external, m))
            unpack(z, s, STATUS, first, stop)
        else:
            place(z, t, q, v, m)
            accelerate_bodies(z, t, a, m)
        if external.pushed:
            external_wrenches(z, t, external, m)
        place_columns(z, t, q, v, m, d)
        if solves:
            absorb(z, t, bar, 0, False, m)
            respond(z, t, p.weights, 0, m)
        else:
            for k in range(h.nv):
                store(z, p.weights, k, load(z, bar, k))
        power_gradient(z, t, q, v, external.pushed, each > PLACEMENT, m, d, p)
        finish(z, t, frames, each, -1.0 if solves else 1.0, m, d, p)
        store(z, s, 0, finiteness(z, h.nv, p))
        unpack(z, s, FINE, first, stop)
        unpack_runs(z, p.by_q, h.nv, BY_Q, first, stop)
        unpack_runs(z, p.by_v, h.nv, BY_V, first, stop)
        if not solves:
            unpack_runs(z, p.by_a, h.nv, BY_A, first, stop)
        unpack_runs(z, p.bodies, each * h.bodies, BODIES, first, stop)
        unpack(z, p.springs, SPRINGS, first, stop)
        unpack(z, p.gravity, GRAVITY, first, stop)
        unpack_runs(z, p.weights, h.nv, WEIGHTS, first, stop)
    release(m, d, p, q, v, x, w, bar, s)

"""Coordinates that are functions of others: their values and rates, and the columns that they give to other velocities.

A follower has q_d = f(q_y), q̇_d = G v_y and q̈_d = G v̇_y + g with G = f' and g = f'' v_y²; one that follows a follower
has the product of the slopes. The column of velocity y on the body of the follower is G s_d; where y belongs to another
joint, it is a guest of that body.
"""

from ...joints.kernels.product_form import evaluate_joint
from ...joints.kernels.records import JointPlace, JointState
from ...model.kernels.records import folded_at, folding, follower_at, guest_velocity, header
from ...numeric import inlined, kernel, load, store
from .scratch_layout import FOLLOWER


@kernel
def follow(z, t, q, v, m):
    """Value, rate, G and g of every follower, each after the one that it follows."""
    f, known = m.fold, m.fold.followers
    for i in range(folding(t).followers):
        r, at = follower_at(t, i), i * FOLLOWER.size
        slope, bend = z + 1.0, z
        if r.source < 0:
            store(z, f.q, 0, load(z, q, r.q))
            store(z, f.v, 0, load(z, v, r.v))
        else:
            source = r.source * FOLLOWER.size
            store(z, f.q, 0, load(z, known, source + FOLLOWER.value))
            store(z, f.v, 0, load(z, known, source + FOLLOWER.rate))
            slope = load(z, known, source + FOLLOWER.slope)
            bend = load(z, known, source + FOLLOWER.bend)
        place, state = JointPlace(r.slide, r.slides, r.nv), JointState(f.q, 0, f.v, 0, m.joint_columns, m.joint_work)
        X = evaluate_joint(z, t, place, state)
        own = load(z, m.joint_columns, 3) if r.nv > 0 else z
        store(z, known, at + FOLLOWER.value, X.p[0])
        store(z, known, at + FOLLOWER.rate, own * load(z, f.v, 0))
        store(z, known, at + FOLLOWER.slope, own * slope)
        store(z, known, at + FOLLOWER.bend, own * bend + X.Z[3])


@inlined
def begin(z, t, q, v, m, fold):
    """What the outward pass begins with: the followers, if there are any."""
    if fold is not None:  # decided when compiling
        follow(z, t, q, v, m)


@kernel
def gather_joint(z, t, i, q, v, m):
    """Coordinates and velocities of the joint of body i, followers included, to m.fold.q and m.fold.v."""
    b, f = folded_at(t, i), m.fold
    for k in range(b.nq):
        at = t.codes[b.places + k]
        x = load(z, q, at) if at >= 0 else load(z, f.followers, (-1 - at) * FOLLOWER.size + FOLLOWER.value)
        store(z, f.q, k, x)
    for k in range(b.nv):
        at = t.codes[b.rates + k]
        x = load(z, v, at) if at >= 0 else load(z, f.followers, (-1 - at) * FOLLOWER.size + FOLLOWER.rate)
        store(z, f.v, k, x)


@inlined
def body_columns(t, b, i, fold):
    """How many columns move body i by itself: those of its own velocities, then its guests."""
    if fold is None:  # decided when compiling
        return b.nv
    return b.nv + folded_at(t, i).guests


@inlined
def body_column(t, b, i, k, fold):
    """(number of the column, velocity) of column k of body i."""
    if fold is None:  # decided when compiling
        return b.v0 + k, b.v0 + k
    if k < b.nv:
        return b.v0 + k, b.v0 + k
    g = folded_at(t, i).first_guest + k - b.nv
    return header(t).nv + g, guest_velocity(t, g)


@inlined
def put_slope(z, J, at, x, fold):
    """Store an entry of a cleared Jacobian; where guests share the column, add it."""
    if fold is None:  # decided when compiling
        store(z, J, at, x)
    else:
        store(z, J, at, load(z, J, at) + x)

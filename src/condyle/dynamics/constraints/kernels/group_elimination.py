"""The articulated-body passes of a tree whose constraints are eliminated on the way, in groups.

Beside the articulated inertia J̃ and force p̃ of a body, an inward pass carries K_l, the force that a unit of λ_l needs
at the body, with D and b of the group: f = J̃ a + p̃ + Σ K_l λ_l and b_l − K_lᵀ a + Σ D_ln λ_n = 0. Eliminating a
column, with e_l = sᵀ K_l,

    K_l −= U e_l/d,  D_ln += e_l e_n/d,  b_l −= e_l u/d,  q̈ = (u − Uᵀ a − Σ e_l λ_l)/d,

and where all bodies of the group have come together λ is eliminated: J̃ += K D⁻¹ Kᵀ, p̃ −= K D⁻¹ b. So a loop costs as
much wherever it is in a tree, and the whole is O(n). [Brandl, Johanni and Otter 1987] D is factored in the order of its
rows; where one depends on those before it, λ is zero. Lanes in which a pivot is neither clearly there nor clearly
round-off are told, and must be computed by themselves.
"""

from ....model.kernels.records import (
    body_at,
    group_at,
    grouped_body_at,
    grouping,
    header,
    is_prescribed,
)
from ....numeric import inlined, kernel, larger, less, load, magnitude, select, store
from ....spatial.kernels.algebra import add6, add_scaled6, dot6, load3, load6, store6, twist_zero
from ....spatial.kernels.inertia import reduced
from ...kernels.articulated_body import (
    Articulated,
    accelerate_column,
    add_to_parent,
    carried,
    eliminate_column,
    eliminate_one,
    force_left,
    gathered,
    note_least,
    seen_from_parent,
    with_prescribed,
)
from ...kernels.clusters import add, at_parent
from ...kernels.scratch_layout import COLUMN, SLOT
from .constraint_scratch import DOUBT, LEFT, SIZE
from .multipliers import NO_LEVER, NO_ROW
from .row_wrenches import best_lever
from .rows_side_by_side import NOTHING, SURELY, where


@inlined
def note_largest(z, c, at, x):
    """Keep the largest |x| of each lane; what is not a number gives accelerations that are none, and need not stay."""
    store(z, c.found, at, larger(load(z, c.found, at), magnitude(x)))


@kernel
def meet(z, t, g, k, m, c):
    """Take out of a group what eliminating velocity k, of a body of it, does to it."""
    group, w, column = group_at(t, g.group), c.groups, k * COLUMN.size
    rows, own = group.rows, k * grouping(t).widest
    s, U = load6(z, m.columns, column + COLUMN.axis), load6(z, m.columns, column + COLUMN.reaction)
    u, inverse = load(z, m.columns, column + COLUMN.rest), load(z, m.columns, column + COLUMN.inverse)
    coupled = grouping(t).coupled
    for l in range(rows):
        K = load6(z, w, g.at + 6 * l)
        e = dot6(s, K)
        add(z, w, group.at + rows * (rows + 2) + l, best_lever(K, s) * inverse)
        if coupled:
            e = e + load(z, c.responses, own + l)
        share = e * inverse
        store(z, c.responses, own + l, e)
        store6(z, w, g.at + 6 * l, add_scaled6(K, -share, U))
        add(z, w, group.at + rows * rows + l, -share * u)
        for n in range(l + 1):
            add(z, w, group.at + l * rows + n, share * load(z, c.responses, own + n))


@kernel
def hand_on(z, t, g, bias, r, c):
    """Take the bias of a body into b of its group, and give its K to its parent, r before it."""
    group, w = group_at(t, g.group), c.groups
    for l in range(group.rows):
        K = load6(z, w, g.at + 6 * l)
        add(z, w, group.at + group.rows * group.rows + l, -dot6(K, bias))
        store6(z, w, g.parent + 6 * l, add6(load6(z, w, g.parent + 6 * l), at_parent(r, K)))


@kernel
def follow_prescribed(z, t, g, k, a, c):
    """Take the acceleration of a prescribed coordinate into b of the rows that read it."""
    group = group_at(t, g.group)
    for l in range(group.rows):
        e = load(z, c.responses, k * grouping(t).widest + l)
        add(z, c.groups, group.at + group.rows * group.rows + l, -e * load(z, a, k))


@inlined
def sound_inverse(z, d, own, noise, free, c):
    """1/d of a row that had `own` before others were eliminated; 0 if nothing of it is left, or `own` is noise."""
    there = less(select(less(noise, own), free * own, z + 1e300), d)
    doubt = select(less(d, (NOTHING + free) * own), z, where(z, less(d, SURELY * own)))
    store(z, c.found, DOUBT, load(z, c.found, DOUBT) + doubt)
    return select(there, 1.0 / select(there, d, z + 1.0), z)


@kernel
def begin_group(z, group, c):
    """Own D of every row to the place of λ, and the largest of them."""
    most, rows, w = z, group.rows, c.groups
    for l in range(rows):
        d = load(z, w, group.at + l * (rows + 1))
        store(z, w, group.at + rows * (rows + 1) + l, d)
        most = select(less(most, d), d, most)
        note_largest(z, c, SIZE, load(z, w, group.at + rows * rows + l))
    return most


@kernel
def eliminate_group(z, t, n, J, free, c):
    """Eliminate the multipliers of a group, first to last, into the inertia J of the slot that it hangs from."""
    A, B, C, P = J
    group, w = group_at(t, n), c.groups
    rows = group.rows
    rest = group.at + rows * rows
    most = begin_group(z, group, c)
    for l in range(rows):
        at, place = group.at + l * (rows + 1), group.reaction + 6 * l
        noise = larger(NO_ROW * most, NO_LEVER * load(z, w, rest + 2 * rows + l))
        inverse = sound_inverse(z, load(z, w, at), load(z, w, rest + rows + l), noise, free, c)
        store(z, w, at, inverse)
        K, b = load6(z, w, place), load(z, w, rest + l)
        A, B, C = reduced(A, B, C, K, -inverse)
        P = add_scaled6(P, -b * inverse, K)
        for k in range(l + 1, rows):
            share = load(z, w, group.at + k * rows + l) * inverse
            store6(z, w, group.reaction + 6 * k, add_scaled6(load6(z, w, group.reaction + 6 * k), -share, K))
            add(z, w, rest + k, -share * b)
            for j in range(l + 1, k + 1):
                add(z, w, group.at + k * rows + j, -share * load(z, w, group.at + j * rows + l))
    return Articulated(A, B, C, P)


@kernel
def eliminate_joint(z, t, i, J, tau, m, c, status):
    """Eliminate the free columns of a joint, last to first."""
    b, g = body_at(t, i), grouped_body_at(t, i)
    note_least(z, b, J, m.columns)
    for k in range(b.v0 + b.nv - 1, b.v0 - 1, -1):
        if not is_prescribed(t, k):
            J, status = eliminate_column(z, t, i, k, J, tau, m.columns, status)
            if g.group >= 0:
                meet(z, t, g, k, m, c)
    return J, status


@inlined
def prescribe_joint(z, t, b, g, bias, acceleration, m, c):
    """The bias of a joint with its prescribed accelerations, which rows of coordinates read too."""
    if grouping(t).coupled and g.group >= 0:
        for k in range(b.v0, b.v0 + b.nv):
            if is_prescribed(t, k):
                follow_prescribed(z, t, g, k, acceleration, c)
    return with_prescribed(z, t, b, bias, acceleration, m.columns)


@kernel
def articulate_groups(z, t, tau, acceleration, pushed, free, m, c):
    """As `articulate`, with K, b of `group_rows` there; rows with less than a share `free` left depend on others."""
    status, slots, driven = z, m.slots, header(t).driven
    for k in range(3):
        store(z, c.found, k, z)
    for i in range(header(t).bodies - 1, -1, -1):
        b, g, at = body_at(t, i), grouped_body_at(t, i), (i + 1) * SLOT.size
        J = gathered(z, t, b, i, pushed, m)
        for k in range(g.roots):
            J = eliminate_group(z, t, t.codes[g.first_root + k], J, free, c)
        bias = load6(z, slots, at + SLOT.bias)
        if driven:
            bias = prescribe_joint(z, t, b, g, bias, acceleration, m, c)
            store6(z, slots, at + SLOT.bias, bias)
        if b.nv == 1 and not (driven and is_prescribed(t, b.v0)):
            J, status = eliminate_one(z, t, i, b.v0, J, tau, m.columns, status)
            if g.group >= 0:
                meet(z, t, g, b.v0, m, c)
        else:
            J, status = eliminate_joint(z, t, i, J, tau, m, c, status)
        r = load3(z, slots, at + SLOT.offset)
        if g.group >= 0:
            hand_on(z, t, g, bias, r, c)
        if b.parent > 0:
            add_to_parent(z, slots, b.parent * SLOT.size, seen_from_parent(z, J, bias, r), b.starts)
    eliminate_at_world(z, t, free, c)
    return status


@inlined
def eliminate_at_world(z, t, free, c):
    """The groups that hang from the world, which no force moves."""
    none = twist_zero(z)
    J = Articulated(none, (z, z, z, z, z, z, z, z, z), none, none)
    for k in range(grouping(t).world_roots):
        eliminate_group(z, t, t.codes[grouping(t).first_world_root + k], J, free, c)


@kernel
def solve_group(z, t, n, a, c):
    """λ of a group, last to first, from the acceleration of the slot that it hangs from."""
    group, w = group_at(t, n), c.groups
    rows = group.rows
    rest = group.at + rows * rows
    for l in range(rows - 1, -1, -1):
        s = dot6(load6(z, w, group.reaction + 6 * l), a) - load(z, w, rest + l)
        for k in range(l + 1, rows):
            s = s - load(z, w, group.at + k * rows + l) * load(z, w, rest + rows + k)
        inverse = load(z, w, group.at + l * (rows + 1))
        store(z, w, rest + rows + l, s * inverse)
        note_largest(z, c, LEFT, select(less(0.0, inverse), z, s))


@inlined
def held_back(z, t, g, k, c):
    """Σ e_l λ_l: what the constraints of its group take from velocity k of a body."""
    total, group = z, group_at(t, g.group)
    rest = group.at + group.rows * (group.rows + 1)
    for l in range(group.rows):
        total = total + load(z, c.responses, k * grouping(t).widest + l) * load(z, c.groups, rest + l)
    return total


@kernel
def accelerate_groups(z, t, world, acceleration, m, c, status):
    """As `accelerate`, holding the constraints; `world` is the acceleration of the world."""
    slots, columns = m.slots, m.columns
    store6(z, slots, SLOT.acceleration, world)
    for k in range(grouping(t).world_roots):
        solve_group(z, t, t.codes[grouping(t).first_world_root + k], world, c)
    for i in range(header(t).bodies):
        b, g = body_at(t, i), grouped_body_at(t, i)
        a = carried(z, slots, i, b.parent)
        for k in range(b.v0, b.v0 + b.nv):
            if is_prescribed(t, k):
                continue
            u = force_left(z, columns, k, a)
            if g.group >= 0:
                u = u - held_back(z, t, g, k, c)
            a, status = accelerate_column(z, i, k, u, a, acceleration, columns, status)
        store6(z, slots, (i + 1) * SLOT.size + SLOT.acceleration, a)
        for k in range(g.roots):
            solve_group(z, t, t.codes[g.first_root + k], a, c)
    return status

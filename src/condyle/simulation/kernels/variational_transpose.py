"""The transposed equations of the variational step: (∂r/∂v̄)ᵀ μ = b, by minimal residuals.

r is the momentum that is missing at the start of a step of mean velocities v̄. Its Jacobian is M(q) but for O(h), so
M(q)⁻¹ is a good first answer: each pass multiplies the error by O(h), and directions are kept (GCR), so that there
are never more passes than velocities.
"""

from typing import Any, NamedTuple

from ...dynamics.derivatives.kernels.load_derivatives import element_slopes
from ...dynamics.derivatives.kernels.manifold_cotangents import retract_backwards
from ...dynamics.derivatives.kernels.moves import wrench_at_root
from ...dynamics.derivatives.kernels.power_gradient import parent_lever
from ...dynamics.kernels.any_tree import absorb, respond
from ...dynamics.kernels.loads import LINE_CONSTANTS, line_state
from ...dynamics.kernels.push import push
from ...dynamics.kernels.scratch_layout import COLUMN, SLOT
from ...forces.kernels.dispatch import line_slopes
from ...model.kernels.records import armature, body_at, coordinate_element_at, header, line_at, mass_and_moments
from ...numeric import any_lane, inlined, kernel, less, load, part, scratch, select, sqrt, store
from ...spatial.kernels.algebra import (
    add3,
    add6,
    add_scaled6,
    cross,
    dot3,
    dot6,
    halves,
    load3,
    load6,
    load9,
    matvec,
    scale3,
    shifted,
    store6,
    sub3,
    twist_zero,
)
from .runge_kutta import combine, copy

DIRECTIONS = 40  # at most
CLOSE = 1e-26  # of the energy of b: what remains when it is solved
ENOUGH = 1e-20  # … and what may remain where round-off allows no more
SMALLEST = 1e-290


class TransposeScratch(NamedTuple):
    """Arrays of one solution; velocities and forces unless said otherwise."""

    slopes: Any  # damping of coordinate loads, and 2/h times armature
    twists: Any  # virtual ones, six numbers per slot; then sums of wrenches
    drags: Any  # wrenches of dampers, six numbers per body
    by_end: Any  # of coordinates at the end
    rest: Any  # of b
    answer: Any  # M⁻¹ of it
    along: Any  # directions, nv numbers each
    effect: Any  # (∂r/∂v̄)ᵀ of each
    answers: Any  # M⁻¹ of that
    solution: Any


@kernel
def transpose_scratch(z, t):
    """Allocate the scratch of a model."""
    nv, most = header(t).nv, min(header(t).nv, DIRECTIONS)
    return TransposeScratch(
        slopes=scratch(z, nv),
        twists=scratch(z, 6 * (header(t).bodies + 1)),
        drags=scratch(z, 6 * header(t).bodies),
        by_end=scratch(z, nv),
        rest=scratch(z, nv),
        answer=scratch(z, nv),
        along=scratch(z, nv * most),
        effect=scratch(z, nv * most),
        answers=scratch(z, nv * most),
        solution=scratch(z, nv),
    )


@kernel
def place_slopes(z, t, b, start, w):
    """What coordinate loads and armature resist a mean velocity with, for each velocity alone."""
    for k in range(header(t).nv):
        store(z, w.slopes, k, z + (2.0 / b.h) * armature(t, k))
    for i in range(header(t).coordinate_elements):
        f = coordinate_element_at(t, i)
        _, by_v = element_slopes(z, t, f, start.q, b.mean)
        store(z, w.slopes, f.v, load(z, w.slopes, f.v) - by_v)


@kernel
def place_twists(z, t, x, m, twists):
    """Outward: virtual twists of weights x."""
    store6(z, twists, 0, twist_zero(z))
    for i in range(header(t).bodies):
        b = body_at(t, i)
        W = shifted(load6(z, twists, 6 * b.parent), load3(z, m.slots, (i + 1) * SLOT.size + SLOT.offset))
        for k in range(b.v0, b.v0 + b.nv):
            W = add_scaled6(W, load(z, x, k), load6(z, m.columns, k * COLUMN.size + COLUMN.axis))
        store6(z, twists, 6 * (i + 1), W)


@kernel
def gather_wrenches(z, t, sums, m, out):
    """Inward: out_k = s_k · the wrenches of all that column k carries; `sums` has those of bodies, in slots."""
    for i in range(header(t).bodies - 1, -1, -1):
        b, F = body_at(t, i), load6(z, sums, 6 * (i + 1))
        for k in range(b.v0, b.v0 + b.nv):
            store(z, out, k, dot6(F, load6(z, m.columns, k * COLUMN.size + COLUMN.axis)))
        F = wrench_at_root(F, parent_lever(z, t, i, m))
        store6(z, sums, 6 * b.parent, add6(F, load6(z, sums, 6 * b.parent)))


@inlined
def end_speed(z, slot, arm, twists):
    """The virtual velocity of a spring's end."""
    w, v = halves(load6(z, twists, 6 * slot))
    return add3(v, cross(w, arm))


@kernel
def place_drags(z, t, m, w):
    """What the dampers of springs do against virtual twists, as wrenches at the bodies' centres of mass."""
    for i in range(header(t).bodies):
        store6(z, w.drags, 6 * i, twist_zero(z))
    for i in range(header(t).lines):
        line = line_at(t, i)
        arm_a, arm_b, n, length, rate = line_state(z, t, line, m.slots)
        _, damping = line_slopes(z, line.law, t.numbers, line.at + LINE_CONSTANTS, length, rate)
        a, b = end_speed(z, line.slot_a, arm_a, w.twists), end_speed(z, line.slot_b, arm_b, w.twists)
        drag = damping * dot3(n, sub3(b, a))
        push(z, w.drags, line.slot_a, arm_a, scale3(-drag, n))
        push(z, w.drags, line.slot_b, arm_b, scale3(drag, n))


@kernel
def end_wrenches(z, t, b, w):
    """The wrenches that the momenta of virtual twists are worth at the end of the step, to w.twists."""
    for i in range(header(t).bodies):
        mass, _ = mass_and_moments(t, body_at(t, i))
        turn, v = halves(load6(z, w.twists, 6 * (i + 1)))
        moment, k = scale3(2.0 / b.h, matvec(load9(z, b.turns, 9 * i), turn)), 2.0 * mass / (b.h * b.h)
        store6(z, w.twists, 6 * (i + 1), (moment[0], moment[1], moment[2], k * v[0], k * v[1], k * v[2]))
    store6(z, w.twists, 0, twist_zero(z))


@kernel
def drag_wrenches(z, t, w):
    """Wrenches of dampers, to w.twists."""
    for i in range(header(t).bodies):
        store6(z, w.twists, 6 * (i + 1), load6(z, w.drags, 6 * i))
    store6(z, w.twists, 0, twist_zero(z))


@kernel
def transposed_jacobian(z, t, b, start, end, x, out, w):
    """out = (∂r/∂v̄)ᵀ x."""
    nv = header(t).nv
    place_twists(z, t, x, start.m, w.twists)
    for k in range(nv):
        store(z, out, k, load(z, w.slopes, k) * load(z, x, k))
    if header(t).lines:
        place_drags(z, t, start.m, w)
    end_wrenches(z, t, b, w)
    gather_wrenches(z, t, w.twists, end.m, w.by_end)
    retract_backwards(z, t, b.mean, b.h, w.by_end, out)
    if header(t).lines:
        drag_wrenches(z, t, w)
        gather_wrenches(z, t, w.twists, start.m, w.by_end)
        combine(z, nv, out, 1.0, w.by_end, out)
    for k in range(nv):
        store(z, out, k, 0.5 * b.h * load(z, out, k))


@inlined
def product(z, n, x, y):
    """Σ x y."""
    out = z
    for k in range(n):
        out = out + load(z, x, k) * load(z, y, k)
    return out


@kernel
def mass_answer(z, t, force, out, m):
    """out = M⁻¹ force."""
    absorb(z, t, force, 0, False, m)
    respond(z, t, out, 0, m)


@kernel
def make_orthogonal(z, n, i, w):
    """Direction i less what directions before it do as well, and of a unit effect."""
    effect, answer, along = part(z, w.effect, n * i), part(z, w.answers, n * i), part(z, w.along, n * i)
    for j in range(i):
        known = part(z, w.answers, n * j)
        c = -product(z, n, effect, known)
        combine(z, n, effect, c, part(z, w.effect, n * j), effect)
        combine(z, n, answer, c, known, answer)
        combine(z, n, along, c, part(z, w.along, n * j), along)
    size = product(z, n, effect, answer)
    some = less(SMALLEST, size)
    scale = select(some, 1.0 / sqrt(select(some, size, z + 1.0)), z)
    for k in range(n):
        store(z, effect, k, scale * load(z, effect, k))
        store(z, answer, k, scale * load(z, answer, k))
        store(z, along, k, scale * load(z, along, k))


@kernel
def solve_transposed(z, t, b, start, end, force, w):
    """w.solution = μ of (∂r/∂v̄)ᵀ μ = force; returns 1 where it is not found, else 0."""
    nv = header(t).nv
    place_slopes(z, t, b, start, w)
    copy(z, nv, force, w.rest)
    mass_answer(z, t, w.rest, w.answer, start.m)
    for k in range(nv):
        store(z, w.solution, k, z)
    whole = product(z, nv, w.rest, w.answer)
    left = whole
    for i in range(min(nv, DIRECTIONS)):
        along, effect, answer = part(z, w.along, nv * i), part(z, w.effect, nv * i), part(z, w.answers, nv * i)
        copy(z, nv, w.answer, along)
        transposed_jacobian(z, t, b, start, end, along, effect, w)
        mass_answer(z, t, effect, answer, start.m)
        make_orthogonal(z, nv, i, w)
        step = product(z, nv, w.rest, answer)
        combine(z, nv, w.solution, step, along, w.solution)
        combine(z, nv, w.rest, -step, effect, w.rest)
        combine(z, nv, w.answer, -step, answer, w.answer)
        left = product(z, nv, w.rest, w.answer)
        if not any_lane(less(CLOSE * whole, left)):
            break
    return select(less(ENOUGH * whole, left), z + 1.0, z)

"""RATTLE with a variational rigid body: joints stay closed, momentum is exact, energy stays bounded, second order.

A step: half the loads' impulse and the reactions Gᵀ(q_k) λ give the momentum (π, P) of the step; the pose moves by
p + h P/m and R cay(hξ) with Rᵀπ = Iξ + h/2 ξ × Iξ + h²/4 (ξ·Iξ) ξ, the discrete Legendre transform for the Cayley map,
so π in world axes does not change; λ is such that the joints close at the end. Then the other half of the impulse, and
reactions that close the velocities. λ by chord iterations with the factors at q_k, which the step before has made.
"""

from __future__ import annotations

import math

from ...numeric import any_lane, inlined, kernel, less, load, select, store, width
from ...spatial.kernels.algebra import (
    add3,
    add6,
    cross,
    dot3,
    load3,
    load4,
    load6,
    load9,
    matvec,
    quaternion_product,
    quaternion_rotation,
    scale3,
    store3,
    store4,
    store6,
    store9,
    sub3,
    transposed_matvec,
)
from ...spatial.kernels.inertia import symmetric_times
from .accelerations import settle
from .body_forces import Instant, add_body_loads, add_joint_torques, clear
from .constraint_jacobian import push, push_rows
from .elastic import add_elastic, any_damper
from .joint_geometry import gaps, own_inertia
from .loop_solver import ROUNDS
from .rotations import unit
from .system import solve_all

ITERATIONS = 60
CLOSED = 1e-13  # root mean square of gaps [m] and axis errors [rad] that the last correction is expected to leave
SHUT = 5e-15  # … that need no correction
SEEN = -1.0  # the flag of a lane whose joints were seen to be SHUT where its bodies are: nothing is left to do
LONG = 1000  # bodies
DOUBT = 1e4  # of squared gaps: the last correction may leave so many times as much as the one before it lets expect
ALMOST = 1e-9  # enough where round-off of positions far from the origin lets the iteration get no further


@kernel
def step_variational(z, w, o, plan, brake, h, instant, stride):
    """One step in place; o.flag tells lanes that did not converge. The factors at x must be there, `rigid` ones.

    `brake`: friction of joints without (`rigid`) and with what is implicit (`drag`), and the `share` of it that acts
    at the end of the step, implicitly through `drag`: ½ is the trapezoidal rule, 1 the backward one. `stride`: how far
    on the loads of the step's end are.
    """
    (rigid, drag), share = brake
    later = Instant(instant.loads, instant.at + stride)
    world_momentum(z, w, o, plan)
    add_body_loads(z, w, plan, 0.5 * h, instant, o.momentum)
    add_joint_torques(z, w, o, plan, (0.5 * h, (1.0 - share) * h), o.x, instant, o.momentum)
    add_elastic(z, w, o, plan, 0.5 * h, o.x, o.momentum)
    for j in range(len(plan.links)):
        push(z, w, plan.links, o.arm, j, o.guess, o.momentum)
    if not close_positions(z, w, o, plan, rigid, h):
        move(z, w, o, plan, h, select(less(load(z, w, o.flag), SEEN + 0.5), z, z + 1.0))
    for i in range(len(plan.bodies) - 1):
        copy(z, w, 7, o.next + 13 * i, o.x + 13 * i)
    settle(z, w, o, plan, drag, o.x)
    add_body_loads(z, w, plan, 0.5 * h, later, o.momentum)
    add_joint_torques(z, w, o, plan, (0.5 * h, 0.0), o.x, later, o.momentum)
    if any_damper(plan):
        predict_velocities(z, w, o, plan, drag, h)
    add_elastic(z, w, o, plan, 0.5 * h, o.x, o.momentum)
    close_velocities(z, w, o, plan, drag)
    expect_reactions(z, w, o, plan)
    if braked(drag):
        settle(z, w, o, plan, rigid, o.x)


@kernel
def braked(drag):
    """Whether any joint has implicit friction."""
    total = 0.0
    for j in range(len(drag)):
        total += drag[j]
    return total > 0.0


@kernel
def world_momentum(z, w, o, plan):
    """Angular momentum R I ω about each centre of mass, and m v."""
    for i in range(len(plan.bodies)):
        spin = symmetric_times(own_inertia(plan.bodies, i, 1), load3(z, w, o.x + 13 * i + 10))
        store3(z, w, o.momentum + 6 * i, matvec(load9(z, w, o.R + 9 * i), spin))
        store3(z, w, o.momentum + 6 * i + 3, scale3(plan.bodies[i, 0], load3(z, w, o.x + 13 * i + 7)))


@kernel
def close_positions(z, w, o, plan, rigid, h):
    """Chord iterations for λ and ξ; whether all lanes were SEEN shut. A lane that has converged is left alone.

    ξ begins where its last value and the angular velocity between the two steps lead.
    """
    count = len(plan.links) + len(plan.bodies)
    for i in range(len(plan.bodies)):
        ahead = scale3(2.0, load3(z, w, o.x + 13 * i + 10))
        store3(z, w, o.turn + 3 * i, sub3(ahead, load3(z, w, o.turn + 3 * i)))
    store(z, w, o.flag, z + 1.0)
    store(z, w, o.flag + 1, z - 1.0)
    for _ in range(ITERATIONS):
        flag = load(z, w, o.flag)
        change = move(z, w, o, plan, h, flag)
        total = gaps(z, w, plan.links, plan.joints, o.next, o.R_next, -1.0 / h, o.b)
        shut = less(total + change * change, z + SHUT * SHUT * count)
        flag = select(less(flag, 0.5), flag, select(shut, z + SEEN, flag))
        store(z, w, o.flag, flag)
        if not going(z, w, o.flag):
            return not any_lane(less(SEEN + 0.5, flag))
        clear(z, w, o.f, 6 * len(plan.bodies))
        solve_all(z, w, o, plan, rigid, 1, o.f, o.b)
        correct_reactions(z, w, o, plan, less(0.5, flag))
        unfinished = is_open(z, total, load(z, w, o.flag + 1), change, count)
        store(z, w, o.flag, select(less(flag, 0.5), flag, select(unfinished, flag, z)))
        store(z, w, o.flag + 1, total + change * change)  # gaps, and those that the last error of ξ may have hidden
        if not going(z, w, o.flag):
            return False
    return False


@kernel
def correct_reactions(z, w, o, plan, going_on):
    """The reactions b push the bodies, where lanes go on."""
    for j in range(len(plan.links)):
        x = load6(z, w, o.b + 6 * j)
        x = (
            select(going_on, x[0], z),
            select(going_on, x[1], z),
            select(going_on, x[2], z),
            select(going_on, x[3], z),
            select(going_on, x[4], z),
            select(going_on, x[5], z),
        )
        store6(z, w, o.missed + 6 * j, add6(load6(z, w, o.missed + 6 * j), x))
        push_rows(z, w, plan.links, o.arm, j, x, o.momentum)


@inlined
def is_open(z, total, before, change, count):
    """Where the correction just made is expected to leave gaps, by how they fell from `before`, −1 at first.

    Newton's method squares the error of ξ, whose squared correction was `change`.
    """
    rate = select(less(DOUBT * total, before), DOUBT * total / (before + 1e-300), z + 1.0)
    stalled = less(select(less(before, 0.0), z + math.inf, 0.9 * before), total)
    left = select(stalled, total + change, rate * total + change * change)
    return less(select(stalled, z + ALMOST * ALMOST * count, z + CLOSED * CLOSED * count), left)


@kernel
def going(z, w, flag):
    """Whether any lane is still iterating."""
    most = 0.0
    for l in range(width(z)):
        most = max(most, w[flag * width(z) + l].real)
    return most > 0.5


@kernel
def move(z, w, o, plan, h, flag):
    """One Newton correction of every ξ where `flag` is 1, and the poses that follow, in next and R_next.

    Returns the sum of squared angle corrections.
    """
    change, going_on = z, less(0.5, flag)
    for i in range(len(plan.bodies) - 1):
        k, xi = 13 * i, load3(z, w, o.turn + 3 * i)
        mu = transposed_matvec(load9(z, w, o.R + 9 * i), load3(z, w, o.momentum + 6 * i))
        d = spin_correction(h, own_inertia(plan.bodies, i, 1), xi, mu)
        d = select(going_on, d[0], z), select(going_on, d[1], z), select(going_on, d[2], z)
        xi = add3(xi, d)
        p = load3(z, w, o.x + k)
        change = change + h * h * dot3(d, d)
        store3(z, w, o.turn + 3 * i, xi)
        step = scale3(h / plan.bodies[i, 0], load3(z, w, o.momentum + 6 * i + 3))
        store3(z, w, o.next + k, add3(p, step))
        cayley = (z + 1.0, 0.5 * h * xi[0], 0.5 * h * xi[1], 0.5 * h * xi[2])
        q = unit(quaternion_product(load4(z, w, o.x + k + 3), cayley))
        store4(z, w, o.next + k + 3, q)
        store9(z, w, o.R_next + 9 * i, quaternion_rotation(*q))
    return change


@kernel
def spin_correction(h, S, xi, mu):
    """Newton's correction for Sξ + h/2 ξ × Sξ + h²/4 (ξ·Sξ) ξ = μ, by Cramer's rule."""
    s = symmetric_times(S, xi)
    energy, half, quarter = dot3(xi, s), 0.5 * h, 0.25 * h * h
    left = add3(add3(s, scale3(half, cross(xi, s))), scale3(quarter * energy, xi))
    r = (mu[0] - left[0], mu[1] - left[1], mu[2] - left[2])
    q = quarter * energy
    c0 = spin_column(h, S[0], S[1], S[2], xi, s[0], (q, -half * s[2], half * s[1]))
    c1 = spin_column(h, S[1], S[3], S[4], xi, s[1], (half * s[2], q, -half * s[0]))
    c2 = spin_column(h, S[2], S[4], S[5], xi, s[2], (-half * s[1], half * s[0], q))
    n = cross(c1, c2)
    inverse = 1.0 / dot3(c0, n)
    return inverse * dot3(r, n), inverse * dot3(c0, cross(r, c2)), inverse * dot3(c0, cross(c1, r))


@inlined
def spin_column(h, a, b, c, xi, sk, rest):
    """Column k of the derivative: S_k + h/2 ξ × S_k + h²/2 ξ s_k, and the rest, h²/4 (ξ·s) e_k − h/2 s × e_k."""
    turn = add3(scale3(0.5 * h, cross(xi, (a, b, c))), scale3(0.5 * h * h * sk, xi))
    return a + turn[0] + rest[0], b + turn[1] + rest[1], c + turn[2] + rest[2]


@kernel
def predict_velocities(z, w, o, plan, drag, h):
    """Velocities of the step's end by dampers that act as in its middle: good enough for their force at its end.

    Their force at the velocities so found is off by O(h²), so the step stays of second order.
    """
    n = 6 * len(plan.bodies)
    copy(z, w, n, o.momentum, o.slope)
    velocities_of_momentum(z, w, o, plan)
    add_elastic(z, w, o, plan, 0.5 * h, o.x, o.momentum)
    close_velocities(z, w, o, plan, drag)
    copy(z, w, n, o.slope, o.momentum)


@kernel
def copy(z, w, n, x, y):
    """y = x, n numbers."""
    for k in range(n):
        store(z, w, y + k, load(z, w, x + k))


@kernel
def close_velocities(z, w, o, plan, drag):
    """Reactions that keep the joints closed at the new velocities, which then follow from the momentum alone."""
    copy(z, w, 6 * len(plan.bodies), o.momentum, o.f)
    clear(z, w, o.b, 6 * len(plan.links))
    solve_all(z, w, o, plan, drag, ROUNDS, o.f, o.b)
    for j in range(len(plan.links)):
        push(z, w, plan.links, o.arm, j, o.b, o.momentum)
    velocities_of_momentum(z, w, o, plan)


@kernel
def expect_reactions(z, w, o, plan):
    """The guess of the next step: reactions that closed the velocities at its start, and by what its own will differ.

    That changes little from step to step: it goes on as it went in the last three, or two in a LONG chain, whose
    round-off three would amplify. In loops nothing is expected: where more rows close a loop than it needs,
    reactions are not unique, and what is expected would feed on itself.
    """
    bend = 1.0 if len(plan.bodies) <= LONG else 0.0
    for j in range(len(plan.links)):
        for k in range(6 * j, 6 * j + 3 + plan.links[j, 2]):
            missed, former = load(z, w, o.missed + k), load(z, w, o.former + k)
            turn = bend * (missed - 2.0 * former + load(z, w, o.earlier + k))
            next_one = (2.0 * missed - former + turn) if len(plan.core) == 0 else z
            store(z, w, o.earlier + k, former)
            store(z, w, o.former + k, missed)
            store(z, w, o.missed + k, next_one)
            store(z, w, o.guess + k, load(z, w, o.b + k) + next_one)


@kernel
def velocities_of_momentum(z, w, o, plan):
    """Velocities, and angular velocities in body axes, of the state."""
    for i in range(len(plan.bodies) - 1):
        spin = transposed_matvec(load9(z, w, o.R + 9 * i), load3(z, w, o.momentum + 6 * i))
        store3(z, w, o.x + 13 * i + 10, symmetric_times(own_inertia(plan.bodies, i, 7), spin))
        store3(z, w, o.x + 13 * i + 7, scale3(1.0 / plan.bodies[i, 0], load3(z, w, o.momentum + 6 * i + 3)))

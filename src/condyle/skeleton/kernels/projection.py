"""Corrections of a state that close its joints, in the metric of the masses."""

from __future__ import annotations

from ...numeric import entry, kernel, less, load, select, store
from ...spatial.kernels.algebra import add3, load3, load4, load9, quaternion_product, store3, store4, transposed_matvec
from .accelerations import settle
from .body_forces import clear, world_rates
from .constraint_jacobian import openings
from .elastic import count_turns
from .joint_geometry import gaps
from .loop_solver import ROUNDS
from .rotations import half_turn, unit
from .system import solve_all

ITERATIONS = 60
CLOSED = 1e-13  # root mean square of gaps [m] and axis errors [rad]


@entry
def close_state(z, w, o, plan, rigid):
    """Newton's corrections M⁻¹Gᵀλ of the poses until the gaps vanish, then one of the velocities."""
    for _ in range(ITERATIONS):
        settle(z, w, o, plan, rigid, o.x)
        total = gaps(z, w, plan.links, plan.joints, o.x, o.R, -1.0, o.b)
        store(z, w, o.flag + 1, total)
        going = less(CLOSED * CLOSED * 1e-2, total)
        clear(z, w, o.f, 6 * len(plan.bodies))
        solve_all(z, w, o, plan, rigid, 1, o.f, o.b)
        for k in range(o.f, o.f + 6 * len(plan.bodies)):
            store(z, w, k, select(going, load(z, w, k), z))
        displace(z, w, o, plan)
    count_turns(z, w, o, plan)
    close_rates(z, w, o, plan, rigid)


@kernel
def displace(z, w, o, plan):
    """Move by the displacements (rotation vector, translation; world axes) in f."""
    for i in range(len(plan.bodies) - 1):
        k, a = o.x + 13 * i, load3(z, w, o.f + 6 * i)
        turn = half_turn(z, (0.5 * a[0], 0.5 * a[1], 0.5 * a[2]))
        store3(z, w, k, add3(load3(z, w, k), load3(z, w, o.f + 6 * i + 3)))
        store4(z, w, k + 3, unit(quaternion_product(turn, load4(z, w, k + 3))))


@kernel
def close_rates(z, w, o, plan, rigid):
    """Velocities made consistent with the joints by impulses."""
    world_rates(z, w, o, plan, o.x, o.momentum)
    for j in range(len(plan.links)):
        g = openings(z, w, plan.links, o.arm, j, o.momentum)
        for i in range(6):
            store(z, w, o.b + 6 * j + i, -g[i])
    clear(z, w, o.f, 6 * len(plan.bodies))
    solve_all(z, w, o, plan, rigid, ROUNDS, o.f, o.b)
    for i in range(len(plan.bodies) - 1):
        k, R = o.x + 13 * i, load9(z, w, o.R + 9 * i)
        store3(z, w, k + 7, add3(load3(z, w, k + 7), load3(z, w, o.f + 6 * i + 3)))
        store3(z, w, k + 10, add3(load3(z, w, k + 10), transposed_matvec(R, load3(z, w, o.f + 6 * i))))

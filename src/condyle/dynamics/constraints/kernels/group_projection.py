"""States side by side brought onto their constraints, by groups: as `projection`, each lane as if it were alone.

What holds accelerations also closes gaps: with bodies at rest and no forces, b = gap gives the shortest step in the
mass metric for which J δ = −gap, and b = J v that of velocities.
"""

from ....model.kernels.records import header
from ....numeric import any_lane, kernel, less, load, select, store
from ....spatial.kernels.algebra import store6, twist_zero
from ...kernels.manifold_steps import retract
from ...kernels.outward_pass import place
from ...kernels.scratch_layout import SLOT
from .constrained_forward import CONFLICT, LEAST_PIVOT, tolerance_at
from .constrained_lanes import largest_size
from .constraint_scratch import DOUBT, LEFT
from .group_elimination import accelerate_groups, articulate_groups
from .group_rows import group_rows, put_biases
from .projection import CLOSED, NEARLY
from .rows_side_by_side import MOST, where


@kernel
def shortest_step(z, t, x, free, m, c):
    """The shortest δ with J δ = −x, to c.step; bodies are at rest and K is there. Returns 1 or more in odd lanes."""
    put_biases(z, t, x, c)
    for k in range(header(t).nv):
        store(z, c.step, k, z)
    status = articulate_groups(z, t, c.still, c.still, False, free, m, c)
    return load(z, c.found, DOUBT) + accelerate_groups(z, t, twist_zero(z), c.step, m, c, status)


@kernel
def rest(z, t, m):
    """Bring all bodies to rest where they are."""
    for i in range(header(t).bodies):
        at = (i + 1) * SLOT.size
        store6(z, m.slots, at + SLOT.twist, twist_zero(z))
        store6(z, m.slots, at + SLOT.bias, twist_zero(z))


@kernel
def close_by_groups(z, t, q, v, m, c):
    """As `close`; 0 where a lane is closed, else it is odd. Leaves K of constraints on positions, and J v in c.rate."""
    before, going, odd = z + 1e300, z + 1.0, z
    for _ in range(MOST):
        place(z, t, q, v, m)
        group_rows(z, t, q, v, False, m, c)
        gap = largest_size(z, c.gap, header(t).position_rows)
        nearly = where(z, less(gap, NEARLY)) * (1.0 - where(z, less(gap, 0.5 * before)))
        going = select(less(gap, CLOSED), z, 1.0 - nearly)
        if not any_lane(less(0.5, going)):
            break
        before = gap
        rest(z, t, m)
        odd = odd + going * shortest_step(z, t, c.gap, tolerance_at(z, gap), m, c)
        for k in range(header(t).nv):
            store(z, c.step, k, select(less(0.5, going), load(z, c.step, k), z))
        retract(z, t, q, c.step, 1.0, q)
    return odd + going


@kernel
def project_by_groups(z, t, q, v, m, c):
    """As `project_state`; 0 where a lane is on its constraints, else it is odd."""
    odd = close_by_groups(z, t, q, v, m, c)
    if any_lane(less(0.5, odd)):  # K may be that of elsewhere
        place(z, t, q, v, m)
        group_rows(z, t, q, v, True, m, c)
    elif header(t).position_rows < header(t).constraint_rows:
        group_rows(z, t, q, v, True, m, c)
    rest(z, t, m)
    rate = largest_size(z, c.rate, header(t).constraint_rows)
    odd = odd + shortest_step(z, t, c.rate, z + LEAST_PIVOT, m, c)
    for k in range(header(t).nv):
        store(z, v, k, load(z, v, k) + load(z, c.step, k))
    return odd + (1.0 - where(z, less(load(z, c.found, LEFT), CONFLICT * (1.0 + rate))))

"""Accelerations that hold the constraints, of states side by side, by groups: see `group_elimination`.

A lane in which anything is unusual is computed once more by itself (`constrained_forward`), as one state would be:
which rows depend on others, and what is wrong with a state, is decided there alone.
"""

from ....model.kernels.records import header
from ....numeric import entry, kernel, less, load, release, scratch, select, store, tables, unpack, width
from ...kernels.articulated_body import gravity_twist
from ...kernels.loads import apply_coordinate_forces, body_wrenches
from ...kernels.outward_pass import place
from ...kernels.scratch import tree_scratch
from .constrained_forward import OPEN, allowed, block_scratch, take_states, tolerance_at
from .constrained_lanes import largest_size, put_alone
from .constraint_scratch import DOUBT, LEFT, SIZE, group_scratch
from .group_elimination import accelerate_groups, articulate_groups
from .group_rows import group_rows


@kernel
def forward_by_groups(z, t, q, v, a, external, m, c):
    """As `forward`, holding the constraints; c is `group_scratch`. A status that is not 0 says that the lane is odd."""
    place(z, t, q, v, m)
    for k in range(header(t).nv):
        store(z, m.forces, k, load(z, external.tau, k))
    apply_coordinate_forces(z, t, q, v, m.forces, m)
    pushed = body_wrenches(z, t, external, m)
    group_rows(z, t, q, v, True, m, c)
    gap = largest_size(z, c.gap, header(t).position_rows)
    status = articulate_groups(z, t, m.forces, a, pushed, tolerance_at(z, gap), m, c)
    status = accelerate_groups(z, t, gravity_twist(z, t), a, m, c, status)
    enough = allowed(gap, largest_size(z, c.rate, header(t).constraint_rows), load(z, c.found, SIZE))
    return status + load(z, c.found, DOUBT) + select(less(load(z, c.found, LEFT), enough), z, z + 1.0)


@kernel
def no_start(z, t, v, c):
    """1 or 2 in lanes whose constraints are open, or opening, else 0."""
    gap, drift = largest_size(z, c.gap, header(t).position_rows), largest_size(z, c.rate, header(t).constraint_rows)
    speed = largest_size(z, v, header(t).nv)
    return select(less(gap, OPEN), z, z + 1.0) + select(less(drift, OPEN * (1.0 + speed)), z, z + 1.0)


@entry
def grouped_lanes(z, pair, states, found, start, stop):
    """As `constrained_states`, but for multipliers and ranks, which are those of lanes that were looked at alone."""
    t = tables(pair[:2])
    b = block_scratch(z, t, tree_scratch(z, t, *pair[2:]))
    one = block_scratch(0.0, t, tree_scratch(0.0, t, *pair[2:]))
    c, odd = group_scratch(z, t), scratch(z, 1)
    for first in range(start, stop, width(z)):
        external = take_states(z, states, first, stop, b)
        unusual = forward_by_groups(z, t, b.q, b.v, b.a, external, b.tree, c)
        store(z, odd, 0, unusual + no_start(z, t, b.v, c))
        for lane in range(min(width(z), stop - first)):
            if not odd[lane] < 0.5:
                put_alone(z, t, states, found, first + lane, lane, b, one)
        unpack(z, b.a, states[4], first, stop)
    release(b, one, c, odd)

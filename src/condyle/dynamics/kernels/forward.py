"""Forward dynamics of one block of states, and its entry point."""

from ...model.kernels.layout import BODIES, COORDINATE_LOADS, NQ, NV, SPRINGS
from ...numeric import entry, give_back, kernel, load, pack, scratch, store, tables, unpack, width
from .articulated_body import accelerate, articulate
from .loads import apply_coordinate_loads, apply_springs, body_wrenches
from .outward_pass import place
from .scratch import COLUMNS, FORCES, LOCAL, SLOTS, SPARE, WRENCHES, memory

__all__ = ["forward", "forward_states"]


@kernel
def forward(z, codes, numbers, q, v, tau, given, has_given, acceleration, driven, m):
    """Accelerations (in place; prescribed ones are given) and the status of one block."""
    slots, columns, forces, wrenches = m[SLOTS], m[COLUMNS], m[FORCES], m[WRENCHES]
    place(z, codes, numbers, q, v, slots, columns, m[LOCAL], m[SPARE])
    for k in range(codes[NV]):
        store(z, forces, k, load(z, tau, k))
    if codes[COORDINATE_LOADS]:
        apply_coordinate_loads(z, codes, numbers, q, v, forces)
    pushed = has_given or codes[SPRINGS] > 0
    if pushed:
        body_wrenches(z, codes, given, has_given, slots, wrenches)
        apply_springs(z, codes, numbers, slots, wrenches)
    status = articulate(z, codes, numbers, forces, acceleration, wrenches, slots, columns, driven, pushed)
    return accelerate(z, codes, numbers, acceleration, slots, columns, status)


@entry
def forward_states(z, codes, numbers, Q, V, TAU, W, A, STATUS, driven, start, stop):
    """Accelerations A of the states Q, V under forces TAU and wrenches W (none if W has no rows)."""
    codes, numbers = tables(codes, numbers)
    m = memory(z, codes)
    q, v, tau = scratch(z, codes[NQ]), scratch(z, codes[NV]), scratch(z, codes[NV])
    a, w, s = scratch(z, codes[NV]), scratch(z, 6 * codes[BODIES]), scratch(z, 1)
    has_given = W.shape[0] > 0
    for first in range(start, stop, width(z)):
        pack(z, Q, first, stop, q)
        pack(z, V, first, stop, v)
        pack(z, TAU, first, stop, tau)
        if driven:
            pack(z, A, first, stop, a)
        if has_given:
            pack(z, W, first, stop, w)
        store(z, s, 0, forward(z, codes, numbers, q, v, tau, w, has_given, a, driven, m))
        unpack(z, a, A, first, stop)
        unpack(z, s, STATUS, first, stop)
    give_back(m, q, v, tau, a, w, s)

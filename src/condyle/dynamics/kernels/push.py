"""Forces and moments of a model's loads on its bodies."""

from ...numeric import inlined
from ...spatial.kernels.algebra import add3, add6, cross, load6, store6


@inlined
def push_and_turn(z, wrenches, slot, arm, f, moment):
    """Add a force at a point of a body, and a moment; no effect for the world (slot 0)."""
    if slot > 0:
        m = add3(moment, cross(arm, f))
        k = 6 * (slot - 1)
        store6(z, wrenches, k, add6(load6(z, wrenches, k), (m[0], m[1], m[2], f[0], f[1], f[2])))


@inlined
def push(z, wrenches, slot, arm, f):
    """Add a force at a point of a body; no effect for the world (slot 0)."""
    push_and_turn(z, wrenches, slot, arm, f, (z, z, z))

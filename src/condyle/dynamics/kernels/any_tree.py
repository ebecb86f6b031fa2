"""The passes of the articulated-body method for any model: those of a tree or, with followers, those of its clusters.

Which it is, is decided when compiling, by whether the scratch has room for followers.
"""

from ...numeric import inlined
from .articulated_body import accelerate, articulate
from .cluster_responses import absorb_clusters, spread
from .clusters import articulate_clusters
from .mass_inverse import absorb_tree, respond_tree


@inlined
def articulate_tree(z, t, tau, acceleration, pushed, m):
    """Inward: articulated inertias and forces. Returns the status."""
    return _articulate(z, t, tau, acceleration, pushed, m, m.fold)


@inlined
def accelerate_tree(z, t, acceleration, m, status):
    """Outward: accelerations of the free coordinates. Returns the status, updated."""
    return _accelerate(z, t, acceleration, m, status, m.fold)


@inlined
def absorb(z, t, tau, t0, pushed, m):
    """Inward: take forces tau[t0 …] and, if `pushed`, m.wrenches. Returns τᵀ M⁻¹ τ."""
    return _absorb(z, t, tau, t0, pushed, m, m.fold)


@inlined
def respond(z, t, out, o0, m):
    """Outward: out[o0 …] = M⁻¹ τ of what was absorbed."""
    _respond(z, t, out, o0, m, m.fold)


@inlined
def _articulate(z, t, tau, acceleration, pushed, m, fold):
    if fold is None:
        return articulate(z, t, tau, acceleration, pushed, m)
    return articulate_clusters(z, t, tau, acceleration, pushed, m)


@inlined
def _accelerate(z, t, acceleration, m, status, fold):
    if fold is None:
        return accelerate(z, t, acceleration, m, status)
    return spread(z, t, acceleration, 0, True, m, status)


@inlined
def _absorb(z, t, tau, t0, pushed, m, fold):
    if fold is None:
        return absorb_tree(z, t, tau, t0, pushed, m)
    return absorb_clusters(z, t, tau, t0, pushed, m)


@inlined
def _respond(z, t, out, o0, m, fold):
    if fold is None:
        respond_tree(z, t, out, o0, m)
    else:
        spread(z, t, out, o0, False, m, z)

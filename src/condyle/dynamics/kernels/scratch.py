"""Scratch of one block of states, and the forces that act on it; callers of the entries see none of it."""

from typing import Any, NamedTuple

from ...joints.kernels.records import JointState
from ...model.kernels.records import folding, header
from ...numeric import inlined, kernel, part, scratch
from .scratch_layout import COLUMN, FOLLOWER, SLOT


class TreeScratch(NamedTuple):
    """Arrays of the recursions over a tree."""

    slots: Any  # SLOT.size numbers per slot
    columns: Any  # COLUMN.size numbers per velocity
    joint_columns: Any  # columns of one joint, in the parent's frame
    joint_work: Any  # of one joint's functions
    forces: Any  # generalised forces, with those of the model's loads
    wrenches: Any  # on the bodies, in world axes, with those of springs
    fold: Any  # FoldScratch, or None in a model without followers: decided when compiling
    whole: Any  # of which the others but the last are parts: allocated at once


class FoldScratch(NamedTuple):
    """Arrays of coordinates that are functions of others."""

    q: Any  # of one joint, followers included
    v: Any
    followers: Any  # FOLLOWER.size numbers each
    clusters: Any
    cross: Any  # what the velocities of a cluster do to each other one that its bodies have


class External(NamedTuple):
    """What acts beyond the model's own loads: generalised forces, and wrenches in body axes if `pushed`."""

    tau: Any
    wrenches: Any
    pushed: bool


@inlined
def fold_scratch(z, t, folded):
    """Allocate the scratch of a model's followers."""
    if folded is None:  # decided when compiling
        return None
    f = folding(t)
    return FoldScratch(
        scratch(z, f.room),
        scratch(z, f.room),
        scratch(z, FOLLOWER.size * f.followers),
        scratch(z, f.cluster_room),
        scratch(z, f.widest * header(t).nv),
    )


@inlined
def guest_columns(t, folded):
    """How many columns there are beyond those of the velocities."""
    if folded is None:  # decided when compiling
        return 0
    return folding(t).guests


@inlined
def aligned(count):
    """A number of numbers, rounded up to a cache line."""
    return (count + 7) // 8 * 8


@kernel
def tree_scratch(z, t, folded=None):
    """Allocate the scratch of a model; `folded` is not None if it has followers."""
    h = header(t)
    columns = aligned(SLOT.size * (h.bodies + 1))
    joint_columns = columns + aligned(COLUMN.size * (h.nv + guest_columns(t, folded)))
    joint_work = joint_columns + aligned(6 * h.widest)
    forces = joint_work + aligned(h.work)
    wrenches = forces + aligned(h.nv)
    whole = scratch(z, wrenches + 6 * h.bodies)
    return TreeScratch(
        part(z, whole, 0),
        part(z, whole, columns),
        part(z, whole, joint_columns),
        part(z, whole, joint_work),
        part(z, whole, forces),
        part(z, whole, wrenches),
        fold_scratch(z, t, folded),
        whole,
    )


@inlined
def joint_state(q, q0, v, v0, m):
    """Coordinates and velocities of one joint, with the scratch to evaluate it in."""
    return JointState(q, q0, v, v0, m.joint_columns, m.joint_work)

"""Scratch of one block of states, and the forces that act on it; callers of the entries see none of it."""

from typing import Any, NamedTuple

from ...joints.kernels.records import JointState
from ...model.kernels.records import header
from ...numeric import inlined, kernel, scratch
from .layout import COLUMN, SLOT


class TreeScratch(NamedTuple):
    """Arrays of the recursions over a tree."""

    slots: Any  # SLOT.size numbers per slot
    columns: Any  # COLUMN.size numbers per velocity
    joint_columns: Any  # columns of one joint, in the parent's frame
    joint_work: Any  # of one joint's functions
    forces: Any  # generalised forces, with those of the model's loads
    wrenches: Any  # on the bodies, in world axes, with those of springs


class External(NamedTuple):
    """What acts beyond the model's own loads: generalised forces, and wrenches in body axes if `pushed`."""

    tau: Any
    wrenches: Any
    pushed: bool


@kernel
def tree_scratch(z, t):
    """Allocate the scratch of a model."""
    h = header(t)
    return TreeScratch(
        scratch(z, SLOT.size * (h.bodies + 1)),
        scratch(z, COLUMN.size * h.nv),
        scratch(z, 6 * h.widest),
        scratch(z, h.work),
        scratch(z, h.nv),
        scratch(z, 6 * h.bodies),
    )


@inlined
def joint_state(q, q0, v, v0, m):
    """Coordinates and velocities of one joint, with the scratch to evaluate it in."""
    return JointState(q, q0, v, v0, m.joint_columns, m.joint_work)

"""Scratch of constrained motion, beside that of the tree: over rows, or over groups of constraints."""

from typing import Any, NamedTuple

from ....model.kernels.records import grouping, header
from ....numeric import kernel, scratch, store


class ConstraintScratch(NamedTuple):
    """Arrays over the rows of all constraints."""

    jacobian: Any  # rows × nv
    forces: Any  # K of the rows of each loop on its two bodies, six numbers each: `row_wrenches`
    lever: Any  # Σ over free columns below the root of a loop of the squares of what forces along the row have there
    reach: Any  # the same of the most that they could have
    response: Any  # what forces along the rows do, rows × nv: `row_responses` says in which form
    gram: Any  # J M⁻¹ Jᵀ, then its factor
    ties: Any  # dependent rows in terms of the others
    norms: Any  # what the shortest multipliers need
    scale: Any
    dependent: Any  # multipliers of dependent rows
    gap: Any
    rate: Any
    second: Any  # rate of the rate
    multipliers: Any  # −λ
    step: Any
    still: Any  # nv zeros
    move: Any  # nv numbers of `row_responses`
    room: Any  # one number, to look at its lanes
    order: Any  # rows by decreasing pivot, integers
    tied: Any  # the same for `norms`
    rank: Any  # one integer


@kernel
def constraint_scratch(z, t):
    """Allocate the scratch of a model's constraints."""
    m, nv = header(t).constraint_rows, header(t).nv
    still = scratch(z, nv)
    for k in range(nv):
        store(z, still, k, z)
    return ConstraintScratch(
        jacobian=scratch(z, m * nv),
        forces=scratch(z, 12 * m),
        lever=scratch(z, m),
        reach=scratch(z, m),
        response=scratch(z, m * nv),
        gram=scratch(z, m * m),
        ties=scratch(z, m * m),
        norms=scratch(z, m * m),
        scale=scratch(z, m),
        dependent=scratch(z, m),
        gap=scratch(z, m),
        rate=scratch(z, m),
        second=scratch(z, m),
        multipliers=scratch(z, m),
        step=scratch(z, nv),
        still=still,
        move=scratch(z, nv),
        room=scratch(z, 1),
        order=scratch(0, m),
        tied=scratch(0, m),
        rank=scratch(0, 1),
    )


class GroupScratch(NamedTuple):
    """Arrays over groups, and over the rows of all constraints."""

    groups: Any  # as `Group` says, then K of every body of it
    responses: Any  # e_l of every velocity, `widest` each
    gap: Any
    rate: Any
    found: Any  # DOUBT, SIZE, LEFT
    still: Any  # nv zeros
    step: Any  # nv numbers


DOUBT, SIZE, LEFT = range(3)  # whether a pivot is doubtful, the largest |b|, the largest |b| that no λ gives


@kernel
def group_scratch(z, t):
    """Allocate the scratch of the groups of a model's constraints."""
    g, rows, nv = grouping(t), header(t).constraint_rows, header(t).nv
    still, gap = scratch(z, nv), scratch(z, rows)
    for k in range(nv):
        store(z, still, k, z)
    for k in range(rows):  # rolling has none
        store(z, gap, k, z)
    return GroupScratch(
        groups=scratch(z, g.room),
        responses=scratch(z, g.widest * nv),
        gap=gap,
        rate=scratch(z, rows),
        found=scratch(z, 3),
        still=still,
        step=scratch(z, nv),
    )
